import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { composedBy } from './composed-of-votes.js';
import { abstainingOf, Experts, type Composition } from './experts.js';
import { placedStepOf } from './learn-placed.js';
import { PlacedExperts } from './placed-experts.js';
import { PlacedPursuit } from './placed-pursuit.js';
import { Placement, PlacementCounts } from './placement.js';
import { Places } from './places.js';
import { placedStartOf } from './start-placed.js';

const shape = [2, 3] as const;

/** Every list of whole numbers from -most to most. */
function every(most: readonly number[]): number[][] {
  if (most.length === 0) return [[]];
  const rest = every(most.slice(1));
  return Array.from({ length: 2 * most[0]! + 1 }, (_, at) => rest.map((own) => [at - most[0]!, ...own])).flat();
}

function correlated(experts: number, most: Int32Array): Placement {
  const count = experts * most.length;
  const covariance = Float64Array.from({ length: count ** 2 }, (_, at) => (at % (count + 1) === 0 ? 0.8 : 0.3));
  const mean = Float64Array.from({ length: count }, (_, at) => [0.5, -0.3, 1.2][at % 3]!);
  return new Placement({ experts, most, mean, covariance });
}

describe('places', () => {
  test('show the pixel that was shifted or turned there, and abstain beyond the template', () => {
    const places = new Places(6, { shape, shifts: 1, turns: 0 });
    expect(places.count).toBe(9);
    expect([...places.sources.subarray(0, 6)]).toEqual([4, 5, -1, -1, -1, -1]);
    const turned = new Places(9, { shape: [3, 3], shifts: 0, turns: 180 });
    const sourcesAt = (turn: number): number[] => {
      const place = turned.at(Int32Array.of(turn));
      return [...turned.sources.subarray(place * 9, place * 9 + 9)];
    };
    expect(sourcesAt(0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(sourcesAt(18)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(sourcesAt(9)).toEqual([6, 3, 0, 7, 4, 1, 8, 5, 2]);
  });

  test('are known by their coordinates', () => {
    const places = new Places(6, { shape, shifts: 1, turns: 20 });
    for (let place = 0; place < places.count; place++) expect(places.at(places.of(place))).toBe(place);
  });
});

describe('a placement', () => {
  test('of any set of experts sums to 1', () => {
    const placement = correlated(3, Int32Array.of(1, 2));
    for (const set of [[], [1], [0, 2]]) {
      const own = placement.of(set);
      const sum = every(set.flatMap(() => [1, 2])).reduce((all, place) => all + Math.exp(own.nats(place)), 0);
      expect(sum).toBeCloseTo(1, 12);
    }
  });

  test('draws places as often as it says', () => {
    const own = correlated(2, Int32Array.of(1)).of([0, 1]);
    const counts = new Map<string, number>();
    const stream = new RandomStream(1, 1009);
    for (let draw = 0; draw < 4000; draw++) {
      const key = own.draw(stream).join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const place of every([1, 1]))
      expect((counts.get(place.join()) ?? 0) / 4000).toBeCloseTo(Math.exp(own.nats(place)), 1);
  });

  test('is learned from places, also where one of two experts is often absent', () => {
    const most = Int32Array.of(5);
    const stream = new RandomStream(3, 1010);
    let placement = Placement.anywhere(2, most);
    const seen = Array.from({ length: 400 }, () => {
      const first = stream.below(5) - 2;
      return [first, first + stream.below(3)];
    });
    for (let step = 0; step < 30; step++) {
      const counts = new PlacementCounts(placement);
      seen.forEach((both, row) => {
        if (row % 2 === 0) counts.add([0, 1], both, 1);
        else counts.add([0], both.slice(0, 1), 1);
      });
      placement = counts.placement();
    }
    // the second is the first and 0, 1 or 2 more: mean 1, variance 2 + 2/3, covariance 2
    expect(placement.mean[0]).toBeCloseTo(0, 0);
    expect(placement.mean[1]! - placement.mean[0]!).toBeCloseTo(1, 0);
    expect(Math.abs(placement.covariance[1]! - 2)).toBeLessThan(0.4);
    expect(Math.abs(placement.covariance[3]! - 8 / 3)).toBeLessThan(0.5);
  });

  test('that is none is refused', () => {
    const parts = { experts: 1, most: Int32Array.of(1), mean: new Float64Array(1) };
    expect(() => new Placement({ ...parts, covariance: Float64Array.of(0) })).toThrow(RangeError);
    expect(() => new Placement({ ...parts, mean: new Float64Array(2), covariance: Float64Array.of(1) })).toThrow(
      RangeError,
    );
  });
});

describe.each(['max-minus-min', 'max'] as const)('experts anywhere, composed by %s', (composition: Composition) => {
  const stream = new RandomStream(7, 1011);
  const places = new Places(6, { shape, shifts: 1, turns: 0 });
  const abstaining = abstainingOf(composition, 8);
  const experts = new Experts({
    composition,
    dimensions: 6,
    abstaining,
    active: Float64Array.of(0.3, 0.6),
    rates: Float64Array.from({ length: 12 }, () => abstaining + (0.95 - abstaining) * stream.uniform()),
  });
  const placed = new PlacedExperts({ experts, places, placement: correlated(2, places.most) });
  const rows = every([1, 1, 1, 1, 1, 1].map(() => 0.5)).map((row) => Uint8Array.from(row, (value) => value + 0.5));

  /** P of a row by the definition: a sum over all sets and places. */
  const byHand = (values: Uint8Array): number => {
    const composed = composedBy(placed.spread);
    let sum = 0;
    for (const set of [[], [0], [1], [0, 1]]) {
      const prior = [0, 1].reduce(
        (p, own) => p * (set.includes(own) ? experts.active[own]! : 1 - experts.active[own]!),
        1,
      );
      for (const own of every(set.map(() => 4)).map((list) => list.map((place) => place + 4))) {
        composed.clear();
        set.forEach((expert, at) => {
          composed.add(expert * places.count + own[at]!);
        });
        sum += prior * Math.exp(placed.natsOfPlaces(set, own) + composed.nats(values));
      }
    }
    return sum;
  };

  test('are one distribution, and the bound is below it', () => {
    const pursuit = new PlacedPursuit(placed);
    const exact = rows.map(byHand);
    expect(exact.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 10);
    rows.forEach((values, at) => {
      const { nats } = pursuit.explain(values);
      expect(pursuit.composed.nats(values)).toBe(nats);
      const bound = pursuit.bound(values);
      expect(bound).toBeLessThanOrEqual(Math.log(exact[at]!) + 1e-12);
      // the configuration that was found, and more
      expect(bound).toBeGreaterThan(Math.log(exact[at]!) - 1.5);
    });
  });
});

test('a bar that is somewhere else in every row is learned as one bar, and where it lies', () => {
  const [height, width] = [6, 6];
  const stream = new RandomStream(5, 1012);
  const down: number[] = [];
  const matrix = BitMatrix.create(60, height * width);
  for (let row = 0; row < 60; row++) {
    down.push(stream.below(3) - 1);
    for (let dim = 0; dim < height * width; dim++) {
      const isBar = Math.floor(dim / width) === 2 + down[row]!;
      matrix.set(row, dim, stream.uniform() < (isBar ? 0.95 : 0.03));
    }
  }
  const train = attachRows(shareRows(matrix));
  const places = new Places(36, { shape: [height, width], shifts: 2, turns: 0 });
  const options = { composition: 'max', experts: 1, start: 'sequential' } as const;
  let placed = placedStartOf(train, options, places, new RandomStream(0, 1013));
  for (let step = 0; step < 4; step++) ({ placed } = placedStepOf(train, placed)!);
  const template = placed.experts.template(0);
  const lines = Array.from(
    { length: height },
    (_, row) => template.subarray(6 * row, 6 * row + 6).reduce((a, b) => a + b) / 6,
  );
  const best = lines.indexOf(Math.max(...lines));
  expect(lines[best]).toBeGreaterThan(0.85);
  lines.forEach((line, row) => row === best || expect(line).toBeLessThan(0.35));
  const meanDown = down.reduce((sum, own) => sum + own, 0) / 60;
  expect(best + placed.placement.mean[0]!).toBeCloseTo(2 + meanDown, 0);
});
