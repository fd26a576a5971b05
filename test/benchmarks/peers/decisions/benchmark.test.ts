import { describe, expect, it } from 'vitest';

interface Decision {
  position: number;
  decision: number;
  rows: number;
  learns: boolean;
}
interface Losses {
  train?: number;
  valid: number;
}
type Answer = { milliseconds: number; losses: Losses; trees?: string } | null;
interface Entry {
  ratio: number | null;
  equal: string[];
  cells: unknown[];
  sameTrees?: boolean;
}

// the benchmark is plain JavaScript, so that it runs without a build of its own
const load = async <T>(file: string): Promise<T> => (await import(new URL(file, import.meta.url).href)) as T;

const { decisionsFor } = await load<{
  decisionsFor(table: { rows: number; decisions: Decision[] }): (Decision & { share: number })[];
}>('./cases.mjs');
const { differences, entryOf } = await load<{
  entryOf(what: object, best: Record<string, Answer>, how: object): Entry;
  differences(entries: Entry[]): string[];
}>('./entry.mjs');

describe('the decisions of a table', () => {
  const decision = (position: number, rows: number, learns = true) => ({ position, decision: 0, rows, learns });

  it('are the nearest to each share of the rows, with the most predictors', () => {
    const decisions = [decision(0, 64_000), decision(4, 64_000), decision(5, 64_000), decision(5, 7_900)];
    const chosen = decisionsFor({ rows: 64_000, decisions });
    expect(chosen.map(({ share, position, rows }) => [share, position, rows])).toEqual([
      [1, 5, 64_000],
      [1 / 8, 5, 7_900],
    ]);
  });

  it('have predictors, two outcomes, and more than a handful of rows', () => {
    const decisions = [decision(0, 6400), decision(9, 6400, false), decision(9, 16), decision(8, 6000)];
    expect(decisionsFor({ rows: 6400, decisions }).map(({ position }) => position)).toEqual([8]);
  });
});

describe('a case', () => {
  const answer = (milliseconds: number, train: number, trees = 'a') => ({
    milliseconds,
    losses: { train, valid: train },
    trees,
  });
  const how = { libraries: ['xgboost', 'lightgbm'], rounds: 20 };
  const what = { table: 't', rows: 5000, rounds: 20, featureFraction: 1 };

  it('is compared with the fastest library of those that come to our loss', () => {
    const best = { ours: answer(40, 0.5), xgboost: answer(100, 0.5), lightgbm: answer(80, 0.6) };
    const entry = entryOf(what, best, how);
    expect(entry.ratio).toBe(2.5);
    expect(entry.equal).toEqual(['xgboost']);
    expect(entry.cells).toContain('4.00*');
  });

  it('takes what was equal with all predictors where half of them are drawn', () => {
    const best = { ours: answer(40, 0.5), xgboost: answer(100, 0.9), lightgbm: null };
    expect(entryOf(what, best, { ...how, equal: ['xgboost', 'lightgbm'] }).ratio).toBe(2.5);
  });

  it('of two builds says whether their trees are the same', () => {
    const pair = (trees: string) => ({ before: answer(100, 0.5), ours: answer(40, 0.5, trees) });
    const entries = ['a', 'b'].map((trees) => entryOf(what, pair(trees), { ...how, libraries: [] }));
    expect(entries.map(({ ratio, sameTrees }) => [ratio, sameTrees])).toEqual([
      [2.5, true],
      [2.5, false],
    ]);
    expect(differences(entries).join()).toContain('1 of 2 have other trees: t (5000 rows, 20 rounds)');
    expect(differences(entries.slice(0, 1)).join()).toContain('have the same trees');
  });
});
