// Finds the elements that an action means (SPEC, Selectors); it must not decide whether the action can be done.
//
// CSS by default, as `search.js` reads it. Besides: `text=`, `role=` (with a name), `label=`, `placeholder=`, `testid=`,
// and `ref=`, a number that `list_interactive` gave in this very page.

'use strict';

/** The most elements that are looked at by what they say: a page of more is looked through with CSS. */
var LOOKED_AT = 50_000;

/** The longest text of an element that is meant by what it says. */
var SAID = 2_000;

/** @type {Map<number, WeakRef<Element>> | undefined}  what `list_interactive` has numbered; made once in this world */
var refs;
/** @type {WeakMap<Element, number> | undefined} */
var refNumbers;
/** @type {string | undefined}  tells this page from every other: a ref of another page means nothing here */
var refPage;
refs ??= new Map();
refNumbers ??= new WeakMap();
refPage ??= crypto.randomUUID().slice(0, 4);

/** @typedef {(trees: Tree[], wanted: string) => Found[]} Engine */

/** @type {Record<string, Engine>} */
var engines = {
  text: (trees, wanted) => innermost(saying(trees, wanted, (element) => shownText(element))),
  role: (trees, wanted) => byRole(trees, wanted),
  label: (trees, wanted) => saying(trees, wanted, (element) => (takesLabel(element) ? nameBy(element) : '')),
  placeholder: (trees, wanted) => saying(trees, wanted, (element) => nodes.attribute(element, 'placeholder') ?? ''),
  testid: (trees, wanted) => byCss(trees, `[data-testid="${quoted(wanted)}"]`),
  ref: (trees, wanted) => byRef(trees, wanted),
};

/**
 * Find what a selector means, in the order of the composed page.
 * @param {Tree[]} trees
 * @param {string} selector
 * @returns {Found[]}
 */
function locate(trees, selector) {
  const [, engine = '', wanted = ''] = /^\s*([a-z]+)=(.*)$/s.exec(selector) ?? [];
  if (Object.hasOwn(engines, engine)) return /** @type {Engine} */ (engines[engine])(trees, wanted.trim());
  return byCss(trees, selector);
}

/**
 * @param {Tree[]} trees
 * @param {string} css
 * @returns {Found[]}
 */
function byCss(trees, css) {
  return [...inOrder(searchOrRefuse(trees, css), /** @type {Tree} */ (trees[0]))];
}

/**
 * @param {Tree[]} trees
 * @returns {Generator<Found>}  every element, in composed order
 */
function* everything(trees) {
  let left = LOOKED_AT;
  for (const found of inOrder(search(trees, '*'), /** @type {Tree} */ (trees[0]))) {
    if (left-- === 0) return;
    yield found;
  }
}

/**
 * Find what says something: in quotation marks exactly that, else whatever holds it, in any case.
 * @param {Tree[]} trees
 * @param {string} wanted
 * @param {(element: Element) => string} says
 * @returns {Found[]}
 */
function saying(trees, wanted, says) {
  const holds = matcher(wanted);
  const found = [];
  for (const one of everything(trees)) if (holds(oneLine(says(one.element)))) found.push(one);
  return found;
}

/**
 * @param {string} wanted
 * @returns {(text: string) => boolean}
 */
function matcher(wanted) {
  const exact = /^(["'])(.*)\1$/s.exec(wanted)?.[2];
  if (exact !== undefined) return (text) => text === oneLine(exact);
  const part = oneLine(wanted).toLowerCase();
  return (text) => part !== '' && text.toLowerCase().includes(part);
}

/**
 * @param {Element} element
 * @returns {string}  what a reader sees of it as text, never what a script or a style says
 */
function shownText(element) {
  if (isHtml(element, 'input')) {
    const { type, value } = /** @type {HTMLInputElement} */ (element);
    return /^(submit|reset|button)$/.test(type) ? value : '';
  }
  if (/^(script|style|noscript|template|head|html|body|title|option)$/.test(nodes.tag(element))) return '';
  const text = element.textContent ?? '';
  return text.length > SAID || element.querySelector('script, style') ? '' : text;
}

/**
 * Drop what only holds another of those that were found.
 * @param {Found[]} found
 * @returns {Found[]}
 */
function innermost(found) {
  const above = new Set();
  for (const { element, tree } of found) {
    for (let at = nodes.parent(element); at; at = nodes.parent(at)) above.add(at);
    for (let at = /** @type {Tree | null} */ (tree); at?.opener; at = at.outer) {
      for (let up = /** @type {Node | null} */ (at.opener); up; up = nodes.parent(up)) above.add(up);
    }
  }
  return found.filter(({ element }) => !above.has(element));
}

/**
 * @param {Tree[]} trees
 * @param {string} wanted  `button`, `button[name="Save"]`, `button[name=save]`
 * @returns {Found[]}
 */
function byRole(trees, wanted) {
  const [, role = '', name] = /^([a-z]+)\s*(?:\[\s*name\s*=\s*(.*?)\s*\])?$/s.exec(wanted) ?? [];
  if (!role) refuse('selector', `role=${wanted}`, 'A role is written role=button or role=button[name="Save"].');
  const holds = name === undefined ? () => true : matcher(name);
  const found = [];
  for (const one of everything(trees)) {
    if (roleOf(one.element) === role && holds(accessibleName(one.element))) found.push(one);
  }
  return found;
}

/**
 * @param {Tree[]} trees
 * @param {string} wanted
 * @returns {Found[]}
 */
function byRef(trees, wanted) {
  const [, page, number] = /^([0-9a-f]{4})-(\d+)$/.exec(wanted) ?? [];
  const element = page === refPage ? refs?.get(Number(number))?.deref() : undefined;
  const tree = element && trees.find(({ root }) => root === nodes.root(element));
  if (element && tree) return [{ element, tree }];
  return fail('element_not_found', `ref=${clip(wanted, 50)} is not of this page, or its element is gone.`, {
    details: { selector: `ref=${clip(wanted, 50)}`, stale: true },
    recovery: 'List the elements again with interact(action:"list_interactive").',
  });
}

/**
 * Number an element, so that it can be named by `ref=`; it keeps its number as long as the page is there.
 * @param {Element} element
 * @returns {string}
 */
function refOf(element) {
  const known = refNumbers?.get(element);
  const number = known ?? /** @type {Map<number, WeakRef<Element>>} */ (refs).size + 1;
  if (known === undefined) {
    refs?.set(number, new WeakRef(element));
    refNumbers?.set(element, number);
  }
  return `${refPage}-${number}`;
}

/**
 * @param {Element} element
 * @returns {boolean}  it is a field that a label can belong to
 */
function takesLabel(element) {
  return nodes.matches(element, 'input, select, textarea, button, meter, output, progress, [contenteditable], [role="textbox"], [role="combobox"], [role="checkbox"], [role="switch"], [role="slider"]');
}
