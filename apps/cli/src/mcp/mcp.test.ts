import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

// the built program: threads and processes run built code
const main = fileURLToPath(new URL('../../program/main.js', import.meta.url));
const temporary = temporaryFolder();
const home = realpathSync(temporary);
const folder = join(home, 'allowed');
const outside = join(home, 'outside');

const lines = Array.from({ length: 300 }, (_, row) => `${String(row % 7)},${['x', 'y', 'z'][row % 3]!}`);
const wide = Array.from({ length: 600 }, (_, row) =>
  Array.from({ length: 40 }, (_, column) => (row * (column + 3)) % 11).join(','),
);

beforeAll(async () => {
  for (const one of [folder, outside]) mkdirSync(one);
  writeFileSync(join(folder, 'rows.csv'), `a,b\n${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'gaps.csv'), 'a,b\n1,\n,z\n');
  writeFileSync(join(folder, 'wide.csv'), `${wide.join('\n')}\n`);
  writeFileSync(join(outside, 'secret.csv'), 'a,b\n1,x\n');
  symlinkSync(outside, join(folder, 'link'));
  symlinkSync(join(outside, 'new.csv'), join(folder, 'dangling'));
  const words = ['--rounds', '4', '--quiet', '--out', join(folder, 'model')];
  expect((await orchard('train', join(folder, 'rows.csv'), ...words)).code).toBe(0);
  cpSync(join(folder, 'model'), join(folder, 'model #2, 100 %'), { recursive: true });
});

/** A result as a test reads it. */
interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

async function connected(transport: StdioClientTransport | StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  // its type is the SDK's own, which is not exact about properties that are undefined
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
}

const environment = { PATH: process.env['PATH']!, XDG_CONFIG_HOME: home };
const overStdio = (...words: readonly string[]): Promise<Client> =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp', ...words],
      cwd: folder,
      env: environment,
    }),
  );

async function overHttp(): Promise<{ client: Client; url: URL; server: ChildProcess }> {
  const server = spawn(process.execPath, [main, 'mcp', '--http', '--port', '0', '--quiet'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(server.stdout, 'data')) as [Buffer];
  const url = new URL(said.toString().trim());
  return { client: await connected(new StreamableHTTPClientTransport(url)), url, server };
}

const call = async (client: Client, name: string, fields: Record<string, unknown> = {}): Promise<Result> =>
  (await client.callTool({ name, arguments: fields })) as Result;
const answerOf = async (
  client: Client,
  name: string,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const { structuredContent, isError, content } = await call(client, name, fields);
  expect(isError, content[0]?.text).toBeUndefined();
  expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
  return structuredContent!;
};
const errorOf = async (client: Client, name: string, fields: Record<string, unknown>): Promise<string> => {
  const { isError, content } = await call(client, name, fields);
  expect(isError).toBe(true);
  return content[0]!.text;
};

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  let client: Client;
  let server: ChildProcess | undefined;
  beforeAll(async () => {
    if (transport === 'stdio') client = await overStdio();
    else ({ client, server } = await overHttp());
  });
  afterAll(async () => {
    await client.close();
    server?.kill('SIGTERM');
  });
  const out = `run-${transport}`;

  it('describes a table, trains with progress, and answers as the command line does', async () => {
    const described = await answerOf(client, 'describe', { file: 'rows.csv' });
    expect(described).toMatchObject({ rows: 300 });
    const progress: Progress[] = [];
    const trained = (await client.callTool(
      { name: 'train', arguments: { train: 'rows.csv', out, rounds: 20 } },
      undefined,
      { onprogress: (one) => progress.push(one) },
    )) as Result;
    expect(trained.structuredContent).toMatchObject({ network: { path: join(folder, out, 'network.msgpack') } });
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.map((one) => one.progress)).toEqual(
      [...new Set(progress.map((one) => one.progress))].sort((a, b) => a - b),
    );
    expect(progress.some(({ message = '' }) => message.includes('training'))).toBe(true);
    const ofTool = await answerOf(client, 'sample', { network: out, count: 5, given: ['b=x'], seed: 3 });
    const { document } = await orchard(
      ...['sample', join(folder, out), '--count', '5', '--given', 'b=x', '--seed', '3', '--json'],
    );
    expect({ ...ofTool, messages: null }).toEqual({ ...document, messages: null });
  });

  it('has the models and reports below its folders as resources', async () => {
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining([`orchard://model${folder}/model`, `orchard://report${folder}/model`]));
    const [model] = (await client.readResource({ uri: `orchard://model${folder}/model` })).contents;
    expect(JSON.parse((model as { text: string }).text)).toMatchObject({ family: 'mixture', variables: ['a', 'b'] });
    const [report] = (await client.readResource({ uri: `orchard://report${folder}/model` })).contents;
    expect((report as { text: string }).text).toMatch(/^<!doctype html>/i);
    await expect(client.readResource({ uri: `orchard://report${outside}` })).rejects.toThrow('--allow');
    const { uri } = resources.find(({ name }) => name === 'model of model #2, 100 %')!;
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
  });

  it('a cancelled training ends, keeps what is done, and the next call is answered', async () => {
    const cancelling = new AbortController();
    const training = client.callTool(
      { name: 'train', arguments: { train: 'wide.csv', out: `long-${transport}`, rounds: 5000, patience: 0 } },
      undefined,
      { signal: cancelling.signal, onprogress: () => cancelling.abort('enough'), timeout: 60_000 },
    );
    await expect(training).rejects.toThrow('enough');
    expect(await answerOf(client, 'sample', { network: 'model', count: 1 })).toMatchObject({ rows: 1 });
  });
});

