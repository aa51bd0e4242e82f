// The bundle that only analyses need: the worker injects it into a frame when an analysis first asks something there.

import { auditFrame, beginAudit, finishAudit } from './analyze/accessibility.ts';
import { memoryEvidence } from './analyze/memory_evidence.ts';
import { performanceEvidence } from './analyze/performance_evidence.ts';
import { startAnalysis } from './analyze/questions.ts';
import { securityEvidence } from './analyze/security_evidence.ts';
import { startOnce } from './frame.ts';

startOnce('analyze', () => {
  startAnalysis({
    begin_audit: beginAudit,
    audit_frame: auditFrame,
    finish_audit: finishAudit,
    memory_evidence: memoryEvidence,
    performance_evidence: performanceEvidence,
    security_evidence: securityEvidence,
  });
});
