// Hides the secret fields of a page while a picture is taken, in all its frames, and shows them again afterwards.
//
// - The mask is a sheet of the user's, which no page sees and none of its rules outweighs. It does not reach into shadow
//   roots: there the frame's own script adds the same rules (content/pictures/secret_fields.ts).
// - A password or a card's number is hidden by what its field declares, also if it comes in the middle; what only its words
//   or its past make secret is found first. A picture is not used if another such field came, or one is still shown.
// - What is masked is noted before, in the session's storage: a worker that dies in the middle is followed by one that
//   takes the mask away as it starts.

import { aborted } from '../../shared/aborted.ts';
import { obstacleFrom } from '../../shared/obstacles.ts';
import { Failure } from '../failure.ts';
import { closedTo } from '../tabs/access.ts';
import type { Tab } from '../tabs/tabs.ts';

const NOTED = 'masked';
const BUNDLE = 'content/pictures.js';

/** A frame that is not drawn has no animation frames: it is not in the picture either. */
const FRAME_MS = 250;

/** How long taking a mask away is waited for: in a page that hangs it is done when that goes on. */
const TAKE_MS = 1_000;

const HIDE =
  'color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important; caret-color: transparent !important; transition: none !important; animation: none !important;';
const BLOCK = 'appearance: none !important; background: #767676 !important;';
const FREEZE =
  '*, *::before, *::after { animation-play-state: paused !important; transition: none !important; caret-color: transparent !important; }';

/** What is secret by its declaration (HTML, 4.10.18.7), whatever it holds. */
const DECLARED = [
  'input[type="password" i]',
  ...['current-password', 'new-password', 'one-time-code'].map((name) => `[autocomplete~="${name}" i]`),
  '[autocomplete*="cc-" i]',
];

/** The whole of a frame whose site is excluded, with what it shows in the browser's top layer. */
const HIDE_ALL = `
*, *::before, *::after, *::backdrop { opacity: 0 !important; transition: none !important; animation: none !important; }`;

/** The selectors of a frame's secret fields, and whether one of them can be read; `closed`: its site is excluded. */
type InFrame = { secrets: string[]; shown: boolean; closed: boolean };

/** The same of all frames, and their documents; `closed`: the numbers of those frames. */
type Look = { documents: string; secrets: string[]; shown: boolean; closed: number[] };

/**
 * Run work while the secret fields of a tab are masked; undefined if they were not for all of that time. Where nothing is
 * masked, frozen or hidden neither a frame nor the mask is waited for: a field that comes in the middle makes the picture
 * useless, or is drawn with the mask, which the page gets before it is asked for its place. `hiding`: gives whether something
 * else of the page was hidden.
 */
