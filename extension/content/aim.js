// Says where real input for an action is to go, once the action's checks are passed, and watches from then on; it must send none.

'use strict';

/** @typedef {{x: number, y: number}} AimPoint  in CSS pixels of what is seen of the page */

/**
 * Say where an action's input goes. Before `go` nothing is begun: the page may still be moving.
 * @param {Record<string, unknown>} query  `id`, `action`, `analyze`, `go`, and the action's own arguments
 */
function aim({ id, action, analyze, go, ...query }) {
  if (document.hidden) unseen();
  const { found, ...told } = /** @type {(query: Record<string, unknown>) => Aimed} */ (aims[/** @type {keyof typeof aims} */ (String(action))])(query);
  if (go === true) {
    watch(String(id), analyze === true, query['a11y'] === true);
    ownInput(true);
    if (found) expectPress(found.element, query);
  }
  return told;
}

/**
 * @typedef {{[told: string]: unknown} & Meant} Aimed
 * @typedef {object} Meant
 * @property {Found | undefined} [found]  what a press is meant for
 * @property {boolean | undefined} [framed]  a frame of its own stands there, whose page gets the press
 */

/** What shows a page of its own. */
var FRAMES = /^(iframe|frame|object|embed|fencedframe)$/;

/**
 * @param {Element} element
 * @param {Record<string, unknown>} query
 */
function expectPress(element, query) {
  const there = /** @type {Window & {landing?: Landing | undefined}} */ (element.ownerDocument.defaultView)?.landing;
  if (!there) return;
  there.isMeant = (path) => isHit(element, path) || (!nodes.isConnected(element) && isHit(redrawn(query), path));
  there.reached = nodes.matches(element, ':hover');
}

/**
 * @param {Element | undefined} element
 * @param {EventTarget[]} path
 */
function isHit(element, path) {
  return element !== undefined && (path.includes(element) || (path[0] instanceof Element && isLabelOf(path[0], element)));
}

/**
 * @param {Record<string, unknown>} query
 * @returns {Element | undefined}  what a page has put in the place of the element that was aimed at, as the pointer came
 */
function redrawn(query) {
  try {
    return actable(query).element;
  } catch {
    return undefined;
  }
}

/** @type {Record<string, (query: Record<string, unknown>) => Aimed>} */
var aims = { click: aimPointer, hover: aimPointer, type: aimText, key_press: aimKey, drag: aimDrag };

/** @param {Record<string, unknown>} query */
function aimPointer(query) {
  const found = actable(query);
  return { found, ...placeOfInput(found, String(query['selector'])), target: briefNameOf(found.element) };
}

/** @param {Record<string, unknown>} query */
function aimText({ text, ...query }) {
  if (typeof text !== 'string') refuse('text', text, 'text must be a text.');
  const found = partFor(actable(query), 'type');
  const selector = String(query['selector']);
  if (isPicked(found.element)) notFor(selector, 'type in with trusted', 'Its value is picked, not written: leave trusted out.');
  if (!isEditable(found.element)) notFor(selector, 'type', 'It is no field that takes text.');
  if (nodes.matches(found.element, ':read-only') && !(/** @type {HTMLElement} */ (found.element).isContentEditable)) notFor(selector, 'type', 'It is read-only.');
  return { found, ...placeOfInput(found, selector), target: briefNameOf(found.element) };
}

/**
 * @param {Element} element
 * @returns {boolean}  it is a field of parts or a picture, which takes no text at once
 */
function isPicked(element) {
  return isHtml(element, 'input') && /^(date|datetime-local|month|week|time|color|range)$/.test(/** @type {HTMLInputElement} */ (element).type);
}

/** Chrome hands a hidden page its input seconds late, or never (measured in Chromium 156). */
function unseen() {
  fail('tab_hidden', 'The tab is not in front: real input would not reach it.', {
    recovery: 'Show it with interact(action:"switch_tab", tab_id), or leave trusted out.',
  });
}

/**
 * Put the caret where text is to be written, into the field that has been clicked on, and see later whether it holds.
 * @param {Record<string, unknown>} query  `text`, `clear`, `selector`, `nth`
 */
function aimCaret({ text, clear = true, ...query }) {
  const { element } = partFor(actable(query), 'type');
  const selector = String(query['selector']);
  const wanted = String(text);
  /** @type {HTMLElement} */ (element).focus({ preventScroll: true });
  if (isText(element)) {
    const field = /** @type {HTMLInputElement} */ (element);
    const value = clear === false ? field.value + wanted : wanted;
    if (clear === false) caretAtEnd(field);
    else field.select();
    lastCheck = () => accepted(field, value, selector);
  } else {
    const selection = element.ownerDocument.getSelection();
    selection?.selectAllChildren(element);
    if (clear === false) selection?.collapseToEnd();
    lastCheck = () => holdsText(element, wanted, clear !== false, selector);
  }
  return {};
}

/** @param {HTMLInputElement} field */
function caretAtEnd(field) {
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // a field of numbers has no places in it: the caret stays where the click has put it
  }
}

