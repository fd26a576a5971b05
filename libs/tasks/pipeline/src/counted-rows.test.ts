import { BitMatrix } from '@orchard/dataset';
import { describe, expect, it } from 'vitest';
import { countedRows } from './counted-rows.js';
import { factsOf } from './datasets.js';
import type { Run } from './run.js';

const train = factsOf(BitMatrix.fromRows(['0110', '0110', '1001']));
const valid = factsOf(BitMatrix.fromRows(['0011']));
const run = (family: string): Run => ({
  id: 'a run',
  family,
  specification: { family, train: 'rows', valid: 'others', test: null, numericsVersion: 1 },
  datasets: { train, valid, test: null },
});

describe('countedRows', () => {
  it('is one request of runs of a family whose threads take as much, and another of others: each is given its room', () => {
    const { key } = countedRows(run('mixture'), 1000);
    expect(countedRows({ ...run('mixture'), id: 'another' }, 1000).key).toBe(key);
    expect(countedRows(run('mixture'), 2000).key).not.toBe(key);
    expect(countedRows(run('partition'), 1000).key).not.toBe(key);
  });

  it('takes as many threads as have room beside the rows, and one at least', () => {
    const { fit } = countedRows(run('mixture'), 1e6);
    const { threads, bytes } = fit(4, 2.5e6);
    expect(threads).toBe(2);
    // four rows of eight bytes, their counts, and which of them each is
    expect(bytes).toBe(4 * 20 + 131_072 + 2e6);
    expect(fit(4, 10).threads).toBe(1);
  });
});
