// What the pages with React share: a root, and a name for `createElement`.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

export const h = createElement;

export function show(...children) {
  document.body.innerHTML = '<div id="root"></div>';
  createRoot(document.getElementById('root')).render(h('main', null, ...children));
}
