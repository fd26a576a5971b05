import type { OrderedVariable } from '@orchard/contracts';
import { categorical, ordered, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { BitMatrix, codeOffsets } from '@orchard/dataset';
import { describe, expect, test } from 'vitest';
import { cellSurprises, medianLogWidth, natsOfValue, widenedTail } from './cell-surprises.js';
import type { TabularModel } from '../tables/tabular-model.js';

describe('the surprise of a cell', () => {
  const measured = { ...ordered('size', 4, 'density'), edges: [0, 1, 3] } as OrderedVariable;
  const labels = categorical('colour', 3);
  const model = {
    table: tableOfVariables([measured, labels]),
    variables: 2,
    offsets: codeOffsets({ variables: [measured, labels] }),
    cellLogLikelihoods: () => Float64Array.of(-2, -1, -2, -1),
  } as unknown as TabularModel;
  const rows = BitMatrix.create(2, 4);
  // in the first cell that has two ends
  for (const row of [0, 1]) rows.set(row, 0, 1);
  const narrow = Float64Array.of(Math.log(1000), 0, -Math.log(8), 0);

  test('counts no cell as narrower than the median cell of its column', () => {
    expect(medianLogWidth(measured)).toBeCloseTo(Math.log(2), 12);
    const [first, colour, second] = cellSurprises(model, rows, narrow);
    expect(first).toBe(2);
    expect(colour).toBe(1);
    expect(second).toBeCloseTo(2 + Math.log(8 / 2), 12);
  });

  test('gives an atom beside measurements no width', () => {
    const withAtom = { ...measured, atoms: { values: [0.5], counts: [9] } };
    const table = tableOfVariables([withAtom]);
    const atom = {
      ...model,
      table,
      variables: 1,
      offsets: codeOffsets(table),
      cellLogLikelihoods: () => Float64Array.of(-2),
    };
    const row = BitMatrix.fromRows([[1, 0, 0]]);
    expect(cellSurprises(atom as unknown as TabularModel, row, Float64Array.of(0))).toEqual(Float64Array.of(2));
  });

  test('falls more slowly in a tail the fewer rows say how wide it is', () => {
    const natsAt = (rows: number, scales: number): number => {
      const tail = { ...measured, tails: [1, 1] as const, counts: [9, 9, 9, rows] };
      return widenedTail(tail, 3, -scales);
    };
    expect(natsAt(5, 0)).toBeCloseTo(0);
    expect(natsAt(5, 199)).toBeCloseTo(-6 * Math.log(1 + 199 / 5));
    expect(natsAt(1e6, 199)).toBeCloseTo(-199, 1);
    expect(widenedTail(measured, 1, -199)).toBe(-199);
  });

  test('adds in a tail what so far out or farther is less likely than the cell, and nothing elsewhere', () => {
    const tail = { ...measured, tails: [1, 2] as const, counts: [9, 9, 9, 1e6] };
    const natsAt = (scales: number): number => natsOfValue(tail, 3, -Math.log(2) - scales);
    expect([natsAt(0), natsAt(1), natsAt(7)].map((nats) => Math.round(1000 * nats))).toEqual([0, 1000, 7000]);
    // denser than the tail where it begins
    expect(natsAt(-1)).toBe(0);
    expect([natsOfValue(tail, 1, -9), natsOfValue(labels, 0, -9)]).toEqual([0, 0]);
  });

  test('does not depend on the unit of a column', () => {
    const inMillimetres = { ...measured, edges: [0, 1000, 3000] };
    const scaled = { ...model, table: tableOfVariables([inMillimetres, labels]) } as unknown as TabularModel;
    const densities = narrow.map((nats, at) => (at % 2 === 0 ? nats - Math.log(1000) : nats));
    const surprises = cellSurprises(scaled, rows, densities);
    cellSurprises(model, rows, narrow).forEach((nats, at) => {
      expect(surprises[at]).toBeCloseTo(nats, 12);
    });
  });
});
