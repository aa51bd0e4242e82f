// Stands in for shared/dialog_hold.ts: on a machine that runs other tests, to attach takes longer.

export const HELD_MS = 1000;
