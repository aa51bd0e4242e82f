// The error that is an answer: a code that a client may match, what happened, and what to do next. It decides nothing.

export type Fault = { code: string; message: string; details?: Record<string, unknown>; recovery?: string };

/** Thrown wherever a command cannot be done; becomes the command's answer. */
export class Failure extends Error {
  readonly fault: Fault;

  constructor(code: string, message: string, more: { details?: Record<string, unknown>; recovery?: string } = {}) {
    super(message);
    this.fault = { code, message, ...more };
  }
}

/** Put whatever was thrown into the form of an answer. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Failure) return thrown.fault;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal_error', message: `The extension failed: ${message}` };
}
