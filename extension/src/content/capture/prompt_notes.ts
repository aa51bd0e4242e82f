// Keeps what the page has asked of the browser that a script may be refused, or the user be asked for; it decides nothing.

import { frame, type UserPrompt } from '../frame.ts';

/** The most that are kept: a reply has few bytes for them. */
const KEPT = 10;

const URL_CHARACTERS = 500;

/** The permissions that a page can ask for by the functions that page/user_prompts.ts wraps. */
const PERMISSIONS = ['geolocation', 'notifications', 'camera', 'microphone'];

/** Keep a report of page/user_prompts.ts. */
export function notePrompt({ is, url, unsure, permission }: Record<string, unknown>) {
  const at = performance.now();
  if (is === 'window' && typeof url === 'string')
    keep({ at, is, url: url.slice(0, URL_CHARACTERS).toWellFormed(), unsure: unsure === true });
  if (is === 'permission' && PERMISSIONS.includes(String(permission))) askFor(String(permission), at);
}

/** The answer is there long before a reply is made of it. */
function askFor(permission: string, at: number) {
  const prompt: UserPrompt = { at, is: 'permission', permission, status: undefined };
  keep(prompt);
  const known = navigator.permissions?.query({ name: permission as PermissionName });
  known?.then((status) => Object.assign(prompt, { status })).catch(() => {}); // a browser may not know it
}

function keep(prompt: UserPrompt) {
  frame.prompts.push(prompt);
  if (frame.prompts.length > KEPT) frame.prompts.shift();
}
