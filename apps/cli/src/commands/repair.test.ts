import { folderOfTest } from '@orchard/storage/testing';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { orchard } from '../run.suite.js';

const rows = `rain,wind,sun\n${Array.from({ length: 60 }, (_, row) => `${row & 1},${(row >> 1) & 1},${(row ^ (row >> 2)) & 1}`).join('\n')}\n`;

let folder: string;
let run: string;
beforeEach(async () => {
  folder = folderOfTest();
  writeFileSync(join(folder, 'rows.csv'), rows);
  run = join(folder, 'run');
  await train();
});

async function train(): Promise<string> {
  const { code, stderr } = await orchard('train', join(folder, 'rows.csv'), '--out', run, '--rounds', '4', '--quiet');
  expect([code, stderr]).toEqual([0, '']);
  return hashOf(join(run, 'network.msgpack'));
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const stored = (): string => join('runs', readdirSync(join(run, 'store', 'runs'))[0]!);

/** Flips a bit in the middle of a stored object. */
function flip(name: string): void {
  const path = join(run, 'store', name);
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  rmSync(path);
  writeFileSync(path, bytes);
}

describe('orchard repair DIR', () => {
  test('finds nothing to do where all is whole', async () => {
    const { code, stdout } = await orchard('repair', run);
    expect([code, stdout]).toEqual([0, expect.stringContaining('nothing that was computed') as string]);
  });

  test('drops what is damaged, and training computes it again, to the same bytes', async () => {
    const before = hashOf(join(run, 'network.msgpack'));
    const damaged = ['conditionals/1', 'selections/common', 'networks/common-refit.msgpack'].map((name) =>
      join(stored(), name),
    );
    for (const name of damaged) flip(name);
    const { code, document } = await orchard('repair', run, '--json');
    expect(code).toBe(0);
    expect([...(document['dropped'] as string[])].sort()).toEqual(damaged.sort());
    expect(await train()).toBe(before);
    expect((await orchard('repair', run, '--json')).document).toMatchObject({ dropped: [], datasets: [] });
  });

  test('drops a summary of another model together with its model', async () => {
    const before = hashOf(join(run, 'network.msgpack'));
    const name = join(stored(), 'summaries', 'common-refit.json');
    const path = join(run, 'store', name);
    const text = readFileSync(path, 'utf8').replace(
      before,
      before.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    );
    rmSync(path);
    writeFileSync(path, text);
    const { document } = await orchard('repair', run, '--json');
    expect(document['dropped']).toEqual([join(stored(), 'networks', 'common-refit.msgpack'), name]);
    expect(await train()).toBe(before);
  });

  test('names rows that are damaged, which training stores anew', async () => {
    const id = readdirSync(join(run, 'store', 'datasets')).find((name) => !name.endsWith('.facts'))!;
    flip(`datasets/${id}`);
    expect((await orchard('repair', run, '--json')).document).toMatchObject({
      dropped: [],
      datasets: [`datasets/${id}`],
    });
    await train();
    expect((await orchard('repair', run, '--json')).document).toMatchObject({ datasets: [] });
  });

  test('drops a specification that cannot be read, and says to look again', async () => {
    flip(join(stored(), 'specification'));
    const { code, stdout } = await orchard('repair', run);
    expect([code, stdout]).toEqual([0, expect.stringContaining('repair once more') as string]);
    await train();
  });
});

describe('orchard replay', () => {
  test('does a task of a folder again, by the name of its dimension', async () => {
    const { code, document } = await orchard('replay', run, 'train', 'wind', '--json');
    expect(code).toBe(0);
    expect(document).toMatchObject({ task: 'train/1', outputs: [{ stored: 'same' }], stack: null, kept: null });
  });

  test('exits 1 where what is stored is other than what was computed, and names the remedy', async () => {
    flip(join(stored(), 'conditionals/1'));
    const { code, stderr } = await orchard('replay', run, 'train/1', '--quiet');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`orchard repair ${run}`) as string]);
  });

  test('exits 1 with the stack where the task fails, and keeps what it read', async () => {
    flip(join(stored(), 'conditionals/1'));
    const kept = join(folder, 'kept');
    const { code, document } = await orchard('replay', run, 'refit/1', '--keep', kept, '--json');
    expect(code).toBe(1);
    expect(document).toMatchObject({ task: expect.stringMatching(/^refit\/.*\.1$/) as string, outputs: [], kept });
    expect(document['stack']).toContain(`${join(stored(), 'conditionals/1')}: got`);
    expect(hashOf(join(kept, 'inputs', stored(), 'conditionals/1'))).toBe(
      hashOf(join(run, 'store', stored(), 'conditionals/1')),
    );
  });

  test.each([
    [['nosuch'], 'train, select, refit, retrain, assemble'],
    [['train/7'], 'one of train/2, train/1, train/0'],
    [['train/1', '--keep', '.'], '--keep'],
  ])('%j is refused', async (words, expected) => {
    const { code, stderr } = await orchard('replay', run, ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected) as string]);
  });
});
