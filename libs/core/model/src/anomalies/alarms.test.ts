import { RandomStream } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { alarmsOf, leastUsualRows } from './alarms.js';

const stream = new RandomStream(3, 1007);
const drawn = (count: number, shift: (row: number) => number = () => 0): Float64Array =>
  Float64Array.from({ length: count }, (_, row) => -Math.log(stream.uniform()) + shift(row));
const rateOf = (alarms: Uint8Array): number => alarms.reduce((sum, alarm) => sum + alarm, 0) / alarms.length;

test('rows like the usual ones are alarms at the rate that was asked for', () => {
  const rates = Array.from({ length: 40 }, () => rateOf(alarmsOf(drawn(999), drawn(2000), 0.01, null).alarms));
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  expect(mean).toBeGreaterThan(0.008);
  expect(mean).toBeLessThan(0.012);
});

test('so many usual rows promise at most what was asked for', () => {
  expect(alarmsOf(drawn(999), drawn(5), 0.001, null).promised).toBe(0.001);
  expect(alarmsOf(drawn(1500), drawn(5), 0.001, null).promised).toBe(1 / 1501);
  expect([leastUsualRows(1 / 1000), leastUsualRows(0.01), leastUsualRows(0.3)]).toEqual([999, 99, 3]);
  // of the fewest rows that can, the highest score is the threshold
  const usual = drawn(99);
  expect(alarmsOf(usual, drawn(5), 0.01, null).threshold).toBe(usual.reduce((most, score) => Math.max(most, score), 0));
});

test('a window keeps the rate where scores drift, and without one it rises', () => {
  const drift = (row: number): number => row / 4000;
  const usual = drawn(999);
  const scores = drawn(20_000, drift);
  expect(rateOf(alarmsOf(usual, scores, 0.01, 999).alarms)).toBeLessThan(0.016);
  expect(rateOf(alarmsOf(usual, scores, 0.01, null).alarms)).toBeGreaterThan(0.05);
});

test('the window holds the scores just before a row', () => {
  const usual = Float64Array.of(5, 1, 2, 3);
  const scores = Float64Array.of(4, 4, 9, 1, 1, 1, 1, 2);
  // the highest of four before each: 3 and its neighbours at first
  const naive = Array.from(scores, (score, row) => {
    const all = [...usual, ...scores.subarray(0, row)].slice(-4);
    return Number(score > Math.max(...all));
  });
  expect([...alarmsOf(usual, scores, 0.2, 4).alarms]).toEqual(naive);
});
