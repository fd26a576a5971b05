import type { CountedRows } from '@orchard/dataset';
import { drawSome, type RandomStream } from '@orchard/numerics';
import { abstainingOf, Experts } from './experts.js';
import { ExtremalCounts } from './extremal-counts.js';
import { atLeast } from './learn-placed.js';
import { PlacedExperts } from './placed-experts.js';
import { PlacedPursuit } from './placed-pursuit.js';
import { Placement } from './placement.js';
import type { Places } from './places.js';
import { isExplained, startOf, type StartOptions } from './start-experts.js';

/** Rows that the sequential start looks at, at most: each is tried at every place. EM looks at all. */
const ONLINE_ROWS = 100;

/** What is known after a row of {@link oneByOne}. */
export interface OnlineRow {
  /** Of the rows in order. */
  readonly at: number;
  /** The experts that explained it, or null of the first. */
  readonly before: PlacedExperts | null;
  readonly placed: PlacedExperts;
}

/** What EM of placed experts begins with: anywhere is as good a place as any other. */
export function placedStartOf(
  train: CountedRows,
  options: StartOptions,
  places: Places,
  stream: RandomStream,
): PlacedExperts {
  if (places.count === 1 || options.start === 'random')
    return new PlacedExperts({
      experts: startOf(train, options, stream),
      places,
      placement: Placement.anywhere(options.experts, places.most),
    });
  const all = Uint32Array.from({ length: train.distinct.rows }, (_, row) => row);
  const some = drawSome(all, Math.min(all.length, ONLINE_ROWS), stream);
  let last: OnlineRow | null = null;
  for (const row of oneByOne(train, options, places, some)) last = row;
  const { experts } = last!.placed;
  // of fewer rows than experts the others say nothing
  const missing = new Float64Array((options.experts - experts.count) * experts.dimensions).fill(experts.abstaining);
  return new PlacedExperts({
    experts: new Experts({
      ...experts.parts(),
      active: new Float64Array(options.experts).fill(1 / 2),
      rates: Float64Array.from([...experts.rates, ...missing]),
    }),
    places,
    placement: Placement.anywhere(options.experts, places.most),
  });
}

/**
 * Online learning (thesis, 3.3.1): each of the first K rows makes an expert of what those before it do not explain
 * anywhere, and every row after them updates the experts that explain it, where they lie in it.
 */
export function* oneByOne(
  { distinct, rows }: CountedRows,
  { composition, experts: count }: StartOptions,
  places: Places,
  order: Iterable<number>,
): Generator<OnlineRow> {
  const { dimensions } = distinct;
  const abstaining = abstainingOf(composition, rows);
  const active = new Float64Array(count).fill(1 / 2);
  // who has not been made yet says 1/2 of every column, and is not asked
  const counts = new ExtremalCounts(count, dimensions);
  const values = new Uint8Array(dimensions);
  const composed = new Float64Array(dimensions);
  const placedOf = (made: number): PlacedExperts => {
    const rates = atLeast({ composition, abstaining }, counts.rates().subarray(0, made * dimensions));
    const experts = new Experts({ composition, dimensions, abstaining, active: active.subarray(0, made), rates });
    return new PlacedExperts({ experts, places, placement: Placement.anywhere(made, places.most) });
  };
  let at = 0;
  for (const row of order) {
    distinct.readRow(row, values);
    const before = at > 0 ? placedOf(Math.min(at, count)) : null;
    composed.fill(abstaining);
    if (before !== null) {
      const pursuit = new PlacedPursuit(before);
      const own = pursuit.explain(values);
      pursuit.composed.ratesInto(composed);
      if (at >= count) counts.addPlaced(before, values, own, 1);
    }
    if (at < count)
      for (let dim = 0; dim < dimensions; dim++) {
        const value = values[dim]!;
        const known = value === 1 ? composed[dim]! : 1 - composed[dim]!;
        if (!isExplained(composition, value, known)) counts.vote(at, dim, value);
      }
    yield { at, before, placed: placedOf(Math.min(at + 1, count)) };
    at++;
  }
}
