// Shows the page in front, and tracks it or stops tracking on a click.

import { obstacleOf } from '../shared/obstacles.ts';
import { button, part } from '../shared/parts.ts';
import { TRACKED, type Values } from '../shared/settings.ts';
import { offerDrawing } from './draw_button.ts';
import { nameOf, type Page, pageWords } from './page_text.ts';

let page: Page | undefined;
let values: Values | undefined;

/** Show the page, and follow it while the popup is open. */
export async function followPage() {
  const tab = await tabInFront();
  if (tab?.id === undefined) return;
  const { id } = tab;
  button('#track').addEventListener('click', toggle);
  button('#stop').addEventListener('click', stop);
  offerDrawing(id);
  button('#reload').addEventListener('click', () => chrome.tabs.reload(id));
  chrome.tabs.onUpdated.addListener((changed, _, now) => changed === id && update(now));
  await update(tab);
}

export function showTracking(now: Values) {
  values = now;
  show();
}

/** The tab that `?tab=` names, else the one under the popup. */
async function tabInFront(): Promise<chrome.tabs.Tab | undefined> {
  const named = Number(new URLSearchParams(location.search).get('tab'));
  if (named) return chrome.tabs.get(named).catch(() => undefined);
  return (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
}

async function update(tab: chrome.tabs.Tab) {
  const { id = 0, title = '', url = '' } = tab;
  const seen = { id, title, url, because: obstacleOf(tab)?.because };
  page = seen;
  show();
  if (seen.because || tab.status !== 'complete') return;
  const early = await isEarly(id);
  if (page !== seen) return; // it was updated meanwhile
  page = { ...seen, early };
  show();
}

/** Whether the page's content script ran before the page's own scripts. */
async function isEarly(id: number): Promise<boolean> {
  try {
    return (await chrome.tabs.sendMessage(id, { name: 'relay' }, { frameId: 0 }))?.early === true;
  } catch {
    return false;
  }
}

function show() {
  if (!page || !values) return;
  const words = pageWords(page, values);
  name('#tab .page', nameOf(page));
  button('#track').textContent = words.button;
  button('#track').disabled = !words.enabled;
  button('#track').classList.toggle('stop', words.button === 'Stop Tracking');
  part('#note').textContent = words.note;
  button('#draw').disabled = !words.drawable;
  part('#reload').hidden = !words.reload;
  part('#elsewhere').hidden = !words.elsewhere;
  if (words.elsewhere) showElsewhere(values);
}

async function showElsewhere({ trackedTabId, trackedTabUrl: url }: Values) {
  const tab = await chrome.tabs.get(trackedTabId ?? 0).catch(() => ({ url, title: '' }));
  name('#elsewhere .page', nameOf(tab));
}

function name(selector: string, { title, host }: { title: string; host: string }) {
  part(`${selector} strong`).textContent = title;
  part(`${selector} span`).textContent = host;
}

async function toggle() {
  if (!page) return;
  if (values?.trackedTabId === page.id) return stop();
  await chrome.storage.local.set({ trackedTabId: page.id, trackedTabUrl: page.url });
}

async function stop() {
  await chrome.storage.local.remove(TRACKED);
}
