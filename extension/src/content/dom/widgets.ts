// Names what people work with: the elements, and the roles of widgets; it must look at no page.

const ROLES =
  'button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem'.split(
    ' ',
  );

const WIDGETS = new Set([
  ...ROLES,
  'application',
  'grid',
  'gridcell',
  'row',
  'columnheader',
  'img',
  'listitem',
  'cell',
]);

/** Finds what people work with, by tag, role or listener. */
export const WORKED_WITH = [
  'a[href], area[href], button, input:not([type="hidden" i]), select, textarea, summary, [contenteditable=""]',
  '[contenteditable="true"], [contenteditable="plaintext-only"], [tabindex]:not([tabindex^="-"]), [onclick]',
  '[role="columnheader"][aria-sort], th[aria-sort]',
  ...ROLES.map((role) => `[role="${role}"]`),
].join(', ');

/** What holds what belongs together, one below the other. */
export const ROWS = 'tr, [role="row"], li, [role="listitem"], [role="treeitem"], article, [role="article"]';

/** Whether people work with what has this role; a region or a panel that takes the focus only scrolls. */
export function isWidget(role: string): boolean {
  return WIDGETS.has(role);
}
