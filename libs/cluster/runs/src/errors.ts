import { Refusal } from '@orchard/refusal';

/**
 * - `unknown-run`, `unknown-dataset`: there is none of that id (any more)
 * - `unknown-task`: the run has none of that name
 * - `damaged-record`: the record of the run cannot be read
 * - `ended`: a run that is done or failed cannot be cancelled
 * - `cancelled`: has to be resumed first
 * - `deleting`: the run is being removed; the same call succeeds a little later
 * - `dataset-in-use`: a run needs the data set
 * - `run-in-use`: a run that is under way asks the model of this one
 * - `unknown-reading`: there is no reading of that id (any more)
 * - `reading-given-up`: workers were lost over it
 * - `reading-differs`: another request came with the same key
 */
export type RunErrorCode =
  | 'unknown-run'
  | 'unknown-dataset'
  | 'unknown-task'
  | 'damaged-record'
  | 'ended'
  | 'cancelled'
  | 'deleting'
  | 'dataset-in-use'
  | 'run-in-use'
  | 'unknown-reading'
  | 'reading-given-up'
  | 'reading-differs';

/** Everything that this library throws itself; errors of the store, the queue and the pipeline pass through. */
export class RunError extends Refusal<RunErrorCode> {}

export const damageRemedy =
  'Delete the run and submit it again: what it stored is found again or computed to the same bytes.';

export function damagedRecord(id: string, damage: string): RunError {
  return new RunError('damaged-record', {
    got: `a damaged record: ${damage.replace(/\.$/, '')}`,
    expected: 'the marks that were made',
    where: `run ${id}`,
    remedy: damageRemedy,
  });
}

export function deleting(id: string): RunError {
  return new RunError('deleting', {
    got: 'a run that is being deleted',
    expected: 'its removal to end',
    where: `run ${id}`,
    remedy: 'Ask again in a few seconds.',
  });
}

export function unknownRun(id: string): RunError {
  const remedy = 'Submit it, or check the id.';
  return new RunError('unknown-run', { got: `run ${id}`, expected: 'a run that was submitted', remedy });
}
