import { expect, test } from 'vitest';
import { CodeMixture } from './code-mixture.js';

const COLUMNS = 300;
const ONES = 120;
/** Of two components one has nearly all ones, the other nearly all zeros. */
const chances = Array.from({ length: COLUMNS }, () => Float64Array.of(0.001, 0.999, 0.999, 0.001));
const mixture = new CodeMixture(Float64Array.of(0.5, 0.5), chances);
/** First what the one says, for 829 nats, and then what the other does, for longer. */
const row = Array.from({ length: COLUMNS }, (_, column) => Uint16Array.of(column < ONES ? 1 : 0));
const exactly = Math.log(0.5) + (COLUMNS - ONES) * Math.log(0.999) + ONES * Math.log(0.001);

test('a component that the first columns rule out is asked again where later ones speak for it', () => {
  const sums = new Float64Array(1);
  mixture.addCells(row, sums, 'sums');
  expect(sums[0]).toBeCloseTo(exactly, 6);
  const cells = new Float64Array(COLUMNS);
  mixture.addCells(row, cells, 'cells');
  expect(cells.reduce((sum, nats) => sum + nats, 0)).toBeCloseTo(exactly, 6);
  const codes = row.map(([code]) => code!);
  expect(mixture.condition(codes)).toBeCloseTo(exactly, 6);
  const last = new Float64Array(2);
  mixture.distributionInto(COLUMNS - 1, codes, last, 0);
  expect([...last]).toEqual([expect.closeTo(0.999, 9), expect.closeTo(0.001, 9)]);
});

test('what all components hold impossible has no probability', () => {
  const none = new CodeMixture(Float64Array.of(0.5, 0.5), [
    Float64Array.of(0, 0, 1, 1),
    Float64Array.of(0.5, 1, 0.5, 0),
  ]);
  expect(none.condition([0, 1])).toBe(-Infinity);
});
