// Shows the switch of AI Web Pilot and the calls that acted; only a real click of the user sets the switch.

import { part } from '../shared/parts.ts';
import { AUDIT, type AuditEntry, isPilotOn, PILOT } from '../shared/pilot.ts';
import { actWords } from './audit_text.ts';

/** Show the switch and the calls, now and after every change. */
export async function followPilot() {
  const { session, sync } = chrome.storage;
  const input = part('#pilot-switch') as HTMLInputElement;
  const show = async () => {
    input.checked = isPilotOn(await sync.get(PILOT));
  };
  input.addEventListener('change', ({ isTrusted }) => isTrusted && sync.set({ [PILOT]: input.checked }).catch(show));
  sync.onChanged.addListener(show);
  session.onChanged.addListener(({ [AUDIT]: changed }) => changed && showActs(changed.newValue as AuditEntry[]));
  await show();
  input.disabled = false;
  showActs((await session.get(AUDIT))[AUDIT] as AuditEntry[] | undefined);
}

/** Newest first. */
function showActs(entries: AuditEntry[] = []) {
  part('#acts').hidden = !entries.length;
  const [last] = entries;
  if (!last) return;
  part('#acts summary').replaceChildren('Last: ', line(last));
  part('#acts ol').replaceChildren(...entries.map((entry) => wrapped('li', line(entry))));
}

function line(entry: AuditEntry): HTMLElement {
  const { what, more } = actWords(entry);
  const whole = document.createElement('span');
  const bold = document.createElement('strong');
  bold.textContent = what;
  whole.append(bold, ` ${more}`);
  return whole;
}

function wrapped(tag: string, child: Node) {
  const made = document.createElement(tag);
  made.append(child);
  return made;
}
