// The bundle that only analyses need: the worker injects it into a frame when an analysis first asks something there.

import { memoryEvidence } from './analyze/memory_evidence.ts';
import { auditFrame, auditPage, framesBelow } from './analyze/page_audit.ts';
import { performanceEvidence } from './analyze/performance_evidence.ts';
import { startAnalysis } from './analyze/questions.ts';
import { securityEvidence } from './analyze/security_evidence.ts';
import { startOnce } from './frame.ts';

startOnce('analyze', () => {
  startAnalysis({
    frames_below: framesBelow,
    audit_frame: auditFrame,
    audit_page: auditPage,
    memory_evidence: memoryEvidence,
    performance_evidence: performanceEvidence,
    security_evidence: securityEvidence,
  });
});
