import type { RowWeights } from './moments.js';
import type { TableScores } from './table-scores.js';

/** How likely rows are. Of each row it keeps one number. */
export interface ScoreFigures {
  /** Nats of each row, masses and densities together; what is unknown is integrated out. */
  readonly nats: Float64Array;
  /** The part of the mean that comes of densities: it depends on the columns' units. */
  readonly densityMean: number;
  /**
   * Mean nats of each variable over the rows without unknown values; NaN where there is none. Null where they were not
   * asked for, and of a model whose likelihood has no share for each.
   */
  readonly means: Float64Array | null;
  /** Rows with unknown values. */
  readonly incomplete: number;
  /** The greatest standard error of what was integrated out. */
  readonly greatestError: number;
}

/** Scores of rows, added up part by part: to the same bits wherever the parts were scored. */
export class ScoreSums {
  readonly #ofParts: Float64Array[] = [];
  readonly #sums: Float64Array;
  #hasCells = false;
  #rows = 0;
  #incomplete = 0;
  #countOfIncomplete = 0;
  #densities = 0;
  #greatestError = 0;

  /** @param weights how much each row counts in means. @default each once */
  constructor(
    private readonly variables: number,
    private readonly weights: RowWeights | null = null,
  ) {
    this.#sums = new Float64Array(variables);
  }

  get rows(): number {
    return this.#rows;
  }

  /** The next rows. */
  add({ nats, densityNats, errors, cells, incomplete }: TableScores): void {
    const first = this.#rows;
    const add = (sum: number, value: number, row: number): number =>
      this.weights === null ? sum + value : this.weights.add(sum, value, first + row);
    this.#hasCells ||= cells.length > 0;
    this.#ofParts.push(nats);
    this.#rows += nats.length;
    this.#incomplete += incomplete;
    densityNats.forEach((own, row) => {
      this.#densities = add(this.#densities, own, row);
    });
    for (const error of errors) this.#greatestError = Math.max(this.#greatestError, error);
    cells.forEach((own, at) => {
      const index = at % this.variables;
      const row = Math.floor(at / this.variables);
      if (!Number.isNaN(own)) this.#sums[index] = add(this.#sums[index]!, own, row);
      // of a row with unknown values every cell is one
      else if (index === 0) this.#countOfIncomplete = add(this.#countOfIncomplete, 1, row);
    });
  }

  figures(): ScoreFigures {
    const all = this.weights?.sum ?? this.#rows;
    return {
      nats: joined(this.#ofParts),
      densityMean: this.#densities / all,
      means: this.#hasCells ? this.#sums.map((sum) => sum / (all - this.#countOfIncomplete)) : null,
      incomplete: this.#incomplete,
      greatestError: this.#greatestError,
    };
  }
}

/** One after another. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let first = 0;
  for (const part of parts) {
    whole.set(part, first);
    first += part.length;
  }
  return whole;
}
