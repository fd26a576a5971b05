import type { Variable } from '@orchard/contracts';
import { commonExpectation, encodeParts, isExpected, type RawTable, type TableOptions } from '@orchard/dataset';
import {
  judgedCells,
  reasonsAmong,
  type ExplainRows,
  type JudgedCell,
  type RowScores,
  type UnusualCell,
} from '@orchard/model';
import { exp, log } from '@orchard/numerics';
import {
  encodedForScores,
  SmallModelTrainer,
  type ScoredSmallModel,
  type SmallModel,
  type SmallModels,
  type SmallModelsOptions,
} from './small-models.js';
import { drawSmallSamples } from './small-samples.js';

/** Where scores by models of different sizes are made equal: the score that nine tenths of the rows are below. */
const ALIKE_AT = 0.9;

/** Scores of all rows, and which models they are from. */
export interface ComparedScores {
  readonly scores: Float64Array;
  /** Of each row the models of one size by their place, -1 of the folds. */
  readonly decidedBy: Int16Array;
  /** Of each size. */
  readonly models: readonly SmallModels[];
}

/** How small models are trained, and where. */
export interface SmallModelScores extends TableOptions, SmallModelsOptions {
  readonly seed: number;
}

/**
 * The anomaly score of each row: the highest among that of its fold and those by small models, which are means over the
 * models that did not learn from the row. Small models are surprised more easily, so their scores are moved until nine
 * tenths of the rows are below the same score as by the folds.
 *
 * @param candidates rows that small models may learn from
 */
export async function scoreBySmallModels(
  raw: RawTable,
  candidates: readonly number[],
  { scores: ofFolds }: RowScores,
  { seed, threads, onProgress, ...options }: SmallModelScores,
): Promise<ComparedScores> {
  const scores = ofFolds.slice();
  const decidedBy = new Int16Array(scores.length).fill(-1);
  const level = quantile(ofFolds, ALIKE_AT);
  const { profile, bySize } = await drawSmallSamples(raw, candidates, { seed, ...options });
  const trainer = new SmallModelTrainer(raw, profile, options, bySize.flat().length, { threads, onProgress });
  const models: SmallModels[] = [];
  try {
    for (const [size, samples] of bySize.entries()) {
      const found = await meanScores(trainer.train(samples), scores.length);
      models.push(found.models);
      const moved = level - quantile(found.means.filter(Number.isFinite), ALIKE_AT);
      found.means.forEach((mean, row) => {
        if (!(mean + moved > scores[row]!)) return;
        scores[row] = mean + moved;
        decidedBy[row] = size;
      });
    }
  } finally {
    await trainer.close();
  }
  return { scores, decidedBy, models };
}

/** The means are NaN of a row that all models learned from. */
async function meanScores(trained: AsyncIterable<ScoredSmallModel>, rows: number) {
  const sums = new Float64Array(rows);
  const counts = new Uint32Array(rows);
  const models: SmallModel[] = [];
  for await (const { model, learned, scores } of trained) {
    models.push({ model, learned });
    scores.forEach((score, row) => {
      if (learned.has(row)) return;
      sums[row]! += score;
      counts[row]!++;
    });
  }
  return { means: sums.map((sum, row) => sum / counts[row]!), models };
}

/** What the models that scored a row find of one of its cells. */
interface CellOpinions {
  /** As the file has it. */
  readonly value: string | null;
  /** NaN of anything but a number or date. */
  readonly number: number;
  readonly judged: { readonly variable: Variable; readonly cell: JudgedCell }[];
}

/**
 * Explains rows whose score is by small models, by the same models: of each cell the mean of what those say that did
 * not learn from the row. Other rows are left to `byFolds`.
 */
export function explainCompared(
  raw: RawTable,
  bySize: readonly SmallModels[],
  decidedBy: Int16Array,
  byFolds: ExplainRows,
): ExplainRows {
  return async (wanted, top) => {
    const ofFolds = wanted.filter((row) => decidedBy[row] === -1);
    const found = new Map<number, UnusualCell[]>();
    for (const [at, cells] of (await byFolds(ofFolds, top)).entries()) found.set(ofFolds[at]!, cells);
    const others = new Set(top === 0 ? [] : wanted.filter((row) => decidedBy[row] !== -1));
    for (const [size, models] of bySize.entries()) {
      const rows = new Set([...others].filter((row) => decidedBy[row] === size));
      for (const [row, { columns, judges }] of await opinionsOf(raw, models, rows))
        found.set(row, commonReasons(columns, judges, top));
    }
    return wanted.map((row) => found.get(row) ?? []);
  };
}

/** Of each row what the models say of its cells that did not learn from it, by column, and how many these are. */
async function opinionsOf(raw: RawTable, models: SmallModels, rows: ReadonlySet<number>) {
  const isWanted = (from: number, to: number): boolean => [...rows].some((row) => row >= from && row < to);
  const opinions = new Map([...rows].map((row) => [row, { columns: new Map<string, CellOpinions>(), judges: 0 }]));
  for (const { model, learned } of rows.size === 0 ? [] : models)
    for await (const part of encodeParts(raw, model.table, encodedForScores, isWanted))
      for (let at = 0; at < part.matrix.rows; at++) {
        const of = opinions.get(part.firstRow + at);
        if (of === undefined || learned.has(part.firstRow + at)) continue;
        of.judges++;
        for (const cell of judgedCells(model, part, at, 'value')) {
          const variable = model.table.variables[cell.index]!;
          const own = of.columns.get(variable.name) ?? {
            value: part.text(at, cell.index),
            number: part.numberAt(at, cell.index),
            judged: [],
          };
          own.judged.push({ variable, cell });
          of.columns.set(variable.name, own);
        }
      }
  return opinions;
}

/** @param judges models that were asked; to those that do not know a column nothing of it is unusual */
function commonReasons(columns: ReadonlyMap<string, CellOpinions>, judges: number, top: number): UnusualCell[] {
  const cells = [...columns].flatMap(([column, { value, number, judged }]): UnusualCell[] => {
    const expectation = commonExpectation(judged.map(({ variable, cell }) => ({ variable, shares: cell.shares })));
    if (judged.some(({ variable, cell }) => isExpected(variable, expectation, cell.code, number))) return [];
    // as the score is the mean of what surprises them, nats
    const nats = judged.reduce((sum, { cell }) => sum - log(Math.max(cell.probability, Number.MIN_VALUE)), 0);
    const surprise = judged.reduce((sum, { cell }) => sum + cell.surprise, 0) / judges;
    return [{ column, value, probability: exp(-nats / judged.length), ...expectation, surprise }];
  });
  const placed = cells.map(({ surprise }, index) => ({ index, surprise }));
  return reasonsAmong(placed, top).map(({ index }) => cells[index]!);
}

/** The value that so large a share of the values is below. */
function quantile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(share * (values.length - 1))]!;
}
