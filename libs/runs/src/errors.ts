import { Refusal } from '@orchard/refusal';

/**
 * - `unknown-run`, `unknown-dataset`: there is none of that id (any more)
 * - `damaged-record`: the record of the run cannot be read
 * - `ended`: a run that is done or failed cannot be cancelled
 * - `cancelled`: has to be resumed first
 * - `deleting`: the run is being removed; the same call succeeds a little later
 * - `dataset-in-use`: a run needs the data set
 */
export type RunErrorCode =
  'unknown-run' | 'unknown-dataset' | 'damaged-record' | 'ended' | 'cancelled' | 'deleting' | 'dataset-in-use';

/** Everything that this library throws itself; errors of the store, the queue and the pipeline pass through. */
export class RunError extends Refusal<RunErrorCode> {}

export function unknownRun(id: string): RunError {
  const remedy = 'Submit it, or check the id.';
  return new RunError('unknown-run', { got: `run ${id}`, expected: 'a run that was submitted', remedy });
}
