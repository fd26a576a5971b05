import type { LeftOut, OrderedFormat, Variable } from '@orchard/contracts';
import type { ColumnProfile } from './column-profile.js';
import { cellsOf, type CellOptions } from './ordered-cells.js';

export interface VariableOptions extends CellOptions {
  /** Labels that are distinguished; the rest are "(other)". */
  readonly maxCategories: number;
}

/** Of two labels, these stand for 1. */
const POSITIVE = new Set(['1', '1.0', 'true', 'yes', 'y', 't', 'on']);

/**
 * The variable of a column of that kind, which its rows can be of.
 * @param profile of the training rows alone, read by `format` where that is of dates or times
 * @param hasFractions by the type of the column: labels that are whole numbers are 3.0 then
 */
export function makeVariable(
  name: string,
  kind: 'binary' | 'categorical' | 'ordered',
  profile: ColumnProfile,
  format: OrderedFormat,
  options: VariableOptions,
  hasFractions: boolean,
): Variable {
  const { holes } = profile;
  if (kind === 'ordered') {
    // cells that are not numbers are missing
    return { kind, name, holes: profile.rows - profile.numbers, format, ...cellsOf(profile, format, options) };
  }
  const sorted = [...profile.labels]
    .map(([label, rows]): LabelCount => [hasFractions && /^-?\d+$/.test(label) ? `${label}.0` : label, rows])
    .sort(([, a], [, b]) => b - a);
  if (kind === 'categorical' || sorted.length !== 2 || profile.isBeyondCounting) {
    const kept = sorted.slice(0, options.maxCategories);
    const others = profile.values - rowsOf(kept);
    // rows whose labels were not counted may have one each
    const otherLabels = sorted.length - kept.length + profile.values - rowsOf(sorted);
    return {
      kind: 'categorical',
      name,
      holes,
      labels: kept.map(([label]) => label),
      counts: kept.map(([, count]) => count),
      others,
      ...(others > 0 && { otherLabels }),
    };
  }
  const [zero, one] = inOrder(sorted[0]!, sorted[1]!);
  return { kind: 'binary', name, holes, labels: [zero[0], one[0]], counts: [zero[1], one[1]] };
}

type LabelCount = readonly [label: string, count: number];

function rowsOf(labels: readonly LabelCount[]): number {
  return labels.reduce((sum, [, count]) => sum + count, 0);
}

function inOrder(first: LabelCount, second: LabelCount): readonly [LabelCount, LabelCount] {
  const isPositive = ([label]: LabelCount): boolean => POSITIVE.has(label.toLowerCase());
  if (isPositive(first) !== isPositive(second)) return isPositive(first) ? [second, first] : [first, second];
  const [a, b] = [Number(first[0]), Number(second[0])];
  const isAscending = Number.isNaN(a) || Number.isNaN(b) ? first[0] < second[0] : a < b;
  return isAscending ? [first, second] : [second, first];
}

/** A column that training rows say nothing about. */
export function emptyColumn(name: string): LeftOut {
  return { name, why: 'the training rows have no value of it' };
}
