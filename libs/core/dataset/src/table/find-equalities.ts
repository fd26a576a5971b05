import type { Equality } from '@orchard/contracts';
import { exp, log } from '@orchard/numerics';
import { EqualColumns, mayBeEqual } from '../variables/equal-columns.js';
import type { ComparedColumn } from './compared-columns.js';

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

/**
 * Columns that have one value in more rows than their cells explain. One half of the rows says how often, the other
 * whether that gains; each column is in one equality at most, those that gain most come first.
 */
export function findEqualities(columns: readonly ComparedColumn[]): readonly Equality[] {
  if (columns.length === 0) return [];
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

/** Pairs that have one value in at least so many rows, atoms and values that fill a cell excepted. */
function oftenEqual(
  columns: readonly ComparedColumn[],
  least: number,
): readonly (readonly [ComparedColumn, ComparedColumn])[] {
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
function judged(one: ComparedColumn, other: ComparedColumn, rows: number): { equality: Equality; gain: number }[] {
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
