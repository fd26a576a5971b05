import type { Equality, OrderedVariable, Variable } from '@orchard/contracts';
import { exp, log } from '@orchard/numerics';
import type { RawTable } from '../table-files/raw-table.js';
import { EqualColumns, gridOf, isMeasured, mayBeEqual } from '../variables/equal-columns.js';
import { CellCodes, newCodedCells } from './cell-codes.js';

/** Of the training rows the first ones are looked at: so many, and so many cells of all columns. */
const MOST_ROWS = 2 ** 15;
const MOST_CELLS = 2 ** 20;
/** Rows that are equal, and their share: fewer are not worth a pass. */
const LEAST_ROWS = 20;
const LEAST_SHARE = 0.01;
/** Columns that hold one value in a row, of which all pairs are counted: more are not one and one. */
const MOST_EQUAL = 8;
/** Nats by which the rows that did not choose the share must be likelier, in all and per row. */
const LEAST_GAIN = 10;
const LEAST_GAIN_PER_ROW = 0.01;
const STEPS = 20;
/** Of values far out in a tail, whose density is next to 0. */
const MOST_RATIO = 1e100;

/** The cells of a column in the rows that are looked at. */
interface Column {
  readonly index: number;
  readonly variable: OrderedVariable;
  readonly codes: Int32Array;
  readonly nats: Float64Array;
  readonly values: Float64Array;
}

/** The rows of a file, and which of them train: 0 in `splitOf`, or all without it. */
export interface TrainingPart {
  readonly rows: number;
  readonly splitOf: Uint8Array | null;
}

/**
 * Columns that have one value in more rows than their cells explain. One half of the rows says how often, the other
 * whether that gains; each column is in one equality at most, those that gain most come first.
 *
 * @param variables of columns of the file
 */
export async function findEqualities(
  raw: RawTable,
  variables: readonly Variable[],
  part: TrainingPart,
): Promise<readonly Equality[]> {
  const compared = comparedOf(variables);
  if (compared.length === 0) return [];
  const columns = await readColumns(raw, variables, compared, part);
  const rows = columns[0]!.codes.length;
  const found = oftenEqual(columns, Math.max(LEAST_ROWS, LEAST_SHARE * rows))
    .flatMap(([one, other]) => judged(one, other, rows))
    .sort((a, b) => b.gain - a.gain);
  const taken = new Set<string>();
  return found
    .filter(({ equality: { one, other } }) => {
      if (taken.has(one) || taken.has(other)) return false;
      taken.add(one).add(other);
      return true;
    })
    .map(({ equality }) => equality);
}

/** Measurements of which others are on the same grid. */
function comparedOf(variables: readonly Variable[]): readonly number[] {
  const alike = new Map<string, number[]>();
  variables.forEach((variable, index) => {
    if (!isMeasured(variable)) return;
    const grid = gridOf(variable);
    const own = alike.get(grid);
    if (own === undefined) alike.set(grid, [index]);
    else own.push(index);
  });
  return [...alike.values()].filter((own) => own.length > 1).flat();
}

