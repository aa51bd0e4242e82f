// Computes the role and the accessible name of an element; an outline of the specifications, not axe's whole.
//
// Roles: https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings, those of what people work with and of landmarks.
// Names: https://www.w3.org/TR/accname-1.2/, steps 2B to 2I, without hidden labellers and CSS content.

import { slottedText } from './components.ts';
import { labellersOf } from './fields.ts';
import { isHtml, nodes } from './nodes.ts';
import { clip, oneLine } from './text.ts';

/** The longest name that is compared or returned. */
const NAME_CHARACTERS = 200;

/** By tag; a function gives '' for none. */
const ROLES_OF_TAGS: Record<string, string | ((element: any) => string)> = {
  a: (element) => (element.hasAttribute('href') ? 'link' : ''),
  area: (element) => (element.hasAttribute('href') ? 'link' : ''),
  article: 'article',
  aside: 'complementary',
  button: 'button',
  dialog: 'dialog',
  details: 'group',
  fieldset: 'group',
  footer: 'contentinfo',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  header: 'banner',
  hr: 'separator',
  img: 'img',
  input: (element) => ROLES_OF_INPUTS[element.type] ?? 'textbox',
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
  section: 'region',
  select: (element) => (element.multiple || element.size > 1 ? 'listbox' : 'combobox'),
  summary: 'button',
  table: 'table',
  tbody: 'rowgroup',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
  ul: 'list',
};

/** '' for what no screen reader meets. */
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

/** The roles that are named by their content. */
const NAMED_BY_CONTENT = new Set(
  'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem'.split(
    ' ',
  ),
);

/** Return its role, '' for none. */
export function roleOf(element: Element): string {
  const [explicit] = (nodes.attribute(element, 'role') ?? '').trim().toLowerCase().split(/\s+/);
  if (explicit) return explicit;
  if (nodes.namespace(element) !== 'http://www.w3.org/1999/xhtml') return '';
  const known = Object.hasOwn(ROLES_OF_TAGS, nodes.tag(element)) ? ROLES_OF_TAGS[nodes.tag(element)] : '';
  return (typeof known === 'function' ? known(element) : known) ?? '';
}

/** Return its accessible name, in one line. */
export function accessibleName(element: Element): string {
  return clip(oneLine(nameBy(element) || (nodes.attribute(element, 'title') ?? '')), NAME_CHARACTERS);
}

export function nameBy(element: Element): string {
  const labelled = labellersOf(element)
    .map((labeller) => ownName(labeller))
    .join(' ');
  return labelled.trim() ? labelled : ownName(element);
}

/** Return its name without `aria-labelledby`. */
function ownName(element: Element): string {
  const explicit = nodes.attribute(element, 'aria-label') ?? '';
  if (explicit.trim()) return explicit;
  const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => slottedText(label)).join(' ');
  if (labels.trim()) return labels;
  const native = nativeName(element);
  if (native.trim()) return native;
  return NAMED_BY_CONTENT.has(roleOf(element)) || !roleOf(element) ? contentOf(element) : '';
}

/** Return the name that its own attributes give. */
function nativeName(element: Element): string {
  const attribute = (name: string) => nodes.attribute(element, name) ?? '';
  if (isHtml(element, 'img') || isHtml(element, 'area')) return attribute('alt');
  if (!isHtml(element, 'input')) return isHtml(element, 'textarea') ? attribute('placeholder') : '';
  const { type, value } = element as HTMLInputElement;
  if (type === 'submit' || type === 'reset' || type === 'button') return value || (type === 'button' ? '' : type);
  return type === 'image' ? attribute('alt') : attribute('placeholder');
}

/** Return the text in it, images by their names. */
function contentOf(element: Element): string {
  const pictures = [...element.querySelectorAll('img[alt], [aria-label]')].map((part) => ownName(part)).join(' ');
  const text = slottedText(element);
  return `${text} ${oneLine(text) ? '' : pictures}`;
}
