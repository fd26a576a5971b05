import type { OrderedVariable, Variable } from '@orchard/contracts';
import { densestOf, numberOf, ValueDistribution, valueCount, wordsOf, writeOnGrid } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { placeOfGreatest, sumOf } from '@orchard/numerics';
import type { FilledCell, FillOptions, Point } from './fill-options.js';
import { twoMeasurements } from './two-measurements.js';

type Filled = Omit<FilledCell, 'row' | 'index'>;

/** What is asked of the missing values of a column. */
export interface Asked extends Pick<FillOptions, 'point' | 'interval'> {
  /** Whether its labels are 0 and 1 as numbers, which have an order. */
  readonly areBits: boolean;
}

/** By column. */
export function askedOf({ ofBits }: TabularModel, { point, points, interval }: FillOptions): (index: number) => Asked {
  return (index) => ({ point: points?.get(index) ?? point, interval, areBits: ofBits !== undefined });
}

/** What numbers answer, whether by a distribution or by draws from it. */
interface Numbers {
  point(point: Point): number;
  /** An interval of at least this probability, with as much on both sides of it. */
  interval(level: number): readonly [low: number, high: number];
  shareBetween(low: number, high: number): number;
}

/** Fills in a missing value by its distribution. @param shares of the variable's codes */
export function filledByShares(variable: Variable, shares: Float64Array, asked: Asked): Filled {
  if (variable.kind !== 'ordered') {
    const own = shares.subarray(0, valueCount(variable));
    const likeliest = placeOfGreatest(own);
    const sum = sumOf(own);
    return label(variable, wordsOf(variable, likeliest), own[likeliest]!, asked, (code) => own[code]! / sum);
  }
  const distribution = new ValueDistribution(variable, shares);
  return number(variable, asked, {
    point: (point) =>
      point === 'mean' ? distribution.mean() : point === 'mode' ? distribution.mode() : distribution.quantile(0.5),
    interval: (level) => [distribution.quantile((1 - level) / 2), distribution.quantile((1 + level) / 2)],
    shareBetween: (low, high) => distribution.shareBetween(low, high),
  });
}

/** Fills in a missing value by what it was in several completions. */
export function filledByDraws(variable: Variable, drawn: readonly string[], asked: Asked): Filled {
  if (variable.kind !== 'ordered') {
    const { text, times } = mostFrequent(drawn);
    const shareOf = (code: number): number =>
      drawn.filter((one) => one === variable.labels[code]).length / drawn.length;
    return label(variable, text, times / drawn.length, asked, shareOf);
  }
  const ascending = Float64Array.from(drawn, (text) => numberOf(text, variable.format)).sort();
  const count = ascending.length;
  return number(variable, asked, {
    point: (point) => {
      if (point === 'mean') return sumOf(ascending) / count;
      if (point === 'median') return ascending[(count - 1) >> 1]! / 2 + ascending[count >> 1]! / 2;
      if (variable.measure === 'density') return densestOf(ascending);
      return numberOf(mostFrequent(drawn).text, variable.format);
    },
    interval: (level) => {
      const beyond = Math.floor(((1 - level) / 2) * (count + 1) + 1e-9);
      return [ascending[beyond - 1]!, ascending[count - beyond]!];
    },
    shareBetween: (low, high) => ascending.filter((one) => one >= low && one <= high).length / count,
  });
}

/**
 * Labels have neither mean nor median nor interval: the most probable one, and how probable it is. Between 0 and 1 an
 * interval is both of them, unless one is as sure as is asked. So it is between two measurements, which have a mean.
 *
 * @param shareOf a code, of all that may fill it in
 */
function label(
  variable: Exclude<Variable, OrderedVariable>,
  text: string,
  share: number,
  { point, interval, areBits }: Asked,
  shareOf: (code: number) => number,
): Filled {
  const measured = point === 'mean' ? twoMeasurements(variable) : null;
  const mean = measured?.mean(shareOf(0), shareOf(1));
  if (interval === undefined) return { value: mean ?? text, low: null, high: null, probability: null };
  if (!areBits && measured === null) return { value: text, low: null, high: null, probability: share };
  if (share >= interval) return { value: mean ?? text, low: text, high: text, probability: share };
  const [low, high] = measured === null ? ['0', '1'] : measured.ascending;
  return { value: mean ?? text, low, high, probability: 1 };
}

function number(variable: OrderedVariable, { point, interval }: Asked, numbers: Numbers): Filled {
  const { format } = variable;
  // a mean errs least where it is, on whichever grid the values are
  const value = writeOnGrid(numbers.point(point), point === 'mean' ? { format } : variable);
  if (interval === undefined) return { value, low: null, high: null, probability: null };
  const [least, greatest] = numbers.interval(interval);
  const [low, high] = [writeOnGrid(least, variable, 'below'), writeOnGrid(greatest, variable, 'above')];
  return { value, low, high, probability: numbers.shareBetween(numberOf(low, format), numberOf(high, format)) };
}

/** Of equally frequent texts the one that came first. */
function mostFrequent(texts: readonly string[]): { readonly text: string; readonly times: number } {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let best = { text: texts[0]!, times: 0 };
  for (const [text, times] of counts) if (times > best.times) best = { text, times };
  return best;
}
