// Times what a click of a script makes the page do: Event Timing has only real input. It keeps the slowest, with its parts.

import { nameOf } from '../dom/naming.ts';
import { rounded } from '../dom/text.ts';
import { frame } from '../frame.ts';

/** What is faster is not noted: naming the element and waiting for the frame are not free. */
const NOTED_MS = 40;

/** Note an event whose handlers began at a time of `performance.now()` and have just ended. */
export function noteInteraction(element: Element, event: string, begun: number) {
  const ended = performance.now();
  if (ended - begun < NOTED_MS) return;
  const selector = nameOf(element);
  const note = (painted: number) =>
    keepSlowest({
      ms: rounded(painted - begun),
      selector,
      event,
      delay_ms: 0,
      run_ms: rounded(ended - begun),
      paint_ms: rounded(painted - ended),
      source: 'own_clock',
    });
  if (document.hidden)
    note(ended); // a hidden page draws no frame
  else requestAnimationFrame(() => afterPaint(note));
}

/** A message comes after the frame is drawn, as a task of its own. */
function afterPaint(note: (painted: number) => void) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    note(performance.now());
  };
  port2.postMessage(0);
}

function keepSlowest(interaction: NonNullable<typeof frame.slowest>) {
  if (!frame.slowest || interaction.ms > frame.slowest.ms) frame.slowest = interaction;
}