async function readColumns(
  raw: RawTable,
  variables: readonly Variable[],
  compared: readonly number[],
  { rows: all, splitOf }: TrainingPart,
): Promise<readonly Column[]> {
  const most = Math.min(all, MOST_ROWS, Math.floor(MOST_CELLS / compared.length));
  const places = compared.map((index) => raw.columns.indexOf(variables[index]!.name));
  const cells = compared.map((index) => new CellCodes(variables[index]!, compared.length));
  const whole = compared.map((index) => ({
    index,
    variable: variables[index] as OrderedVariable,
    codes: new Int32Array(most),
    nats: new Float64Array(most),
    values: new Float64Array(most),
  }));
  let [first, kept] = [0, 0];
  let coded = newCodedCells(0);
  let values = new Float64Array(0);
  for await (const { rows, columns } of raw.batches(new Set(places))) {
    if (coded.codes.length < rows) {
      coded = newCodedCells(rows);
      values = new Float64Array(rows);
    }
    const training = Array.from({ length: rows }, (_, row) => row)
      .filter((row) => splitOf === null || splitOf[first + row] === 0)
      .slice(0, most - kept);
    cells.forEach((own, at) => {
      const { codes, nats, values: ofColumn } = whole[at]!;
      own.read(columns[places[at]!]!, rows, coded);
      own.readValues(columns[places[at]!]!, rows, values);
      training.forEach((row, place) => {
        codes[kept + place] = coded.codes[row]!;
        nats[kept + place] = coded.nats[row]!;
        ofColumn[kept + place] = values[row]!;
      });
    });
    first += rows;
    kept += training.length;
    if (kept === most) break;
  }
  return whole.map((column) => ({ ...column, codes: column.codes.subarray(0, kept) }));
}

/** Pairs that have one value in at least so many rows, atoms and values that fill a cell excepted. */
function oftenEqual(columns: readonly Column[], least: number): readonly (readonly [Column, Column])[] {
  const counts = new Map<number, number>();
  const rows = columns[0]!.codes.length;
  const holders = new Map<number, number[]>();
  for (let row = 0; row < rows; row++) {
    holders.clear();
    columns.forEach(({ variable, codes, values }, at) => {
      const code = codes[row]!;
      if (code < 0 || code >= variable.values.length || variable.values[code] !== null) return;
      const same = holders.get(values[row]!);
      if (same === undefined) holders.set(values[row]!, [at]);
      else same.push(at);
    });
    for (const same of holders.values()) {
      if (same.length < 2 || same.length > MOST_EQUAL) continue;
      same.forEach((second, at) => {
        for (const first of same.slice(0, at)) {
          const key = first * columns.length + second;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      });
    }
  }
  return [...counts]
    .filter(([, count]) => count >= least)
    .map(([key]) => [columns[Math.floor(key / columns.length)]!, columns[key % columns.length]!] as const)
    .filter(([one, other]) => mayBeEqual(one.variable, other.variable));
}

/** What the rows of one half say of a pair, where the other half is likelier by it. */
function judged(one: Column, other: Column, rows: number): { equality: Equality; gain: number }[] {
  const pair = new EqualColumns(one.index, other.index, one.variable, other.variable, 0.5);
  // of each row whose cells overlap how much likelier its values are if they are one, 0 where they differ
  const ratios: [number[], number[]] = [[], []];
  for (let row = 0; row < rows; row++) {
    const [oneCode, otherCode] = [one.codes[row]!, other.codes[row]!];
    const overlap = oneCode < 0 || otherCode < 0 ? null : pair.overlap(oneCode, otherCode);
    if (overlap === null) continue;
    const areEqual = pair.areEqual(overlap, one.values[row]!, other.values[row]!);
    ratios[row % 2]!.push(areEqual ? Math.min(MOST_RATIO, exp(pair.logRatio(overlap, other.nats[row]!))) : 0);
  }
  const tried = shareThatFits(ratios[0]);
  const gain = ratios[1].reduce((sum, ratio) => sum + log(1 - tried + tried * ratio), 0);
  if (gain < Math.max(LEAST_GAIN, (LEAST_GAIN_PER_ROW * rows) / 2)) return [];
  const share = shareThatFits([...ratios[0], ...ratios[1]]);
  return [{ equality: { one: one.variable.name, other: other.variable.name, share }, gain }];
}

/** The share of rows that are one value, by expectation and maximization; one row more of each kind is supposed. */
function shareThatFits(ratios: readonly number[]): number {
  let share = 0.5;
  for (let step = 0; step < STEPS; step++) {
    const equal = ratios.reduce((sum, ratio) => sum + (share * ratio) / (1 - share + share * ratio), 1);
    share = equal / (ratios.length + 2);
  }
  return share;
}
