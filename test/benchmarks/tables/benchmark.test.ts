import { temporaryFolder } from '@orchard/storage/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Goal {
  what: string;
  holds: boolean;
  text: string;
}
interface Took {
  limited: string | null;
  answer: string | null;
  processor: number;
}

// the benchmark is plain JavaScript, so that it runs without a build of its own
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;
const { goals } = await load<{ goals(table: unknown): Goal[] }>('./report.mjs');
const { runner } = await load<{ runner(conditions: unknown): (command: string[]) => Took }>('./command.mjs');
const picture = await load<{ writePicture(path: string, measured: unknown[]): void }>('./picture.mjs');

const folder = temporaryFolder();

const took = { wall: 2, processor: 1, peakMiB: 1, limited: null };
const table = {
  name: 'a table',
  densities: {
    orchard: { logDensity: -5, training: took, took },
    mixture: { logDensity: -4.5, training: took, took },
    unmasking: { took: { ...took, processor: 30, limited: 'time' } },
  },
  quality: {
    orchard: { auroc: 0.52 },
    mixture: { auroc: 0.46 },
    resampled: { auroc: 0.5 },
  },
  fills: {
    'orchard draws': { error: 0.5, hits: 0.6, took },
    'orchard probabilities': { error: null, hits: 0.7, took },
    boosting: { error: 0.4, hits: 0.65, took },
  },
  odd: { orchard: { swapped: 0.8, beyond: 0.9, took }, ecod: { swapped: 0.7, beyond: 0.95, took } },
};

describe('the goals', () => {
  const of = (what: string) => goals(table).find((goal) => goal.what === what);

  it('say by how much they are missed, and beside whom', () => {
    expect(of('held-out density')).toMatchObject({
      holds: false,
      text: '0.500 nats per row worse than Gaussian mixture (scikit-learn)',
    });
    expect(of('outliers, beyond')).toMatchObject({ holds: false, text: '0.050 worse than ECOD (pyod)' });
  });

  it('take the distance of an AUROC from one half, on either side, and no real rows for a peer', () => {
    expect(of('sampled rows distinguished')).toMatchObject({ holds: true });
    expect(of('sampled rows distinguished')?.text).toContain('0.020 better than Gaussian mixture');
  });

  it('take the better of the two ways in which we fill labels', () => {
    expect(of('missing values, labels')?.text).toContain('0.050 better');
  });

  it('count the time in which a peer got nowhere as the least that it takes', () => {
    expect(of('training')).toMatchObject({ holds: true });
    expect(of('training')?.text).toContain('30.0 times as fast as utrees, or more');
  });
});

describe('a program under the limits', () => {
  const run = runner({ python: 'python3', core: null, limit: 1, memory: 4096, folder });

  it('is ended at its processor time, and has no answer', () => {
    const result = run(['python3', '-c', 'while True: pass']);
    expect(result).toMatchObject({ limited: 'time', answer: null });
    // the kernel ends it by the ticks that it saw, which are more than it took where others are busy: .80 and .89 were
    // met
    expect(result.processor).toBeGreaterThanOrEqual(0.5);
  });

  it('is ended at its memory, and has no answer', () => {
    expect(run(['python3', '-c', 'bytearray(2**33)'])).toMatchObject({ limited: 'memory', answer: null });
  });

  it('answers what it printed', () => {
    expect(run(['python3', '-c', 'print(7)'])).toMatchObject({ limited: null, answer: '7\n' });
  });

  it('fails with what it said where it fails by itself', () => {
    expect(() => run(['python3', '-c', 'raise SystemExit("no such column")'])).toThrow('no such column');
  });
});

describe('the picture', () => {
  it('has a bar for each density that there is, and the same bytes for the same figures', () => {
    const [first, second] = ['1.svg', '2.svg'].map((file) => {
      picture.writePicture(join(folder, file), [table]);
      return readFileSync(join(folder, file), 'utf8');
    });
    expect(first).toBe(second);
    expect(first).toContain('a table, mixture');
    expect(first).not.toContain('a table, unmasking');
  });
});
