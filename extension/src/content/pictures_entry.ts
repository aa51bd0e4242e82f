// The bundle that pictures need in every frame: the worker injects it before it takes one.

import { frame, startOnce } from './frame.ts';
import { hideInShadows, isAnyShown, secretSelectors } from './pictures/secret_fields.ts';

startOnce('pictures', () => {
  frame.secrets = { selectors: secretSelectors, hideInShadows, isAnyShown };
});
