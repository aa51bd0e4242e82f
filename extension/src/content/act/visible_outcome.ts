// Describes what a person would see come of an action: messages, refused fields, a dialog, another address, what a field holds.

import { accessibleName } from '../dom/accessible_name.ts';
import { editedText, isHeld, isSensitive, valueOf } from '../dom/fields.ts';
import { hasMatch, isHtml, matchesIn, nodes } from '../dom/nodes.ts';
import { type Tree, treesOf } from '../dom/search.ts';
import { clip, excerpt, oneLine, sentValue } from '../dom/text.ts';
import { around, contains, paneSize } from '../dom/visibility.ts';
import { inFront } from '../read/in_front.ts';
import { faultsOfPage } from '../record/frame_faults.ts';
import { isFileField, isSet, isText, isTicked } from './field_kinds.ts';
import { textOf } from './list_options.ts';
import { watchTexts } from './new_texts.ts';
import { focused } from './page_focus.ts';
import { watchPrompts } from './prompt_watch.ts';

/** The most of each kind that are described, and the longest of each text: a reply has few bytes for them. */
const MESSAGES = 3;
const MESSAGE_CHARACTERS = 120;
const INVALID = 3;
const VALUE_CHARACTERS = 60;
const CHOICES_CHARACTERS = 160;
const URL_CHARACTERS = 2_000;

/** A longer text is content, not a message. */
const MESSAGE_TEXT = 400;

/** How far around a message what is faded out is looked for. */
const FADING_LEVELS = 3;

/** The most elements of an action that are searched for messages. */
const NOTED = 1_000;

/** What is announced (https://www.w3.org/TR/wai-aria-1.2/#live_region_roles). */
const LIVE = '[role="alert"], [role="status"], [aria-live="polite"], [aria-live="assertive"], output';

/** Words in a class, or at the end of an id, by which the stylesheets of frameworks draw a message. */
const MESSAGE_CLASS =
  /(^|[\s_-])(alert|errors?|errorlist|errornote|flash(es)?|messagelist|toast|snackbar|notification|notice|invalid-feedback|success|warning)($|[\s_-])/i;
const MESSAGE_ID = /(^|[_-])(errors?|alert|flash|toast|success|warning)$/i;
const MESSAGE_LIKE = [
  'alert',
  'error',
  'flash',
  'messagelist',
  'toast',
  'snackbar',
  'notification',
  'notice',
  'feedback',
  'success',
  'warning',
]
  .map((word) => `[class*="${word}" i]`)
  .concat(['error', 'errors', 'alert', 'flash', 'toast', 'success', 'warning'].map((word) => `[id$="${word}" i]`))
  .join(', '); // the ids as in WordPress: <div id="login_error">

const CONTROLS = 'input, select, textarea, button, form, body, html';

/** What holds one of these is a part of the page that is redrawn, no message. */
const CONTENT = 'table, form, input, select, textarea, h1, h2, h3, h4, nav, article';

const DIALOGS =
  'dialog[open], [role="dialog"], [role="alertdialog"], :popover-open:not([role]:not([role="region"], [role="group"]))';

/** How long a dialog may come after the layer that it is drawn upon: Bootstrap fades that in for 150 ms first. */
const LAYER_MS = 350;

/** What a dialog is called that has no text. */
const UNTITLED = 'dialog';

/** What offers a choice once it is open. */
const MENUS = '[role="menu"], [role="listbox"]';
const CHOICES =
  'a[href], button, [role="button"], [role="option"], [role="menuitem"], [role="menuitemcheckbox"], [role="menuitemradio"]';

/** The most that a menu holds, such as all countries: what has more choices is a page. */
const MENU_CHOICES = 500;

const INVALID_FIELDS = '[aria-invalid="true"], :user-invalid';

/** Attributes by which a page hides from readers what it still shows. */
const FOR_READERS = /^((data-)?aria-hidden|inert)$/; // data-aria-hidden: by the package aria-hidden, as Radix does

/** The page as it was before an action, and what the action has touched since. */
export type OutcomeWatch = {
  note: (record: MutationRecord) => void;
  /** `field`: that was acted on, `focus`: whether it matters what has the focus, `list`: whether a list was chosen in. */
  read: (asked: { field?: Element | undefined; focus?: boolean; list?: boolean }) => object;
  /** Whether a layer has come over the whole page, and the dialog that it is for has not: Bootstrap fades it in first. */
  awaitsDialog: () => boolean;
  end: () => void;
};

