import { encodeParts, requireRows, type BitMatrix, type RawTable } from '@orchard/dataset';
import type { GivenColumns } from '../anomalies/scores-given.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { RowWeights } from './moments.js';
import { NewCellCounts, type NewCells } from './new-cells.js';
import { scorePartsHere, type ScoreParts } from './score-parts.js';
import { joined, ScoreSums, type ScoreFigures } from './score-sums.js';

/** How likely the rows of a file are. */
export interface FileScores extends ScoreFigures {
  readonly model: TabularModel;
  readonly raw: RawTable;
  /** What a missing value means. */
  readonly missing: 'value' | 'unknown';
  /** The anomaly score of each row; null where it was not asked for. */
  readonly anomalies: Float64Array | null;
  /** Cells that training had nothing like, by column. */
  readonly newCells: readonly NewCells[];
}

export interface ScoreFileOptions {
  readonly missing: 'value' | 'unknown';
  /** Of what is sampled to integrate out: seed + i for part i. */
  readonly seed: number;
  readonly withAnomalies: boolean;
  /** Whether means of variables are wanted: without them bits are passed once. @default true */
  readonly withMeans?: boolean;
  /** Anomaly scores are of the other columns, given these. @default every column is scored */
  readonly given?: GivenColumns | null;
  /** How much each row counts in means. @default each once */
  readonly weights?: RowWeights | null;
  /** Called with the codes of each part, and waited for. */
  readonly onPart?: (matrix: BitMatrix) => Promise<void>;
  /** Who scores the parts. @default this thread */
  readonly score?: ScoreParts;
}

/** Scores a file in one pass, a part at a time. */
export async function scoreFile(
  model: TabularModel,
  raw: RawTable,
  {
    missing,
    seed,
    withAnomalies,
    withMeans = true,
    given = null,
    weights = null,
    onPart,
    score = scorePartsHere(model),
  }: ScoreFileOptions,
): Promise<FileScores> {
  const anomaliesOfParts: Float64Array[] = [];
  const sums = new ScoreSums(model.variables, weights);
  const newCells = new NewCellCounts(model);
  const parts = encodeParts(raw, model.table, { missing, withDensities: true, mayBeUnknown: true });
  const asked = { seed, missing, withCells: withMeans, withAnomalies, given };
  for await (const { part, scores, anomalies } of score(parts, asked)) {
    sums.add(scores);
    if (anomalies !== null) anomaliesOfParts.push(anomalies);
    await onPart?.(part.matrix);
    newCells.add(part);
  }
  requireRows(sums.rows, raw.name);
  return {
    model,
    raw,
    missing,
    newCells: newCells.cells,
    ...sums.figures(),
    anomalies: withAnomalies ? joined(anomaliesOfParts) : null,
  };
}
