import { moments, RowWeights, type Answers, type ModelSummary, type Moments } from '@orchard/model';

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

/**
 * The models, the likeliest first; equal ones stay in their order.
 *
 * @param repeats what rows that are alike, one after another, are: as many rows, or one of which they are the weight,
 *   so that errors are those of the rows that there are
 */
export function rankModels<C extends Candidate>(
  candidates: readonly C[],
  repeats: 'rows' | 'weight' = 'rows',
): readonly RankedModel<C>[] {
  const weights = repeats === 'rows' ? null : weightsOfRepeats(candidates.map(({ nats }) => nats));
  const momentsOf = (nats: Float64Array): Moments =>
    weights === null
      ? moments(nats)
      : moments(
          Float64Array.from(weights.first, (row) => nats[row]!),
          weights.of,
        );
  const meant = candidates.map((candidate) => ({ candidate, ...momentsOf(candidate.nats) }));
  meant.sort((one, other) => other.mean - one.mean);
  return meant.map(({ candidate, mean, standardError }, at) => {
    const best = meant[0]!.candidate.nats;
    const difference = momentsOf(candidate.nats.map((value, row) => value - best[row]!));
    const error = at === 0 ? null : difference.standardError;
    const isWithinNoise = at === 0 || error === null || -difference.mean <= 2 * error;
    return { candidate, mean, standardError, difference: difference.mean, differenceError: error, isWithinNoise };
  });
}

/** Rows that no model tells from the one before them, taken together: the first of each, and how many they are. */
function weightsOfRepeats(nats: readonly Float64Array[]): {
  readonly first: readonly number[];
  readonly of: RowWeights;
} {
  const first: number[] = [];
  const counts: number[] = [];
  for (let row = 0; row < (nats[0]?.length ?? 0); row++) {
    if (row > 0 && nats.every((own) => own[row] === own[row - 1])) counts[counts.length - 1]!++;
    else {
      first.push(row);
      counts.push(1);
    }
  }
  return { first, of: new RowWeights(Float64Array.from(counts), false) };
}
