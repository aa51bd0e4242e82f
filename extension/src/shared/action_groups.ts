// The table of interact's actions: every name with its group. tests/wire/actions.json pins it to the table in Python.
//
// The group decides how the service worker performs an action; background/interact/interact.ts has the exceptions.

export const ACTIONS = {
  annotation_reply: 'drawing',
  back: 'navigation',
  check: 'mutating',
  click: 'mutating',
  close_tab: 'tabs',
  dialog: 'dialog',
  drag: 'mutating',
  draw_mode_start: 'drawing',
  fill_form: 'mutating',
  focus: 'moving',
  forward: 'navigation',
  get_attribute: 'reading',
  get_text: 'reading',
  get_value: 'reading',
  hover: 'mutating',
  key_press: 'mutating',
  list_interactive: 'reading',
  navigate: 'navigation',
  new_tab: 'tabs',
  refresh: 'navigation',
  scroll_to: 'moving',
  select: 'mutating',
  set_attribute: 'mutating',
  switch_tab: 'tabs',
  type: 'mutating',
  upload: 'mutating',
  wait_for: 'waiting',
  wheel: 'mutating',
} as const;

type Table = typeof ACTIONS;

export type ActionGroup = Table[keyof Table];

/** The names of the actions of some groups. */
export type ActionName<Group extends ActionGroup = ActionGroup> = {
  [Name in keyof Table]: Table[Name] extends Group ? Name : never;
}[keyof Table];

/** The actions that the page performs in one step. */
export type PageAction = Exclude<ActionName<'moving' | 'mutating'>, 'fill_form'>;

/** The actions that have real input, for `trusted`. */
export const INPUT_ACTIONS = ['click', 'drag', 'hover', 'key_press', 'type', 'wheel'] as const;

export type InputAction = (typeof INPUT_ACTIONS)[number];

/** The group of an action; undefined for one of a newer server. */
export function groupOf(action: unknown): ActionGroup | undefined {
  return Object.hasOwn(ACTIONS, String(action)) ? ACTIONS[action as ActionName] : undefined;
}
