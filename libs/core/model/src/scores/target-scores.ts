import type { OrderedVariable } from '@orchard/contracts';
import {
  DatasetError,
  encodeParts,
  equalColumnsOf,
  holeCode,
  isOfMonths,
  type EncodedPart,
  type RawTable,
} from '@orchard/dataset';
import { powerOfTen } from '@orchard/numerics';
import { isKnown } from '../anomalies/whole-rows.js';
import type { TabularModel } from '../tables/tabular-model.js';
import {
  measureTargetHere,
  SHARES,
  type LabelScore,
  type MeasureTarget,
  type NumberScore,
  type RowScore,
  type TargetRows,
} from './measure-target.js';
import { moments, type RowWeights } from './moments.js';

/** How well a model predicts one column of rows, given all others: of the rows in which it is there. */
export interface TargetScores {
  readonly column: string;
  /** Whether the log score is of probabilities, or of densities, which depend on the unit of the column. */
  readonly measure: 'mass' | 'density';
  /** Rows that have a value of the column. */
  readonly rows: number;
  /** Rows that have none, or one that cannot be read: nothing is measured of them. */
  readonly missing: number;
  /** Rows that were measured and have unknown values in other columns, which are summed out. */
  readonly incomplete: number;
  /** Mean log P(value | all other columns, and that there is a value), nats; null where a row had no probability. */
  readonly logScore: number | null;
  /** Of its mean; null of one row. */
  readonly standardError: number | null;
  /** Of numbers, dates and times; null of labels. */
  readonly numbers: NumberScores | null;
  /** Of labels; null of others. */
  readonly labels: LabelScores | null;
  /** Columns that often have the same value as this one, which these figures do not use. */
  readonly unusedEqualities: readonly string[];
}

/** What is measured of predicted numbers, in the unit of the column. */
export interface NumberScores {
  /** Of dates without a time days or months, of other dates and times seconds; null of numbers. */
  readonly unit: 'days' | 'months' | 'seconds' | null;
  /** The mean continuous ranked probability score, the integral of (F(x) - [x >= value])² over x: 0 is best. */
  readonly crps: number;
  readonly intervals: readonly {
    /** The probability that the interval is to hold: as much is left out on both sides. */
    readonly share: number;
    /** The share of the values that lie within. */
    readonly coverage: number;
    /** Mean. */
    readonly width: number;
  }[];
}

/** What is measured of predicted labels. */
export interface LabelScores {
  /** Mean -log P(label), nats; null where a label had no probability. */
  readonly logLoss: number | null;
  /** Mean sum over the labels of (P(label) - [it came])²: 0 is best, 2 the worst. Pooled labels count as one. */
  readonly brier: number;
  /** The share of the rows whose likeliest label came. */
  readonly accuracy: number;
}

export interface TargetOptions {
  /** What a missing value of another column means. */
  readonly missing: 'value' | 'unknown';
  /** Of what is sampled to sum unknown values out. */
  readonly seed: number;
  /** How much each row of the file counts. @default each once */
  readonly weights?: RowWeights | null;
  /** Who measures the rows. @default this thread */
  readonly measure?: MeasureTarget;
}

/**
 * Measures in one pass over a file how well one column is predicted given all others, by Bayes' rule: P(code | rest) is
 * in proportion to P(code, rest), which every model of a table knows. Costs a likelihood for each code that
 * others tell apart, and row.
 *
 * @param index of the column
 * @throws DatasetError `empty` where no row has a value of the column
 */
export async function scoreTarget(
  model: TabularModel,
  raw: RawTable,
  index: number,
  { missing, seed, weights = null, measure = measureTargetHere(model) }: TargetOptions,
): Promise<TargetScores> {
  const variable = model.table.variables[index]!;
  const found: RowScore[] = [];
  const places: number[] = [];
  let [rows, incomplete] = [0, 0];
  for await (const measured of measure(partsWithValue(), { index, seed })) {
    incomplete += measured.incomplete;
    for (const score of measured.scores) found.push(score);
  }
  if (found.length === 0)
    throw new DatasetError('empty', {
      got: `no row with a value of ${JSON.stringify(variable.name)}`,
      expected: 'rows in which the target is known',
      where: raw.name,
      remedy: 'Give rows that have the column that is predicted.',
    });
  const ofRows = weights?.of(places) ?? null;
  const mean: Mean = (of) => moments(Float64Array.from(found, of), ofRows).mean;
  const { mean: logScore, standardError } = moments(
    Float64Array.from(found, ({ nats }) => nats),
    ofRows,
  );
  const isPossible = Number.isFinite(logScore);
  return {
    column: variable.name,
    measure: variable.kind === 'ordered' ? variable.measure : 'mass',
    rows: found.length,
    missing: rows - found.length,
    incomplete,
    logScore: isPossible ? logScore : null,
    standardError: isPossible ? standardError : null,
    numbers: variable.kind === 'ordered' ? numberScores(variable, mean) : null,
    labels: variable.kind === 'ordered' ? null : labelScores(isPossible ? -logScore : null, mean),
    unusedEqualities: equalColumnsOf(model.table).flatMap(({ first, second, one, other }) =>
      first === index ? [other.name] : second === index ? [one.name] : [],
    ),
  };

  /** Of each part the rows with a value of the column. */
  async function* partsWithValue(): AsyncGenerator<TargetRows, void> {
    for await (const part of encodeParts(raw, model.table, { missing, withDensities: true, mayBeUnknown: true })) {
      rows += part.matrix.rows;
      const numbers = rowsWithValue(model, part, index);
      for (const row of numbers) places.push(part.firstRow + row);
      yield {
        matrix: part.matrix.selectRows(numbers),
        known: part.known?.selectRows(numbers) ?? null,
        values: Float64Array.from(numbers, (row) => part.numberAt(row, index)),
      };
    }
  }
}

/** The mean over the rows. */
type Mean = (of: (row: RowScore) => number) => number;

function numberScores(variable: OrderedVariable, mean: Mean): NumberScores {
  const { unit, size } = unitOf(variable);
  return {
    unit,
    crps: size * mean((row) => (row as NumberScore).crps),
    intervals: SHARES.map((share, at) => ({
      share,
      coverage: mean((row) => Number((row as NumberScore).isWithin[at])),
      width: size * mean((row) => (row as NumberScore).widths[at]!),
    })),
  };
}

function labelScores(logLoss: number | null, mean: Mean): LabelScores {
  return {
    logLoss,
    brier: mean((row) => (row as LabelScore).brier),
    accuracy: mean((row) => Number((row as LabelScore).isLikeliest)),
  };
}

/** The rows of a part in which a column has a value. */
function rowsWithValue(model: TabularModel, part: EncodedPart, index: number): number[] {
  const hole = holeCode(model.table.variables[index]!);
  return Array.from({ length: part.matrix.rows }, (_, row) => row).filter(
    (row) => isKnown(model, part, row, index) && model.codeOf(part.matrix, row, index) !== hole,
  );
}

/** What the numbers of a column count, as its unit and as how much of it. */
function unitOf({ format }: OrderedVariable): { readonly unit: NumberScores['unit']; readonly size: number } {
  if (format.type === 'number') return { unit: null, size: 1 };
  if (format.type !== 'date') return { unit: 'seconds', size: powerOfTen(-format.digits) };
  if (format.time !== null) return { unit: 'seconds', size: powerOfTen(-format.time.digits) };
  return { unit: isOfMonths(format.written) ? 'months' : 'days', size: 1 };
}
