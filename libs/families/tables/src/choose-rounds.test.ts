import { expect, test } from 'vitest';
import { chooseRounds } from './choose-rounds.js';

/** The first decision leads to two others. */
const tree = { zero: Int32Array.of(1, -1, -3), one: Int32Array.of(2, -2, -4) };

test('decisions of equal depth keep the rounds that they favour together, whatever others do', () => {
  const curves = [Float64Array.of(-9, -8, -7, -6), Float64Array.of(-4, -3, -5), Float64Array.of(-4, -4, -1, -9)];
  // the two below: -8, -7, -6, -14 (the shorter one stays where it ended)
  expect([...chooseRounds(tree, curves, null)]).toEqual([3, 2, 2]);
});

test('a decision that enough validation rows reach has its own, and leaves the others of its depth to themselves', () => {
  const curves = [Float64Array.of(-9, -8), Float64Array.of(-900, -800, -700, -600), Float64Array.of(-4, -3, -5, -6)];
  expect([...chooseRounds(tree, curves, null)]).toEqual([1, 3, 3]);
  expect([...chooseRounds(tree, curves, [300, 200, 100])]).toEqual([1, 3, 1]);
});

test('a decision that ended earlier keeps what it has, and of equal sums the fewest rounds are kept', () => {
  const curves = [Float64Array.of(-5, -5, -5), Float64Array.of(-3), Float64Array.of(-3, -2, -1)];
  expect([...chooseRounds(tree, curves, null)]).toEqual([0, 0, 2]);
});

test('rounds that gain less than is asked for are none, of a decision and of those of a depth together', () => {
  const curves = [Float64Array.of(-900, -898, -897.5), Float64Array.of(-4, -2.5, -3), Float64Array.of(-4, -2, -9)];
  expect([...chooseRounds(tree, curves, [300, 150, 150], 2)]).toEqual([2, 1, 1]);
  expect([...chooseRounds(tree, curves, [300, 150, 150], 3)]).toEqual([0, 1, 1]);
  expect([...chooseRounds(tree, curves, [300, 150, 150], 4)]).toEqual([0, 0, 0]);
});

test('a variable without decisions has no rounds', () => {
  expect(chooseRounds({ zero: new Int32Array(0), one: new Int32Array(0) }, [], null)).toHaveLength(0);
});
