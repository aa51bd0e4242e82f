// Finds and makes elements of the extension's own pages.

export const part = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

export const button = (selector: string): HTMLButtonElement => document.querySelector(selector) as HTMLButtonElement;

export function pair([name, value]: [string, string]) {
  const [term, description] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = name;
  description.textContent = value;
  return [term, description];
}

/** A term and its description, in one box. */
export function box(fact: [string, string]) {
  const made = document.createElement('div');
  made.append(...pair(fact));
  return made;
}
