// The error that is an answer: a code that a client may match, what happened, and what to do next. It decides nothing.

/**
 * @typedef {{code: string, message: string, details?: Record<string, unknown>, recovery?: string}} Fault
 */

/** Thrown wherever a command cannot be done; becomes the command's answer. */
export class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{details?: Record<string, unknown>, recovery?: string}} [more]
   */
  constructor(code, message, more = {}) {
    super(message);
    /** @type {Fault} */
    this.fault = { code, message, ...more };
  }
}

/**
 * Put whatever was thrown into the form of an answer.
 * @param {unknown} thrown
 * @returns {Fault}
 */
export function faultOf(thrown) {
  if (thrown instanceof Failure) return thrown.fault;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal_error', message: `The extension failed: ${message}` };
}
