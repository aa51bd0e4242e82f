// Translates a selector of another tool into ours; it must know no page: text in, text out.
//
// The tools are Playwright, Puppeteer, Selenium and jQuery. It is asked only about what is no CSS, or finds nothing.

import { partsOf } from './selector_parser.ts';

/** A selector of ours; `nth` where the other one counts its matches. */
export interface Meant {
  selector: string;
  nth?: number;
}

/** The longest selector that is translated: the time of some rules grows with its square. */
const LONGEST = 500;

type Rule = [pattern: RegExp, meaning: (...groups: string[]) => Meant | undefined];

/** The roles of what is mostly named by its text. */
const ROLES: Record<string, string> = { a: 'link', button: 'button', option: 'option' };

/** What Playwright's and Testing Library's `getBy…` look for. */
const GET_BY: Record<string, (text: string) => string> = {
  Text: (text) => `text=${text}`,
  Label: (text) => `label=${text}`,
  LabelText: (text) => `label=${text}`,
  Placeholder: (text) => `placeholder=${text}`,
  PlaceholderText: (text) => `placeholder=${text}`,
  TestId: (text) => `testid=${text}`,
  AltText: (text) => attribute('alt', text),
  Title: (text) => attribute('title', text),
};

/** The engines of other tools that are written `name=`, and Selenium's `By`. */
const ENGINES: Record<string, (text: string) => string> = {
  css: (text) => text,
  cssselector: (text) => text,
  id: (text) => (/^[a-z_][\w-]*$/i.test(text) ? `#${text}` : attribute('id', text)),
  name: (text) => attribute('name', text),
  class: (text) => `.${text}`,
  classname: (text) => `.${text}`,
  tagname: (text) => text,
  link: (text) => byRole('link', text),
  linktext: (text) => byRole('link', text),
  partiallinktext: (text) => byRole('link', text),
  aria: (text) => `text=${text}`,
  arialabel: (text) => `label=${text}`,
  text: (text) => `text=${text}`,
  pierce: (text) => text,
  datatestid: (text) => `testid=${text}`,
  datatest: (text) => attribute('data-test', text),
  datacy: (text) => attribute('data-cy', text),
};

const QUOTED = '(["\'`])(.*?)\\1';

