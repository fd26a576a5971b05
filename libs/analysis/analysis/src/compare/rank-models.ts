import { moments, type Answers, type ModelSummary } from '@orchard/model';

/** A trained model, and what it says of the test rows. */
export interface Candidate {
  readonly name: string;
  /** Nats of each test row. */
  readonly nats: Float64Array;
  readonly seconds: number;
  readonly isWholeTime: boolean;
  readonly threads: readonly number[];
  readonly bytes: number;
  readonly answers: Answers;
  /** Whether its nats are lower bounds. */
  readonly isBound?: boolean;
  /** Whether its kind is one that no measured figure recommends. */
  readonly isExperimental?: boolean;
  readonly facts: ModelSummary['facts'];
}

/** The same beside the likeliest. */
export interface RankedModel<C extends Candidate = Candidate> {
  readonly candidate: C;
  /** Mean nats per row. */
  readonly mean: number;
  /** Of the mean; null for a single row. */
  readonly standardError: number | null;
  /** Mean nats per row that it lacks of the likeliest: 0 or below. */
  readonly difference: number;
  /** Of the difference, paired row by row; null for the likeliest, and for a single row. */
  readonly differenceError: number | null;
  /** Whether the difference from the likeliest is within two standard errors; true for the likeliest itself. */
  readonly isWithinNoise: boolean;
}

/** The models, the likeliest first; equal ones stay in their order. */
export function rankModels<C extends Candidate>(candidates: readonly C[]): readonly RankedModel<C>[] {
  const meant = candidates.map((candidate) => ({ candidate, ...moments(candidate.nats) }));
  meant.sort((one, other) => other.mean - one.mean);
  return meant.map(({ candidate, mean, standardError }, at) => {
    const best = meant[0]!.candidate.nats;
    const difference = moments(candidate.nats.map((value, row) => value - best[row]!));
    const error = at === 0 ? null : difference.standardError;
    const isWithinNoise = at === 0 || error === null || -difference.mean <= 2 * error;
    return { candidate, mean, standardError, difference: difference.mean, differenceError: error, isWithinNoise };
  });
}
