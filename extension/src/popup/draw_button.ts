// Begins Draw Mode on the page in front, and makes room for it.

import { button, part } from '../shared/parts.ts';

export function offerDrawing(tab: number) {
  button('#draw').onclick = async () => {
    const fault: string | undefined = await chrome.runtime.sendMessage({ name: 'draw', tab });
    if (fault) part('#draw-note').textContent = fault;
    else window.close();
  };
}
