import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** A start, an end that is seldom before it, a kind that goes with the start, and how often the row counts. */
const rows = Array.from({ length: 150 }, (_, row) => {
  const start = (row * 7) % 5;
  const end = row % 11 === 0 ? start - 1 : start + ((row * 3) % 4);
  return { cells: [start, end, row % 9 === 0 ? 'late' : start > 2 ? 'b' : 'a'].join(','), times: 1 + (row % 3) };
});
const head = 'start,end,kind';
const weighedTo = (scale: number): string =>
  `${head},times\n${rows.map(({ cells, times }) => `${cells},${String(times * scale)}`).join('\n')}\n`;
writeFileSync(at('once.csv'), `${head}\n${rows.map(({ cells }) => cells).join('\n')}\n`);
writeFileSync(at('weighed.csv'), weighedTo(1));
writeFileSync(at('halves.csv'), weighedTo(0.5));
writeFileSync(
  at('repeated.csv'),
  `${head}\n${rows.flatMap(({ cells, times }) => Array.from({ length: times }, () => cells)).join('\n')}\n`,
);
const bits = Array.from({ length: 60 }, (_, row) => [row % 2, (row >> 1) % 2, row % 5 === 0 ? 1 : row % 2]);
writeFileSync(at('bits.csv'), `x,y,z\n${bits.map((row) => row.join(',')).join('\n')}\n`);
writeFileSync(
  at('weighed-bits.csv'),
  `x,y,z,times\n${bits.map((row, at) => [...row, 1 + (at % 2)].join(',')).join('\n')}\n`,
);
const byTimes = ['--row-weights', 'times'];

async function answer<Answer>(...args: string[]): Promise<Answer> {
  const { code, document, stderr } = await orchard(...args, '--json');
  expect(code, stderr).toBe(0);
  return document as Answer;
}

beforeAll(async () => {
  const short = ['--members', '1', '--rounds', '30', '--leaves', '4', '--quiet'];
  for (const seed of ['0', '1'])
    expect(await orchard('train', at('once.csv'), '--seed', seed, '--out', at(`model${seed}`), ...short)).toMatchObject(
      { code: 0 },
    );
  expect(await orchard('train', at('bits.csv'), '--model', 'chow-liu', '--out', at('bits'), '--quiet')).toMatchObject({
    code: 0,
  });
});

it('rows count as often as they weigh in the mean under rules', async () => {
  const followed = async (name: string, ...more: string[]) =>
    (
      await answer<{ followed: { rows: number; logLikelihood: number } }>(
        ...['evaluate', at('model0'), at(name), '--rule', 'start <= end', ...more],
      )
    ).followed;
  const repeated = await followed('repeated.csv');
  const weighed = await followed('weighed.csv', ...byTimes);
  expect(weighed.logLikelihood).toBeCloseTo(repeated.logLikelihood, 12);
  expect((await followed('halves.csv', ...byTimes)).logLikelihood).toBeCloseTo(repeated.logLikelihood, 12);
  expect(Math.abs((await followed('once.csv')).logLikelihood - repeated.logLikelihood)).toBeGreaterThan(1e-3);
});

interface Compared {
  readonly rows: number;
  readonly sumOfWeights: number | null;
  readonly difference: number;
  readonly standardError: number;
  readonly columns: readonly { readonly difference: number; readonly standardError: number }[];
}

it('two models are compared by rows as often as they weigh', async () => {
  const compared = (name: string, ...more: string[]) =>
    answer<Compared>('compare', at('model0'), at('model1'), at(name), ...more);
  const repeated = await compared('repeated.csv');
  const weighed = await compared('weighed.csv', ...byTimes);
  const sum = rows.reduce((all, { times }) => all + times, 0);
  expect([weighed.rows, weighed.sumOfWeights, repeated.sumOfWeights]).toEqual([rows.length, sum, null]);
  expect(weighed.difference).toBeCloseTo(repeated.difference, 12);
  expect(weighed.standardError).toBeCloseTo(repeated.standardError, 12);
  weighed.columns.forEach(({ difference, standardError }, at) => {
    expect(difference).toBeCloseTo(repeated.columns[at]!.difference, 12);
    expect(standardError).toBeCloseTo(repeated.columns[at]!.standardError, 12);
  });
  // half as many are the same rows: their error is that of the rows that are there
  const halves = await compared('halves.csv', ...byTimes);
  expect(halves.difference).toBeCloseTo(repeated.difference, 12);
  expect(halves.standardError).toBeGreaterThan(repeated.standardError);
  const { stdout } = await orchard('compare', at('model0'), at('model1'), at('weighed.csv'), ...byTimes);
  expect(stdout).toContain(`150 rows, weighed by times (sum ${String(sum)})`);
});

interface Told {
  readonly judgedBy: { readonly rows: number; readonly sumOfWeights: number | null };
  readonly columns: readonly { readonly name: string; readonly gain: number; readonly beyondNoise: boolean }[];
}

it('what columns gain is the mean of rows as often as they weigh, and what is noise is told by the rows that are there', async () => {
  const told = (name: string, ...more: string[]) => answer<Told>('importance', at('model0'), at(name), ...more);
  const [repeated, weighed] = [await told('repeated.csv'), await told('weighed.csv', ...byTimes)];
  expect(weighed.columns.map(({ gain }) => gain)).toEqual(
    repeated.columns.map(({ gain }) => expect.closeTo(gain, 12) as number),
  );
  const flags = ({ columns }: Told) => columns.map(({ name, beyondNoise }) => [name, beyondNoise]);
  expect(flags(weighed)).toEqual(flags(repeated));
  expect([weighed.judgedBy.rows, weighed.judgedBy.sumOfWeights, repeated.judgedBy.sumOfWeights]).toEqual([
    rows.length,
    rows.reduce((all, { times }) => all + times, 0),
    null,
  ]);
  const [halves, once] = [await told('halves.csv', ...byTimes), await told('once.csv')];
  expect(halves.columns.map(({ gain }) => gain)).toEqual(
    repeated.columns.map(({ gain }) => expect.closeTo(gain, 12) as number),
  );
  expect(flags(halves)).toEqual(flags(once));
});

it('weights without rows, and those of rows of 0 and 1, are refused where importance has none for them', async () => {
  expect((await orchard('importance', at('model0'), ...byTimes)).stderr).toContain(
    '--row-weights: got --row-weights without DATA',
  );
  expect((await orchard('importance', at('bits'), at('weighed-bits.csv'), ...byTimes)).stderr).toContain(
    'expected the model of a table',
  );
});

it('how rows of 0 and 1 were weighed is said', async () => {
  const { stdout } = await orchard('evaluate', at('bits'), at('weighed-bits.csv'), ...byTimes);
  expect(stdout).toContain('60 rows, weighed by times (sum 90): ');
});

it('rows that trained a model by their weights are said to be so', async () => {
  const out = at('by-weights');
  await orchard('train', at('weighed.csv'), ...byTimes, '--model', 'chow-liu', '--out', out, '--quiet');
  const { stderr } = await orchard('evaluate', out, at('weighed.csv'), ...byTimes);
  expect(stderr).toContain('the model learned from these rows');
});

it('rows that trained a model are said to be so by importance and by compare', async () => {
  const { stderr } = await orchard('importance', at('model0'), at('once.csv'), '--dimension', 'kind');
  expect(stderr).toContain('the model learned from these rows');
  const compared = await orchard('compare', at('model0'), at('model1'), at('once.csv'));
  expect(compared.stderr).toContain('A learned from these rows');
  expect(compared.stderr).toContain('B learned from these rows');
});
