import type { Variable } from '@orchard/contracts';
import {
  codeCount,
  encodeParts,
  expectedCell,
  expectationOf,
  isTail,
  logShareOfLabel,
  trainingCounts,
  type EncodedPart,
  type RawTable,
} from '@orchard/dataset';
import { givenTheRest, learnedCounts, surpriseOfNew, type GivenColumns, type TabularModel } from '@orchard/model';
import { exp, log, placeOfGreatest, sumOf } from '@orchard/numerics';
import { meanByColumn, surprisesGivenTheRest } from './cell-scores.js';
import { classesOf } from './forms.js';
import { isLike, rareLabels } from './slips.js';
import { NumberSurprises } from './number-surprises.js';
import { unusualness, type SuspectCell } from './suspect-cell.js';

/** Rows of a file, each scored by a model that did not learn from it. */
export interface Scored {
  readonly models: readonly TabularModel[];
  readonly modelOf: (row: number) => number;
  /**
   * Whether a row, from 0, is one of those that the bins of the columns were made of.
   *
   * @default none is: the models have learned from other files
   */
  readonly isOfTable?: ((row: number) => boolean) | undefined;
  /** Columns that say which group a row is of: they are right, and are not looked at. @default all columns are */
  readonly given?: GivenColumns | null;
}

const options = { missing: 'value', withDensities: true, mayBeUnknown: true } as const;

/** A value that is likelier than this is not reported, however low the threshold is. */
const UNLIKELY = 0.1;

/** A value that comes in so many rows is not an error by itself. */
const OFTEN = 12;

/** Distinct words of a column of numbers that are counted. */
const MOST_WORDS = 4096;

/** How many times as unlikely as in its column such a value is where it is reported. */
const LESS_LIKELY = 3;

/**
 * Rows that say what is usual in the columns of a file. In fewer a wrong cell would pass as usual, the only row of a
 * request always, so that rows of the model stand for those that are not there.
 */
const ENOUGH_ROWS = 30;

/** Rows sampled to find out how unusual a correct cell may be. */
export const SAMPLED_FOR_THRESHOLD = 2000;

export interface UsualAsked {
  /** The share of right cells that may be reported. */
  readonly share: number;
  readonly seed: number;
  /** Columns that are not looked at. */
  readonly given: GivenColumns | null;
  /** Rows that are sampled. @default {@link SAMPLED_FOR_THRESHOLD} */
  readonly sampled?: number | undefined;
}

/** What is usual of a model's own cells: in rows sampled from the model every cell is right. */
export interface UsualCells {
  /** The score that the asked share of cells is beyond. */
  readonly threshold: number;
  /** The mean surprise of each column, nats. */
  readonly means: Float64Array;
}

export async function usualCells(
  model: TabularModel,
  { share, seed, given, sampled = SAMPLED_FOR_THRESHOLD }: UsualAsked,
): Promise<UsualCells> {
  const { variables } = model;
  const { surprises, expected } = await surprisesGivenTheRest(model, model.sample(sampled, seed), given);
  const means = meanByColumn(surprises, variables);
  const ascending = surprises
    .map((nats, at) => unusualness(nats, means[at % variables]!, expected[at]!))
    .filter((_, at) => given?.has(at % variables) !== true)
    .sort();
  const threshold = ascending[Math.min(ascending.length - 1, Math.floor((1 - share) * ascending.length))]!;
  return { threshold, means };
}

/**
 * Finds the cells of a file beyond a threshold, and those that are no value of their column, as a word among numbers.
 * Two passes over the file; of each cell eight bytes are kept.
 *
 * @param onRows called with the number of rows that were scored since the last call
 */
