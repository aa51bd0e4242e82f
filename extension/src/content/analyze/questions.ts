// Answers the service worker's questions of an analysis about this frame, also those that take their time.

import { type Fault, frame, type Query } from '../frame.ts';
import { closedSite, isOpen } from '../site_access.ts';

export type Question = (query: Query) => Promise<object> | object;

export function startAnalysis(questions: Record<string, Question>) {
  frame.analysis = async (name, query) => {
    if (!(await isOpen())) return { error: closedSite() };
    try {
      const question = Object.hasOwn(questions, name) ? questions[name] : undefined;
      return question ? { result: await question(query) } : { missing: true };
    } catch (thrown) {
      return { error: faultOf(thrown) };
    }
  };
}

function faultOf(thrown: unknown): Fault {
  const { fault } = thrown as { fault?: Fault };
  return fault ?? { code: 'internal_error', message: `The analysis failed in the page: ${(thrown as Error).message}` };
}
