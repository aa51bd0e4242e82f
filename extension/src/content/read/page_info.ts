// Answers `get_page_info` (seed 002, feature 3); it must only ever read the page.

import { accessibleName, nameReader } from '../dom/accessible_name.ts';
import { openDialog } from '../dom/covers.ts';
import { canBeActedOn } from '../dom/drawn_parts.ts';
import { isHtml, nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { countOf, inOrder, search, type Tree, treesOf } from '../dom/search.ts';
import { clip, rounded } from '../dom/text.ts';
import { around, contains, type Found, isForReaders } from '../dom/visibility.ts';
import { isWidget } from '../dom/widgets.ts';
import { controlLine, refPattern } from './control_line.ts';
import { textOf } from './describe_element.ts';
import { isDrawn } from './drawing.ts';
import { type HiddenOrder, hiddenOrders } from './hidden_orders.ts';
import { inFront } from './in_front.ts';
import { pageName } from './query_dom.ts';
import { isInNavigation } from './site_navigation.ts';

/** Gasoline's own limits; the seed sets none. What is left out is counted beside what is returned. */
const PAGE_LIMITS = { headings: 50, heading: 200, forms: 50, fields: 100, name: 200, controls: 20, looked: 400 };

const LINKS = 'a[href], area[href]';

/**
 * What a user can operate: links, enabled controls, disclosure summaries, media with controls, editable regions, all
 * that can be focused by keyboard, and elements that have the role of a widget. Counted where it is shown, whether in
 * view or not.
 */
const INTERACTIVE = [
  LINKS,
  'summary',
  'audio[controls]',
  'video[controls]',
  ':is(button, input:not([type=hidden i]), select, textarea):enabled',
  '[contenteditable]:not([contenteditable=false i])',
  '[tabindex]:not([tabindex^="-"])',
  `[role]:is(${[
    'button',
    'checkbox',
    'combobox',
    'link',
    'listbox',
    'menuitem',
    'menuitemcheckbox',
    'menuitemradio',
    'option',
    'radio',
    'searchbox',
    'slider',
    'spinbutton',
    'switch',
    'tab',
    'textbox',
    'treeitem',
  ].map((role) => `[role=${role}]`)})`, // by `:is`, an element without a role is asked once
].join();

const FORMS = 'form';
const HEADINGS = 'h1, h2, h3, h4, h5, h6';

/** Buttons carry no data that a user fills in. */
const BUTTONS = new Set(['submit', 'reset', 'button', 'image']);

type FormSummary = { id: string; action: string; fields: string[] };

interface PageInfoGot {
  url: string;
  title: string;
  viewport: { width: number; height: number };
  scroll: { x: number; y: number };
  documentHeight: number;
  forms: FormSummary[];
  /** How many forms there are, if more than were returned. */
  formCount?: number;
  headings: string[];
  /** How many headings there are, if more than were returned. */
  headingCount?: number;
  /** How many forms and headings are not shown: they are left out. */
  hiddenForms?: number;
  hiddenHeadings?: number;
  /** The page shows nothing yet. */
  drawn?: false;
  /** Elements that lead somewhere and are shown: `a[href]`, `area[href]` */
  links: number;
  /** `img` elements. */
  images: number;
  interactiveElements: number;
  /** The first of them, those of the navigation last; N of `ref` is the number in brackets. */
  ref?: string;
  controls?: string[];
  /** Text that is not shown and reads like orders to an assistant. */
  hiddenOrders?: HiddenOrder[];
  /** A dialog or layer that covers the page. */
  inFront?: string;
}

/** Sum up the page: its own document, its open shadow roots, its frames of the same origin. */
export function pageInfo(): PageInfoGot {
  const trees = treesOf(document);
  const page = trees[0] as Tree;
  const found = (css: string) => Array.from(inOrder(search(trees, css), page));
  const everyForm = found(FORMS);
  const forms = everyForm.filter(isShown);
  const everyHeading = found(HEADINGS);
  const headings = everyHeading.filter(isShown);
  const operable = found(INTERACTIVE).filter(isOperable);
  const hiddenForms = everyForm.length - forms.length;
  const hiddenHeadings = everyHeading.length - headings.length;
  const orders = hiddenOrders(trees);
  const front = inFront(trees);
  return {
    ...pageName(),
    ...(front && { inFront: front }),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: rounded(scrollX), y: rounded(scrollY) },
    documentHeight: (nodes.scroller(document) ?? nodes.rootElement(document))?.scrollHeight ?? 0,
    forms: forms.slice(0, PAGE_LIMITS.forms).map(({ element }) => summaryOf(element as HTMLFormElement)),
    ...(forms.length > PAGE_LIMITS.forms && { formCount: forms.length }),
    headings: headings
      .slice(0, PAGE_LIMITS.headings)
      .map(({ element }) => clip(textOf(element).text, PAGE_LIMITS.heading)),
    ...(headings.length > PAGE_LIMITS.headings && { headingCount: headings.length }),
    ...(hiddenForms && { hiddenForms }),
    ...(hiddenHeadings && { hiddenHeadings }),
    ...(!isDrawn(trees) && { drawn: false }),
    links: operable.filter(({ element }) => nodes.matches(element, LINKS)).length,
    images: countOf(search(trees, 'img')),
    interactiveElements: operable.length,
    ...(operable[0] && { ref: refPattern(operable[0].element), controls: controlsOf(operable) }),
    ...(orders.length && { hiddenOrders: orders }),
  };
}

