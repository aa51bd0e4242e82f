// The bundle that only analyses need: the worker injects it into a frame when an analysis first asks something there.

import { auditFrame, auditPage, framesBelow } from './analyze/page_audit.ts';
import { startAnalysis } from './analyze/questions.ts';
import { startOnce } from './frame.ts';

startOnce('analyze', () => {
  startAnalysis({
    frames_below: framesBelow,
    audit_frame: auditFrame,
    audit_page: auditPage,
  });
});
