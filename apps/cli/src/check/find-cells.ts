import type { Variable } from '@orchard/contracts';
import { closestNames, encodeParts, type BitMatrix, type RawTable } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { meanByColumn, scoreCells, unusualness, type CellScores } from './cell-scores.js';
import { exp } from '@orchard/numerics';

/** A cell that is probably wrong. */
export interface SuspectCell {
  /** Counted from 1. */
  readonly row: number;
  readonly column: string;
  /** As the file has it; null where it is missing. */
  readonly value: string | null;
  /** P(value | all other cells of the row). */
  readonly probability: number;
  /** The likeliest label and its probability, or where the middle 80 % of the values lie, given all other cells. */
  readonly expected: string;
  /** The label that the value is probably a misspelling of; null where it is none. */
  readonly typoOf: string | null;
  /** How unusual it is: its surprise over one nat more than the mean surprise of its column. */
  readonly score: number;
}

/** Rows of a file, each scored by a model that did not learn from it. */
export interface Scored {
  readonly models: readonly TabularModel[];
  /** The model of each row. */
  readonly modelOf: (row: number) => number;
}

const options = { missing: 'value', withDensities: true, mayBeUnknown: true } as const;

/** Rows sampled to find out how unusual a correct cell may be. */
const SAMPLED = 2000;

/**
 * The score that so many of a model's own cells are beyond: in rows sampled from the model every cell is right.
 *
 * @param share of right cells that may be reported
 */
export function thresholdFor(model: TabularModel, share: number, seed: number): number {
  const { variables } = model;
  const { surprise } = scoreCells(model, model.sample(SAMPLED, seed));
  const means = meanByColumn(surprise, variables);
  const ascending = surprise.map((nats, at) => unusualness(nats, means[at % variables]!)).sort();
  return ascending[Math.min(ascending.length - 1, Math.floor((1 - share) * ascending.length))]!;
}

/** Finds the cells of a file beyond a threshold, the most unusual first: two passes over the file. */
export async function findCells(
  raw: RawTable,
  { models, modelOf }: Scored,
  threshold: number,
): Promise<{ readonly cells: readonly SuspectCell[]; readonly rows: number }> {
  const { table, variables } = models[0]!;
  const sums = new Float64Array(variables);
  let rows = 0;
  for await (const part of encodeParts(raw, table, options)) {
    for (const { scores, numbers } of scoredParts(part, models, modelOf)) {
      meanByColumn(scores.surprise, variables).forEach((mean, index) => (sums[index]! += mean * numbers.length));
      rows += numbers.length;
    }
  }
  const cells: SuspectCell[] = [];
  for await (const part of encodeParts(raw, table, options)) {
    for (const { scores, numbers } of scoredParts(part, models, modelOf)) {
      scores.surprise.forEach((surprise, at) => {
        const [row, index] = [Math.floor(at / variables), at % variables];
        const score = unusualness(surprise, sums[index]! / rows);
        const likeliest = scores.likeliest(row, index);
        // of a column that is nearly certain the threshold may lie among cells that are as expected
        if (score <= threshold || scores.code(row, index) === likeliest) return;
        const variable = table.variables[index]!;
        const value = part.text(numbers[row]!, index);
        cells.push({
          ...{ row: part.firstRow + numbers[row]! + 1, column: variable.name, value, score },
          ...{ probability: exp(-surprise), expected: scores.expected(row, index) },
          typoOf: typoOf(value, variable, likeliest),
        });
      });
    }
  }
  return { cells: cells.sort((a, b) => b.score - a.score || a.row - b.row), rows };
}

/** The likeliest label where the value is close to it in spelling. */
function typoOf(value: string | null, variable: Variable, likeliest: number): string | null {
  const label = variable.kind === 'ordered' ? undefined : variable.labels[likeliest];
  if (value === null || label === undefined || label === value) return null;
  // digits that differ are other numbers more often than slips
  const isWord = /\p{L}/u.test(label);
  return isWord && closestNames(value, [label]).length > 0 ? label : null;
}

interface ScoredRows {
  readonly scores: CellScores;
  /** Of the part. */
  readonly numbers: readonly number[];
}

/** The rows of a part, model by model. */
function* scoredParts(
  { matrix, firstRow }: { readonly matrix: BitMatrix; readonly firstRow: number },
  models: readonly TabularModel[],
  modelOf: (row: number) => number,
): Generator<ScoredRows, void> {
  for (const [at, model] of models.entries()) {
    const numbers = Array.from({ length: matrix.rows }, (_, row) => row).filter(
      (row) => modelOf(firstRow + row) === at,
    );
    if (numbers.length === 0) continue;
    yield { scores: scoreCells(model, matrix.selectRows(numbers)), numbers };
  }
}
