import { expect, test } from 'vitest';
import { drawSome } from './draw-some.js';
import { RandomStream } from './random.js';

test('some numbers are drawn once each, every one as often as any other, in every place', () => {
  const counts = Array.from({ length: 2 }, () => new Uint32Array(5));
  for (let draw = 0; draw < 5000; draw++) {
    const drawn = drawSome([10, 11, 12, 13, 14], 2, new RandomStream(1, 1050, draw));
    expect(drawn[0]).not.toBe(drawn[1]);
    drawn.forEach((number, place) => counts[place]![number - 10]!++);
  }
  for (const count of counts.flatMap((of) => [...of])) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('all numbers drawn are all numbers', () => {
  expect([...drawSome([3, 1, 2], 3, new RandomStream(2, 1050))].sort()).toEqual([1, 2, 3]);
});
