// Reads the keys that are held during a gesture of the pointer, as `Control+Shift`; the front has checked the names.

export type Modifiers = { altKey: boolean; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean };

export function modifiersFrom(combination: unknown): Modifiers {
  const held = typeof combination === 'string' ? combination.split('+') : [];
  return {
    altKey: held.includes('Alt'),
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    shiftKey: held.includes('Shift'),
  };
}
