// Captures what the page's security policy blocked; not what a page only pretends was blocked.

import { isOwnSource } from '../../shared/own_source.ts';
import { capture } from './capture_event.ts';
import { listenAlways } from './persistent_listeners.ts';

function violated({
  isTrusted,
  blockedURI,
  effectiveDirective,
  sourceFile,
  lineNumber,
  columnNumber,
  disposition,
}: SecurityPolicyViolationEvent) {
  if (!isTrusted) return;
  capture({
    type: 'error',
    kind: 'csp',
    message: `${effectiveDirective} ${disposition === 'report' ? 'would block' : 'blocks'} ${blockedURI || 'inline code'}`,
    target: blockedURI,
    directive: effectiveDirective,
    ...(sourceFile && !isOwnSource(sourceFile) && { source: `${sourceFile}:${lineNumber}:${columnNumber}` }),
    ...(disposition === 'report' && { report_only: true }),
  });
}

export function startViolations() {
  listenAlways('securitypolicyviolation', violated);
}
