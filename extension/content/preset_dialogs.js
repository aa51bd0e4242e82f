// Has a page that has just come hold its first dialogs, for an act may have led to it; registered only while acts may be.

'use strict';

holdEarlyDialogs();
