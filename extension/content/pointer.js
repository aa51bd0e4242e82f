// Remembers what the assistant's pointer was over last, and says that it leaves; it must not move it anywhere.

'use strict';

/** @type {WeakRef<Element> | undefined}  what a script's pointer was moved onto last; it must not outlive the page's own use */
var pointedAt;

/**
 * Say that the pointer goes from where it was onto an element; what leaves and enters is told as Chrome tells it, with
 * each element around.
 * @param {Element} element
 * @param {{x: number, y: number}} at
 */
function pointOnto(element, { x, y }) {
  const last = pointedAt?.deref();
  const before = last && nodes.isConnected(last) && last.ownerDocument === element.ownerDocument ? last : undefined;
  const told = { composed: true, cancelable: true, clientX: x, clientY: y, view: element.ownerDocument.defaultView };
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: true };
  const say = (/** @type {Element} */ target, /** @type {string} */ kind, /** @type {Element | undefined} */ other) => {
    const alone = /enter|leave/.test(kind);
    const more = { ...told, bubbles: !alone, cancelable: !alone, relatedTarget: other ?? null };
    target.dispatchEvent(new PointerEvent(`pointer${kind}`, { ...more, ...pointer }));
    target.dispatchEvent(new MouseEvent(`mouse${kind}`, more));
  };
  if (before && before !== element) {
    say(before, 'out', element);
    for (const left of outwardFrom(before)) if (!contains(left, element)) say(left, 'leave', element);
  }
  if (before !== element) {
    say(element, 'over', before);
    for (const entered of outwardFrom(element).reverse()) if (!before || !contains(entered, before)) say(entered, 'enter', before);
  }
  pointedAt = new WeakRef(element);
}

/**
 * @param {Element} element
 * @returns {Element[]}  it and all around it, outwards
 */
function outwardFrom(element) {
  const path = [];
  for (let at = /** @type {Element | null} */ (element); at; at = around(at)) path.push(at);
  return path;
}
