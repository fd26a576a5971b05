import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RowScorer, TargetScorer, type Threads } from '@orchard/analysis';
import { BitMatrix, encodeParts, type EncodedPart } from '@orchard/dataset';
import { asTabular, judgePredictors, scoreTarget, type PartsAsked, type TabularModel } from '@orchard/model';
import { ThreadPool } from '@orchard/pipeline';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { loadNetwork } from '../../rows/load-network.js';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';
import { openTableFile } from '../../rows/load-table-rows.js';

const folder = temporaryFolder();
const file = join(folder, 'table.csv');

/** The second number is at least the first, a third column of labels goes with them; now and then one is missing. */
const lines = Array.from({ length: 9000 }, (_, row) => {
  const start = (row * 37) % 50;
  const end = row % 311 === 5 ? '' : String(start + ((row * 11) % 20));
  return `${String(start)},${end},${['low', 'high'][Number(start > 25)]!}`;
});
const bits = Array.from({ length: 9000 }, (_, row) => [
  row % 2,
  row % 8 === 0 ? 1 - (row % 2) : row % 2,
  (row >> 3) & 1,
]);
writeFileSync(file, `start,end,kind\n${lines.join('\n')}\n`);
writeFileSync(join(folder, 'some.csv'), `start,end,kind\n${lines.slice(0, 300).join('\n')}\n`);
// each row is asked once for every value of the column: six pieces of 256 rows, of which four are for threads
writeFileSync(join(folder, 'asked.csv'), `start,end,kind\n${lines.slice(0, 1500).join('\n')}\n`);
writeFileSync(
  join(folder, 'some-bits.csv'),
  `a,b,c\n${bits
    .slice(0, 200)
    .map((row) => row.join(','))
    .join('\n')}\n`,
);

interface Opened {
  readonly model: TabularModel;
  readonly bytes: Uint8Array;
}
const opened = new Map<string, Opened>();

beforeAll(async () => {
  for (const [name, from, words] of [
    ['table', 'some.csv', ['--rounds', '4', '--members', '2']],
    ['bits', 'some-bits.csv', ['--model', 'lbarn', '--rounds', '3']],
  ] as const) {
    const out = join(folder, name);
    expect(
      (await orchard(...argv`train ${join(folder, from)} --threads 1 --no-report --quiet --out ${out}`, ...words)).code,
    ).toBe(0);
    const { network, bytes } = await loadNetwork(out);
    opened.set(name, { model: asTabular(network), bytes });
  }
}, 120_000);

afterEach(() => vi.restoreAllMocks());

/** What `use` makes here, and in three threads, which are started whatever the rows take. */
async function hereAndInThreads<Result>(
  { model, bytes }: Opened,
  use: (scorer: RowScorer) => Promise<Result>,
  threads: Partial<Threads> = { pays: 0 },
): Promise<readonly [Result, Result]> {
  const results: Result[] = [];
  for (const where of [null, { bytes, threads: 3, ...threads }]) {
    const scorer = new RowScorer(model, where);
    try {
      results.push(await use(scorer));
    } finally {
      await scorer.close();
    }
  }
  return [results[0]!, results[1]!];
}

async function* partsOf({ model }: Opened): AsyncGenerator<EncodedPart, void> {
  const raw = await openTableFile(file, {});
  try {
    yield* encodeParts(raw, model.table, { missing: 'unknown', withDensities: true, mayBeUnknown: true });
  } finally {
    await raw.close();
  }
}

it.each([
  ['alone', null],
  ['within groups', new Set([0])],
])('rows of a table are scored the same in threads: %s', async (_, given) => {
  const start = vi.spyOn(ThreadPool, 'start');
  const model = opened.get('table')!;
  const asked: PartsAsked = { seed: 3, missing: 'unknown', withCells: true, withAnomalies: true, given };
  const done: number[] = [];
  const [here, there] = await hereAndInThreads(
    model,
    async ({ parts }) => {
      const scored = [];
      for await (const { scores, anomalies } of parts(partsOf(model), asked)) scored.push({ scores, anomalies });
      return scored;
    },
    { pays: 0, onProgress: (rows) => done.push(rows) },
  );
  expect(start).toHaveBeenCalledTimes(1);
  expect(here[0]!.scores.incomplete).toBeGreaterThan(3);
  expect(there).toEqual(here);
  expect(done.at(-1)).toBe(9000);
});

