import { log } from '@orchard/numerics';
import type { LeftOutColumn } from './left-out-column.js';
import { slotOf } from './left-out-terms.js';
import { OccupiedPairs } from './occupied-pairs.js';

/** The groups of two columns as rows that are left out judge them. */
export interface Lines {
  readonly column: LeftOutColumn;
  readonly other: LeftOutColumn;
  /** By the groups of the other column. */
  readonly pairs: OccupiedPairs;
}

/** What pairs of columns gain, one pair after the other. */
export class LeftOutGains {
  readonly #pairs = new OccupiedPairs();
  readonly #turned = new OccupiedPairs();

  /** {@link leftOutGain} by as many rows as are best lent, the mean of both directions. */
  between(one: LeftOutColumn, other: LeftOutColumn): number {
    this.#pairs.count(other, one);
    this.#turned.turn(this.#pairs, other.column.counts.length, one.column.counts.length);
    const ofOne = greatestGain({ column: one, other, pairs: this.#pairs });
    const ofOther = greatestGain({ column: other, other: one, pairs: this.#turned });
    return (ofOne + ofOther) / 2;
  }
}

function greatestGain(lines: Lines): number {
  return lines.other.terms.lents.reduce((best, _, at) => Math.max(best, leftOutGain(lines, at)), -Infinity);
}

/**
 * How much likelier a column's groups are given the other's than by themselves, nats, summed over all rows, each by
 * what the others say: a row is taken off the counts that it is judged by. So what is chance gains nothing, however
 * many groups there are. Copies of a row say all of it, and are left out with it.
 *
 * @param at of how many rows are lent to each group of the other column, the place in `lents`
 */
function leftOutGain(lines: Lines, at: number): number {
  let gain = lines.column.nats;
  for (let h = 0; h < lines.other.column.counts.length; h++) gain = withLine(gain, lines, h, at);
  return gain;
}

/** Adds log P of the rows of one group of the other column, each by the others, to a sum of nats. */
export function withLine(sum: number, { column, other, pairs }: Lines, h: number, at: number): number {
  if (other.column.counts[h] === 0) return sum;
  const { alone, kindsOfAlone } = column;
  const { shares } = column.column;
  const { groups, rows } = pairs;
  const { terms } = other;
  const lent = terms.lents[at]!;
  const share = terms.added * other.column.shares[h]!;
  const known = terms.known(at, other.kindsOfShares[h]!);
  let gain = sum - other.divisors[at]![h]!;
  const end = pairs.starts[h + 1]!;
  for (let place = pairs.starts[h]!; place < end; place++) {
    const [g, here] = [groups[place]!, rows[place]!];
    const slot = slotOf(kindsOfAlone[g]!, here);
    const isKept = slot >= 0 && slot < known.length;
    let term = isKept ? known[slot]! : NaN;
    if (Number.isNaN(term)) {
      term = here * log(terms.without(here) + share * shares[g]! + lent * alone[g]!);
      if (isKept) known[slot] = term;
    }
    gain += term;
  }
  return gain;
}
