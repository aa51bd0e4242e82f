// Finds and fills the parts of the popup; it must know nothing of what they mean.

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const part = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/**
 * @param {string} selector
 * @returns {HTMLButtonElement}
 */
export const button = (selector) => /** @type {HTMLButtonElement} */ (document.querySelector(selector));

/**
 * Make a term and its description.
 * @param {[string, string]} fact
 */
export function pair([name, value]) {
  const [term, description] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = name;
  description.textContent = value;
  return [term, description];
}

/**
 * Make a term and its description, in a box of their own.
 * @param {[string, string]} fact
 */
export function box(fact) {
  const made = document.createElement('div');
  made.append(...pair(fact));
  return made;
}
