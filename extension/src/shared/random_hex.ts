// Makes names by chance, also on pages that are not secure contexts, where there is no crypto.randomUUID.

export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