it('rows of 0 and 1 of which some values are unknown are scored the same in threads', async () => {
  const start = vi.spyOn(ThreadPool, 'start');
  const own = opened.get('bits')!;
  const matrix = BitMatrix.fromRows(bits as (0 | 1)[][]);
  const known = BitMatrix.fromRows(bits.map((_, row) => [1, row === 4500 ? 0 : 1, 1] as (0 | 1)[]));
  const rows = { matrix, known, logDensity: new Float64Array(27_000), misfits: new Set<number>() };
  const asked: PartsAsked = { seed: 3, missing: 'unknown', withCells: true, withAnomalies: true, given: null };
  const [here, there] = await hereAndInThreads(own, (scorer) => scorer.rows(rows, asked));
  expect(start).toHaveBeenCalledTimes(1);
  expect(there).toEqual(here);
});

it.each(['table', 'bits'])('predictors are tested the same in threads: %s', async (name) => {
  const start = vi.spyOn(ThreadPool, 'start');
  const own = opened.get(name)!;
  const rows = own.model.sample(3000, 1);
  const pairs = [0, 1, 2].flatMap((column) => [0, 1, 2].map((predictor) => ({ column, predictor })));
  const judge = (cells: RowScorer['cells'] | undefined) => judgePredictors(own.model, rows, pairs, { cells });
  const [here, there] = await hereAndInThreads(own, ({ cells }) => judge(cells));
  expect(start).toHaveBeenCalledTimes(1);
  expect(there).toEqual(here);
  expect(here).toEqual(await judge(undefined));
});

it.each([0, 2])('column %i of a table is predicted the same in threads', async (index) => {
  const start = vi.spyOn(ThreadPool, 'start');
  const { model, bytes } = opened.get('table')!;
  const done: number[] = [];
  const predictor = new TargetScorer(model, { bytes, threads: 3, pays: 0, onProgress: (rows) => done.push(rows) });
  const raw = await openTableFile(join(folder, 'asked.csv'), {});
  try {
    const asked = { missing: 'unknown', seed: 3 } as const;
    const there = await scoreTarget(model, raw, index, { ...asked, measure: predictor.measure });
    expect(start).toHaveBeenCalledTimes(1);
    expect(there.incomplete).toBeGreaterThan(3);
    expect(there).toEqual(await scoreTarget(model, raw, index, asked));
    expect(done.at(-1)).toBe(there.rows);
  } finally {
    await predictor.close();
    await raw.close();
  }
});

it('between pieces that are scored here the event loop has a turn', async () => {
  const { model } = opened.get('table')!;
  const rows = model.sample(3000, 1);
  const scorer = new RowScorer(model);
  let turns = 0;
  const next = (): void => {
    turns++;
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  const seen: number[] = [];
  for await (const answer of scorer.cells([{ deals: [rows] }, { deals: [rows] }], 6000)) {
    expect(answer).toHaveLength(9000);
    seen.push(turns);
  }
  clearImmediate(waiting);
  // pieces of 64 and 1,024 rows, and what is left, are three of the first
  expect(seen[0]).toBeGreaterThanOrEqual(3);
  expect(seen[1]).toBeGreaterThan(seen[0]!);
});

it('few rows start no thread', async () => {
  const start = vi.spyOn(ThreadPool, 'start');
  const own = opened.get('table')!;
  const rows = own.model.sample(3000, 1);
  const ask = async ({ cells }: RowScorer): Promise<Float64Array[]> => {
    const answers: Float64Array[] = [];
    for await (const answer of cells([{ deals: [rows] }, { deals: [rows], of: [2, 0] }], 6000)) answers.push(answer);
    return answers;
  };
  const [here, there] = await hereAndInThreads(own, ask, {});
  expect(there).toEqual(here);
  expect(here.map(({ length }) => length)).toEqual([9000, 6000]);
  expect(start).not.toHaveBeenCalled();
});
