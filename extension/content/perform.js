// Answers the service worker's words for one action: do it, see whether it holds, read; it must not wait for anything.

'use strict';

/** The most elements that are listed, and the most characters of a text that is read. */
var LISTED = 500;
var READ_CHARACTERS = 20_000;

/** What people work with. */
var WORKED_WITH =
  'a[href], button, input:not([type="hidden"]), select, textarea, summary, [contenteditable=""], [contenteditable="true"], [tabindex]:not([tabindex="-1"]), [role="button"], [role="link"], [role="checkbox"], [role="radio"], [role="switch"], [role="tab"], [role="menuitem"], [role="option"], [role="combobox"], [role="slider"], [onclick]';

/** @type {(() => object | void) | undefined}  whether the last deed holds, and what it tells of that */
var lastCheck;

/** @type {Record<string, (query: Record<string, unknown>) => object>} */
var readers = { get_text: getText, get_value: getValue, get_attribute: getAttribute, list_interactive: listInteractive };

/** What only moves the view or the focus: nobody watches what comes of it. */
var MOVES = ['focus', 'scroll_to'];

/** What is done without a pointer, so also to what cannot be seen. */
var BLIND = ['set_attribute', 'scroll_to'];

/**
 * Do an action, and watch from just before it on.
 * @param {Record<string, unknown>} query  `id`, `action`, `analyze`, and the action's own arguments
 * @returns {object}
 */
function perform({ id, action, analyze, ...query }) {
  const name = String(action);
  if (Object.hasOwn(readers, name)) return /** @type {any} */ (readers[name])(query);
  const doer = /** @type {Doer} */ (doers[name]);
  const { found, selector } = targetOf(name, query);
  if (MOVES.includes(name)) {
    doer(found, query, selector);
    return {};
  }
  const seen = watch(String(id), analyze === true, query['a11y'] === true);
  try {
    const { check, detached } = doer(found, query, selector);
    lastCheck = check;
    if (detached) return { target: '', detached };
  } catch (fault) {
    seen.end();
    throw fault;
  }
  return { target: nodes.isConnected(found.element) ? briefNameOf(found.element) : '' };
}

/**
 * @param {string} action
 * @param {Record<string, unknown>} query
 * @returns {{found: Found, selector: string}}
 */
function targetOf(action, query) {
  if (action === 'key_press' && query['selector'] === undefined) return { found: elementInFocus(), selector: 'the focused element' };
  const selector = String(query['selector']);
  const found = BLIND.includes(action) ? readable(query) : actable(query, action === 'upload' ? canTakeFiles : canBeActedOn);
  return { found: partFor(found, action), selector };
}

/** @returns {Found}  what has the focus, through shadow roots and frames of the same origin */
function elementInFocus() {
  const trees = treesOf(document);
  let tree = /** @type {Tree} */ (trees[0]);
  for (;;) {
    const element = /** @type {Document} */ (tree.root).activeElement ?? document.body;
    const inner = tree.inner.get(element);
    if (!inner) return { element, tree };
    tree = inner;
  }
}

/**
 * See whether what was done holds, now that the page has come to rest.
 * @returns {{holds: true}}  and what there is to tell
 */
function verify() {
  const check = lastCheck;
  lastCheck = undefined;
  return { holds: true, ...check?.() };
}

/**
 * Say whether what is waited for is there.
 * @param {Record<string, unknown>} query  `selector`, `state`
 */
function probe(query) {
  const { selector } = aimOf(query);
  const { state = 'visible' } = query;
  const states = ['visible', 'hidden', 'attached', 'detached'];
  if (!states.includes(String(state))) refuse('state', state, `state must be one of ${states.join(', ')}.`);
  const found = locate(treesOf(document), selector);
  const seen = found.some(canBeSeen);
  return { there: { visible: seen, hidden: !seen, attached: found.length > 0, detached: !found.length }[String(state)] };
}

/** @param {Record<string, unknown>} query */
function getText(query) {
  const { element } = readable(query);
  const text = /** @type {HTMLElement} */ (element).innerText ?? element.textContent ?? '';
  return { text: clip(text, READ_CHARACTERS), ...(text.length > READ_CHARACTERS && { truncated: true }) };
}

/** @param {Record<string, unknown>} query */
function getValue(query) {
  const { element } = partFor(readable(query), 'get_value');
  if (!nodes.matches(element, 'input, select, textarea, [contenteditable]')) notFor(String(query['selector']), 'get_value', 'It is no field.');
  if (isSensitive(element)) return { value: '[REDACTED]' };
  return { value: isHeld(element) ? valueOf(element) : clip(editedText(element), READ_CHARACTERS) };
}

/** @param {Record<string, unknown>} query */
function getAttribute(query) {
  const { attribute } = query;
  if (typeof attribute !== 'string' || !attribute) refuse('attribute', attribute, 'attribute must be the name of one.');
  const { element } = readable(query);
  const value = nodes.attribute(element, /** @type {string} */ (attribute));
  const secret = attribute === 'value' && isSensitive(element);
  return { value: secret ? '[REDACTED]' : value === null ? null : clip(value, READ_CHARACTERS) };
}

/** @param {Record<string, unknown>} query */
function listInteractive({ selector }) {
  const trees = treesOf(document);
  const within = selector === undefined ? undefined : readable({ selector }).element;
  const elements = [];
  let count = 0;
  for (const found of inOrder(search(trees, WORKED_WITH), /** @type {Tree} */ (trees[0]))) {
    if ((within && !contains(within, found.element)) || !canBeActedOn(found)) continue;
    if (count++ < LISTED) elements.push(described(found.element));
  }
  return { elements, ...(count > LISTED && { omitted_count: count - LISTED }) };
}

/** @param {Element} element */
function described(element) {
  const role = roleOf(element) || nodes.tag(element);
  const name = clip(accessibleName(element), 80);
  const field = isText(element) || isHtml(element, 'select');
  const value = field && !isSensitive(element) ? clip(valueOf(element), 80) : '';
  const ticked = isTicked(element);
  const off = nodes.matches(element, ':disabled') || nodes.attribute(element, 'aria-disabled') === 'true';
  return {
    ref: refOf(element),
    role,
    ...(name && { name }),
    ...(value && { value }),
    ...(ticked !== null && { checked: ticked }),
    ...(off && { disabled: true }),
  };
}
