import type { ValueCount } from './value-count.js';

/** Fewer rows, or a lower share of them, are not an atom: a bin of its own does as well. */
const LEAST_ROWS = 10;
const LEAST_SHARE = 0.01;
/** Others split on one bit an atom. */
const MOST_ATOMS = 64;
/** Distinct values on each side that a value is held against. */
const NEIGHBOURS = 4;
/** Standard deviations of a count of rows. */
const BEYOND_CHANCE = 4;

/**
 * Values that are heavier than their neighbourhood by more than chance: a minimum, a default, what was not measured.
 * The neighbourhood is the median of the nearest distinct values' rows, so that two atoms side by side do not hide each
 * other.
 *
 * @param values ascending
 * @returns places in `values`, ascending
 */
export function findAtoms(values: readonly ValueCount[], rows: number): readonly number[] {
  const least = Math.max(LEAST_ROWS, LEAST_SHARE * rows);
  const found: number[] = [];
  values.forEach(([, count], at) => {
    if (count < least) return;
    const around = [...values.slice(Math.max(0, at - NEIGHBOURS), at), ...values.slice(at + 1, at + 1 + NEIGHBOURS)]
      .map(([, others]) => others)
      .sort((one, other) => one - other);
    const usual = around[around.length >> 1] ?? 0;
    if (count >= 2 * usual && count - usual > BEYOND_CHANCE * Math.sqrt(usual)) found.push(at);
  });
  return found
    .sort((one, other) => values[other]![1] - values[one]![1] || one - other)
    .slice(0, MOST_ATOMS)
    .sort((one, other) => one - other);
}
