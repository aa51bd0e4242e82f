// The error type of all commands: a code of the shared table, a message and what to do next.

import type codes from '../../../broker/gasoline_broker/error_codes.json';

/** A word that a client may match. The bridge adds the recovery text of the table where a fault has none of its own. */
type ErrorCode = keyof typeof codes;

export type FaultDetails = { details?: Record<string, unknown>; recovery?: string };

export type Fault = { code: ErrorCode; message: string } & FaultDetails;

export class Failure extends Error {
  readonly fault: Fault;

  constructor(code: ErrorCode, message: string, more: FaultDetails = {}) {
    super(message);
    this.fault = { code, message, ...more };
  }

  /** Make a failure of a fault that a page's script reported. */
  static of({ code, message, details, recovery }: Fault): Failure {
    return new Failure(code, message, { ...(details && { details }), ...(recovery && { recovery }) });
  }
}

export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Failure) return thrown.fault;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal_error', message: `The extension failed: ${message}` };
}
