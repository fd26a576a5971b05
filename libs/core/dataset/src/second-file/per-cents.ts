import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { DatasetError, quote } from '../errors.js';
import type { RawCell } from '../table-files/raw-table.js';
import { labelOf, writeValue } from '../variables/cell-values.js';
import type { ColumnForm } from './column-form.js';
import type { SeenColumn } from './seen-column.js';

/** How many of a sign are one. */
const IN_ONE: Readonly<Record<string, number>> = { '%': 100, '‰': 1000 };
/** So many of the cells lie between the least and the greatest value of the training rows where they are alike. */
const MOSTLY = 0.9;
/** As close as that are the greatest values of two files that are alike, in powers of ten. */
const CLOSE = 0.5;
/** Fewer numbers without a sign say nothing of how a file is written. */
const LEAST_BARE = 2;

/** How many of `%` or `‰` are one in a column of such numbers; null of any other. */
export function inOne(format: OrderedFormat): number | null {
  const suffix = format.type === 'number' ? format.written?.suffix.trim() : undefined;
  return suffix === undefined ? null : (IN_ONE[suffix] ?? null);
}

/**
 * What numbers of a file are multiplied with to be those of a model's column, where one of the two is written in per
 * cents and the other without a sign: `23%` may be 23 there, or 0.23. It is what leaves the numbers between the least
 * and the greatest one of the training rows, and is not contradicted by how large the greatest are.
 *
 * @returns 1 where both are written with the sign, or both without
 * @throws DatasetError `value` where it is not clear which is meant
 */
export function scaleOfPerCents(
  { name, format, range }: OrderedVariable,
  form: ColumnForm,
  column: SeenColumn,
  where: { readonly name: string },
): number {
  const [own, other] = [inOne(format), inOne(form.format)];
  if ((own === null) === (other === null)) return 1;
  const values: number[] = [];
  for (const cell of column.cells.keys()) {
    const value = form.valueOf(cell);
    if (!Number.isNaN(value)) values.push(value);
  }
  const rows = column.rowsWhere((cell) => !Number.isNaN(form.valueOf(cell)));
  // some of the numbers have the sign: the others are meant alike
  const isMixed = own === null && column.profile.numbers > 0;
  if (isMixed || values.length === 0 || (own !== null && rows < LEAST_BARE)) return 1;
  const scales = own === null ? [1, 1 / other!] : [1, own];
  const greatest = Math.max(Math.abs(range[0]), Math.abs(range[1]));
  const judged = scales.map((scale) => {
    const isWithin = (cell: Exclude<RawCell, null>): boolean => {
      const value = form.valueOf(cell) * scale;
      return value >= range[0] && value <= range[1];
    };
    const most = values.reduce((found, value) => Math.max(found, Math.abs(value * scale)), 0);
    return {
      isWithin: column.rowsWhere(isWithin) >= MOSTLY * rows,
      isClose: most > 0 && greatest > 0 && Math.abs(Math.log10(most / greatest)) <= CLOSE,
    };
  });
  const [same, shares] = judged as [(typeof judged)[number], (typeof judged)[number]];
  const isSame = same.isWithin && (same.isClose || !shares.isClose);
  const areShares = shares.isWithin && (shares.isClose || !same.isClose);
  if (isSame !== areShares) return isSame ? 1 : scales[1]!;
  const example = [...column.cells.keys()].find((cell) => !Number.isNaN(form.valueOf(cell)))!;
  const [first, second] = scales.map((scale) => writeValue(scaled(form.valueOf(example), scale), format));
  throw new DatasetError('value', {
    got: `${quote(labelOf(example))} (${rows} cells), which may be ${first} or ${second}`,
    expected: `numbers as in the training rows, ${writeValue(range[0], format)} to ${writeValue(range[1], format)}`,
    where: `${where.name}, column ${quote(name)}`,
    remedy: 'Write the cells as the training rows do, with or without the sign.',
  });
}

/** A number times a power of ten, without what binary fractions add. */
export function scaled(value: number, scale: number): number {
  return scale === 1 ? value : Number((value * scale).toPrecision(15));
}