/**
 * @param {Element} element
 * @param {string} wanted
 * @param {boolean} alone
 * @param {string} selector
 */
function holdsText(element, wanted, alone, selector) {
  const squeezed = (/** @type {string} */ said) => said.replace(/[\s\u200B]+/g, '');
  const now = squeezed(editedText(element));
  if (!(alone ? now === squeezed(wanted) : now.includes(squeezed(wanted)))) rejected(element, selector, wanted);
}

/** @param {Record<string, unknown>} query */
function aimKey({ key, ...query }) {
  const press = pressOf(key);
  const { element } = query['selector'] === undefined ? elementInFocus() : actable(query);
  if (query['selector'] !== undefined) focusable(element)?.focus({ preventScroll: true });
  return { press, target: nodes.isConnected(element) ? briefNameOf(element) : '' };
}

/**
 * Say whether what is dragged is draggable now, after the press.
 * @param {Record<string, unknown>} query
 */
function aimCarried({ selector, nth }) {
  const { selector: wanted, nth: which } = aimOf({ selector, nth });
  const { element } = locate(treesOf(document), wanted)[which ?? 0] ?? {};
  return { carried: element !== undefined && draggableAt(element) !== null };
}

/** @param {Record<string, unknown>} query */
function aimDrag({ to, nth, ...query }) {
  if (typeof to !== 'string' || !to.trim()) refuse('to', to, 'to must be the selector of what it is dragged onto.');
  const goal = actable({ selector: to });
  bringIntoSight(goal);
  const found = actable({ ...query, nth });
  const place = placeOfInput(found, String(query['selector']));
  const end = pointOf(goal, middleOf(goal.element));
  const { width, height } = paneSize();
  if (end.x < 0 || end.y < 0 || end.x > width || end.y > height) {
    fail('element_not_visible', `${JSON.stringify(clip(String(query['selector']), 200))} and ${JSON.stringify(clip(String(to), 200))} cannot be seen at once.`, {
      details: { selector: clip(String(to), 500) },
      recovery: 'Drag in steps, onto something between the two; or without trusted.',
    });
  }
  const draggable = nodes.closest(found.element, '[draggable="true"], img, a[href]') !== null;
  return { found, ...place, to: end, draggable, target: briefNameOf(found.element) };
}

/**
 * @param {Found} found
 * @param {string} selector
 * @returns {{at: AimPoint, framed: boolean}}
 */
function placeOfInput(found, selector) {
  const own = reachable(found, selector);
  const point = pointOf(found, own);
  for (let at = /** @type {Tree | null} */ (found.tree); at?.outer; at = at.outer) {
    if (!isDocument(at.root) || !at.opener) continue;
    const [view, root] = [viewOf(at.outer), /** @type {Document | ShadowRoot} */ (at.outer.root)];
    const over = root.elementFromPoint((point.x + shiftOfSight().x - view.x) / view.scaleX, (point.y + shiftOfSight().y - view.y) / view.scaleY);
    if (over && over !== at.opener) covered(selector, over);
  }
  const hit = drawnAt(/** @type {Document | ShadowRoot} */ (found.tree.root), own);
  return { at: point, framed: hit !== null && FRAMES.test(nodes.tag(hit)) };
}

/**
 * @param {Document | ShadowRoot} root
 * @param {AimPoint} at
 * @returns {Element | null}  what is drawn there, in whatever shadow roots
 */
function drawnAt(root, { x, y }) {
  const hit = root.elementFromPoint(x, y);
  const html = hit && nodes.namespace(hit) === 'http://www.w3.org/1999/xhtml'; // `instanceof` knows only this frame's
  const inner = html ? chrome.dom.openOrClosedShadowRoot(/** @type {HTMLElement} */ (hit)) : null;
  return (inner && inner !== root && drawnAt(inner, { x, y })) || hit;
}

/**
 * @param {string} selector
 * @param {Element} over
 */
function covered(selector, over) {
  fail('element_covered', `The frame of ${JSON.stringify(clip(selector, 200))} is covered by ${briefNameOf(over)}.`, {
    details: { selector: clip(selector, 500), covered_by: nameOf(over) },
    recovery: 'Close or move what covers it (a dialog, a banner), or scroll; then try again.',
  });
}

/** @param {Element} element */
function middleOf(element) {
  const { left, top, right, bottom } = outlineOf(element);
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/**
 * Put a place of a frame's viewport into what is seen of the page.
 * @param {Found} found
 * @param {{x: number, y: number}} at
 * @returns {AimPoint}
 */
function pointOf({ tree }, { x, y }) {
  const view = viewOf(tree);
  const shift = shiftOfSight();
  return { x: view.x + x * view.scaleX - shift.x, y: view.y + y * view.scaleY - shift.y };
}

/** @returns {{x: number, y: number}}  of what two fingers have made larger */
function shiftOfSight() {
  return { x: visualViewport?.offsetLeft ?? 0, y: visualViewport?.offsetTop ?? 0 };
}
