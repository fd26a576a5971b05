import { factsOf } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { describe, expect, it } from 'vitest';
import { modelWords } from './model-words.js';
import { expectedNeeds, needsInWords } from './expected-needs.js';
import { readFirstRows } from './load-training-rows.js';
import { refuseBySize } from './refuse-by-size.js';
import { requireRoom, withRows, type Planned } from './room-for-rows.js';

const tables = families.named('tables');
const lines = Array.from({ length: 600 }, (_, row) => [row * 7919, (row * row) % 6007, row % 5].join(','));
const text = Buffer.from(`a,b,c\n${lines.join('\n')}\n`);
const source = () => ({
  name: 'wide.csv',
  bytes: (async function* () {
    yield await Promise.resolve(text);
  })(),
});

const plan = async (family: typeof tables, datasets: Planned['datasets']): Promise<Planned> => {
  const words = await modelWords(family, {}, { count: 3, names: ['a', 'b', 'c'] });
  return { ...family.resolve(words, datasets), datasets };
};

async function small() {
  const splits = await readFirstRows(source(), {}, undefined);
  const { train, valid } = splits;
  return { splits, planned: await plan(tables, { train: factsOf(train), valid: factsOf(valid), test: null }) };
}

/** What a refusal offers: a number of rows, and of cut points. */
function offersOf(refuse: () => void): { readonly rows: number; readonly message: string } {
  let message = '';
  try {
    refuse();
  } catch (error) {
    message = (error as Error).message;
  }
  return { message, rows: Number(/--rows (\d+)/.exec(message)?.[1]) };
}

describe('rows for which the trainer has no memory', () => {
  it('are refused with what fits, and that fits', async () => {
    const { planned } = await small();
    requireRoom(tables, planned, {});
    const large = withRows(planned, 60_000_000);
    const { message, rows } = offersOf(() => requireRoom(tables, large, { file: 'wide.csv' }));
    expect(message).toContain('60,000,000 rows of 3 columns in wide.csv');
    expect(message).toContain('at most 4.00 GiB');
    expect(message).toContain('--exclude');
    expect(rows).toBeGreaterThan(100_000);
    requireRoom(tables, withRows(planned, rows), {});
    // and no less could have been said
    expect(() => requireRoom(tables, withRows(planned, 1.2 * rows), {})).toThrow('--rows');
  });

  it('are refused by the size of their file, before it is read, but not where a part is taken', async () => {
    const head = { bytes: text, size: 1e12 };
    const refused = refuseBySize('wide.csv', {}, { named: null, plan, rows: undefined, head });
    await expect(refused).rejects.toThrow(/about [\d,]+ rows of 3 columns in wide.csv by its size/);
    await refuseBySize('wide.csv', {}, { named: null, plan, rows: 5000, head });
    await refuseBySize('wide.csv', {}, { named: null, plan, rows: undefined, head: { bytes: text, size: 2e7 } });
  });
});

it('what a run takes is expected in bytes and seconds, more of both for more rows', async () => {
  const { splits, planned } = await small();
  const how = { milliseconds: 50, threads: 2 };
  const few = (await expectedNeeds(tables, planned, splits, how))!;
  const many = (await expectedNeeds(tables, withRows(planned, 600_000), splits, how))!;
  expect(few.secondsLeast!).toBeLessThan(few.secondsMost!);
  // a hundred times as long and more: no clock is so uneven
  expect(many.secondsMost!).toBeGreaterThan(few.secondsMost!);
  expect(many.memoryBytes).toBeGreaterThan(few.memoryBytes + 50e6);
  expect(needsInWords({ threads: 2, memoryBytes: 4e6, secondsLeast: 130, secondsMost: 400 })).toBe(
    '2 to 7 min on 2 threads, 4.0 MB of memory',
  );
  const untimed = await expectedNeeds(tables, planned, null, how);
  expect(untimed).toMatchObject({ secondsLeast: null, secondsMost: null });
});
