import { DatasetError, encodeParts, type BitMatrix, type RawTable } from '@orchard/dataset';
import { anomalyScores } from '../anomalies/anomaly-score.js';
import { rowSurprises } from '../anomalies/row-surprises.js';
import { scoresGiven, type GivenColumns } from '../anomalies/scores-given.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { RowWeights } from './moments.js';
import { NewCellCounts, type NewCells } from './new-cells.js';
import { scoreTable } from './table-scores.js';

/** How likely the rows of a file are. Of each row it keeps one number. */
export interface FileScores {
  readonly model: TabularModel;
  readonly raw: RawTable;
  /** What a missing value means. */
  readonly missing: 'value' | 'unknown';
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
  /** The anomaly score of each row; null where it was not asked for. */
  readonly anomalies: Float64Array | null;
  /** Cells that training had nothing like, by column. */
  readonly newCells: readonly NewCells[];
}

export interface ScoreFileOptions {
  readonly missing: 'value' | 'unknown';
  /** Of what is sampled to integrate out: seed + i for part i. */
  readonly seed: number;
  /** Whether anomaly scores are wanted. */
  readonly withAnomalies: boolean;
  /** Whether means of variables are wanted: without them bits are passed once. @default true */
  readonly withMeans?: boolean;
  /** Anomaly scores are of the other columns, given these. @default every column is scored */
  readonly given?: GivenColumns | null;
  /** How much each row counts in means. @default each once */
  readonly weights?: RowWeights | null;
  /** Called with the codes of each part. */
  readonly onPart?: (matrix: BitMatrix) => void;
}

/** Scores a file in one pass, a part at a time. */
export async function scoreFile(
  model: TabularModel,
  raw: RawTable,
  { missing, seed, withAnomalies, withMeans = true, given = null, weights = null, onPart }: ScoreFileOptions,
): Promise<FileScores> {
  const { variables } = model;
  const ofParts: Float64Array[] = [];
  const anomaliesOfParts: Float64Array[] = [];
  const sums = new Float64Array(variables);
  const newCells = new NewCellCounts(model);
  let hasCells = false;
  let [rows, incomplete, countOfIncomplete, densities, greatestError] = [0, 0, 0, 0, 0];
  for await (const part of encodeParts(raw, model.table, { missing, withDensities: true, mayBeUnknown: true })) {
    const scores = scoreTable(model, part, seed + ofParts.length, withMeans);
    hasCells ||= scores.cells.length > 0;
    ofParts.push(scores.nats);
    if (withAnomalies)
      anomaliesOfParts.push(
        given === null ? anomalyScores(model, rowSurprises(model, part, missing)) : scoresGiven(model, part, given),
      );
    onPart?.(part.matrix);
    const first = rows;
    const add = (sum: number, nats: number, row: number): number =>
      weights === null ? sum + nats : weights.add(sum, nats, first + row);
    rows += scores.nats.length;
    incomplete += scores.incomplete;
    newCells.add(part);
    scores.densityNats.forEach((nats, row) => {
      densities = add(densities, nats, row);
    });
    for (const error of scores.errors) greatestError = Math.max(greatestError, error);
    scores.cells.forEach((nats, at) => {
      const index = at % variables;
      const row = Math.floor(at / variables);
      if (!Number.isNaN(nats)) sums[index] = add(sums[index]!, nats, row);
      // of a row with unknown values every cell is one
      else if (index === 0) countOfIncomplete = add(countOfIncomplete, 1, row);
    });
  }
  if (rows === 0)
    throw new DatasetError('empty', {
      got: 'no rows',
      expected: 'at least one',
      where: raw.name,
      remedy: 'Check that the right file was given.',
    });
  const all = weights?.sum ?? rows;
  return {
    model,
    raw,
    missing,
    incomplete,
    greatestError,
    newCells: newCells.cells,
    nats: joined(ofParts, rows),
    densityMean: densities / all,
    means: hasCells ? sums.map((sum) => sum / (all - countOfIncomplete)) : null,
    anomalies: withAnomalies ? joined(anomaliesOfParts, rows) : null,
  };
}

function joined(parts: readonly Float64Array[], rows: number): Float64Array {
  const whole = new Float64Array(rows);
  let first = 0;
  for (const part of parts) {
    whole.set(part, first);
    first += part.length;
  }
  return whole;
}
