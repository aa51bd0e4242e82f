// Counts the bytes of a text in UTF-8; it must not make a Blob, for which Chrome asks its browser process each time.

const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
