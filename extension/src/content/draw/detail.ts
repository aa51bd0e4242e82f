// Describes the element of an annotation as it is now (seed 004, Annotation Detail); it must only ever read the page.

import { accessibleName } from '../dom/accessible_name.ts';
import { fail } from '../dom/faults.ts';
import { isSensitive } from '../dom/fields.ts';
import { locate } from '../dom/locate.ts';
import { nodes } from '../dom/nodes.ts';
import { roleOf } from '../dom/roles.ts';
import { treesOf } from '../dom/search.ts';
import { selectorWriter } from '../dom/selectors.ts';
import { clip } from '../dom/text.ts';
import { around } from '../dom/visibility.ts';
import type { Query } from '../frame.ts';
import { describeMatch, LIMITS } from '../read/describe_element.ts';
import { summaryOf } from './element_under.ts';

/** What a person means by how something looks: colours, type, box, and where it is put. */
const STYLES = [
  'background-color',
  'color',
  'font-family',
  'font-size',
  'font-weight',
  'line-height',
  'text-align',
  'padding',
  'margin',
  'border',
  'border-radius',
  'box-shadow',
  'opacity',
  'display',
  'position',
  'width',
  'height',
  'gap',
];

const CLASSES = 20;

type Detail = {
  selector: string;
  tag: string;
  id?: string;
  classes: string[];
  text_content: string;
  role?: string;
  name?: string;
  attributes: Record<string, string>;
  computed_styles: Record<string, string>;
  parent_selector?: string;
  bounding_rect: object;
  /** As elements are summed up in annotations: by it is seen whether this is still the same. */
  element_summary: string;
};

/** The query has the annotation's `selector`. */
export function annotationDetail({ selector }: Query): Detail {
  const trees = treesOf(document);
  const [found] = locate(trees, selector);
  if (!found) {
    fail('element_not_found', `Nothing on the page matches ${JSON.stringify(clip(selector, 500))} any more.`, {
      details: { selector: clip(selector, 500) },
      recovery:
        'The page has changed since it was drawn on: look at the annotation itself, or ask the user to draw again.',
    });
  }
  const { element, tree } = found;
  const write = selectorWriter(trees);
  const wish = { styles: STYLES, depth: 0 };
  const { tag, attributes, text, styles, boundingBox } = describeMatch(element, tree, selector, wish, {
    left: LIMITS.answer,
  });
  const parent = around(element);
  const parentTree = parent && trees.find(({ root }) => root === nodes.root(parent));
  const name = accessibleName(element);
  const role = roleOf(element);
  return {
    selector,
    tag,
    ...(attributes['id'] && { id: attributes['id'] }),
    classes: (attributes['class'] ?? '').split(/\s+/).filter(Boolean).slice(0, CLASSES),
    text_content: isSensitive(element) ? '' : (text ?? ''),
    ...(role && { role }),
    ...(name && { name: clip(name, LIMITS.text) }),
    attributes,
    computed_styles: styles ?? {},
    ...(parentTree && { parent_selector: write(parent, parentTree) }),
    bounding_rect: boundingBox,
    element_summary: summaryOf(element),
  };
}
