import { moments, type RowWeights } from '@orchard/model';

/** What a model says of rows. */
export interface ScoresOfRows {
  /** Nats of each row. */
  readonly nats: Float64Array;
  /** Nats of each column in each row, row by row; NaN where they are unknown. */
  readonly cells: Float64Array;
  /** Whether its nats are lower bounds; it has no cells then. */
  readonly isBound: boolean;
}

export interface ComparedColumn {
  /** A less B, mean nats; null where no row tells. */
  readonly difference: number | null;
  readonly standardError: number | null;
}

export interface Comparison {
  readonly rows: number;
  /** A less B, mean nats per row. */
  readonly difference: number;
  /** Of the difference, paired row by row; null for a single row. */
  readonly standardError: number | null;
  /** By the columns of A. */
  readonly columns: readonly ComparedColumn[];
  /**
   * Which model is better by more than two standard errors: `neither` within them, `unknown` where the other one's nats
   * are lower bounds, so that it may be likelier than they say.
   */
  readonly better: 'a' | 'b' | 'neither' | 'unknown';
}

/**
 * Compares what two models say of the same rows, row by row.
 *
 * @param places of A's columns in B
 * @param weights how much each row counts. @default each once
 */
export function compareScores(
  a: ScoresOfRows,
  b: ScoresOfRows,
  places: readonly number[],
  weights: RowWeights | null = null,
): Comparison {
  const width = places.length;
  const rows = a.nats.length;
  const whole = moments(
    a.nats.map((value, row) => value - b.nats[row]!),
    weights,
  );
  const columns = places.map((place, index): ComparedColumn => {
    const each = Float64Array.from(
      { length: rows },
      (_, row) => a.cells[row * width + index]! - b.cells[row * width + place]!,
    );
    const known = Uint32Array.from(each.keys()).filter((row) => !Number.isNaN(each[row]!));
    if (known.length === 0) return { difference: null, standardError: null };
    const { mean, standardError } = moments(
      Float64Array.from(known, (row) => each[row]!),
      weights?.of(known),
    );
    return { difference: mean, standardError };
  });
  const { mean: difference, standardError } = whole;
  const isBeyondNoise = standardError !== null && Math.abs(difference) > 2 * standardError;
  return { rows, difference, standardError, columns, better: isBeyondNoise ? betterOf() : 'neither' };

  function betterOf(): Comparison['better'] {
    const isA = difference > 0;
    // the worse one may be better than its bound says
    if ((isA ? b : a).isBound) return 'unknown';
    return isA ? 'a' : 'b';
  }
}
