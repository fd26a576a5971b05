import type { BitMatrix, EncodedRows } from '@orchard/dataset';
import { incompleteRows as incompleteOf } from '../anomalies/whole-rows.js';
import { PARTICLES_OF_TABLES, type TabularModel } from '../tables/tabular-model.js';
import { natsOfRows } from './nats-of-rows.js';

/** How likely rows of a table are, row by row and column by column. */
export interface TableScores {
  /** Nats of each row, masses and densities together; what is unknown is integrated out. */
  readonly nats: Float64Array;
  /** The part of {@link nats} that comes of densities: it depends on the columns' units. */
  readonly densityNats: Float64Array;
  /** Standard error of {@link nats}, 0 where nothing had to be estimated. */
  readonly errors: Float64Array;
  /**
   * Element `row * V + variable`, masses and densities together; NaN in rows with unknown values. Empty where they were
   * not asked for, and of a model whose likelihood has no share for each column, as a bound has none.
   */
  readonly cells: Float64Array;
  /** Rows with unknown values. */
  readonly incomplete: number;
  /** What `cellLogLikelihoods` says of the rows, where it was asked; empty where it was not. */
  readonly ofCodes?: Float64Array;
}

export interface ScoreTableOptions {
  /** Of what is sampled to integrate out. */
  readonly seed: number;
  /** Whether cells are asked for: without them bits are passed once. @default true */
  readonly withCells?: boolean;
  /** Whether {@link TableScores.ofCodes} is wanted of bits too. @default where cells are asked for */
  readonly withOfCodes?: boolean;
  /**
   * Where these rows are a piece of more: how many rows with unknown values come before them, and there are in all.
   * What is sampled depends on it, and how rows of 0 and 1 are summed.
   *
   * @default they are all
   */
  readonly incomplete?: { readonly before: number; readonly all: number };
}

/** How likely rows are. */
export function scoreTable(
  model: TabularModel,
  rows: Pick<EncodedRows, 'matrix' | 'known' | 'logDensity'>,
  { seed, withCells = true, withOfCodes = withCells, incomplete }: ScoreTableOptions,
): TableScores {
  const { matrix, known, logDensity } = rows;
  if (model.ofBits !== undefined && (incomplete?.all ?? incompleteOf(model, rows).length) === 0)
    return scoresOfBits(model, matrix, withCells, withOfCodes);
  const { variables } = model;
  const ofCodes = model.cellLogLikelihoods(matrix);
  const cells = ofCodes.slice();
  const nats = new Float64Array(matrix.rows);
  const densityNats = new Float64Array(matrix.rows);
  const added = new Float64Array(matrix.rows);
  const isDensity = model.table.variables.map((each) => each.kind === 'ordered' && each.measure === 'density');
  const errors = new Float64Array(matrix.rows);
  const incompleteRows: number[] = [];
  for (let row = 0; row < matrix.rows; row++) {
    const isIncomplete =
      known !== null && model.table.variables.some((_, index) => known.get(row, model.offsets[index]!) === 0);
    if (isIncomplete) incompleteRows.push(row);
    for (let index = 0; index < variables; index++) {
      const at = row * variables + index;
      added[row]! += logDensity[at]!;
      if (isDensity[index]) densityNats[row]! += logDensity[at]!;
      cells[at] = isIncomplete ? NaN : cells[at]! + logDensity[at]!;
      if (!isIncomplete) nats[row]! += cells[at]!;
    }
  }
  if (known !== null && incompleteRows.length > 0)
    integrate(
      model,
      { matrix, known },
      incompleteRows,
      { seed, firstRow: incomplete?.before ?? 0 },
      { nats, added, errors },
    );
  return { nats, densityNats, errors, cells, incomplete: incompleteRows.length, ofCodes };
}

/** Of whole rows of 0 and 1. */
function scoresOfBits(model: TabularModel, matrix: BitMatrix, withCells: boolean, withOfCodes: boolean): TableScores {
  const none = new Float64Array(0);
  const { nats, cells = none } =
    withCells || withOfCodes ? natsOfRows(model, matrix) : { nats: model.logLikelihood(matrix) };
  return {
    nats,
    densityNats: new Float64Array(matrix.rows),
    errors: new Float64Array(matrix.rows),
    cells: withCells ? cells : none,
    incomplete: 0,
    ofCodes: cells,
  };
}

function integrate(
  model: TabularModel,
  { matrix, known }: { readonly matrix: BitMatrix; readonly known: BitMatrix },
  rows: readonly number[],
  how: { readonly seed: number; readonly firstRow: number },
  { nats, added, errors }: Pick<TableScores, 'nats' | 'errors'> & { readonly added: Float64Array },
): void {
  const options = { ...how, samples: PARTICLES_OF_TABLES, draws: 1 };
  const { logEvidence, logEvidenceError } = model.completions(
    matrix.selectRows(rows),
    known.selectRows(rows),
    options,
  )[0]!;
  rows.forEach((row, at) => {
    nats[row] = logEvidence[at]! + added[row]!;
    errors[row] = logEvidenceError[at]!;
  });
}
