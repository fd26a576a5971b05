import { temporaryFolder } from '@orchard/storage/testing';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../infra/cluster/index.mjs';
import { lacks } from '../servers/needed.js';
import { asking } from './asking.js';
import { orchard } from './command-line.js';
import { argv } from '../../infra/command-line.mjs';

const flags = argv`--rounds 15 --leaves 4 --members 1 --valid-fraction 0.2 --test-fraction 0.1 --seed 3`;
const names = ['kind', 'indoors', 'toys', 'weight', 'born'] as const;

type Cell = string | number | boolean | null;
type Row = Record<string, Cell>;

/** Pets: labels with holes, truth values, whole numbers, decimals with holes, dates; each leans on the kind. */
function pets(rows: number): string[][] {
  const stream = new RandomStream(17, 1009);
  return Array.from({ length: rows }, () => {
    const kind = stream.below(3);
    const born = new Date(86_400_000 * (18_000 + 300 * kind + stream.below(250))).toISOString().slice(0, 10);
    return [
      stream.below(9) === 0 ? '' : ['cat', 'dog, small', 'horse'][kind]!,
      stream.below(8) < 8 - 3 * kind ? 'True' : 'False',
      String(stream.below(4 + kind)),
      stream.below(7) === 0 ? '' : (4 + 30 * kind ** 3 + 3 * stream.uniform()).toFixed(2),
      born,
    ];
  });
}