export function watchOutcome(): OutcomeWatch {
  const before = {
    url: location.href,
    title: document.title,
    focus: focused(),
    roots: new Set(treesOf(document).map(({ root }) => root)),
    dialogs: new Set(all(DIALOGS).filter((one) => isShown(one) && !isFaded(one))),
    faded: new Set(all(DIALOGS).filter(isFaded)),
    menus: new Set(all(MENUS).filter(isShown)),
    expanded: new Set(all('[aria-expanded="true"]')),
    invalid: new Set(all(INVALID_FIELDS)),
    live: new Map(
      all(LIVE)
        .filter(isShown)
        .map((one) => [one, nodes.text(one)] as const),
    ),
  };
  const isNew = (one: Element) => !before.dialogs.has(one) && !(before.faded.has(one) && isFaded(one));
  const layers = new Map<Element, number>(); // came with nothing in it, by when
  const prompts = watchPrompts();
  const cameTexts = watchTexts();
  const touched = new Set<Element>(); // came, or was shown perhaps
  const drawn = new Set<Element>(); // of those, what not only readers are given in another way
  const written = new Set<Node | null>(); // has another text or other children: what else is in it was there before
  const refused = new Set<Element>();
  const onInvalid = ({ target }: Event) => void (target instanceof Element && refused.add(target));
  addEventListener('invalid', onInvalid, true);
  const news = new Set<Element>(); // what was announced before, and has had another text since, if only for a moment
  const noteNews = (node: Node | null) => {
    const live = before.live.size && node && nodes.type(node) === 1 ? nodes.closest(node as Element, LIVE) : null;
    if (live && !news.has(live) && before.live.get(live) !== nodes.text(live)) news.add(live);
  };
  const isOld = (one: Element | null) => one !== null && before.live.get(one) === nodes.text(one) && !news.has(one);
  /** What is announced or drawn as a message; where nothing is, and nothing opened, the few texts that came. */
  const messagesSeen = (dialog: Element | undefined, menu: Element | undefined, isList: boolean) => {
    const opened = menu ?? dialog;
    const lists = isList ? all('[role="listbox"]').filter(isShown) : [];
    const texts = [...(menu ? [menu] : []), ...lists].map(textOf);
    const told = { opened, texts: dialog && !menu ? [titleOf(dialog), ...texts] : texts };
    const fresh = treesOf(document).filter(({ root }) => !before.roots.has(root));
    const announced = fresh.flatMap(({ root }) => announcedIn(root));
    const found = messagesOf([...messagesAmong({ touched, drawn, written, isOld }), ...announced], told);
    return found.messages || opened || isList
      ? found
      : messagesOf(cameTexts.read().filter((one) => !isOld(nodes.closest(one, LIVE))));
  };
  return {
    note(record) {
      const { type, target, addedNodes, attributeName } = record;
      cameTexts.note(record);
      if (touched.size >= NOTED) return;
      if (type === 'attributes') {
        touched.add(target as Element);
        if (!FOR_READERS.test(attributeName ?? '')) drawn.add(target as Element);
      } else {
        const parent = type === 'characterData' ? nodes.parent(target) : target;
        written.add(parent);
        noteNews(parent);
      }
      for (const node of addedNodes) {
        if (node.nodeType !== 1) continue;
        touched.add(node as Element);
        drawn.add(node as Element);
        if (!nodes.firstChild(node as Element) && !nodes.text(node)) layers.set(node as Element, performance.now());
      }
    },
    awaitsDialog() {
      const since = performance.now() - LAYER_MS;
      const isOver = [...layers].some(([layer, at]) => at > since && coversAll(layer));
      return isOver && !all(DIALOGS).some((one) => isNew(one) && isShown(one));
    },
    read({ field, focus = false, list = false }) {
      const url = location.href;
      const title = document.title;
      const now = focused();
      const dialogs = all(DIALOGS).filter((one) => isNew(one) && isShown(one));
      const dialog = dialogs.find(titleOf); // one without a text may be a part of a menu
      const isList = list && dialog !== undefined && holdsList(dialog);
      const menu = openedMenu(before, touched, dialog);
      const seen = messagesSeen(dialog, menu, list);
      const isBare = dialogs.length > 0 && !dialog && !menu && !seen.messages && !list;
      const wrong = new Set([...refused, ...all(INVALID_FIELDS).filter((one) => !before.invalid.has(one))]);
      return {
        ...(url !== before.url && { url }),
        ...(title !== before.title && { title }),
        ...(dialog && !menu && !isList && { opened: titleOf(dialog) }),
        ...(isBare && { opened: UNTITLED }),
        ...(menu && !list && { choices: choicesIn(menu) }), // a list that was chosen in is closing
        ...prompts.read(),
        ...seen,
        ...invalidOf(wrong),
        ...(field && nodes.isConnected(field) && stateOf(field)),
        ...(focus &&
          now &&
          now !== before.focus &&
          now !== field && { focus: clip(nameOfField(now), VALUE_CHARACTERS) }),
      };
    },
    end() {
      prompts.end();
      removeEventListener('invalid', onInvalid, true);
    },
  };
}

