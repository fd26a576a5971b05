import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import { RandomStream } from '@orchard/numerics';
import { sourceOf } from '../bit-files/reading.suite.js';
import { BitMatrix } from '../rows/bit-matrix.js';
import { Columns } from '../rows/columns-of-rows.js';
import { openTable } from '../table-files/open-table.js';
import type { RawTable } from '../table-files/raw-table.js';
import { codeCount, codeOffsets, readCodes, writeCode } from './codes.js';
import { sumsInOrdering } from './column-sums.js';
import { predictorOffsets, setBitsOfPosition } from './predictor-bits.js';

export const binary = (name: string, holes = 0): Variable => ({
  kind: 'binary',
  name,
  holes,
  labels: ['no', 'yes'],
  counts: [3, 4],
});

export const categorical = (name: string, labels: number, { holes = 0, others = 0 } = {}): Variable => ({
  kind: 'categorical',
  name,
  holes,
  labels: Array.from({ length: labels }, (_, label) => `${name}${String(label)}`),
  counts: Array.from({ length: labels }, (_, label) => 1 + ((7 * label) % 5)),
  others,
});

/** Masses on the whole numbers from 0, or as many cells of a density. */
export const ordered = (name: string, cells: number, measure: 'mass' | 'density', holes = 0): Variable => ({
  kind: 'ordered',
  name,
  holes,
  format: { type: 'number', decimals: 0, places: 0, padded: true },
  measure,
  edges: Array.from({ length: cells - 1 }, (_, edge) => edge + 0.5),
  values: Array.from({ length: cells }, (_, cell) => (measure === 'mass' ? cell : null)),
  counts: Array.from({ length: cells }, () => 2),
  tails: measure === 'mass' ? null : [1, 2],
  range: [0, cells - 1],
  cuts: Array.from({ length: cells - 1 }, (_, cut) => cut + 1),
});

/** A density with pieces in its cells, some values with a mass of their own beside it, and a bound below. */
export const measured = (name: string, cells: number, atoms: number, holes = 0): Variable => {
  const edges = Array.from({ length: cells - 1 }, (_, edge) => edge + 0.5);
  const borders = [-0.5, 0.125, ...edges.flatMap((edge) => [edge, edge + 0.375]), cells - 0.25];
  return {
    ...(ordered(name, cells, 'density', holes) as OrderedVariable),
    ...(atoms > 0 && {
      atoms: {
        values: Array.from({ length: atoms }, (_, atom) => atom),
        counts: Array.from({ length: atoms }, (_, atom) => 3 + ((5 * atom) % 4)),
      },
    }),
    pieces: { borders, weights: borders.slice(1).map((_, piece) => 1 + ((3 * piece) % 4) / 2), beyond: [0.5, 1] },
    bounds: [-1, null],
  };
};

export const tableOfVariables = (variables: readonly Variable[]): Table => ({
  variables,
  leftOut: [],
  columns: variables.map(({ name }) => name),
  missing: '',
});

/** A text as a file of commas, with a line of names. */
export function openText(text: string, name = 'table.csv'): Promise<RawTable> {
  return openTable(sourceOf(text, name), { header: true });
}

/** Variables of every kind, few enough codes for all rows to be written out. */
export function randomVariables(seed: number, count: number): Variable[] {
  const stream = new RandomStream(seed, 1003);
  return Array.from({ length: count }, (_, index) => {
    const name = `v${String(index)}`;
    const holes = stream.below(3) === 0 ? 2 : 0;
    switch (stream.below(4)) {
      case 0:
        return binary(name, holes);
      case 1:
        return categorical(name, 1 + stream.below(4), { holes, others: stream.below(2) });
      case 2:
        return ordered(name, 1 + stream.below(4), 'mass', holes);
      default:
        return ordered(name, 2 + stream.below(3), 'density', holes);
    }
  });
}

/** Rows from their codes, in stored order. */
export function rowsOfCodes({ table }: { readonly table: Table }, codes: readonly (readonly number[])[]): BitMatrix {
  const offsets = codeOffsets(table);
  const matrix = BitMatrix.create(codes.length, offsets[table.variables.length]!, { columns: Columns.of(table) });
  codes.forEach((row, at) => {
    row.forEach((code, index) => {
      writeCode(matrix, at, offsets[index]!, offsets[index + 1]!, code);
    });
  });
  return matrix;
}

