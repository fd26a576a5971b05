import { codeCount, logShareOfLabel, type BitMatrix } from '@orchard/dataset';
import { givenTheRest, type GivenColumns, type TabularModel } from '@orchard/model';
import { log, placeOfGreatest } from '@orchard/numerics';

/** Of each cell, element `row * columns + column`, nats. */
export interface Surprises {
  readonly surprises: Float64Array;
  /** The mean surprise of what could stand there, given all other cells. */
  readonly expected: Float64Array;
  /** The likeliest code given all other cells, and its probability. */
  readonly likeliest: Uint16Array;
  readonly certainty: Float64Array;
}

/** Rows that are scored between two looks at what else there is to do. */
const ROWS_AT_A_TIME = 256;

/**
 * `-log P(cell | all other cells of its row)` of the cells of some rows, and what it is on average; 0 of columns that
 * are given, which are not looked at.
 *
 * @param onRows called with the number of rows that were scored since the last call
 */
export async function surprisesGivenTheRest(
  model: TabularModel,
  matrix: BitMatrix,
  given: GivenColumns | null,
  onRows: (rows: number) => void = () => undefined,
): Promise<Surprises> {
  const { variables } = model;
  const surprises = new Float64Array(matrix.rows * variables);
  const expected = new Float64Array(matrix.rows * variables);
  const likeliest = new Uint16Array(matrix.rows * variables);
  const certainty = new Float64Array(matrix.rows * variables);
  for (let first = 0; first < matrix.rows; first += ROWS_AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(ROWS_AT_A_TIME, matrix.rows - first) }, (_, at) => first + at);
    const some = matrix.selectRows(numbers);
    const sharesOf = givenTheRest(model, some);
    model.table.variables.forEach((variable, index) => {
      if (given?.has(index) === true) return;
      const codes = codeCount(variable);
      const shares = sharesOf(index);
      for (let row = 0; row < some.rows; row++) {
        const own = shares.subarray(row * codes, (row + 1) * codes);
        const code = model.codeOf(some, row, index);
        const at = (first + row) * variables + index;
        expected[at] = entropyOf(own);
        likeliest[at] = placeOfGreatest(own);
        certainty[at] = own[likeliest[at]!]!;
        // labels that are pooled share the probability of all of them alike
        surprises[at] = -log(Math.max(own[code]!, Number.MIN_VALUE)) - logShareOfLabel(variable, code);
      }
    });
    onRows(some.rows);
    // so that an interruption is heard
    await new Promise(setImmediate);
  }
  return { surprises, expected, likeliest, certainty };
}

/** What a surprise is on average, nats, where values have these probabilities. */
function entropyOf(shares: Float64Array): number {
  let nats = 0;
  for (const share of shares) if (share > 0) nats -= share * log(share);
  return nats;
}

/** The mean surprise of each column, nats. @param surprises element `row * columns + column` */
export function meanByColumn(surprises: Float64Array, columns: number): Float64Array {
  const sums = new Float64Array(columns);
  surprises.forEach((nats, at) => {
    sums[at % columns]! += nats;
  });
  return sums.map((sum) => (sum * columns) / surprises.length);
}