/** Describe a page that an action led to: what it tells the user of what they did, and the errors that it had meanwhile. */
export function arrival(): object {
  const [dialog] = all(DIALOGS).filter((one) => isShown(one) && liesOver(one));
  const trees = treesOf(document);
  const shown = trees.flatMap(({ root }) => announcedIn(root));
  const opened = dialog ? titleOf(dialog) || UNTITLED : inFront(trees);
  return {
    url: clip(location.href, URL_CHARACTERS),
    ...(opened && { opened }),
    ...messagesOf(shown),
    ...invalidOf(new Set(all(INVALID_FIELDS))),
    faults: faultsOfPage(),
  };
}

/** Whether a dialog lies over its page: there are pages whose search has this role, and is part of them. */
function liesOver(dialog: Element): boolean {
  if (!nodes.isRendered(dialog, { checkOpacity: true, checkVisibilityCSS: true })) return false;
  for (let at: Element | null = dialog; at; at = around(at))
    if (nodes.matches(at, ':modal, :popover-open') || isFloating(at)) return true;
  return false;
}

/** Whether a dialog is what a list was drawn in, which is closing. */
function holdsList(dialog: Element): boolean {
  return nodes.matches(dialog, ':popover-open') || nodes.first(dialog, '[role="option"], [role="listbox"]') !== null;
}

function all(css: string): Element[] {
  return treesOf(document).flatMap(({ root }) => [...matchesIn(root, css)]);
}

function isShown(element: Element): boolean {
  return nodes.isRendered(element, { checkVisibilityCSS: true }) && nodes.box(element).width > 0;
}

/** Whether it lies over the whole window, as what a dialog is drawn upon. */
function coversAll(element: Element): boolean {
  if (!nodes.isConnected(element) || getComputedStyle(element).position !== 'fixed') return false;
  const { left, top, right, bottom } = nodes.box(element);
  const { width, height } = paneSize();
  return left <= 0 && top <= 0 && right >= width && bottom >= height;
}

/** Whether it is there and transparent, as a dialog that fades in when it opens. */
function isFaded(element: Element): boolean {
  return !nodes.isRendered(element, { checkOpacity: true }) && nodes.isRendered(element);
}

/**
 * Find the menu or list that has opened: by its role, or beside a button that states it of itself. `dialog`: that has
 * opened; a menu in it is all that it holds.
 */
function openedMenu(
  before: { menus: Set<Element>; expanded: Set<Element> },
  touched: Set<Element>,
  dialog: Element | undefined,
): Element | undefined {
  const isNew = (one: Element) => !before.menus.has(one) && isShown(one) && choicesOf(one).length > 0;
  if (dialog) {
    const [menu, ...others] = [...nodes.within(dialog, '[role="menu"]')].filter(isNew);
    return menu && !others.length && choicesOf(dialog).length === choicesOf(menu).length ? menu : undefined;
  }
  const named = all(MENUS).find(isNew);
  if (named) return named;
  const opener = all('[aria-expanded="true"]').find((one) => !before.expanded.has(one));
  if (!opener) return undefined;
  const controlled = matchesIn(
    nodes.root(opener) as Tree['root'],
    `#${CSS.escape(nodes.attribute(opener, 'aria-controls') || '-')}`,
  )[0];
  const near = [...(controlled ? [controlled] : []), ...touched].filter(
    (one) => isFloating(one) && nodes.isConnected(one),
  );
  return near.find((one) => !contains(one, opener) && isShown(one) && choicesOf(one).length);
}

/** Whether it is drawn over the page, as menus are. */
function isFloating(element: Element): boolean {
  return /^(absolute|fixed)$/.test(getComputedStyle(element).position);
}

