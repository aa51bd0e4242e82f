// Finds whether a style shows something only under a real pointer, which a script cannot move; it must change nothing.

import { matchesIn, nodes } from '../dom/nodes.ts';

/** What shows or hides something; a color alone is nothing to miss. */
const SHOWING = [
  'display',
  'visibility',
  'opacity',
  'height',
  'max-height',
  'transform',
  'pointer-events',
  'clip-path',
  'clip',
  'left', // WordPress keeps the actions of a row 9,999 em away
  'right',
];

/** Whether a rule with `:hover` shows something for an element, or for what is around it. */
export function showsUnderPointer(element: Element): boolean {
  const root = nodes.root(element) as Document | ShadowRoot;
  return [...root.styleSheets, ...root.adoptedStyleSheets].some((sheet) =>
    rulesOf(sheet).some((rule) => shows(rule, element, root)),
  );
}

function rulesOf(holder: { cssRules: CSSRuleList }): CSSStyleRule[] {
  try {
    return [...holder.cssRules].flatMap((rule) => [
      ...(rule instanceof CSSStyleRule ? [rule] : []),
      ...('cssRules' in rule ? rulesOf(rule as CSSGroupingRule) : []),
    ]);
  } catch {
    return []; // of another origin
  }
}

function shows({ selectorText, style }: CSSStyleRule, element: Element, root: Document | ShadowRoot): boolean {
  if (!selectorText.includes(':hover') || !SHOWING.some((name) => style.getPropertyValue(name))) return false;
  return selectorText.split(',').some((one) => {
    const [pointed, shown] = [one.slice(0, one.indexOf(':hover')), one.replaceAll(':hover', '')];
    return one.includes(':hover') && holds(() => nodes.closest(element, pointed) && matchesIn(root, shown).length > 0);
  });
}

/** Whether something is so; a part of a selector may not parse alone. */
function holds(is: () => unknown): boolean {
  try {
    return Boolean(is());
  } catch {
    return false;
  }
}
