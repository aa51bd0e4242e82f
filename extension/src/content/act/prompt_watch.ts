// Collects what an action made the page ask of the browser: windows, permissions, file choosers; the worker judges it.

import { isHtml } from '../dom/nodes.ts';
import { frame } from '../frame.ts';
import { isFileField } from './field_kinds.ts';

/** `shown`: Chrome shows its file chooser only after real input; `unsure`: a window may have opened all the same. */
export type Prompt =
  | { is: 'window'; url: string; unsure: boolean }
  | { is: 'permission'; permission: string; state: PermissionState }
  | { is: 'file_chooser'; shown: boolean };

export type PromptWatch = { read: () => { prompts?: Prompt[] }; end: () => void };

export function watchPrompts(): PromptWatch {
  const begun = performance.now();
  const choosers: { event: Event; shown: boolean }[] = [];
  const onClick = (event: Event) => {
    const [target] = event.composedPath() as Element[];
    if (target && isHtml(target, 'input') && isFileField(target))
      choosers.push({ event, shown: navigator.userActivation?.isActive === true });
  };
  addEventListener('click', onClick, true);
  return {
    read() {
      const asked = promptsSince(begun);
      const chooser = choosers.find(({ event }) => !event.defaultPrevented);
      const prompts = [...asked, ...(chooser ? [{ is: 'file_chooser' as const, shown: chooser.shown }] : [])];
      return prompts.length ? { prompts } : {};
    },
    end: () => removeEventListener('click', onClick, true),
  };
}

/** `begun`: `performance.now()`. */
export function promptsSince(begun: number): Prompt[] {
  return frame.prompts.filter(({ at }) => at >= begun).flatMap(promptOf);
}

/** A permission that the user gave is nothing to report. */
function promptOf(prompt: (typeof frame.prompts)[number]): Prompt[] {
  if (prompt.is === 'window') return [{ is: 'window', url: prompt.url, unsure: prompt.unsure }];
  const state = prompt.status?.state;
  return state && state !== 'granted' ? [{ is: 'permission', permission: prompt.permission, state }] : [];
}
