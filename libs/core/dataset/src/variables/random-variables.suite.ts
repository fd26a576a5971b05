import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import fc from 'fast-check';
import { BitMatrix } from '../rows/bit-matrix.js';
import { Columns } from '../rows/columns-of-rows.js';
import { codeCount, codeOffsets, writeCode } from './codes.js';

const holes = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }));
const counts = (size: number, most = 30): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: most }), { minLength: size, maxLength: size });

const binary = fc.record({ holes, counts: fc.tuple(fc.nat(50), fc.nat(50)) }).map((own): Variable => ({
  kind: 'binary',
  name: 'v',
  ...own,
  labels: ['no', 'yes'],
}));

const categorical = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.integer({ min: 10, max: 300 })),
    fc.nat(3),
  )
  .chain(([size, most]) =>
    fc
      .record({ holes, counts: counts(size, [1, 5, 1000, 2 ** 40][most]!), others: fc.nat(2) })
      .map((own): Variable => ({
        kind: 'categorical',
        name: 'v',
        ...own,
        labels: Array.from({ length: size }, (_, label) => `l${String(label)}`),
      })),
  );

const ordered = fc
  .record({ size: fc.integer({ min: 1, max: 20 }), isMass: fc.boolean(), holes, every: fc.integer({ min: 1, max: 4 }) })
  .chain(({ size, isMass, holes: absent, every }) => {
    const cells = isMass ? size : Math.max(2, size);
    return counts(cells).map((each): OrderedVariable => ({
      kind: 'ordered',
      name: 'v',
      holes: absent,
      format: { type: 'number', decimals: 1, places: 1, padded: true },
      measure: isMass ? 'mass' : 'density',
      edges: Array.from({ length: cells - 1 }, (_, edge) => edge + 0.5),
      values: Array.from({ length: cells }, (_, cell) => (isMass ? cell : null)),
      counts: each,
      tails: isMass ? null : [1, 2],
      range: [0, cells - 1],
      cuts: Array.from({ length: cells - 1 }, (_, cut) => cut + 1).filter((cut) => cut % every === 0),
    }));
  });

/** A variable of any kind, named v. */
export const anyVariable: fc.Arbitrary<Variable> = fc.oneof(binary, categorical, ordered);

/** A table of one to seven variables of any kinds. */
const anyTable: fc.Arbitrary<Table> = fc.array(anyVariable, { minLength: 1, maxLength: 7 }).map((variables) => ({
  variables: variables.map((variable, index) => ({ ...variable, name: `v${String(index)}` })),
  leftOut: [],
  columns: variables.map((_, index) => `v${String(index)}`),
  missing: '',
}));

/** Codes of so many rows of a table, element `[row][variable]`. */
const codesIn = (table: Table): fc.Arbitrary<number[][]> =>
  fc.array(fc.tuple(...table.variables.map((variable) => fc.nat(codeCount(variable) - 1))), { maxLength: 40 });

/** A table and codes of some of its rows. */
export const anyRows = anyTable.chain((table) => codesIn(table).map((codes) => ({ table, codes })));

export function matrixOf(table: Table, codes: readonly (readonly number[])[], shared = false): BitMatrix {
  const offsets = codeOffsets(table);
  const matrix = BitMatrix.create(codes.length, offsets.at(-1)!, { columns: Columns.of(table), shared });
  codes.forEach((row, at) => {
    row.forEach((code, index) => {
      writeCode(matrix, at, offsets[index]!, offsets[index + 1]!, code);
    });
  });
  return matrix;
}
