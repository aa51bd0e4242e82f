// Has no WebSocket captured, from the page's first moment on; registered while the human does not want them.

'use strict';

presetCapture({ websockets: false });
