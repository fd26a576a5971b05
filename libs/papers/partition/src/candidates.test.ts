import { MARGIN, MOST_EXPERTISE } from './levels.js';
import { log, RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { Candidates } from './candidates.js';
import { Experts } from './experts.js';

/** Columns whose probabilities are multiplied before a logarithm is taken. */
const FACTORS = 10;

/** log P(row | experts), summed in the order in which they were added, one column after the other. */
function plainNats({ dimensions, ones, opinions, expertise }: Experts, own: readonly number[], values: Uint8Array) {
  let nats = 0;
  for (let first = 0; first < dimensions; first += FACTORS) {
    let product = 1;
    let wholes = 1;
    for (let dim = first; dim < Math.min(first + FACTORS, dimensions); dim++) {
      const places = own.map((expert) => expert * dimensions + dim);
      product *= places.reduce((sum, at) => sum + (values[dim] ? ones[at]! : expertise[at]! * (1 - opinions[at]!)), 0);
      wholes *= places.reduce((sum, at) => sum + expertise[at]!, 0);
    }
    nats += log(product / wholes);
  }
  return nats;
}

test.each([
  ['one expert of one column', 1, 1, false],
  ['a tile of whole groups of columns', 8, 20, false],
  ['tiles and groups that are not full', 11, 37, false],
  ['the least and the most that experts can say', 19, 43, true],
])('of %s every likelihood has the bits of one sum after the other', (_, count, dimensions, isExtreme) => {
  const stream = new RandomStream(6, 1044);
  const drawn = (least: number, most: number): Float64Array =>
    Float64Array.from({ length: count * dimensions }, () =>
      isExtreme ? (stream.below(2) ? least : most) : least + (most - least) * stream.uniform(),
    );
  const experts = new Experts({
    ...{ dimensions, active: new Float64Array(count).fill(1 / 2) },
    opinions: drawn(MARGIN, 1 - MARGIN),
    expertise: drawn(1 / MOST_EXPERTISE, MOST_EXPERTISE),
  });
  const candidates = new Candidates(experts);
  for (let row = 0; row < 20; row++) {
    const values = Uint8Array.from({ length: dimensions }, () => stream.below(2));
    candidates.begin(values);
    for (const before of [[], [count - 1], [count - 1, 0]].filter(({ length }) => length <= count)) {
      if (before.length > 0) candidates.add(before.at(-1)!);
      candidates.ask();
      const right = Float64Array.from({ length: count }, (__, expert) =>
        plainNats(experts, [...before, expert], values),
      );
      expect(candidates.nats).toEqual(right);
    }
  }
});
