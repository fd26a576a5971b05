import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { serverOfTest } from '@orchard/storage/testing';
import { orchard, temporaryFolder } from '../run.suite.js';

const files = { network: 'network.msgpack', summary: 'summary.json', report: 'report.html' } as const;
type What = keyof typeof files;

const folder = temporaryFolder();
const run = join(folder, 'run');
let id: string;
beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, row) => `${row & 1},${(row >> 1) & 1}`).join('\n');
  writeFileSync(join(folder, 'rows.csv'), `a,b\n${rows}\n`);
  const { code } = await orchard('train', join(folder, 'rows.csv'), '--out', run, '--model', 'marginals', '--quiet');
  expect(code).toBe(0);
  id = (JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as { runId: string }).runId;
});

const statusOf = (choice: object): object => ({
  ...{ id, state: 'done', submittedAt: '2026-11-22T07:00:00.000Z', choice, reason: null, networks: [choice] },
  ...{ specification: { train: id, valid: id, test: null }, stages: {}, quarantined: [], notices: [] },
  ...{ treesPerSecond: 0, secondsLeft: null, logLikelihood: null },
});

/** A coordinator that sends a run's files with some of them changed. */
function serve(changes: Partial<Record<What, (bytes: Buffer) => Buffer>>): Promise<string> {
  return serverOfTest((request, response) => {
    if (request.url === `/v1/runs/${id}`) return void response.end(JSON.stringify(statusOf({})));
    const what = request.url!.split('/').at(-1)! as What;
    const bytes = readFileSync(join(run, files[what]));
    response.end(changes[what]?.(bytes) ?? bytes);
  });
}

test('what was made is written as it is', async () => {
  const out = join(folder, 'whole');
  const { code } = await orchard('fetch', id, '--out', out, '--server', await serve({}), '--quiet');
  expect(code).toBe(0);
  for (const name of Object.values(files)) expect(readFileSync(join(out, name))).toEqual(readFileSync(join(run, name)));
});

const flip = (bytes: Buffer): Buffer => {
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
};
const edit =
  (from: RegExp, to: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString().replace(from, to));

test.each<[string, Partial<Record<What, (bytes: Buffer) => Buffer>>]>([
  ['a network with a flipped byte', { network: flip }],
  ['a report with a flipped byte', { report: flip }],
  ['a report that was cut off', { report: (bytes) => bytes.subarray(0, -7) }],
  ['a network that was cut off', { network: (bytes) => bytes.subarray(0, -7) }],
  ['the summary of another network', { summary: edit(/("network":.*"sha256":")[0-9a-f]{8}/, '$100000000') }],
  ['the summary of another run', { summary: edit(/("runId":")[0-9a-f]{8}/, '$100000000') }],
  ['a summary that is none', { summary: edit(/^./, '|') }],
  [
    'a network that no summary could save',
    {
      network: () => Buffer.from('no network'),
      summary: edit(
        /("network":.*"sha256":")[0-9a-f]{64}/,
        '$149ec39b5ccd5d60ab53cf5f5b4de7f2fa59fc8a4e8ae1d3ebc31c3e5b13fa0f4',
      ),
    },
  ],
])('%s is refused with the remedy, and nothing is written', async (_what, changes) => {
  const out = join(folder, 'damaged');
  const { code, stderr } = await orchard('fetch', id, '--out', out, '--server', await serve(changes), '--quiet');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`orchard repair ${id.slice(0, 12)}`) as string]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
});

test('a run of which another network is asked for meanwhile is fetched as it was: all three files of one network', async () => {
  const folders = { individual: join(folder, 'individual'), common: join(folder, 'common') } as const;
  const words = ['--preset', 'paper', '--rounds', '3', '--no-refit', '--quiet'];
  for (const [select, out] of Object.entries(folders))
    expect((await orchard('train', join(folder, 'rows.csv'), '--out', out, '--select', select, ...words)).code).toBe(0);
  const summary = readFileSync(join(folders.individual, 'summary.json'), 'utf8');
  const { runId } = JSON.parse(summary) as { runId: string };
  let latest: keyof typeof folders = 'individual';
  const url = await serverOfTest((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1');
    if (pathname === `/v1/runs/${runId}`)
      response.end(JSON.stringify({ ...statusOf({ selection: latest, refit: false }), id: runId }));
    else {
      const selection = (searchParams.get('selection') ?? latest) as keyof typeof folders;
      response.end(readFileSync(join(folders[selection], files[pathname.split('/').at(-1) as What])));
    }
    // somebody selects another network of the run after every request
    latest = latest === 'individual' ? 'common' : 'individual';
  });
  const out = join(folder, 'pinned');
  const { code, stderr } = await orchard('fetch', runId, '--out', out, '--server', url, '--quiet');
  expect([code, stderr]).toEqual([0, '']);
  for (const name of Object.values(files))
    expect(readFileSync(join(out, name))).toEqual(readFileSync(join(folders.individual, name)));
});
