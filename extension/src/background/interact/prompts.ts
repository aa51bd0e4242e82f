// Judges what an action made the page ask of the browser: what Chrome refused, and what waits for the user; pure.

import type { Opened } from '../navigate/opened_tabs.ts';

/** As content/act/prompt_watch.ts reports it. */
export type Prompt =
  | { is: 'window'; url: string; unsure: boolean }
  | { is: 'permission'; permission: string; state: string }
  | { is: 'file_chooser'; shown: boolean };

type Judged = { blocked?: string[]; waits_for_user?: string[]; hint?: string };

const HINTS = {
  scripted: 'Chrome does this for real input only: repeat the click with trusted:true.',
  real: 'Only the user can allow it, in the address bar of Chrome.',
  file: 'Give the file to its field with interact(action:"upload").',
  user: 'Ask the user to decide in Chrome.',
};

/** `trusted`: the action was real input. A window that the page cannot know of was not opened if no tab is there. */
export function judged(prompts: Prompt[], { opened_tab }: Opened, trusted: boolean): Judged {
  const windows = prompts.filter((prompt) => prompt.is === 'window').filter(({ unsure }) => !unsure || !opened_tab);
  const permissions = prompts.filter((prompt) => prompt.is === 'permission');
  const denied = permissions.filter(({ state }) => state === 'denied');
  const asked = permissions.filter(({ state }) => state !== 'denied');
  const chooser = prompts.find((prompt) => prompt.is === 'file_chooser');
  const blocked = [
    ...windows.map(({ url }) => `popup ${url}`.trim()),
    ...denied.map(({ permission }) => `permission ${permission}`),
    ...(chooser?.shown === false ? ['file chooser'] : []),
  ];
  const waiting = [
    ...asked.map(({ permission }) => `permission ${permission}`),
    ...(chooser?.shown ? ['file chooser'] : []),
  ];
  const hints = [
    windows.length && !trusted && HINTS.scripted,
    ((windows.length && trusted) || denied.length) && HINTS.real,
    chooser && HINTS.file,
    asked.length && HINTS.user,
  ].filter(Boolean);
  return {
    ...(blocked.length && { blocked: [...new Set(blocked)] }),
    ...(waiting.length && { waits_for_user: [...new Set(waiting)] }),
    ...(hints.length && { hint: hints.join(' ') }),
  };
}