/** The codes of all rows that there can be. */
export function allCodes(variables: readonly Variable[]): number[][] {
  return variables.reduce<number[][]>(
    (rows, variable) => rows.flatMap((row) => Array.from({ length: codeCount(variable) }, (_, code) => [...row, code])),
    [[]],
  );
}

/** How often each row of {@link allCodes} is there. */
export function countsOf({ table }: { readonly table: Table }, matrix: BitMatrix): number[] {
  const { variables } = table;
  const offsets = codeOffsets(table);
  const columns = variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
  const counts = allCodes(variables).map(() => 0);
  for (let row = 0; row < matrix.rows; row++)
    counts[variables.reduce((at, variable, index) => at * codeCount(variable) + columns[index]![row]!, 0)]!++;
  return counts;
}

/** The chances of each row of {@link allCodes} where its values are weighed: what they come to, and the shares of it. */
export function weighedLaw(
  variables: readonly Variable[],
  chances: Float64Array,
  weightOf: (code: number, index: number) => number,
): { readonly law: number[]; readonly total: number } {
  const codes = allCodes(variables);
  const weighed = codes.map((row, at) => row.reduce((p, code, index) => p * weightOf(code, index), chances[at]!));
  const total = weighed.reduce((sum, p) => sum + p, 0);
  return { law: weighed.map((p) => p / total), total };
}

/** A row of which so many variables are known. */
export function knownRow({ table }: { readonly table: Table }, isKnown: readonly boolean[]): BitMatrix {
  const offsets = codeOffsets(table);
  const known = BitMatrix.create(1, offsets[table.variables.length]!, { columns: Columns.of(table) });
  isKnown.forEach((own, index) => {
    for (let bit = offsets[index]!; bit < offsets[index + 1]!; bit++) known.set(0, bit, own);
  });
  return known;
}

/**
 * Pearson's chi-square; refused by chance less than once in 10,000. Rows of an expected count below 5 are taken
 * together.
 */
export function isLawOf(counts: readonly number[], law: readonly number[]): boolean {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let [chiSquare, cells, rareCount, rareExpected] = [0, 0, 0, 0];
  for (const [at, p] of law.entries()) {
    const [count, expected] = [counts[at]!, p * total];
    if (p === 0 && count > 0) return false;
    if (expected >= 5) {
      chiSquare += (count - expected) ** 2 / expected;
      cells++;
    } else {
      rareCount += count;
      rareExpected += expected;
    }
  }
  if (rareExpected > 0) {
    chiSquare += (rareCount - rareExpected) ** 2 / Math.max(1, rareExpected);
    cells++;
  }
  return chiSquare < cells - 1 + 5 * Math.sqrt(2 * cells) + 8;
}

/** Codes that lean on those of the variable before. */
export function randomCodes(variables: readonly Variable[], rows: number, seed: number): Uint16Array[] {
  const stream = new RandomStream(seed, 1020);
  const columns = variables.map(() => new Uint16Array(rows));
  for (let row = 0; row < rows; row++)
    variables.forEach((variable, index) => {
      const size = codeCount(variable);
      const before = index === 0 ? 0 : columns[index - 1]![row]!;
      columns[index]![row] = stream.below(3) === 0 ? stream.below(size) : before % size;
    });
  return columns;
}

/**
 * The predictor bits of all rows in the given ordering of the variables, and behind them `extra` zero bits a row.
 * @param rows a table's matrix, of codes
 */
export function predictorMatrix(rows: BitMatrix, table: Table, ordering: ArrayLike<number>, extra: number): BitMatrix {
  const offsets = codeOffsets(table);
  const firsts = predictorOffsets(table, ordering);
  const bits = BitMatrix.create(rows.rows, firsts[ordering.length]! + extra);
  const sums = sumsInOrdering(table, ordering);
  const codes: Uint16Array[] = [];
  for (let position = 0; position < ordering.length; position++) {
    const index = ordering[position]!;
    codes.push(readCodes(rows, offsets[index]!, offsets[index + 1]!));
    setBitsOfPosition(
      bits,
      firsts[position]!,
      table.variables[index]!,
      sums[position]!,
      codes[position]!,
      (row, at) => codes[at]![row]!,
    );
  }
  return bits;
}
