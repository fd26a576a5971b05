import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { codesInOrder, ownValue, shareIn, trainingCounts, valueCount } from '@orchard/dataset';
import { powerOfTen } from '@orchard/numerics';
import type { HistogramFacts } from './table-facts.js';

const MOST_BARS = 40;
/** Ends that hold so little of the rows are left out where they would take most of the axis. */
const FAR_END = 0.005;
/** How many times the rest of the axis an end may take. */
const LONGEST_END = 0.6;

/**
 * How the codes of an ordered variable lie on its own scale, in equally wide bars that begin and end between the values
 * of the grid in which the column is written. Within a cell rows are spread as the model spreads them.
 *
 * @param data rows of each code
 * @param draws the same
 * @param known rows of all codes that stand for values: what shares are of
 */
export function histogramOf(
  variable: OrderedVariable,
  data: ArrayLike<number>,
  draws: ArrayLike<number>,
): Omit<HistogramFacts, 'type'> {
  const { format } = variable;
  const [low, high] = shownRange(variable);
  // a column of many digits has more places than numbers of its range distinguish
  const step = Math.max(gridStep(format), (high - low) * 2 ** -40, Math.max(Math.abs(low), Math.abs(high)) * 2 ** -50);
  const values = Math.max(1, Math.round((high - low) / step) + 1);
  const width = step * Math.ceil(values / MOST_BARS);
  const bars = Math.max(1, Math.ceil((high - low + step) / width - 1e-9));
  const from = low - step / 2;
  const [below, above] = [0, bars + 1];
  // of each code, the shares of its rows below the bars, in each and above them
  const spread = Array.from({ length: valueCount(variable) }, (_, code) => {
    const value = ownValue(variable, code);
    const shares = new Float64Array(bars + 2);
    const barOf = (at: number): number => Math.min(above, Math.max(below, Math.floor((at - from) / width) + 1));
    if (value !== null) shares[barOf(value)] = 1;
    else {
      const [least, greatest] = reachOf(variable, code);
      const all = shareIn(variable, code, least, greatest);
      if (!(all > 0)) shares[barOf(code === 0 ? least : greatest)] = 1;
      else
        for (let bar = barOf(least); bar <= barOf(greatest); bar++) {
          const start = bar === below ? -Infinity : from + (bar - 1) * width;
          const end = bar === above ? Infinity : from + bar * width;
          shares[bar] = shareIn(variable, code, Math.max(least, start), Math.min(greatest, end)) / all;
        }
    }
    return shares;
  });
  const sharesOf = (counts: ArrayLike<number>): Float64Array => {
    const sums = new Float64Array(bars + 2);
    let rows = 0;
    spread.forEach((shares, code) => {
      const count = counts[code]!;
      rows += count;
      shares.forEach((share, bar) => {
        sums[bar]! += share * count;
      });
    });
    return rows === 0 ? sums : sums.map((sum) => sum / rows);
  };
  const [ofData, ofDraws] = [sharesOf(data), sharesOf(draws)];
  return {
    format,
    from,
    width,
    data: [...ofData.subarray(1, above)],
    draws: [...ofDraws.subarray(1, above)],
    below: { data: ofData[below]!, draws: ofDraws[below]! },
    above: { data: ofData[above]!, draws: ofDraws[above]! },
  };
}

/** The least distance of values of a format. */
function gridStep(format: OrderedFormat): number {
  if (format.type === 'number') return powerOfTen(-format.places);
  return format.type === 'time' && !format.seconds ? 60 : 1;
}

/** Where the rows of a cell lie: an outermost one ends with the training rows. */
function reachOf({ edges, range }: OrderedVariable, code: number): readonly [number, number] {
  const [least, greatest] = [edges[code - 1], edges[code]];
  return [least ?? Math.min(range[0], greatest ?? range[0]), greatest ?? Math.max(range[1], least ?? range[1])];
}

/** All of the training rows, without a long end of few of them. */
function shownRange(variable: OrderedVariable): readonly [number, number] {
  const { range, edges } = variable;
  const counts = trainingCounts(variable);
  const codes = codesInOrder(variable);
  const rows = codes.reduce((sum, code) => sum + counts[code]!, 0);
  const endOf = (codes: readonly number[], isLow: boolean): number => {
    let sum = 0;
    for (const code of codes) {
      sum += counts[code]!;
      // the far side of the first cell that cannot be left out
      if (sum > FAR_END * rows)
        return ownValue(variable, code) ?? (isLow ? edges[code - 1] : edges[code]) ?? range[isLow ? 0 : 1];
    }
    return range[isLow ? 0 : 1];
  };
  const [low, high] = [endOf(codes, true), endOf(codes.toReversed(), false)];
  const longest = (high - low) * LONGEST_END;
  if (!(longest > 0)) return range;
  return [low - range[0] > longest ? low : range[0], range[1] - high > longest ? high : range[1]];
}
