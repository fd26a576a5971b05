/** What a shell sees: done, failed, refused, a check found something, interrupted by Ctrl-C. */
export const ExitCode = { done: 0, failure: 1, badInput: 2, found: 3, interrupted: 130 } as const;

/** What follows from a code. */
export interface Consequences {
  /** Whether the same call may succeed later without anybody changing it. */
  readonly retryable: boolean;
  /** The status of an answer. */
  readonly http: number;
  /** With what a command ends. */
  readonly exit: (typeof ExitCode)[keyof typeof ExitCode];
  /** The code in answers, where the API has said it in one word with another code since its first release. */
  readonly told?: string;
}

const { failure, badInput, interrupted } = ExitCode;
const refused = (http: number): Consequences => ({ retryable: false, http, exit: badInput });
const failed = (http: number): Consequences => ({ retryable: false, http, exit: failure });
const passing = (http: number): Consequences => ({ retryable: true, http, exit: failure });

/**
 * Every code that a refusal may have, and what follows from it. Codes are part of the API: one that was released keeps
 * its spelling. What they mean stands where they are thrown, in each library's `errors.ts`.
 */
const table = {
  // documents and environments
  'invalid-contract': refused(400),
  'invalid-configuration': refused(500),

  // data sets
  argument: refused(422),
  buffer: refused(422),
  column: refused(422),
  empty: refused(422),
  encoding: refused(422),
  format: refused(422),
  header: refused(422),
  limit: refused(413),
  'missing-value': { ...refused(422), told: 'missing' },
  ragged: refused(422),
  source: refused(422),
  truncated: refused(422),
  value: refused(422),

  // kernel, boosting and selection
  aborted: failed(500),
  'bad-data': refused(500),
  'bad-tree': refused(500),
  'other-layout': refused(500),
  'too-large': refused(413),
  'invalid-option': refused(500),
  'invalid-position': refused(500),
  'invalid-checkpoint': refused(500),
  'invalid-curves': refused(500),

  // models
  'invalid-ensemble': refused(422),
  'invalid-network': refused(422),
  'not-a-network-file': refused(422),
  'damaged-file': refused(422),
  'unsupported-version': refused(422),
  'unknown-family': refused(422),
  'invalid-argument': refused(422),

  // stores
  'invalid-name': failed(400),
  'invalid-range': failed(500),
  missing: failed(404),
  conflict: failed(500),
  // a store has read it again before it says so: no waiting mends it
  damaged: failed(500),
  // a coordinator whom its store refuses is out of service; what is wrong is in the words of the store
  denied: failed(503),
  full: passing(503),
  unavailable: passing(503),
  unsupported: failed(503),

  // tasks
  'bad-request': refused(422),
  'missing-artefact': failed(404),
  'damaged-artefact': { ...failed(500), told: 'damaged' },
  'other-numerics': refused(409),
  interrupted: { retryable: true, http: 503, exit: interrupted },
  'thread-lost': passing(503),
  'training-failed': refused(500),

  // queues: a coordinator without Redis is out of service, whatever is wrong with it
  'invalid-url': refused(503),
  'unsuitable-server': refused(503),
  unreachable: passing(503),
  refused: refused(503),
  busy: passing(503),
  'read-only': passing(503),
  'other-store': refused(503),

  // runs
  'unknown-run': refused(404),
  'unknown-task': refused(404),
  'unknown-dataset': refused(404),
  'damaged-record': { ...refused(409), told: 'damaged' },
  ended: refused(409),
  cancelled: refused(409),
  deleting: passing(409),
  pinned: refused(409),
  'dataset-in-use': refused(409),
  'run-in-use': refused(409),
  'unknown-reading': refused(404),
  'reading-given-up': failed(500),
  'reading-differs': refused(422),
  'denied-source': refused(403),

  // requests
  'damaged-model': { ...failed(500), told: 'damaged' },
  'invalid-request': refused(400),
  unauthorized: refused(401),
  forbidden: refused(403),
  'not-found': refused(404),
  'method-not-allowed': refused(405),
  'too-slow': passing(408),
  'not-ready': refused(409),
  'unsupported-media-type': refused(415),
  'no-such-range': refused(416),
  'over-limit': refused(422),
  'too-many-requests': passing(429),

  // command lines
  usage: refused(400),
  disk: failed(500),
  'run-ended': failed(409),
} as const satisfies Readonly<Record<string, Consequences>>;

export type RefusalCode = keyof typeof table;

export const consequences: Readonly<Record<RefusalCode, Consequences>> = table;
