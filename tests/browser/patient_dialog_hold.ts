// Stands in for shared/dialog_hold.ts: on a machine that runs other tests, to attach takes longer; a request costs no CPU.

export const HELD_MS = 2000;

export function holdPage() {
  const end = performance.now() + HELD_MS;
  try {
    const asking = new XMLHttpRequest();
    asking.open('GET', `${self.origin}/api/later?ms=${HELD_MS}`, false);
    asking.send();
  } catch {} // a page that is being left may not ask
  while (performance.now() < end);
}
