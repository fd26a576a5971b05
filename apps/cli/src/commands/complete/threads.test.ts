import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RowFiller, rulesAsked, type Threads } from '@orchard/analysis';
import type { BitMatrix } from '@orchard/dataset';
import { asTabular, type Completion } from '@orchard/model';
import { ahead, ThreadPool } from '@orchard/pipeline';
import { afterEach, expect, it, vi } from 'vitest';
import { loadNetwork } from '../../rows/load-network.js';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const ROWS = 60;

/** The second number is at least the first; a third column of labels goes with them. */
const lines = Array.from({ length: 200 }, (_, row) => {
  const start = (row * 37) % 50;
  return `${start},${start + ((row * 11) % 20)},${['low', 'high'][Number(start > 25)]!}`;
});
writeFileSync(join(folder, 'table.csv'), `start,end,kind\n${lines.join('\n')}\n`);
const bits = Array.from(
  { length: 120 },
  (_, row) => `${row % 2},${row % 8 === 0 ? 1 - (row % 2) : row % 2},${(row >> 3) & 1}`,
);
writeFileSync(join(folder, 'bits.csv'), `a,b,c\n${bits.join('\n')}\n`);

afterEach(() => vi.restoreAllMocks());

/** Fills in rows of the model by pieces of seven. */
async function fill(name: string, said: readonly string[], threads: Partial<Threads> | null): Promise<Completion[][]> {
  const { network, bytes } = await loadNetwork(join(folder, name));
  const model = asTabular(network);
  const values = model.sample(ROWS, 3);
  const known = model.emptyRows(ROWS);
  for (let row = 0; row < ROWS; row++)
    for (let index = 0; index < model.variables; index++)
      for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++)
        known.set(row, bit, (row + index) % 3 > 0);
  const where = threads === null ? null : { bytes, threads: 2, rows: ROWS, ...threads };
  const filler = new RowFiller(model, rulesAsked(model, said), where);
  const pieces = Array.from({ length: Math.ceil(ROWS / 7) }, (_, at) => [7 * at, Math.min(ROWS, 7 * at + 7)] as const);
  const part = (matrix: BitMatrix, [from, to]: readonly [number, number]): BitMatrix => matrix.sliceRows(from, to);
  const results: Completion[][] = [];
  const work = (piece: readonly [number, number]) =>
    filler.completions(
      { firstRow: piece[0], matrix: part(values, piece), known: part(known, piece), numberAt: (row) => 5 + row },
      { seed: 8, samples: 40, draws: 3 },
    );
  try {
    for await (const drawn of ahead(pieces, () => filler.width, work)) results.push([...drawn]);
  } finally {
    await filler.close();
  }
  return results;
}

const plain = (results: readonly Completion[][]) =>
  results.map((drawn) => drawn.map(({ matrix, ...said }) => ({ bytes: [...matrix.bytes], ...said })));

it.each([
  ['table', ['--rounds', '4', '--members', '2'], []],
  ['ruled', ['--rounds', '4', '--members', '1'], ['start <= end']],
  ['bits', ['--model', 'lbarn', '--rounds', '3'], []],
] as const)('%s: rows are filled in the same in threads', async (name, words, said) => {
  const file = join(folder, name === 'bits' ? 'bits.csv' : 'table.csv');
  expect((await orchard(...argv`train ${file} --out ${join(folder, name)}`, ...words)).code).toBe(0);
  const start = vi.spyOn(ThreadPool, 'start');
  const here = await fill(name, said, null);
  // what is done within moments is not worth a thread
  expect(plain(await fill(name, said, {}))).toEqual(plain(here));
  expect(start).not.toHaveBeenCalled();
  const done: number[] = [];
  const inThreads = await fill(name, said, { pays: 0, onProgress: (rows) => done.push(rows) });
  expect(start).toHaveBeenCalledTimes(1);
  expect(plain(inThreads)).toEqual(plain(here));
  expect(done.at(-1)).toBe(ROWS);
});
