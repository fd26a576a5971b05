import { placeOfGreatest } from '@orchard/numerics';
import { concurrently } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { AskedRun } from '../run/lbarn-run.js';
import { readTrial, type TrialDocument } from './screen.js';
import type { Candidate } from './trials.js';

/** Reads under way at once. */
export const readsAtOnce = 32;

/** What a candidate is worth on the validation rows. */
export interface Worth {
  /** Mean nats per validation row of the tried dimensions together. */
  readonly validLogLikelihood: number;
  readonly trees: number;
  /** Of a search in full: the part of all gains that the last tenth of the rounds brought. */
  readonly rise?: number;
}

/** Of these dimensions together. */
export async function worthOf(
  store: ObjectStore,
  run: AskedRun,
  candidate: Candidate,
  dimensions: readonly number[],
): Promise<Worth> {
  const trials = await concurrently(dimensions, readsAtOnce, (dimension) =>
    readTrial(store, run, { candidate, dimension }),
  );
  const { rows } = run.datasets.valid;
  const curves = trials.flatMap(({ curve }) => (curve === undefined ? [] : [curve]));
  if (curves.length === trials.length && curves.length > 0) return worthInFull(curves, run.specification.rounds, rows);
  return {
    validLogLikelihood: trials.reduce((sum, { validLogLikelihood }) => sum + validLogLikelihood, 0) / rows,
    trees: trials.reduce((sum, { trees }) => sum + trees, 0),
    ...riseWithoutCurves(trials),
  };
}

/**
 * By one number of rounds for all dimensions. The best round of each dimension would be chosen by the rows that it is
 * judged on: of few validation rows the deepest trees look best, since their curves vary most.
 *
 * @param curves summed nats over the validation rows by rounds; one that ended early keeps its last value
 */
export function worthInFull(curves: readonly (readonly number[])[], rounds: number, rows: number): Worth {
  const common = Float64Array.from({ length: rounds + 1 }, (_, round) =>
    curves.reduce((sum, curve) => sum + curve[Math.min(round, curve.length - 1)]!, 0),
  );
  const best = placeOfGreatest(common);
  const gained = common[best]! - common[0]!;
  const late = common[rounds]! - common[rounds - Math.ceil(rounds / 10)]!;
  return {
    validLogLikelihood: common[best]! / rows,
    trees: curves.reduce((sum, curve) => sum + Math.min(best, curve.length - 1), 0),
    // rounds that only lose have converged: a ratio of two losses would read as a rise
    rise: gained > 0 ? late / gained : 0,
  };
}

function riseWithoutCurves(trials: readonly TrialDocument[]): { readonly rise?: number } {
  const added = trials.flatMap((trial) => trial.added ?? []);
  if (added.length === 0) return {};
  const late = added.reduce((sum, one) => sum + one.late, 0);
  const all = added.reduce((sum, one) => sum + one.all, 0);
  return { rise: all > 0 ? late / all : 0 };
}
