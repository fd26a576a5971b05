import { BitMatrix } from '@orchard/dataset';
import { Forest } from '@orchard/forests';
import { expect, test } from 'vitest';
import { edgeInformation } from './tree-sections.js';

test('an edge tells as much as the four values of its columns do', () => {
  const columns = Uint32Array.of(0, 1, 2);
  const chain = new Forest(columns, Int32Array.of(-1, 0, 1), Float64Array.of(0.7, 0.7, 0.5, 0.95, 0.4, 0.9));
  const every = BitMatrix.fromRows(Array.from({ length: 8 }, (_, row) => row.toString(2).padStart(3, '0')));
  const values = new Uint8Array(3);
  const probabilities = Float64Array.from({ length: 8 }, (_, row) => {
    every.readRow(row, values);
    return Math.exp(chain.logProbability(values));
  });
  const sum = (isMeant: (row: number) => boolean): number =>
    probabilities.reduce((total, own, row) => total + (isMeant(row) ? own : 0), 0);
  let expected = 0;
  for (const a of [0, 1])
    for (const b of [0, 1]) {
      const both = sum((row) => every.get(row, 1) === a && every.get(row, 2) === b);
      expected += both * Math.log(both / sum((row) => every.get(row, 1) === a) / sum((row) => every.get(row, 2) === b));
    }
  expect(edgeInformation(chain)[2]).toBeCloseTo(expected, 12);
  expect(edgeInformation(chain)[0]).toBe(0);
});
