import { temporaryFolder } from '@orchard/storage/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Losses {
  train: number;
  valid: number;
}
type Answer = { milliseconds: number; losses: Losses } | null;
interface Entry {
  name: string;
  ratio: number | null;
  losses: Record<string, Losses | null>;
}

// the benchmark is plain JavaScript, so that it runs without a build of its own
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;

const cases = await load<{
  floorCases(): { name: string }[];
  allCases(options: { seed: number; quick: boolean }): { name: string }[];
  wholeRuns(): { name: string }[];
}>('./cases.mjs');
const measure = await load<{
  alternate(programs: unknown[], request: unknown, repeats: number): Promise<Record<string, Answer>>;
  entry(name: string, best: Record<string, Answer>, unit: number): Entry;
}>('./measure.mjs');
const picture = await load<{ writePicture(path: string, report: { cases: unknown[]; runs: unknown[] }): void }>(
  './picture.mjs',
);

const names = (list: { name: string }[]) => list.map(({ name }) => name);

describe('the cases', () => {
  it('ask the floor of the ten published lines', () => {
    expect(names(cases.floorCases())).toHaveLength(10);
    expect(names(cases.floorCases())).toContain('msnbc d=16 J=16 T=50');
  });

  it('hold every listed conditional at both lengths, and three more of each set', () => {
    const all = names(cases.allCases({ seed: 1, quick: false }));
    for (const name of ['wide d=1999 J=32 T=20', 'audio d=99 J=16 T=400', 'binarized_mnist d=500 J=32 T=200'])
      expect(all).toContain(name);
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => name.startsWith('audio'))).toHaveLength(2 * (1 + 3));
  });

  it('are drawn alike by the same seed and otherwise by another', () => {
    const drawn = (seed: number) => names(cases.allCases({ seed, quick: false }));
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(8)).not.toEqual(drawn(7));
  });
});

describe('a measurement', () => {
  const program = (name: string, ...answers: unknown[]) => ({
    name,
    ask: async () => Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]),
  });
  const answer = (milliseconds: number, loss: number) => ({ milliseconds, losses: { train: loss, valid: loss } });

  it('asks in turn and keeps the least time of each program', async () => {
    const programs = [
      program('ours', answer(9, 0.5), answer(4, 0.5)),
      program('xgboost', answer(30, 0.5), answer(50, 0.5)),
    ];
    const best = await measure.alternate(programs, {}, 2);
    expect(best.ours?.milliseconds).toBe(4);
    expect(best.xgboost?.milliseconds).toBe(30);
  });

  it('lets a library refuse a case, but not Orchard', async () => {
    const refuses = { error: 'one value only' };
    const best = await measure.alternate([program('ours', answer(1, 0.5)), program('catboost', refuses)], {}, 1);
    expect(best.catboost).toBeNull();
    await expect(measure.alternate([program('ours', refuses)], {}, 1)).rejects.toThrow('one value only');
  });

  it('takes the ratio to the fastest library whose losses are within 1 % of ours or better', () => {
    const best = { ours: answer(2, 0.5), xgboost: answer(20, 0.5049), lightgbm: answer(10, 0.51), catboost: null };
    expect(measure.entry('case', best, 10).ratio).toBe(10);
    expect(measure.entry('case', { ...best, xgboost: null }, 10).ratio).toBeNull();
  });
});

describe('the picture', () => {
  const folder = temporaryFolder();

  it('has a bar for each ratio and the same bytes for the same figures', () => {
    const report = {
      cases: [
        { name: 'a', ratio: 3 },
        { name: 'constant', ratio: null },
      ],
      runs: [{ name: 'b', ratio: 11 }],
    };
    const [first, second] = ['1.svg', '2.svg'].map((file) => {
      picture.writePicture(join(folder, file), report);
      return readFileSync(join(folder, file), 'utf8');
    });
    expect(first).toBe(second);
    expect(first).toContain('>3.0x<');
    expect(first).toContain('b, whole');
    expect(first).not.toContain('constant');
  });
});
