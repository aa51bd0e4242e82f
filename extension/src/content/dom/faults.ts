// Ends a question with an error: which parameter is wrong, or what the page does not have.

import type { Fault } from '../frame.ts';
import { clip } from './text.ts';

/** Refuse an argument. */
export function refuse(parameter: string, value: unknown, message: string): never {
  const shown = typeof value === 'string' ? clip(value, 500) : value;
  return fail('invalid_params', message, { details: { parameter, value: shown } });
}

/** Have an error of what is done name the parameter that it is about. */
export function namingParameter<T>(parameter: string, look: () => T): T {
  const failed = (thrown: unknown): never => {
    const { fault } = thrown as { fault?: Fault };
    if (!fault) throw thrown;
    const { code, message, details, ...more } = fault;
    return fail(code, `${parameter}: ${message}`, { ...more, details: { ...details, parameter } });
  };
  try {
    const seen = look();
    return seen instanceof Promise ? (seen.catch(failed) as T) : seen;
  } catch (thrown) {
    return failed(thrown);
  }
}

/** End a question with an error. */
export function fail(code: string, message: string, more: Omit<Fault, 'code' | 'message'> = {}): never {
  throw Object.assign(new Error(message), { fault: { code, message, ...more } });
}
