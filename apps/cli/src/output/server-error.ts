import { Refusal, type RefusalParts } from '@orchard/refusal';

/** What a server said for itself. */
interface Problem {
  readonly detail: string;
  readonly code: string;
  readonly status?: number | undefined;
  readonly got?: string | undefined;
  readonly expected?: string | undefined;
  readonly where?: string | undefined;
  readonly remedy?: string | undefined;
}

/** What may be asked for by a command line that is right: it is not the caller's to correct that it is not there. */
const failures: readonly string[] = ['missing-artefact', 'damaged-artefact'];

/**
 * A coordinator that refused a request, or could not be reached. It is not a {@link Refusal} of this program's: what
 * answers may be of another release, with codes that are not known here, or no coordinator at all.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: string;
  readonly retryable: boolean;
  /** Where the server gave all of them. */
  readonly parts: RefusalParts | null;

  constructor({ detail, code, status, got, expected, where, remedy }: Problem, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.retryable = status === undefined || status === 429 || status === 503;
    const place = where === undefined ? {} : { where };
    const isWhole = got !== undefined && expected !== undefined && remedy !== undefined;
    this.parts = isWhole ? { got, expected, ...place, remedy } : null;
  }

  get isBadInput(): boolean {
    return this.parts !== null && !this.retryable && !failures.includes(this.code);
  }
}

/** A run that ended otherwise than it was meant to. */
export function runEnded(id: string, state: string, reason: string | null): Refusal<'run-ended'> {
  const got = `a run that is ${state}${reason === null ? '' : `: ${reason}`}`;
  const remedy = `orchard resume ${id.slice(0, 12)} continues it.`;
  const message = `Run ${id} is ${state}${reason === null ? '' : `: ${reason}`}. ${remedy}`;
  return new Refusal('run-ended', { got, expected: 'one that is done', where: `run ${id}`, remedy }, { message });
}

/** What came from a coordinator is not what the run made: nothing of it is kept. */
export function damagedDownload(
  id: string,
  got: string,
  expected: string,
  options?: ErrorOptions,
): Refusal<'damaged-artefact'> {
  const remedy = `orchard repair ${id.slice(0, 12)} drops what is damaged and has it computed again.`;
  const message = `Run ${id}: got ${got}, expected ${expected}; nothing was written. ${remedy}`;
  return new Refusal('damaged-artefact', { got, expected, where: `run ${id}`, remedy }, { ...options, message });
}
