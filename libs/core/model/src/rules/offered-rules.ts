import type { Table } from '@orchard/contracts';
import { nameInRule, rowsOfSum } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';

/** A rule that all rows follow, and how many of them show it. */
export interface OfferedRule {
  readonly rule: string;
  /** Rows in which it says something: those with values in all columns that it compares. */
  readonly rows: number;
}

/** The rows of a table by column, as far as rules look at them. */
export interface RowsByColumn {
  readonly rows: number;
  /** Of an ordered variable its numbers, NaN where one is missing; null of any other. */
  readonly numbers: readonly (Float64Array | null)[];
  /** Of any other its labels, null where one is missing; null of an ordered one. */
  readonly labels: readonly (readonly (string | null)[] | null)[];
}

/** Fewer rows show nothing. */
const LEAST_ROWS = 20;
/** A rule is offered where as many rows would break it if its columns had nothing to do with each other. */
const LEAST_BROKEN = 10;
/** More labels than that name things, and each of them is together with one other only. */
const MOST_LABELS = 1000;
/** Columns of numbers beyond these are not tried in threes. */
const MOST_IN_SUMS = 60;

/**
 * Rules that all rows follow, and not by chance: each would be broken by some rows if one of its columns came from
 * other rows. Pairs of columns in order, sums of three, labels that go together, and values that only rows with one
 * label have.
 */
export function offeredRules({ variables }: Pick<Table, 'variables'>, rows: RowsByColumn): readonly OfferedRule[] {
  const names = variables.map(({ name }) => nameInRule(name));
  const ordered = variables.flatMap((variable, index) => (variable.kind === 'ordered' ? [index] : []));
  const typeOf = (index: number): string => {
    const variable = variables[index]!;
    return variable.kind === 'ordered' ? variable.format.type : 'label';
  };
  const inNumbers = ordered.filter((index) => ['number', 'duration'].includes(typeOf(index))).slice(0, MOST_IN_SUMS);
  const others = otherRows(rows.rows);
  return [
    ...orderedPairs(ordered, typeOf, names, rows, others),
    ...sumsOfThree(inNumbers, typeOf, names, rows),
    ...combinations(names, rows, others),
    ...missingUnless(names, rows, others),
  ];
}

/** Of each row another at random: what would stand beside its values if columns had nothing to do with each other. */
function otherRows(rows: number): Uint32Array {
  const stream = new RandomStream(0, Purpose.rows);
  return Uint32Array.from({ length: rows }, () => stream.below(rows));
}

function orderedPairs(
  ordered: readonly number[],
  typeOf: (index: number) => string,
  names: readonly string[],
  { rows, numbers }: RowsByColumn,
  others: Uint32Array,
): OfferedRule[] {
  const found: OfferedRule[] = [];
  for (const one of ordered)
    for (const other of ordered) {
      if (one === other || typeOf(one) !== typeOf(other)) continue;
      const [a, b] = [numbers[one]!, numbers[other]!];
      let [both, equal, wouldBreak] = [0, 0, 0];
      let holds = true;
      for (let row = 0; row < rows && holds; row++) {
        if (a[row]! > b[others[row]!]!) wouldBreak++;
        if (Number.isNaN(a[row]!) || Number.isNaN(b[row]!)) continue;
        both++;
        if (a[row]! > b[row]!) holds = false;
        else if (a[row]! === b[row]!) equal++;
      }
      if (!holds || both < LEAST_ROWS || equal === both || wouldBreak < LEAST_BROKEN) continue;
      found.push({ rule: `${names[one]!} ${equal === 0 ? '<' : '<='} ${names[other]!}`, rows: both });
    }
  return found;
}

function sumsOfThree(
  ordered: readonly number[],
  typeOf: (index: number) => string,
  names: readonly string[],
  { numbers }: RowsByColumn,
): OfferedRule[] {
  const found: OfferedRule[] = [];
  for (const [at, one] of ordered.entries())
    for (const other of ordered.slice(at + 1))
      for (const total of ordered) {
        if (total === one || total === other || typeOf(one) !== typeOf(other) || typeOf(one) !== typeOf(total))
          continue;
        const all = rowsOfSum(numbers[total]!, [numbers[one]!, numbers[other]!]);
        if (all !== null) found.push({ rule: `${names[total]!} = ${names[one]!} + ${names[other]!}`, rows: all });
      }
  return found;
}

function combinations(names: readonly string[], { rows, labels }: RowsByColumn, others: Uint32Array): OfferedRule[] {
  const found: OfferedRule[] = [];
  const columns = [...labels.keys()].filter((index) => {
    const own = labels[index];
    return own !== null && own !== undefined && between(new Set(own).size, 3, MOST_LABELS);
  });
  for (const [at, one] of columns.entries())
    for (const other of columns.slice(at + 1)) {
      const [a, b] = [labels[one]!, labels[other]!];
      const [pairs, shifted] = [new Set<string>(), new Set<string>()];
      for (let row = 0; row < rows; row++) {
        pairs.add(JSON.stringify([a[row], b[row]]));
        shifted.add(JSON.stringify([a[row], b[others[row]!]]));
      }
      const isFew = 2 * pairs.size <= shifted.size && rows >= LEAST_ROWS && rows >= 10 * pairs.size;
      if (isFew) found.push({ rule: `combination(${names[one]!}, ${names[other]!})`, rows });
    }
  return found;
}

function missingUnless(
  names: readonly string[],
  { rows, numbers, labels }: RowsByColumn,
  others: Uint32Array,
): OfferedRule[] {
  const found: OfferedRule[] = [];
  const isThere = (index: number, row: number): boolean => {
    const own = numbers[index];
    return own === null || own === undefined ? labels[index]![row] !== null : !Number.isNaN(own[row]!);
  };
  for (const column of names.keys())
    for (const other of names.keys()) {
      const conditions = labels[other];
      if (column === other || conditions === null || conditions === undefined) continue;
      let [value, there, wouldBreak] = [null as string | null, 0, 0];
      let holds = true;
      for (let row = 0; row < rows && holds; row++) {
        if (!isThere(column, row)) continue;
        value ??= conditions[row]!;
        there++;
        holds = value !== null && conditions[row] === value;
        if (conditions[others[row]!] !== value) wouldBreak++;
      }
      if (!holds || value === null || !between(there, LEAST_ROWS, rows - 1) || wouldBreak < LEAST_BROKEN) continue;
      const text = `'${value.replaceAll("'", "''")}'`;
      found.push({ rule: `${names[column]!} is missing unless ${names[other]!} = ${text}`, rows: there });
    }
  return found;
}

function between(size: number, least: number, most: number): boolean {
  return size >= least && size <= most;
}
