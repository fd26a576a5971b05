import type { OrderedVariable } from '@orchard/contracts';
import { holeCode, isNewNumber, isTail, numberOf, trainingCounts, type EncodedPart } from '@orchard/dataset';
import { learnedCounts, natsOfValue, type TabularModel } from '@orchard/model';
import { log } from '@orchard/numerics';

/** Rows of either end by which it is judged how far out a number may lie. */
const TAIL_ROWS = 10;

/** Rows of one end of a column. */
interface Tail {
  readonly rows: number;
  /** The first value beyond it. */
  readonly edge: number;
  /** The mean distance of its rows from the edge. */
  readonly scale: number;
}

/** What a model has learned of a column. */
interface LearnedNumbers {
  /** Rows of each code. */
  readonly counts: ArrayLike<number>;
  readonly unlearned: ((value: number) => number) | null;
}

/** How surprising the numbers and dates of a file's cells are to models that have learned from other rows, nats. */
export class NumberSurprises {
  readonly #byModel: ReadonlyMap<TabularModel, readonly LearnedNumbers[]>;

  /** @param isOfTable whether a row of the file, from 0, is one of those that the bins of the columns were made of */
  constructor(
    models: readonly TabularModel[],
    private readonly isOfTable: (row: number) => boolean,
  ) {
    this.#byModel = new Map(
      models.map((model) => [
        model,
        model.table.variables.map((variable, index) => {
          const counts = learnedCounts(model)?.[index] ?? trainingCounts(variable);
          return { counts, unlearned: variable.kind === 'ordered' ? unlearnedNumbers(variable, counts) : null };
        }),
      ]),
    );
  }

  /** @param nats what the code of the cell surprises by: all there is of a label */
  of(nats: number, model: TabularModel, part: EncodedPart, row: number, index: number): number {
    const variable = model.table.variables[index]!;
    if (variable.kind !== 'ordered') return nats;
    const code = model.codeOf(part.matrix, row, index);
    const { counts, unlearned } = this.#byModel.get(model)![index]!;
    const value = numberOf(part.text(row, index) ?? '', variable.format);
    if (isTail(variable, code) && this.isOfTable(part.firstRow + row))
      return nats + natsBesideOthers(variable, code, value);
    const isLearned = counts[code]! > 0 && !isNewNumber(variable, code, value);
    if (unlearned === null || code === holeCode(variable) || isLearned)
      return nats + natsOfValue(variable, code, part.logDensity[row * model.variables + index]!);
    return unlearned(value);
  }
}

/**
 * What a value of an outermost bin adds, nats: `-log` of the chance of one as far out or farther, by the other rows of
 * the bin. Its own row has widened the bin, so that any value of it looks as usual as the farthest one. Of k other rows
 * that lie s beyond the bin's edge on the mean, of an exponential, that chance is (1 + t / (k s))^-k.
 */
function natsBesideOthers(variable: OrderedVariable, code: number, value: number): number {
  const { edges, counts } = variable;
  const isBelow = code === 0;
  const scale = variable.tails![isBelow ? 0 : 1];
  const distance = Math.abs(value - (isBelow ? edges[0]! : edges.at(-1)!));
  const rows = Math.max(1, counts[code]! - 1);
  const others = counts[code]! * scale - distance;
  // beside no other row the bin is as wide as those with two ends are on the mean
  const width = (edges.at(-1)! - edges[0]!) / Math.max(1, edges.length - 1);
  const sum = counts[code]! > 1 ? Math.max(others, 0) : width;
  return sum > 0 ? rows * log(1 + distance / sum) : 0;
}

/**
 * How a number or a date surprises that a model has not learned, nats, where each value of the column has a mass: what
 * the model itself says of such a value is no more than what its smoothing leaves. Among most rows it surprises as
 * values do that come once (Good and Turing); beyond them, where the k farthest rows lie, by the chance of one as far
 * out or farther, in a tail that falls as these say it does: by (1 + t / k)^-k at t scales.
 *
 * @param counts of the rows that the model has learned from, by code
 * @returns null for a density
 */
function unlearnedNumbers(variable: OrderedVariable, counts: ArrayLike<number>): ((value: number) => number) | null {
  if (variable.measure !== 'mass') return null;
  const learned = (variable.values as readonly number[])
    .map((value, code) => ({ value, rows: counts[code] ?? 0 }))
    .filter(({ rows }) => rows > 0);
  if (learned.length < 2) return null;
  const rows = learned.reduce((sum, each) => sum + each.rows, 0);
  const natsOfOne = log((rows + 1) / (learned.filter((each) => each.rows === 1).length + 1));
  const [low, high] = [tailOf(learned), tailOf(learned.toReversed())];
  return (value) => {
    const tail = value < low.edge ? low : value > high.edge ? high : null;
    if (tail === null) return natsOfOne;
    const scales = Math.abs(value - tail.edge) / tail.scale;
    return log(rows / tail.rows) + tail.rows * log(1 + scales / tail.rows);
  };
}

/** @param values from the end on, with their rows */
function tailOf(values: readonly { readonly value: number; readonly rows: number }[]): Tail {
  let [rows, last] = [0, 0];
  while (rows < TAIL_ROWS && last < values.length - 1) rows += values[last++]!.rows;
  const edge = values[last]!.value;
  const distances = values.slice(0, last).reduce((sum, each) => sum + each.rows * Math.abs(each.value - edge), 0);
  return { rows, edge, scale: distances / rows };
}
