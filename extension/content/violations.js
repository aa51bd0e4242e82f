// Tells what the page's security policy blocked; it must not tell what a page only pretends was blocked.

'use strict';

/** @type {boolean | undefined}  set once in this world, however often the files are injected */
var watchingViolations;

/** @param {SecurityPolicyViolationEvent} event */
function violated({ isTrusted, blockedURI, effectiveDirective, sourceFile, lineNumber, columnNumber, disposition }) {
  if (!isTrusted) return;
  capture({
    type: 'error',
    kind: 'csp',
    message: `${effectiveDirective} ${disposition === 'report' ? 'would block' : 'blocks'} ${blockedURI || 'inline code'}`,
    target: blockedURI,
    directive: effectiveDirective,
    ...(sourceFile && { source: `${sourceFile}:${lineNumber}:${columnNumber}` }),
    ...(disposition === 'report' && { report_only: true }),
  });
}

if (!watchingViolations) {
  watchingViolations = true;
  hearAlways('securitypolicyviolation', violated);
}