/** Between a call and one that looks further in what it finds, and from a call on that acts on it. */
const NEXT_CALL = /(?<=\))\s*\.\s*(?=(?:getBy\w+|locator|filter|first|last|nth)\()/;
const ACT = /(?<=\))\s*\.\s*(?:click|dblclick|fill|hover|press|check|uncheck|textContent|innerText)\(.*$/s;
const HAS_TEXT = ':(?:has-text|contains|text|text-is)\\(\\s*(["\'`]?)(.+?)\\1\\s*\\)';

/** Of a path: a text that a step has, or what is in it; and the ways from there to what is beside it. */
const PATH_TEXT =
  /^\/\/[\w*-]+\[\s*(?:(?:\.?\/{0,2})[\w*-]+\[\s*)?(?:contains\()?\s*(?:normalize-space\((?:\.|text\(\))?\)|text\(\)|\.)\s*[=,]\s*(["'])(.*?)\1\s*\)?\s*\]?\s*\](\/.+)$/s;
const BESIDE =
  /^(?:\/\.\.|\/(?:parent|ancestor|ancestor-or-self|following-sibling|preceding-sibling)::[\w*-]+(?:\[[^\]]*\])*)+/;

/** In this order; a rule whose meaning is undefined leaves the selector to the next ones. */
const RULES: Rule[] = [
  [/^\[?(?:ref=|@)?["']?([0-9a-f]{4}-\d+)["']?\]?$/, (ref) => ({ selector: `ref=${ref}` })],
  [/^(?:await\s+)?(?:page|screen|frame|driver)\s*\.\s*(.+)$/s, (call) => translated(call as string)],
  [/^((?:(?:get|find|query)By\w+|locator)\(.*\)\s*\.\s*(?:getBy\w+|locator|filter)\(.+)$/s, chainedCalls],
  [/^(.+?)\s*\.(?:first|last|nth|click|fill|hover|press|textContent)\((\d*).*\)$/s, countedCall],
  [/^(?:locator|find_?element|querySelector|document\.querySelector(?:All)?|\$+)\((.+)\)$/is, inCall],
  [/^(?:get|find|query)By(\w+)\((.+)\)$/s, byCall],
  [/^By\.(\w+)\((.+)\)$/s, (way = '', text = '') => engineOf(way, unquoted(text))],
  [/^(.*[^>]>>[^>].*)$/s, inParts],
  [/^:nth-match\((.+),\s*(\d+)\s*\)$/s, (of = '', place) => at(of, Number(place) - 1)],
  [/^(.+?):(?:first|eq\((\d+)\))$/s, (of = '', place) => at(of, Number(place || 0))],
  [
    /^internal:(role|text|label|testid|attr)=(.+)$/s,
    (engine, text = '') => ours(`${engine}=${text.replace(/"[is](?=\]|$)/g, '"')}`),
  ],
  [/^(.*?):visible(.*)$/s, (before, after) => ours(`${before}${after}`)],
  [new RegExp(`^[^:]*:has\\([^:]*${HAS_TEXT}\\s*\\)\\s*>?\\s*(.*)$`, 's'), (_, text, rest) => inRowOf(text, rest)],
  [new RegExp(`^[^:]*${HAS_TEXT}\\s*>?\\s*([^\\s:>].*)$`, 's'), (_, text, rest) => inRowOf(text, rest)],
  [/^([a-z][\w-]*)?(.*?):(?:has-text|contains|text|text-is)\((.+)\)$/s, withText],
  [/^(.*?)::-p-(text|aria|xpath)\((.+)\)$/s, (_, engine = '', text = '') => engineOf(engine, unquoted(text))],
  [/^\(?(?:xpath[=/])?\s*\(?\.?(\/\/.+?)\)?(?:\[(\d+)\])?$/s, (path = '', place) => byPath(path, place)],
  [/^([a-z-]+)\s*[=/:]\s*(.+)$/is, (engine = '', text = '') => engineOf(engine, unquoted(text))],
  [
    new RegExp(`^([a-z]+)\\s+${QUOTED.replace('\\1', '\\2')}$`, 's'),
    (role = '', _, name = '') => ({ selector: byRole(role, name) }),
  ],
  [new RegExp(`^${QUOTED}$`, 's'), (_, text) => ({ selector: `text=${text}` })],
];

/** Give what a selector means in our words, or nothing. */
export function translated(selector: string): Meant | undefined {
  const text = selector.trim();
  if (text.length > LONGEST) return undefined;
  for (const [pattern, meaning] of RULES) {
    const groups = pattern.exec(text)?.slice(1);
    const meant = groups && meaning(...groups.map((group) => group ?? ''));
    if (meant?.selector && meant.selector !== selector) return meant;
  }
  return undefined;
}

/** Write what is to be given instead, as the arguments of the next call. */
export function written({ selector, nth }: Meant): string {
  return `selector:${JSON.stringify(selector)}${nth === undefined ? '' : `, nth:${nth}`}`;
}

/** A selector that is ours already, or the meaning of one. */
function ours(selector: string): Meant {
  return translated(selector) ?? { selector };
}

function at(selector: string, nth: number): Meant {
  return { ...ours(selector), nth };
}

function countedCall(of = '', place = ''): Meant | undefined {
  return place ? at(of, Number(place)) : translated(of);
}

function inCall(text = ''): Meant {
  return ours(unquoted(text));
}

function byCall(way = '', inner = ''): Meant | undefined {
  const text = unquoted(inner.replace(/,\s*\{.*$/s, ''));
  if (way !== 'Role') return GET_BY[way] && { selector: GET_BY[way](text) };
  const name = /name\s*:\s*(["'`/])(.*?)\1/s.exec(inner)?.[2];
  return { selector: name === undefined ? `role=${text}` : byRole(text, name) };
}

/** Translate each part: what `>>` means is the same here. */
function inParts(selector = ''): Meant | undefined {
  const parts = partsOf(selector).map((part) => (/^nth=/.test(part) ? { selector: part } : ours(part)) as Meant);
  if (parts.length < 2) return undefined;
  const written = parts.flatMap(({ selector, nth }) => (nth === undefined ? [selector] : [selector, `nth=${nth}`]));
  return { selector: written.join(' >> ') };
}

/** What is beside a text. */
function inRowOf(text = '', rest = ''): Meant {
  if (!rest) return { selector: `text=${text}` };
  const { selector, nth } = ours(rest);
  return { selector: `text=${text} >> ${selector}`, ...(nth !== undefined && { nth }) };
}

/** Translate calls one after the other: each looks in what the one before has found, or chooses of it. */
function chainedCalls(text = ''): Meant | undefined {
  const parts: string[] = [];
  for (const call of text.replace(ACT, '').split(NEXT_CALL)) {
    const [, filter, place, number = ''] = /^(filter)\(|^(first|last|nth)\(\s*(-?\d*)/.exec(call) ?? [];
    const [, , text] = (filter && /(?:hasText\s*:|getByText\()\s*(["'`/])(.*?)\1/s.exec(call)) || [];
    if (place) parts.push(`nth=${{ first: '0', last: '-1' }[place] ?? number}`);
    else if (text !== undefined) parts.splice(-1, 1, `text=${text}`);
    else parts.push(translated(call)?.selector ?? '');
  }
  return parts.every(Boolean) ? { selector: parts.join(' >> ') } : undefined;
}

function withText(tag = '', rest = '', quoted = ''): Meant {
  const text = unquoted(quoted);
  const role = rest ? undefined : ROLES[tag];
  return { selector: role ? byRole(role, text) : `text=${text}` };
}

function engineOf(name: string, text: string): Meant | undefined {
  if (/^xpath$/i.test(name)) return translated(text);
  const engine = ENGINES[name.toLowerCase().replace(/[-_]/g, '')];
  return engine && text ? { selector: engine(text) } : undefined;
}

/** The commonest paths: by a tag, an attribute, a text. */
function byPath(path: string, place = ''): Meant | undefined {
  const [, , text, rest = ''] = PATH_TEXT.exec(path) ?? [];
  if (text !== undefined) return inRowOf(text, rest.replace(BESIDE, '').replace(/^\/(?!\/)/, '//'));
  const steps = [...path.matchAll(/(\/\/?)([\w*-]+)((?:\[[^\]]*\])*)/g)];
  if (!steps.length || steps.map(([step]) => step).join('') !== path) return undefined;
  let css = '';
  for (const [, slashes, tag = '', conditions = ''] of steps) {
    const text =
      /^\[(?:contains\()?\s*(?:normalize-space\(\)|normalize-space\(text\(\)\)|text\(\)|\.)\s*[=,]\s*(["'])(.*?)\1\)?\]$/s.exec(
        conditions,
      )?.[2];
    if (text !== undefined) return { selector: ROLES[tag] ? byRole(ROLES[tag], text) : `text=${text}` };
    const own = conditionsOf(conditions);
    if (own === undefined) return undefined;
    css += `${css && (slashes === '/' ? ' > ' : ' ')}${tag === '*' && own ? '' : tag}${own}`;
  }
  return place ? { selector: css, nth: Number(place) - 1 } : { selector: css };
}

function conditionsOf(conditions: string): string | undefined {
  let css = '';
  for (const [, condition = ''] of conditions.matchAll(/\[([^\]]*)\]/g)) {
    const [, name, , value = ''] = /^@([\w-]+)\s*=\s*(["'])(.*)\2$/s.exec(condition) ?? [];
    const [, part, , contained = ''] = /^contains\(\s*@([\w-]+)\s*,\s*(["'])(.*)\2\s*\)$/s.exec(condition) ?? [];
    if (name) css += name === 'id' && /^[a-z_][\w-]*$/i.test(value) ? `#${value}` : attribute(name, value);
    else if (part) css += `[${part}*=${JSON.stringify(contained)}]`;
    else return undefined;
  }
  return css;
}

function byRole(role: string, name: string): string {
  return `role=${role}[name=${JSON.stringify(name)}]`;
}

function attribute(name: string, value: string): string {
  return `[${name}=${JSON.stringify(value)}]`;
}

/** Take off the quotation marks, and the flags of a regular expression. */
function unquoted(text: string): string {
  const [, , inner] = /^\s*(["'`])(.*)\1\s*$/s.exec(text) ?? [];
  return inner ?? /^\s*\/(.*)\/[a-z]*\s*$/s.exec(text)?.[1] ?? text.trim();
}
