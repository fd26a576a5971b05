import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addGcCommand } from './commands.js';

const [run, gone, needed, unneeded] = ['1', '2', 'a', 'b'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const overview = (id: string): object => ({
  id,
  state: 'done',
  submittedAt: '2026-01-01T00:00:00.000Z',
  choice: { selection: 'common', refit: true },
  reason: null,
});
const status = {
  ...overview(run),
  specification: { train: needed, valid: needed, test: null },
  networks: [],
  stages: {},
  treesPerSecond: 0,
  secondsLeft: null,
  logLikelihood: null,
  quarantined: [],
  notices: [],
};
const leftovers = [{ run: gone, why: 'its run was deleted', objects: 1200, bytes: 34_000 }];
const uploads = [{ dataset: '3'.repeat(64), bytes: 8200 }];
const dataset = (id: string): object => ({ id, rows: 1500, dimensions: 16 });

let server: Server;
let asked: string[];
beforeEach(async () => {
  asked = [];
  const answers: Record<string, [number, unknown]> = {
    '/v1/runs': [200, { runs: [overview(run), overview(gone)], next: null }],
    [`/v1/runs/${run}`]: [200, status],
    [`/v1/runs/${gone}`]: [404, { detail: 'No such run.', code: 'unknown-run', status: 404 }],
    '/v1/datasets': [200, { datasets: [dataset(needed), dataset(unneeded)], next: null }],
    [`/v1/datasets/${unneeded}`]: [200, {}],
    '/v1/garbage': [200, { leftovers, uploads }],
  };
  server = createServer((request, response) => {
    const path = request.url!.split('?')[0]!;
    if (request.method !== 'GET') asked.push(`${request.method!} ${path}`);
    const [code, body] = answers[path] ?? [500, {}];
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function gc(json: boolean, ...more: string[]): Promise<string> {
  let output = '';
  const terminal = new Terminal({ json, quiet: true }, { write: (text) => (output += text) }, { write: () => true });
  const program = new Command();
  addGcCommand(program, terminal);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await program.parseAsync(['gc', '--server', url, ...more], { from: 'user' });
  return output;
}

test('orchard gc lists data sets, leftovers of runs and of uploads, though a run went while it looked, and changes nothing', async () => {
  const lines = (await gc(false)).split('\n');
  expect(lines.some((line) => line.includes('bbbbbbbbbbbb') && line.includes('16'))).toBe(true);
  expect(lines.some((line) => line.includes('222222222222') && line.includes('its run was deleted'))).toBe(true);
  expect(lines.some((line) => line.includes('333333333333') && line.includes('8.2 kB'))).toBe(true);
  expect(lines.join()).not.toContain('aaaaaaaaaaaa');
  expect(JSON.parse(await gc(true))).toEqual({ datasets: [unneeded], leftovers, uploads, removed: false });
  expect(asked).toEqual([]);
});

test('with --remove it removes them', async () => {
  expect(JSON.parse(await gc(true, '--remove'))).toEqual({ datasets: [unneeded], leftovers, uploads, removed: true });
  expect(asked).toEqual([`DELETE /v1/datasets/${unneeded}`, 'DELETE /v1/garbage']);
});