export async function whileMasked<T>(
  tab: Tab,
  { frozen, hiding }: { frozen: boolean; hiding: Promise<boolean> },
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<{ result: T; masked: number } | undefined> {
  const usual = cssOf([], frozen);
  const noted = note(tab.id, usual); // what is found beside it is masked in few pages
  const [before, isHidden] = await until(signal, Promise.all([look(tab), hiding, noted]));
  const css = before.secrets.length ? cssOf(before.secrets, frozen) : usual;
  if (css !== usual) await note(tab.id, css);
  const isOther = before.secrets.length > 0 || before.closed.length > 0 || frozen || isHidden;
  const masked = put(tab, css, before.closed);
  let taken: Promise<void> | undefined;
  try {
    if (isOther) await masked; // the frames that are waited for are to be drawn with it
    const shown = Promise.all([masked, drawn(tab, css, before.closed, isOther ? FRAME_MS : 0)]);
    if (isOther) await until(signal, shown);
    const [result] = await until(signal, Promise.all([work(), shown]));
    const looked = look(tab, { again: true }); // a frame does first what it is asked first: the mask is still there
    taken = take(tab.id, css, before.closed);
    const after = await until(signal, looked);
    const isKnown = after.secrets.every((one) => before.secrets.includes(one));
    const isSame = before.documents === after.documents && `${before.closed}` === `${after.closed}` && isKnown;
    return isSame && !after.shown ? { result, masked: before.secrets.length } : undefined;
  } finally {
    await masked.catch(() => {}); // a mask that comes after it was taken away would stay
    await (taken ?? take(tab.id, css, before.closed));
  }
}

/** Take away the masks of a worker that died with them. */
export async function removeLeftMasks(): Promise<void> {
  const { [NOTED]: left = {} } = await chrome.storage.session.get(NOTED);
  await Promise.allSettled(Object.entries(left as Record<string, string>).map(([id, css]) => take(Number(id), css)));
}

function cssOf(secrets: string[], frozen: boolean): string {
  const found = secrets.map((one) => `${one} { ${HIDE} ${BLOCK} }`);
  return [...DECLARED.map((one) => `${one} { ${HIDE} }`), ...found, ...(frozen ? [FREEZE] : [])].join('\n');
}

/** What a look gives that finds a frame without the bundle: not what the one before gave. */
const OTHER_FRAMES: Look = { documents: '', secrets: [], shown: false, closed: [] };

/** `again`: every frame has the bundle, or has come since. */
async function look(tab: Tab, { again } = { again: false }): Promise<Look> {
  const target = { tabId: tab.id, allFrames: true };
  const asked = () => chrome.scripting.executeScript({ target, func: secretsInFrame, injectImmediately: true });
  try {
    let frames = await asked();
    if (!again && !isWhole(frames)) {
      await chrome.scripting.executeScript({ target, files: [BUNDLE], injectImmediately: true });
      frames = await asked();
    }
    if (!isWhole(frames) && again) return OTHER_FRAMES;
    if (!isWhole(frames)) throw new Error('a frame did not answer');
    const documents = frames.map(({ frameId, documentId }) => `${frameId} ${documentId}`).sort();
    const results = frames.map(({ result }) => result as InFrame);
    return {
      documents: documents.join(),
      secrets: results.flatMap(({ secrets }) => secrets),
      shown: results.some(({ shown }) => shown),
      closed: frames.flatMap(({ frameId }, at) => (results[at]?.closed ? [frameId] : [])).sort(),
    };
  } catch (fault) {
    throw await unmaskable(tab, fault);
  }
}

const isWhole = (frames: { result?: unknown }[]): boolean => frames.every(({ result }) => result);

/** Runs in each frame. */
function secretsInFrame(): InFrame | undefined {
  const { secrets, excluded } = (globalThis as any).gasoline ?? {};
  if (secrets && excluded !== false) return { secrets: [], shown: false, closed: true }; // also while it is not known
  return secrets && { secrets: secrets.selectors(), shown: secrets.isAnyShown(), closed: false };
}

async function put(tab: Tab, css: string, closed: number[]) {
  try {
    await chrome.scripting.insertCSS({ target: { tabId: tab.id, allFrames: true }, css, origin: 'USER' });
    if (!closed.length) return;
    await chrome.scripting.insertCSS({ target: { tabId: tab.id, frameIds: closed }, css: HIDE_ALL, origin: 'USER' });
  } catch (fault) {
    throw await unmaskable(tab, fault);
  }
}

/** Wait for work, until its caller no longer does. */
const until = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => Promise.race([work, aborted(signal)]);

/** Take the mask away, in every frame that can be reached: the tab may be closed. `closed`: unknown after a worker's death. */
async function take(tab: number, css: string, closed?: number[]) {
  const target = { tabId: tab, allFrames: true };
  const sheets = closed?.length === 0 ? [css] : [css, HIDE_ALL];
  const removed = Promise.all(sheets.map((css) => chrome.scripting.removeCSS({ target, css, origin: 'USER' })));
  const shown = chrome.scripting.executeScript({ target, func: showInShadows, injectImmediately: true });
  await Promise.race([Promise.allSettled([removed, shown]), new Promise((done) => setTimeout(done, TAKE_MS))]);
  void chrome.storage.session.remove(NOTED); // if it is left, a mask that is gone is taken away once more
}

/** Runs in each frame. */
function showInShadows() {
  (globalThis as any).gasoline?.secrets?.hideInShadows(null);
}

/** Note what is masked; pictures are taken one at a time. */
async function note(tab: number, css: string) {
  await chrome.storage.session.set({ [NOTED]: { [tab]: css } });
}

/** Have the mask in the shadow roots too, and wait until every frame that is drawn has been drawn with it, `boundMs` at most. */
async function drawn({ id: tabId }: Tab, css: string, closed: number[], boundMs: number) {
  const hide = (target: chrome.scripting.InjectionTarget, rules: string) =>
    chrome.scripting.executeScript({
      target,
      func: hiddenAndDrawn,
      args: [rules, boundMs],
      injectImmediately: true,
    });
  await Promise.all([
    hide({ tabId, allFrames: true }, css),
    ...(closed.length ? [hide({ tabId, frameIds: closed }, css + HIDE_ALL)] : []), // the second one of a frame counts
  ]);
}

/** Runs in each frame: the second animation frame comes after what the first one's styles were drawn. */
function hiddenAndDrawn(css: string, boundMs: number): Promise<unknown> | number {
  (globalThis as any).gasoline?.secrets?.hideInShadows(css);
  if (!boundMs) return 0;
  const shown = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return Promise.race([shown, new Promise((done) => setTimeout(done, boundMs))]).then(() => 0);
}

async function unmaskable(tab: Tab, fault: unknown): Promise<Failure> {
  const refusal = (fault as Error).message;
  const obstacle = obstacleFrom(refusal, tab.url ?? '');
  if (obstacle.reason !== 'blocked') return closedTo(tab, obstacle);
  return new Failure(
    'screenshot_failed',
    `The page's secret fields could not be masked, so no picture was taken (${refusal}).`,
  );
}
