import { encodeParts, type RawTable } from '@orchard/dataset';
import {
  anomaliesOfCells,
  anomalyScores,
  judgedCells,
  reasonsAmong,
  rowSurprises,
  type ExplainRows,
  type RowScores,
  type Scorers,
  type UnusualCell,
} from '@orchard/model';
import type { TabularModel } from '@orchard/model';
import type { SmallModels } from './small-models.js';

const options = { withDensities: true, mayBeUnknown: true, missing: 'value' } as const;

/** Where scores by models of different sizes are made equal: the score that nine tenths of the rows are below. */
const ALIKE_AT = 0.9;

/** Scores of all rows, and which models they are from. */
export interface ComparedScores {
  readonly scores: Float64Array;
  /** Of each row the models of one size by their place, -1 of the folds. */
  readonly decidedBy: Int16Array;
}

/**
 * The anomaly score of each row: the highest among that of its fold and those by small models, which are means over the
 * models that did not learn from the row. Small models are surprised more easily, so their scores are moved until nine
 * tenths of the rows are below the same score as by the folds.
 */
export async function scoreBySmallModels(
  raw: RawTable,
  bySize: readonly SmallModels[],
  { scores: ofFolds }: RowScores,
): Promise<ComparedScores> {
  const scores = ofFolds.slice();
  const decidedBy = new Int16Array(scores.length).fill(-1);
  const level = quantile(ofFolds, ALIKE_AT);
  for (const [size, models] of bySize.entries()) {
    const means = await meanScores(raw, models, scores.length);
    const moved = level - quantile(means.filter(Number.isFinite), ALIKE_AT);
    means.forEach((mean, row) => {
      if (!(mean + moved > scores[row]!)) return;
      scores[row] = mean + moved;
      decidedBy[row] = size;
    });
  }
  return { scores, decidedBy };
}

/** NaN of a row that all models learned from. */
async function meanScores(raw: RawTable, models: SmallModels, rows: number): Promise<Float64Array> {
  const sums = new Float64Array(rows);
  const counts = new Uint32Array(rows);
  for (const { model, learned } of models)
    for await (const part of encodeParts(raw, model.table, options))
      anomalyScores(model, rowSurprises(model, part, 'value')).forEach((score, at) => {
        const row = part.firstRow + at;
        if (learned.has(row)) return;
        sums[row]! += score;
        counts[row]!++;
      });
  return sums.map((sum, row) => sum / counts[row]!);
}

/**
 * Explains rows whose score is by small models: the cells in the order of what they add to it, each as probable as the
 * model of the row's fold finds it given all others. Other rows are left to `byFolds`.
 */
export function explainCompared(
  raw: RawTable,
  { models, modelOf }: Scorers<TabularModel>,
  bySize: readonly SmallModels[],
  decidedBy: Int16Array,
  byFolds: ExplainRows,
): ExplainRows {
  return async (wanted, top) => {
    const ofFolds = wanted.filter((row) => decidedBy[row] === -1);
    const found = new Map<number, UnusualCell[]>();
    for (const [at, cells] of (await byFolds(ofFolds, top)).entries()) found.set(ofFolds[at]!, cells);
    const others = new Set(top === 0 ? [] : wanted.filter((row) => decidedBy[row] !== -1));
    const isWanted = (from: number, to: number): boolean => [...others].some((row) => row >= from && row < to);
    const added = new Map([...others].map((row) => [row, new Map<string, number>()]));
    for (const [size, own] of bySize.entries())
      for (const { model, learned } of own)
        for await (const part of encodeParts(raw, model.table, options, isWanted)) {
          const nats = anomaliesOfCells(model, rowSurprises(model, part, 'value'));
          for (let at = 0; at < part.matrix.rows; at++) {
            const row = part.firstRow + at;
            if (!others.has(row) || decidedBy[row] !== size || learned.has(row)) continue;
            const judges = own.filter(({ learned: rows }) => !rows.has(row)).length;
            const sums = added.get(row)!;
            model.table.variables.forEach(({ name }, index) => {
              sums.set(name, (sums.get(name) ?? 0) + nats[at * model.variables + index]! / judges);
            });
          }
        }
    for await (const part of encodeParts(raw, models[0]!.table, options, isWanted))
      for (let at = 0; at < part.matrix.rows; at++) {
        const row = part.firstRow + at;
        if (!others.has(row)) continue;
        const model = models[modelOf(row)]!;
        const cells = judgedCells(model, part, at, 'value').map((cell) => ({
          ...cell,
          surprise: added.get(row)!.get(model.table.variables[cell.index]!.name) ?? 0,
        }));
        found.set(
          row,
          reasonsAmong(cells, top).map(({ index, ...cell }) => {
            return { column: model.table.variables[index]!.name, value: part.text(at, index), ...cell };
          }),
        );
      }
    return wanted.map((row) => found.get(row) ?? []);
  };
}

/** The value that so large a share of the values is below. */
function quantile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(share * (values.length - 1))]!;
}