export async function findCells(
  raw: RawTable,
  { models, modelOf, isOfTable = () => false, given = null }: Scored,
  { threshold, means: meansOfModel }: UsualCells,
  onRows: (rows: number) => void,
): Promise<{ readonly cells: readonly SuspectCell[]; readonly rows: number }> {
  const { table, variables } = models[0]!;
  const sums = new Float64Array(variables);
  const misfits = new Uint32Array(variables);
  const words = table.variables.map(() => new Map<string, number>());
  const surprisesOfParts: Float32Array[] = [];
  const usualOfParts: Float32Array[] = [];
  const rare = table.variables.map(rareLabels);
  const trained = table.variables.map(trainingCounts);
  const ofNumbers = new NumberSurprises(models, isOfTable);
  let rows = 0;
  for await (const part of encodeParts(raw, table, options)) {
    const surprises = new Float32Array(part.matrix.rows * variables);
    const usual = new Float32Array(part.matrix.rows * variables);
    for (const { model, numbers } of byModel(part, models, modelOf)) {
      const own = await surprisesGivenTheRest(model, part.matrix.selectRows(numbers), given, onRows);
      own.surprises.forEach((nats, at) => {
        const [row, index] = [numbers[Math.floor(at / variables)]!, at % variables];
        if (given?.has(index) === true) return;
        const place = row * variables + index;
        const labels = rare[index] ?? null;
        const code = model.codeOf(part.matrix, row, index);
        const isKnown = (learnedCounts(model) ?? trained)[index]![code]! > 0;
        const text = (): string | null => part.text(row, index);
        const surprise =
          labels === null
            ? ofNumbers.of(nats, model, part, row, index)
            : labels.surpriseOf(nats, { code, isKnown, text, likeliest: own.likeliest[at]! });
        sums[index]! += surprise;
        const isSlip = own.certainty[at]! > 0.5 && labels?.isSlip(code, own.likeliest[at]!) === true;
        surprises[place] = isSlip ? surprise + surpriseOfNew(table.variables[index]!) : surprise;
        usual[place] = own.expected[at]!;
      });
    }
    for (const at of part.misfits) {
      misfits[at % variables]!++;
      const [ofColumn, word] = [words[at % variables]!, part.text(Math.floor(at / variables), at % variables) ?? ''];
      if (ofColumn.has(word) || ofColumn.size < MOST_WORDS) ofColumn.set(word, (ofColumn.get(word) ?? 0) + 1);
    }
    surprisesOfParts.push(surprises);
    usualOfParts.push(usual);
    rows += part.matrix.rows;
  }
  const missing = Math.max(0, ENOUGH_ROWS - rows);
  const means = sums.map((sum, index) => (sum + missing * meansOfModel[index]!) / (rows + missing));
  const cells: SuspectCell[] = [];
  let at = 0;
  for await (const part of encodeParts(raw, table, options)) {
    const usual = usualOfParts[at]!;
    const surprises = surprisesOfParts[at++]!;
    for (const { model, numbers } of byModel(part, models, modelOf))
      for (let index = 0; index < variables; index++) {
        if (given?.has(index) === true) continue;
        const isMisfit = (row: number): boolean => part.misfits.has(row * variables + index);
        const scoreOf = (row: number): number =>
          unusualness(surprises[row * variables + index]!, means[index]!, usual[row * variables + index]!);
        const wanted = numbers.filter((row) => isMisfit(row) || scoreOf(row) > threshold);
        for (const { row, probability, likeliest, expectation } of explained(model, part, index, wanted)) {
          const variable = table.variables[index]!;
          const value = part.text(row, index);
          const found = { row: part.firstRow + row + 1, column: variable.name, value };
          // a word that comes often among numbers, as <0.5, is reported of the column
          if (isMisfit(row) && (words[index]!.get(value ?? '') ?? 0) >= OFTEN) continue;
          if (isMisfit(row)) {
            const share = misfits[index]! / rows;
            const surprise = -log(share);
            cells.push({
              ...found,
              typoOf: null,
              form: classesOf(value ?? '').join(''),
              ...expectation,
              probability: share,
              expected: `${noun(variable)}: ${expectation.expected}`,
              score: Math.max(scoreOf(row), unusualness(surprise, share * surprise)),
            });
          } else if (
            model.codeOf(part.matrix, row, index) !== likeliest ||
            // what is expected is a number of the outermost bin, and not each however far out
            isTail(variable, likeliest)
          ) {
            const ofValue = exp(-ofNumbers.of(-log(probability), model, part, row, index));
            const typo = typoIn(value, variable, likeliest);
            // where little is certain, or nearly all is, the threshold lies among cells that are as expected
            const typoOf = typo ?? rare[index]?.slipOf(value ?? '') ?? null;
            const isUsual = isAsUsual(trained[index]!, model.codeOf(part.matrix, row, index), ofValue);
            if (typoOf !== null || (ofValue < UNLIKELY && !isUsual))
              cells.push({
                ...found,
                ...expectation,
                form: null,
                score: scoreOf(row),
                probability: ofValue,
                typoOf,
              });
          }
        }
      }
  }
  return { cells, rows };
}

/**
 * Whether a value that comes often is about as likely beside the other cells of its row as in its column: a rare label,
 * of which the row says nothing.
 *
 * @param counts of the training rows, by code
 */
function isAsUsual(counts: ArrayLike<number>, code: number, probability: number): boolean {
  const rows = sumOf(counts);
  return counts[code]! >= OFTEN && LESS_LIKELY * probability > counts[code]! / rows;
}

function noun(variable: Variable): string {
  return variable.kind === 'ordered' ? expectedCell(variable.format) : 'a label';
}

/** What a model says of one column in some rows of a part, given all other cells. */
function explained(model: TabularModel, { matrix }: EncodedPart, index: number, rows: readonly number[]) {
  if (rows.length === 0) return [];
  const variable = model.table.variables[index]!;
  const codes = codeCount(variable);
  const all = givenTheRest(model, matrix.selectRows(rows))(index);
  return rows.map((row, at) => {
    const shares = all.subarray(at * codes, (at + 1) * codes);
    const code = model.codeOf(matrix, row, index);
    return {
      row,
      probability: shares[code]! * exp(logShareOfLabel(variable, code)),
      likeliest: placeOfGreatest(shares),
      expectation: expectationOf(variable, shares),
    };
  });
}

/** The likeliest label where the value is close to it in spelling. */
function typoIn(value: string | null, variable: Variable, likeliest: number): string | null {
  const label = variable.kind === 'ordered' ? undefined : variable.labels[likeliest];
  return value !== null && label !== undefined && label !== value && isLike(value, label) ? label : null;
}

/** The rows of a part, model by model. */
function byModel({ matrix, firstRow }: EncodedPart, models: readonly TabularModel[], modelOf: Scored['modelOf']) {
  const all = Array.from({ length: matrix.rows }, (_, row) => row);
  return models
    .map((model, at) => ({ model, numbers: all.filter((row) => modelOf(firstRow + row) === at) }))
    .filter(({ numbers }) => numbers.length > 0);
}
