// Writes an error of the page, or of its console, as one short line for the reply of the action that caused it.

import type { CapturedEvent } from '../../shared/events.ts';
import { excerpt } from '../dom/text.ts';

export type FaultEvent = Extract<CapturedEvent, { type: 'error' | 'console' }>;

const CHARACTERS = 160;

/** So many of them a reply has. */
const NAMED = 3;

/** `place`: where it was thrown, empty if that is unknown. */
export type FaultText = { text: string; place: string };

/** Write a fault; without a text for what could not be loaded: the reply names the request that failed. */
export function faultText(event: FaultEvent): FaultText {
  if (event.type === 'console') return { text: brief(lineOf(event.args)), place: '' };
  const { kind, name = '', message, source = '' } = event;
  const named = name && !message.includes(name) ? `${name}: ${message}` : message;
  return { text: kind === 'resource' ? '' : brief(named), place: withoutOrigin(source) };
}

/** Give the first of some faults in words, each text once: a library throws again what it has caught. */
export function inWords(faults: FaultText[]): string[] {
  const unlike = faults.filter(({ text }, at) => text && faults.findIndex((one) => one.text === text) === at);
  return unlike.slice(0, NAMED).map(({ text, place }) => (place ? `${text} (${place})` : text));
}

function lineOf(args: unknown[]): string {
  return args.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' ');
}

/** The first line that has a text: what follows is a stack, or explains. */
function brief(text: string): string {
  const line = text.trimStart().split('\n', 1)[0] as string;
  return excerpt(withoutOrigin(line).trimEnd(), CHARACTERS);
}

function withoutOrigin(text: string): string {
  return location.origin === 'null' ? text : text.replaceAll(`${location.origin}/`, '/');
}