/**
 * Write the first controls, each once: those of an open dialog come before what it is in front of, and the navigation of the
 * site comes last.
 */
function controlsOf(operable: Found[]): string[] {
  const nameOf = nameReader();
  const dialog = openDialog(document);
  const isInFront = ({ element }: Found) => dialog !== null && contains(dialog, element);
  const ordered = dialog ? [...operable.filter(isInFront), ...operable.filter((one) => !isInFront(one))] : operable;
  const lines: string[] = [];
  const last: { element: Element; role: string }[] = [];
  let looked = 0;
  for (const { element } of ordered) {
    const role = roleOf(element);
    if ((role && !isWidget(role)) || !isForReaders(element) || isPartOfOption(element, role)) continue;
    if (isInNavigation(element)) last.push({ element, role });
    else lines.push(controlLine({ element, role, name: nameOf(element) }));
    const isMuch = ++looked > PAGE_LIMITS.looked && lines.length + last.length >= PAGE_LIMITS.controls;
    if (lines.length === PAGE_LIMITS.controls || isMuch) break;
  }
  for (const { element, role } of last.slice(0, PAGE_LIMITS.controls - lines.length))
    lines.push(controlLine({ element, role, name: nameOf(element) }));
  return lines;
}

/** Whether an option is in another: an item of a list in a link. */
function isPartOfOption(element: Element, role: string): boolean {
  const outer = role === 'option' ? around(element) : null;
  return outer !== null && nodes.closest(outer, '[role="option"]') !== null;
}

/** Whether it is drawn, in a frame that is, if need be by scrolling. */
function isShown({ element, tree }: Found): boolean {
  for (let at: Tree | null = tree; at?.opener; at = at.outer) if (!nodes.isRendered(at.opener)) return false;
  return nodes.isRendered(element, { checkVisibilityCSS: true, checkOpacity: true });
}

/** A field may have something else drawn in its place, and an area has no box of its own. */
function isOperable(found: Found): boolean {
  return isShown(found) || (isHtml(found.element, 'input') && canBeActedOn(found));
}

function summaryOf(form: HTMLFormElement): FormSummary {
  const written: (element: Element, name: string) => string = (element, name) =>
    clip(nodes.attribute(element, name) ?? '', PAGE_LIMITS.name);
  const nameOf: (field: Element) => string = (field) =>
    written(field, 'name') || written(field, 'id') || clip(accessibleName(field), PAGE_LIMITS.name) || kindOf(field);
  const fields = Array.from(nodes.controls(form)).filter(isField);
  return {
    id: written(form, 'id'),
    action: written(form, 'action'),
    fields: fields.slice(0, PAGE_LIMITS.fields).map(nameOf),
  };
}

function kindOf(field: Element): string {
  const tag = nodes.tag(field);
  return tag === 'input' ? (field as HTMLInputElement).type : tag;
}

/** Whether the control carries data: a field set only groups, an output only shows, a button only acts. */
function isField(control: Element): boolean {
  const tag = nodes.tag(control);
  if (tag === 'input') return !BUTTONS.has((control as HTMLInputElement).type);
  return !['button', 'fieldset', 'output', 'object'].includes(tag);
}
