// Removes what the files of this folder shared; nothing of theirs must be left for the page to find.

'use strict';

Reflect.deleteProperty(globalThis, Symbol.for('gasoline'));
