// Finds and fills the parts of the popup; it must know nothing of what they mean.

export const part = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

export const button = (selector: string): HTMLButtonElement => document.querySelector(selector) as HTMLButtonElement;

/** Make a term and its description. */
export function pair([name, value]: [string, string]) {
  const [term, description] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = name;
  description.textContent = value;
  return [term, description];
}

/** Make a term and its description, in a box of their own. */
export function box(fact: [string, string]) {
  const made = document.createElement('div');
  made.append(...pair(fact));
  return made;
}
