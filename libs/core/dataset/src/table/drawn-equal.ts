import { boundsOf } from '../variables/bounds.js';
import { numberOf, writeValue } from '../variables/cell-values.js';
import { commonRanges, type EqualColumns } from '../variables/equal-columns.js';
import { sharesIn, type ValueRange } from '../variables/restriction.js';
import { codeOfValue, textWithin } from './drawn-text.js';

/** What is known of the values of two columns that are often equal, and the random numbers of their row. */
export interface DrawnPair {
  /** What the values lie in; empty where nothing is said. */
  readonly ranges: readonly [readonly ValueRange[], readonly ValueRange[]];
  /** Values that are not drawn; NaN of others. */
  readonly known: readonly [number, number];
  /** Decides whether they are equal. */
  readonly decides: number;
  /** Draws the value. */
  readonly uniform: number;
}

/**
 * The texts of the one value that two cells have, as each column writes it, as likely as the table says they are equal;
 * null where they have one each.
 */
export function equalTexts(
  pair: EqualColumns,
  codes: readonly [number, number],
  { ranges, known: [one, other], decides, uniform }: DrawnPair,
): readonly [string, string] | null {
  const overlap = pair.overlap(...codes);
  if (overlap === null) return null;
  const written = (value: number): readonly [string, string] => [
    writeValue(value, pair.one.format),
    writeValue(value, pair.other.format),
  ];
  if (!Number.isNaN(one))
    return Number.isNaN(other) && decides < pair.chanceGivenOne(overlap, one) ? written(one) : null;
  if (!Number.isNaN(other)) return decides < pair.chanceGivenOther(overlap, codes, other) ? written(other) : null;
  if (decides >= pair.chance(overlap, codes, ranges)) return null;
  const within = commonRanges([overlap.range], [boundsOf(pair.one)], [boundsOf(pair.other)], ...ranges);
  if (sharesIn(pair.one, codes[0], within).all === 0) return null;
  const text = textWithin(pair.one, codes[0], uniform, within);
  // on the grid of the column some cells have no value in common
  const value = numberOf(text, pair.one.format);
  return codeOfValue(pair.other, value) === codes[1] ? [text, writeValue(value, pair.other.format)] : null;
}
