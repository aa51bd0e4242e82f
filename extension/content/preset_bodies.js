// Has the bodies of requests captured from the page's first moment on; registered while the human wants them.

'use strict';

presetCapture({ bodies: true });
