// Tells the relay that the page's own scripts ran before it: what speaks to it from the page's world may be anybody.

'use strict';

/** @type {boolean | undefined} */
var late = true;
