import { BitMatrix } from '@orchard/dataset';
import { describe, expect, test } from 'vitest';
import { randomNetwork } from '../network/random-network.suite.js';
import { asTabular } from './binary-columns.js';

const rowsOf = (rows: readonly number[][]): BitMatrix => BitMatrix.fromRows(rows as (0 | 1)[][]);

describe('a network of bits as a model of a table', () => {
  const model = randomNetwork({ dimensions: 7, trees: 4, leaves: 4, seed: 3 });
  const table = asTabular(model);
  const D = model.dimensions;
  const rows = model.sample(50, 3);

  test('is made once, and a model of a table is itself', () => {
    expect(asTabular(model)).toBe(table);
    expect(asTabular(table)).toBe(table);
  });

  test('has a binary column for each bit, whose codes are the bits', () => {
    expect(table.table.variables.map(({ kind }) => kind)).toEqual(Array(D).fill('binary'));
    expect([...table.offsets]).toEqual(Array.from({ length: D + 1 }, (_, at) => at));
    expect(table.sample(50, 3).equals(rows)).toBe(true);
  });

  test('shares the likelihood out among the columns', () => {
    const cells = table.cellLogLikelihoods(rows);
    model.logLikelihood(rows).forEach((nats, row) => {
      expect(cells.subarray(row * D, (row + 1) * D).reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(nats, 9);
    });
  });

  test('says how likely both values are, by the columns before', () => {
    const last = model.ordering[D - 1]!;
    const shares = table.distributionOf(last, rows);
    for (let row = 0; row < 5; row++) {
      const both = [0, 1].map((bit) => {
        const own = rows.selectRows([row]);
        own.set(0, last, bit as 0 | 1);
        return model.logLikelihood(own)[0]!;
      });
      expect(shares[2 * row + 1]! / shares[2 * row]!).toBeCloseTo(Math.exp(both[1]! - both[0]!), 6);
    }
  });

  test('samples batch after batch the rows of one sample', () => {
    const sampler = table.sampler(3);
    const batches = [sampler.next(20), sampler.next(30)];
    expect(batches[0]!.equals(rows.sliceRows(0, 20))).toBe(true);
    expect(batches[1]!.equals(rows.sliceRows(20, 50))).toBe(true);
  });

  test('completes as often as is asked, each time as another seed does', () => {
    const known = rowsOf(Array.from({ length: 50 }, () => Array.from({ length: D }, (_, at) => (at === 0 ? 1 : 0))));
    const drawn = table.completions(rows, known, { seed: 5, samples: 16, draws: 2 });
    expect(drawn.map(({ matrix }) => matrix.equals(rows))).toEqual([false, false]);
    [5, 6].forEach((seed, at) => {
      expect(drawn[at]!.matrix.equals(model.complete(rows, known, { seed, samples: 16 }).matrix)).toBe(true);
    });
  });
});
