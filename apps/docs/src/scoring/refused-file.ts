import { isRefusal } from '@orchard/refusal';
import type { Refused } from './messages.js';

/** A file that is refused, in words for the page. */
export class RefusedFile extends Error implements Refused {
  constructor(
    readonly problem: string,
    readonly remedy: string,
  ) {
    super(`${problem} ${remedy}`);
  }
}

/** What went wrong, for the page. */
export function refusedOf(error: unknown): Refused {
  if (error instanceof RefusedFile) return { problem: error.problem, remedy: error.remedy };
  if (isRefusal(error)) {
    const { got, expected, where, remedy } = error;
    return { problem: `${where === undefined ? '' : `${where}: `}got ${got}, expected ${expected}.`, remedy };
  }
  if (error instanceof RangeError && /memory|allocation|length/i.test(error.message))
    return {
      problem: 'The browser has not enough memory for this file.',
      remedy: 'Score some of the rows, or use the command line.',
    };
  return {
    problem: `Something went wrong: ${error instanceof Error ? error.message : String(error)}.`,
    remedy: 'This is a mistake of the page: please report it with the model that it happened with.',
  };
}