/** List the choices of a menu: those in it, else those that its slots show. */
function choicesOf(menu: Element): Element[] {
  const own = [...nodes.within(menu, CHOICES)];
  const isFilled = own.length === 0 && nodes.first(menu, 'slot') !== null;
  const found = (isFilled ? all(CHOICES).filter((one) => contains(menu, one)) : own).filter(isShown);
  return found.length > MENU_CHOICES ? [] : found;
}

/** Name what a menu offers, as far as the bytes go; the rest is counted, and what is disabled. */
function choicesIn(menu: Element): string[] {
  const choices = choicesOf(menu);
  const enabled = choices.filter((one) => !nodes.matches(one, ':disabled, [aria-disabled="true"]'));
  const disabled = choices.length - enabled.length;
  const shown: string[] = [];
  let [left, rest] = [CHOICES_CHARACTERS, 0];
  for (const one of enabled) {
    const name = left < 0 ? '' : excerpt(oneLine(accessibleName(one)), VALUE_CHARACTERS);
    left -= name.length;
    if (left < 0) rest += 1;
    else if (name) shown.push(name);
  }
  return [...shown, ...(rest ? [`${rest} more`] : []), ...(disabled ? [`${disabled} disabled`] : [])];
}

type Touched = {
  touched: Set<Element>;
  drawn: Set<Element>;
  written: Set<Node | null>;
  isOld: (one: Element) => boolean;
};

/**
 * Find the messages that an action has written, changed or shown; `isOld`: whether it was announced before, and is no news,
 * also where a page draws the same text anew (Vuetify at each change of a form).
 */
function messagesAmong({ touched, drawn, written, isOld }: Touched): Element[] {
  const found = new Set<Element>();
  for (const node of [...touched, ...written]) {
    if (node?.nodeType !== 1 || !nodes.isConnected(node)) continue;
    const element = node as Element;
    const around = nodes.closest(element, `${LIVE}, ${MESSAGE_LIKE}`);
    if (around && !isOld(around)) found.add(around);
    if (!touched.has(element) || nodes.matches(element, 'body, html')) continue;
    if (!drawn.has(element) && !isFloating(element)) continue;
    for (const inner of [...nodes.within(element, `${LIVE}, ${MESSAGE_LIKE}`)].slice(0, NOTED))
      if (!isOld(inner)) found.add(inner);
  }
  return [...found].filter(isMessage);
}

/** List the messages of what is new as a whole; a number alone is a count of them there. */
function announcedIn(root: Tree['root']): Element[] {
  const found = [...matchesIn(root, `${LIVE}, ${MESSAGE_LIKE}`)].filter(isMessage);
  return found.filter((one) => /\p{L}/u.test(nodes.text(one) ?? ''));
}

function isMessage(element: Element): boolean {
  const [name = '', id = ''] = [nodes.attribute(element, 'class') ?? '', nodes.attribute(element, 'id') ?? ''];
  return nodes.matches(element, LIVE) || MESSAGE_CLASS.test(name) || (MESSAGE_ID.test(id) && !isOfField(element, id));
}

/** Whether it describes a field that is refused: the reply names that with this text. */
function isOfField(element: Element, id: string): boolean {
  const fields = ['aria-describedby', 'aria-errormessage'].map((name) => `[${name}~="${CSS.escape(id)}"]`).join(', ');
  return hasMatch(nodes.root(element) as Tree['root'], `:is(${fields}):is(${INVALID_FIELDS})`);
}

/**
 * Return the texts of those that are shown, each once: not what stands within another. `told`: what is reported otherwise;
 * around what has opened kits announce all that is in it.
 */
function messagesOf(
  elements: Element[],
  told: { opened?: Element | undefined; texts: string[] } = { texts: [] },
): { messages?: string[] } {
  const { opened, texts: known } = told;
  const texts: string[] = [];
  for (const element of elements) {
    if (
      !isShown(element) ||
      isLeaving(element) ||
      isVeiled(element) ||
      (opened && contains(element, opened)) ||
      nodes.matches(element, `${CONTROLS}, ${CONTENT}`) ||
      nodes.within(element, CONTENT).length
    )
      continue;
    const text = textOf(element);
    const isKnown = [...known, ...texts].some((other) => other.includes(text));
    if (!text || text.length > MESSAGE_TEXT || isKnown) continue;
    texts.push(text);
  }
  const shown = texts.map((text) => excerpt(text, MESSAGE_CHARACTERS)).filter((text) => text !== '…');
  const messages = shown.slice(0, MESSAGES);
  return messages.length ? { messages } : {};
}

