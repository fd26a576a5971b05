import {
  keepPredictors,
  type Design,
  type LogisticWeights,
  type MixedDesign,
  type MixedWeights,
} from '@orchard/logistic';

/**
 * The pixels that may predict one on a grid (Goessling's thesis, 5.2.2): before it in reading order, and at most so
 * many rows and columns away. With 1 these are the four of its figure 5.1, as far as they are there: top-left, top,
 * top-right, left.
 *
 * @returns ascending
 */
export function neighboursBefore([, width]: readonly [number, number], pixel: number, reach: number): Uint32Array {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const found: number[] = [];
  for (let above = Math.max(0, row - reach); above <= row; above++)
    for (let beside = Math.max(0, column - reach); beside <= Math.min(width - 1, column + reach); beside++)
      if (above * width + beside < pixel) found.push(above * width + beside);
  return Uint32Array.from(found);
}

/** Pixels, and how many rows and columns one looks back; both are said where they limit what predicts it. */
export interface Grid {
  readonly shape: readonly [number, number] | null;
  readonly neighbours: number | undefined;
}

/** The predictors of a column: all columns before it, or its neighbours. */
export class Predictors {
  /** Null where all are. */
  readonly #kept: Uint32Array | null;

  constructor({ shape, neighbours }: Grid, column: number) {
    this.#kept = neighbours === undefined || shape === null ? null : neighboursBefore(shape, column, neighbours);
  }

  among<Own extends Design | MixedDesign>(design: Own): Own {
    return this.#kept === null ? design : keepPredictors(design, this.#kept);
  }

  /** The same weights, predictors by their columns. */
  columnsOf<Own extends LogisticWeights | MixedWeights>(weights: Own): Own {
    const kept = this.#kept;
    if (kept === null) return weights;
    const columns = (predictors: Uint32Array): Uint32Array => predictors.map((at) => kept[at]!);
    const own = 'own' in weights ? { own: { ...weights.own, predictors: columns(weights.own.predictors) } } : {};
    return { ...weights, predictors: columns(weights.predictors), ...own };
  }
}
