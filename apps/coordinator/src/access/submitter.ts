import type { Submitter } from '@orchard/contracts';
import type { Caller } from './roles.js';

/** A caller as the sheet of a run names them. */
export function submitterOf({ name, way, subject }: Caller): Submitter {
  return { name, way, ...(subject !== undefined && { subject }) };
}
