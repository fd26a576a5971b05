import type { BitMatrix } from '@orchard/dataset';
import { HeadedModel } from '../file/headed-model.js';
import type { ModelHead } from '../file/model-head.js';
import { blanksOf, checkSeed, checkWhole } from '../port/arguments.js';
import { asBitMatrix, type BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import type { DensityModel, ModelSummary } from '../port/density-model.js';
import { scoreCells, type Score } from '../port/score.js';
import { completeColumns, type ColumnStates } from './complete-columns.js';

/** Candidates a row that a completion may ask for. */
const MOST_SAMPLES = 65_536;

/** Most particles of rows of so many columns, whose values stand in one array. */
export function mostSamples(dimensions: number): number {
  return Math.min(MOST_SAMPLES, Math.floor(2 ** 31 / (dimensions + 1)) - 1);
}

/**
 * A model of rows of 0 and 1 that predicts each column by those before it in an order, and knows no more. Samples are
 * exact; completions are by particles, exact where what is known comes first. `SequentialTableModel` is its like for
 * tables.
 */
export abstract class SequentialModel extends HeadedModel implements DensityModel {
  /** @param order each column behind those that predict it; the stored one, where there is no other */
  constructor(
    head: Omit<ModelHead, 'family'>,
    protected readonly order: Uint32Array = Uint32Array.from({ length: head.dimensions }, (_, column) => column),
  ) {
    super(head);
  }

  abstract summary(): ModelSummary;

  /** Calls with log P(value | values before it) of all values, row after row. */
  protected abstract visitCells(rows: BitMatrix, visit: (row: number, column: number, nats: number) => void): void;

  /** Makes particles that go through the columns: so many rows at a time. */
  protected abstract statesOf(): (particles: number) => ColumnStates;

  logLikelihood(matrix: BinaryMatrix): Float64Array {
    const rows = asBitMatrix(matrix, this.dimensions);
    const sums = new Float64Array(rows.rows);
    this.visitCells(rows, (row, _, nats) => {
      sums[row]! += nats;
    });
    return sums;
  }

  score(matrix: BinaryMatrix, { top = 5 }: { readonly top?: number } = {}): Score {
    const rows = asBitMatrix(matrix, this.dimensions);
    const cells = new Float64Array(rows.rows * this.dimensions);
    this.visitCells(rows, (row, column, nats) => {
      cells[row * this.dimensions + column] = nats;
    });
    return scoreCells(cells, this.dimensions, top);
  }

  /** Exact where the known columns come first; otherwise by particles. @default samples 256 */
  complete(values: BinaryMatrix, known: BinaryMatrix, { seed, samples = 256, firstRow }: CompleteOptions): Completion {
    checkSeed(seed);
    checkWhole('samples', samples, 1, mostSamples(this.dimensions));
    const blanks = blanksOf(values, known, this);
    return completeColumns(blanks, { seed, samples, firstRow }, this.order, this.statesOf());
  }
}