describe('over any of them', () => {
  let client: Client;
  beforeAll(async () => {
    client = await overStdio('--server', 'http://127.0.0.1:9');
  });
  afterAll(() => client.close());

  it('finds outliers and wrong cells, fills in a file, and shows associations', async () => {
    expect(await answerOf(client, 'outliers', { data: 'rows.csv', count: 2, folds: 2 })).toMatchObject({
      outliers: [{ row: expect.any(Number) as number }, {}],
    });
    expect(await answerOf(client, 'check', { data: 'rows.csv', folds: 2 })).toHaveProperty('cells');
    expect(await answerOf(client, 'complete', { network: 'model', data: 'gaps.csv', out: 'filled.csv' })).toMatchObject(
      {
        path: join(folder, 'filled.csv'),
      },
    );
    expect(await answerOf(client, 'associations', { network: 'model', rows: 500 })).toHaveProperty('pairs');
  });

  it('scores and completes rows of the question', async () => {
    const rows = [
      { a: 1, b: 'x' },
      { a: 100, b: 'x' },
    ];
    expect(await answerOf(client, 'score-rows', { network: 'model', rows, top: 1 })).toMatchObject({
      rows: [{ logLikelihood: expect.any(Number) as number }, { surprising: [{ column: 'a' }] }],
    });
    const completed = await answerOf(client, 'complete-rows', {
      network: 'model',
      rows: [{ a: 1 }],
      probabilities: true,
    });
    expect(completed).toMatchObject({
      rows: [{ probabilities: { b: [{ value: expect.any(String) as string }, {}, {}] } }],
    });
    expect(await errorOf(client, 'score-rows', { network: 'model', rows: [] })).toContain('1 to 1000 rows');
  });

  it.each([
    ['../outside/secret.csv'],
    [join(outside, 'secret.csv')],
    ['link/secret.csv'],
    ['link/is-not-there.csv'],
    ['/etc/passwd'],
  ])('refuses to read %s', async (file) => {
    expect(await errorOf(client, 'describe', { file })).toMatch(/expected a path below .*allowed.*--allow/);
  });

  it.each(['../outside/run', 'link/run', 'dangling', '/tmp/run'])('refuses to write %s', async (out) => {
    expect(await errorOf(client, 'train', { train: 'rows.csv', out })).toMatch(/out: got .*expected a path below/);
  });

  it('refuses a folder with a link that leads elsewhere', async () => {
    mkdirSync(join(folder, 'trap'));
    symlinkSync(join(outside, 'secret.csv'), join(folder, 'trap', 'network.msgpack'));
    expect(await errorOf(client, 'sample', { network: 'trap' })).toContain('a link, expected a path below');
  });

  it('refuses fields and values that the command does not have, in its own words', async () => {
    expect(await errorOf(client, 'train', { train: 'rows.csv', out: 'x', round: 3 })).toMatch(/"round".*rounds/);
    expect(await errorOf(client, 'train', { train: 'rows.csv', out: 'x', rounds: 'many' })).toContain('--rounds: got');
    expect(await errorOf(client, 'train', { train: 'rows.csv' })).toContain('--out');
    expect(await errorOf(client, 'describe', { file: 'rows.csv', json: true })).toContain('"json"');
    expect(await errorOf(client, 'describe', { file: '-' })).toContain('which is not there');
    expect(await errorOf(client, 'fly', {})).toContain('compare-models');
    expect(await errorOf(client, 'sample', { network: 'rows.csv', count: 100_000 })).toContain('Name a file in out.');
  });

  it('offers the commands of a cluster where a coordinator is known, and few words about all', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['compare-models', 'submit', 'runs', 'status', 'help']));
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z-]{1,64}$/);
      expect(description!.length).toBeGreaterThan(20);
      expect(inputSchema.type).toBe('object');
    }
    expect(JSON.stringify(tools).length).toBeLessThan(41_000);
  });

  it('cuts an answer that is too long, and says so', async () => {
    await call(client, 'train', { train: 'wide.csv', out: 'wide', model: 'marginals', 'no-report': true });
    const { values, cut } = await answerOf(client, 'sample', { network: 'wide', count: 1000 });
    expect(cut).toMatchObject({
      message: expect.stringContaining('out') as string,
      parts: [{ where: 'values', shown: (values as unknown[]).length, of: 1000 }],
    });
    expect(JSON.stringify(values).length).toBeLessThan(41_000);
  });

  it('has the rare options in its help', async () => {
    const { content } = await call(client, 'help', { command: 'train' });
    expect(content[0]!.text).toContain('max-predictors: most columns');
  });
});

it('pages of other sites are refused, and SIGTERM ends it', async () => {
  const { url, server, client } = await overHttp();
  const statusOf = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode!));
      sent.on('error', reject).end('{}');
    });
  expect(await statusOf({ host: 'evil.example' })).toBe(403);
  expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
  expect(await statusOf({ 'mcp-session-id': 'none' })).toBe(404);
  await client.close();
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('the end of its standard input ends it, whatever is under way', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp'],
    cwd: folder,
    env: environment,
  });
  const client = await connected(transport);
  const { pid } = transport;
  const asked = client.callTool({ name: 'train', arguments: { train: 'wide.csv', out: 'ended', rounds: 5000 } });
  await Promise.allSettled([asked, client.close()]);
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
});