const csvOf = (rows: readonly (readonly string[])[]): string =>
  [names, ...rows].map((row) => row.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')).join('\n') +
  '\n';

/** A row as JSON has it; what stands in `without` is not said at all. */
function jsonOf(row: readonly string[], without: readonly string[] = []): Row {
  const cells = row.map((text, index): [string, Cell] => {
    const name = names[index]!;
    if (text === '') return [name, null];
    if (name === 'indoors') return [name, text === 'True'];
    return [name, name === 'toys' || name === 'weight' ? Number(text) : text];
  });
  return Object.fromEntries(cells.filter(([name]) => !without.includes(name)));
}

/** Lines of CSV as the rows that the HTTP API answers. */
const rowsOf = (text: string): Row[] => cellsOf(text).map((row) => jsonOf(row));
const cellsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => [...line.matchAll(/("([^"]*)"|[^,]*)(,|$)/g)].map(([, cell, quoted]) => quoted ?? cell!))
    .map((cells) => (cells.at(-1) === '' && cells.length > names.length ? cells.slice(0, -1) : cells));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(lacks('redis', 's3'))('a table by HTTP', () => {
  let cluster: Cluster;
  let runId: string;
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const file = at('pets.csv');
  const rows = pets(400);

  const { ask, post, json } = asking(() => cluster);
  const question = <Answer>(what: string, body: unknown): Promise<Answer> =>
    json<Answer>(post(`/v1/networks/${runId}/${what}`, body, cluster.readToken));

  beforeAll(async () => {
    writeFileSync(file, csvOf(rows));
    cluster = await startCluster({ workers: 1, threads: 1 });
    await orchard(['train', file, '--out', at('local'), '--quiet', ...flags]);
  });
  afterAll(() => cluster.stop());

  test('is described as the command line describes it', async () => {
    const body = readFileSync(file);
    const headers = { 'Content-Type': 'text/csv' };
    const said = await (await ask('/v1/datasets?describe=true', { method: 'POST', body, headers })).text();
    // a query has other words for the same options
    const described = JSON.parse(said.replace('?header=yes or ?header=no', '--header yes or no')) as object;
    const { training, ...byCommand } = JSON.parse(await orchard(['describe', file, '--json'])) as object & {
      readonly training: unknown;
    };
    expect({ file, ...described }).toEqual(byCommand);
    // what it would take is a matter of the machine that trains
    expect(training).toHaveProperty('memoryBytes');
    expect(described).toMatchObject({ rows: 400, variables: names.map((name) => ({ name })), leftOut: [] });
  });

  test('sent as text is refused as a data set, with the way to go', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const refused = await ask('/v1/datasets', { method: 'POST', body: readFileSync(file), headers });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ remedy: expect.stringContaining('orchard submit') as string });
  });

  test('submitted and fetched, ends in the bytes of orchard train', async () => {
    const environment = { ORCHARD_SERVER: cluster.url, ORCHARD_TOKEN: cluster.token };
    const submitted = JSON.parse(await orchard(['submit', file, ...flags, '--watch', '--json'], environment)) as {
      id: string;
    };
    runId = submitted.id;
    const status = await json<{ state: string; family: string; specification: Record<string, unknown> }>(
      ask(`/v1/runs/${runId}`),
    );
    expect([status.state, status.family]).toEqual(['done', 'tables']);
    await orchard(['fetch', runId, '--out', at('fetched')], environment);
    const parts = { network: 'network.msgpack', summary: 'summary.json', report: 'report.html' };
    for (const [what, name] of Object.entries(parts)) {
      const served = new Uint8Array(await (await ask(`/v1/runs/${runId}/${what}`)).arrayBuffer());
      expect([name, sha256(served)]).toEqual([name, sha256(readFileSync(join(at('fetched'), name)))]);
      if (what === 'report') continue;
      expect([name, sha256(served)]).toEqual([name, sha256(readFileSync(join(at('local'), name)))]);
    }
    // the same data sets and words by hand are the same run
    const { train, valid, test: tests } = status.specification;
    const words = { model: 'tables', train, valid, test: tests, rounds: 15, leaves: 4, members: 1, seed: 3 };
    expect((await json<{ id: string }>(post('/v1/runs', words))).id).toBe(runId);
  });

  test('is scored as by orchard evaluate, rows with unknown values too', async () => {
    // the first is odd, the second has holes
    const some = [
      ['horse', 'True', '0', '4.50', '2019-05-01'],
      ['', 'True', '2', '', '2019-05-01'],
      ...rows.slice(0, 20),
    ];
    writeFileSync(at('some.csv'), csvOf(some));
    await orchard(['evaluate', at('fetched'), at('some.csv'), '--per-row', at('scores.csv'), '--quiet']);
    const said = readFileSync(at('scores.csv'), 'utf8').trim().split('\n').slice(1);
    const score = await question<{ rows: { anomalyScore: number; logLikelihood: number }[] }>('score', {
      rows: some.map((row) => jsonOf(row)),
    });
    const figuresOf = (line: string): string[] =>
      line
        .split(',')
        .slice(1, 3)
        .map((figure) => Number(figure).toFixed(9));
    const answered = ({ rows }: typeof score): string[][] =>
      rows.map(({ anomalyScore, logLikelihood }) => [anomalyScore.toFixed(9), logLikelihood.toFixed(9)]);
    expect(answered(score)).toEqual(said.map(figuresOf));
    // what is unknown, and no absent value: without the columns here, by --missing-means there
    const unknown = some.slice(0, 2).map((row) => jsonOf(row, row[0] === '' ? ['kind', 'weight'] : []));
    writeFileSync(at('unknown.csv'), csvOf(some.slice(0, 2)));
    const args = [at('unknown.csv'), '--missing-means', 'unknown', '--per-row', at('unknown-scores.csv'), '--quiet'];
    await orchard(['evaluate', at('fetched'), ...args]);
    const [, first, second] = readFileSync(at('unknown-scores.csv'), 'utf8').split('\n');
    const answer = await question<typeof score>('score', { rows: unknown });
    expect(answered(answer)).toEqual([first!, second!].map(figuresOf));
  });

  test('is drawn as by orchard sample, given something or nothing', async () => {
    const sample = (...args: string[]): Promise<string> =>
      orchard(['sample', at('fetched'), '--count', '30', '--seed', '9', '--out', '-', '--quiet', ...args]);
    const drawn = await question<{ names: string[]; rows: Row[] }>('sample', { count: 30, seed: 9 });
    expect(drawn.names).toEqual(names);
    expect(drawn.rows).toEqual(rowsOf(await sample()));
    const given = { indoors: false, weight: { from: 30, to: 40 } };
    const asGiven = await question<typeof drawn>('sample', { count: 30, seed: 9, given });
    expect(asGiven.rows).toEqual(rowsOf(await sample('--given', 'indoors=False,weight=30..40')));
    for (const { indoors, weight } of asGiven.rows) {
      expect(indoors).toBe(false);
      expect(weight).toBeGreaterThanOrEqual(30);
      expect(weight).toBeLessThanOrEqual(40);
    }
  });

  test('is filled as by orchard complete, in draws and in probabilities', async () => {
    const blanks = rows.slice(0, 6).map((row, at) => row.map((cell, index) => ((at + index) % 3 === 0 ? '' : cell)));
    writeFileSync(at('blanks.csv'), csvOf(blanks));
    const complete = (...args: string[]): Promise<string> =>
      orchard(['complete', at('fetched'), at('blanks.csv'), '--seed', '4', '--quiet', ...args]);
    const body = { rows: blanks.map((row) => jsonOf(row)), seed: 4 };
    const filled = await question<{ rows: { completions: Row[] }[] }>('complete', { ...body, draws: 3 });
    const byCommand = cellsOf(await complete('--draws', '3')).map(([, ...cells]) => jsonOf(cells));
    expect(filled.rows.flatMap(({ completions }) => completions)).toEqual(byCommand);

    type Shares = Record<string, { value: string; probability: number }[]>;
    const shares = await question<{ rows: { probabilities: Shares }[] }>('complete', { ...body, probabilities: true });
    const lines = shares.rows.flatMap(({ probabilities }, row) =>
      Object.entries(probabilities).flatMap(([column, each]) =>
        each.map(({ value, probability }) => [String(row + 1), column, value, probability.toFixed(3)].join(',')),
      ),
    );
    const said = (await complete('--probabilities')).trim().replaceAll('"', '').split('\n').slice(1);
    expect(lines).toEqual(said);
    expect(lines.length).toBeGreaterThan(blanks.length);
  });

  test('is not asked in rows of bits, nor a network of bits in rows of a table', async () => {
    const refused = await post(`/v1/networks/${runId}/score`, { rows: [[0, 1, 1]] });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ expected: expect.stringContaining('one for each') as string });
  });
});
