// Answers `get_page_info` (seed 002, feature 3); it must only ever read the page.

'use strict';

/** Gasoline's own limits; the seed sets none. What is left out is counted beside what is returned. */
var PAGE_LIMITS = { headings: 50, heading: 200, forms: 50, fields: 100, name: 200 };

/**
 * What a user can operate: links, enabled controls, disclosure summaries, media with controls, editable regions, whatever
 * can be focused by keyboard, and elements that carry the role of a widget. Counted whether in view or not.
 */
var INTERACTIVE = [
  'a[href]', 'area[href]', 'summary', 'audio[controls]', 'video[controls]',
  ':is(button, input:not([type=hidden i]), select, textarea):enabled',
  '[contenteditable]:not([contenteditable=false i])', '[tabindex]:not([tabindex^="-"])',
  ...[
    'button', 'checkbox', 'combobox', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
    'radio', 'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem',
  ].map((role) => `[role=${role}]`),
].join();

/** Buttons carry no data that a user fills in. */
var BUTTONS = new Set(['submit', 'reset', 'button', 'image']);

/** @typedef {{id: string, action: string, fields: string[]}} FormSummary */

/**
 * @typedef {object} PageInfoGot
 * @property {string} url
 * @property {string} title
 * @property {{width: number, height: number}} viewport
 * @property {{x: number, y: number}} scroll
 * @property {number} documentHeight
 * @property {FormSummary[]} forms
 * @property {number} [formCount]  how many forms there are, if more than were returned
 * @property {string[]} headings
 * @property {number} [headingCount]  how many headings there are, if more than were returned
 * @property {number} links  elements that lead somewhere: `a[href]`, `area[href]`
 * @property {number} images  `img` elements
 * @property {number} interactiveElements
 */

/**
 * Sum up the page: its own document, its open shadow roots, its frames of the same origin.
 * @returns {PageInfoGot}
 */
function pageInfo() {
  const trees = treesOf(document);
  const page = /** @type {Tree} */ (trees[0]);
  /** @type {(css: string) => Element[]} */
  const all = (css) => Array.from(inOrder(search(trees, css), page), ({ element }) => element);
  const forms = all('form').filter((form) => isHtml(form, 'form'));
  const headings = all('h1, h2, h3, h4, h5, h6');
  return {
    ...pageName(),
    viewport: { width: innerWidth, height: innerHeight },
    scroll: { x: rounded(scrollX), y: rounded(scrollY) },
    documentHeight: (nodes.scroller(document) ?? nodes.rootElement(document))?.scrollHeight ?? 0,
    forms: forms.slice(0, PAGE_LIMITS.forms).map((form) => summaryOf(/** @type {HTMLFormElement} */ (form))),
    ...(forms.length > PAGE_LIMITS.forms && { formCount: forms.length }),
    headings: headings.slice(0, PAGE_LIMITS.headings).map((heading) => clip(textOf(heading).text, PAGE_LIMITS.heading)),
    ...(headings.length > PAGE_LIMITS.headings && { headingCount: headings.length }),
    links: countOf(search(trees, 'a[href], area[href]')),
    images: countOf(search(trees, 'img')),
    interactiveElements: countOf(search(trees, INTERACTIVE)),
  };
}

/**
 * @param {HTMLFormElement} form
 * @returns {FormSummary}
 */
function summaryOf(form) {
  /** @type {(element: Element, name: string) => string} */
  const written = (element, name) => clip(nodes.attribute(element, name) ?? '', PAGE_LIMITS.name);
  /** @type {(field: Element) => string} */
  const nameOf = (field) => written(field, 'name') || written(field, 'id');
  const fields = Array.from(nodes.controls(form)).filter(isField);
  return {
    id: written(form, 'id'),
    action: written(form, 'action'),
    fields: fields.map(nameOf).filter(Boolean).slice(0, PAGE_LIMITS.fields),
  };
}

/**
 * @param {Element} control
 * @returns {boolean}  it carries data: a field set only groups, an output only shows, a button only acts
 */
function isField(control) {
  const tag = nodes.tag(control);
  if (tag === 'input') return !BUTTONS.has(/** @type {HTMLInputElement} */ (control).type);
  return !['button', 'fieldset', 'output', 'object'].includes(tag);
}