/** Whether it is drawn with no opacity, and is not just fading in; what is announced is heard all the same. */
function isVeiled(element: Element): boolean {
  if (nodes.matches(element, LIVE) || nodes.isRendered(element, { checkOpacity: true })) return false;
  for (let at: Element | null = element; at; at = around(at))
    if (getComputedStyle(at).opacity === '0' && !at.getAnimations().length) return true;
  return false;
}

/** Whether it is fading out: a message that is taken away stays in the page until it has. */
function isLeaving(element: Element): boolean {
  for (let at: Element | null = element, up = 0; at && up < FADING_LEVELS; up++, at = around(at)) {
    for (const { effect } of at.getAnimations()) {
      const fades = effect instanceof KeyframeEffect && effect.getKeyframes().at(-1)?.['opacity'] === '0';
      if (fades && effect.getComputedTiming().iterations !== Infinity) return true;
    }
  }
  return false;
}

/** Describe the fields that were refused: each with its message, the rest counted. */
function invalidOf(fields: Set<Element>): { invalid?: string[]; invalid_count?: number } {
  const shown = [...fields].filter(
    (field) => !isHtml(field, 'form') && !isHtml(field, 'fieldset') && isRefused(field) && isInSight(field),
  );
  if (!shown.length) return {};
  const invalid = shown
    .slice(0, INVALID)
    .map((field) => excerpt(`${nameOfField(field)}: ${faultOf(field)}`, MESSAGE_CHARACTERS));
  return { invalid, ...(shown.length > INVALID && { invalid_count: shown.length }) };
}

/** Whether a field, or what it is drawn in, can be seen: applications keep the forms of other views. */
function isInSight(field: Element): boolean {
  const box = around(field);
  return isShown(field) || (box !== null && isShown(box));
}

/** Whether a field is refused still: some pages have it checked only to know what it holds. */
function isRefused(field: Element): boolean {
  const { validity } = field as HTMLInputElement;
  return nodes.attribute(field, 'aria-invalid') === 'true' || (validity !== undefined && !validity.valid);
}

/** Return the page's message, where the page states that the field is wrong, else the browser's own. */
function faultOf(field: Element): string {
  const own = oneLine((field as HTMLInputElement).validationMessage ?? '');
  if (nodes.attribute(field, 'aria-invalid') !== 'true') return own || 'invalid';
  const ids = `${nodes.attribute(field, 'aria-errormessage') ?? ''} ${nodes.attribute(field, 'aria-describedby') ?? ''}`;
  const root = nodes.root(field) as Document | ShadowRoot;
  const described = ids.split(/\s+/).map((id) => id && oneLine(root.getElementById(id)?.textContent ?? ''));
  return described.find((text) => text) || own || 'invalid';
}

function nameOfField(field: Element): string {
  return (
    oneLine(accessibleName(field)) || nodes.attribute(field, 'name') || nodes.attribute(field, 'id') || nodes.tag(field)
  );
}

/** Name a dialog by its name, its heading or its text; empty if it has none. */
function titleOf(dialog: Element): string {
  const heading = dialog.querySelector('h1, h2, h3, h4, [role="heading"]');
  const name = accessibleName(dialog) || oneLine(heading?.textContent ?? '');
  return excerpt(name || textOf(dialog), MESSAGE_CHARACTERS);
}

/** Describe what a field holds now. */
function stateOf(field: Element): object {
  if (isFileField(field)) {
    const names = [...((field as HTMLInputElement).files ?? [])].map(({ name }) => name);
    return { value: clip(names.join(', '), VALUE_CHARACTERS) };
  }
  const ticked = isTicked(field);
  if (ticked !== null) return { checked: ticked };
  if (isSensitive(field)) return isText(field) ? { value: '[REDACTED]' } : {};
  if (isHtml(field, 'select')) {
    const chosen = [...(field as HTMLSelectElement).selectedOptions].map(({ text }) => oneLine(text));
    return { value: sentValue(chosen.join(', ')) };
  }
  if (isHeld(field)) return isText(field) || isSet(field) ? { value: sentValue(valueOf(field)) } : {};
  return (field as HTMLElement).isContentEditable ? { value: sentValue(editedText(field)) } : {};
}
