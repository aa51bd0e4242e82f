// Computes the role of an element; it must read only what scripts can see, which a component's own internals are not.
//
// Roles: https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings and https://www.w3.org/TR/wai-aria-1.2/#role_definitions;
// tests/bench/names.py holds them against Chrome's own.

import { isHtml, nodes } from './nodes.ts';
import { around } from './visibility.ts';

/** By tag; a function gives '' for none. */
const ROLES_OF_TAGS: Record<string, string | ((element: any) => string)> = {
  a: linkOf,
  area: linkOf,
  article: 'article',
  aside: 'complementary',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  code: 'code',
  dd: 'definition',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  footer: (element) => (isInSection(element) ? '' : 'contentinfo'),
  form: (element) => (isNamedByAttribute(element) ? 'form' : ''),
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  header: (element) => (isInSection(element) ? '' : 'banner'),
  hr: 'separator',
  img: (element) => (nodes.attribute(element, 'alt') === '' && !isNamedByAttribute(element) ? '' : 'img'),
  input: inputRole,
  li: 'listitem',
  main: 'main',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  section: (element) => (isNamedByAttribute(element) ? 'region' : ''),
  select: (element) => (element.multiple || element.size > 1 ? 'listbox' : 'combobox'),
  strong: 'strong',
  summary: (element) => (isSummary(element) ? 'button' : ''),
  table: 'table',
  tbody: 'rowgroup',
  td: (element) => (nodes.closest(element, '[role="grid"], [role="treegrid"]') ? 'gridcell' : 'cell'),
  textarea: 'textbox',
  tfoot: 'rowgroup',
  th: headerRole,
  thead: 'rowgroup',
  time: 'time',
  tr: 'row',
  ul: 'list',
};

/** '' for what no screen reader meets; a date and the like have no role of their own, but take text. */
const ROLES_OF_INPUTS: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  hidden: '',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

/** The roles that a page may write, without the abstract ones. */
const KNOWN = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic graphics-document
  graphics-object graphics-symbol grid gridcell group heading image img insertion link list listbox listitem log main mark
  marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation
  progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status
  strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
  treegrid treeitem`.split(/\s+/),
);

/** What keeps an element from being only for looks (https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none). */
const GLOBAL =
  '[aria-atomic], [aria-busy], [aria-controls], [aria-current], [aria-describedby], [aria-details], [aria-dropeffect], [aria-flowto], [aria-grabbed], [aria-label], [aria-labelledby], [aria-live], [aria-owns], [aria-relevant], [aria-roledescription]';
const FOCUSABLE =
  'a[href], area[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex], [contenteditable=""], [contenteditable="true"]';

/** Return its role, '' for none. */
export function roleOf(element: Element): string {
  const written = (nodes.attribute(element, 'role') ?? '').trim().toLowerCase().split(/\s+/);
  const explicit = written.find((role) => KNOWN.has(role));
  if (!explicit || explicit === 'generic') return explicit ? '' : implicitRole(element);
  if (explicit !== 'none' && explicit !== 'presentation') return explicit === 'image' ? 'img' : explicit;
  return nodes.matches(element, `${GLOBAL}, ${FOCUSABLE}`) ? implicitRole(element) : '';
}

function implicitRole(element: Element): string {
  const tag = nodes.tag(element);
  if (nodes.namespace(element) === 'http://www.w3.org/2000/svg') return tag === 'a' ? linkOf(element) : '';
  if (nodes.namespace(element) !== 'http://www.w3.org/1999/xhtml') return '';
  const known = Object.hasOwn(ROLES_OF_TAGS, tag) ? ROLES_OF_TAGS[tag] : '';
  return (typeof known === 'function' ? known(element) : known) ?? '';
}

function linkOf(element: Element) {
  return nodes.matches(element, '[href], [*|href]') ? 'link' : '';
}

function inputRole(element: HTMLInputElement): string {
  const { type } = element;
  if (/^(text|search|tel|url|email)$/.test(type) && nodes.attribute(element, 'list') !== null) return 'combobox';
  if (type === 'checkbox' && nodes.attribute(element, 'switch') !== null) return 'switch';
  return ROLES_OF_INPUTS[type] ?? 'textbox';
}

function headerRole(element: Element): string {
  const scope = nodes.attribute(element, 'scope') ?? '';
  if (/^row/i.test(scope)) return 'rowheader';
  return /^col/i.test(scope) || nodes.closest(element, 'thead') ? 'columnheader' : 'cell';
}

/** Whether it opens and closes what is around it: the first summary of `details`. */
function isSummary(element: Element): boolean {
  const parent = nodes.parent(element);
  return (
    parent !== null &&
    nodes.type(parent) === 1 &&
    isHtml(parent as Element, 'details') &&
    nodes.matches(element, ':first-of-type')
  );
}

function isInSection(element: Element): boolean {
  const above = around(element);
  return above !== null && nodes.closest(above, 'article, aside, main, nav, section') !== null;
}

function isNamedByAttribute(element: Element): boolean {
  return ['aria-label', 'aria-labelledby', 'title'].some((name) => (nodes.attribute(element, name) ?? '').trim());
}
