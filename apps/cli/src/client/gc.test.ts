import { serverOfTest } from '@orchard/storage/testing';
import { Command } from 'commander';
import { beforeEach, expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addGcCommand } from './gc.js';

const [gone, unneeded] = ['2', 'b'].map((digit) => digit.repeat(64)) as [string, string];
const leftovers = [{ run: gone, why: 'its run was deleted', objects: 1200, bytes: 34_000 }];
const uploads = [{ dataset: '3'.repeat(64), bytes: 8200 }];
const datasets = [{ id: unneeded, rows: 1500, dimensions: 16, bytes: 4100 }];

let url: string;
let asked: string[];
beforeEach(async () => {
  asked = [];
  url = await serverOfTest((request, response) => {
    asked.push(`${request.method!} ${request.url!}`);
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ leftovers, uploads, datasets }));
  });
});

async function gc(json: boolean, ...more: string[]): Promise<string> {
  let output = '';
  const terminal = new Terminal({ json, quiet: true }, { write: (text) => (output += text) }, { write: () => true });
  const program = new Command();
  addGcCommand(program, terminal);
  await program.parseAsync(['gc', '--server', url, ...more], { from: 'user' });
  return output;
}

test('orchard gc lists data sets, leftovers of runs and of uploads that are a day old, by one request that changes nothing', async () => {
  const lines = (await gc(false)).split('\n');
  expect(lines.some((line) => line.includes('bbbbbbbbbbbb') && line.includes('16'))).toBe(true);
  expect(lines.some((line) => line.includes('222222222222') && line.includes('its run was deleted'))).toBe(true);
  expect(lines.some((line) => line.includes('333333333333') && line.includes('8.2 kB'))).toBe(true);
  expect(asked).toEqual(['GET /v1/garbage?datasets=true&olderThanSeconds=86400']);
  const document = { datasets: [unneeded], leftovers, uploads, removed: false, olderThanSeconds: 86_400 };
  expect(JSON.parse(await gc(true))).toEqual(document);
});

test.each([
  ['0s', 0],
  ['90s', 90],
  ['30m', 1800],
  ['12h', 43_200],
  ['7d', 604_800],
])('with --remove it removes what is older than %s, by one request', async (text, olderThanSeconds) => {
  const document = { datasets: [unneeded], leftovers, uploads, removed: true, olderThanSeconds };
  expect(JSON.parse(await gc(true, '--remove', '--older-than', text))).toEqual(document);
  expect(asked).toEqual([`DELETE /v1/garbage?datasets=true&olderThanSeconds=${String(olderThanSeconds)}`]);
});

test.each(['1', '-1d', '1w', 'day', '1.5d', '9999d', ''])(
  'an age of %j is refused before anything is asked',
  async (text) => {
    await expect(gc(true, '--remove', `--older-than=${text}`)).rejects.toThrow(
      /--older-than: got .* expected a whole number and its unit/,
    );
    expect(asked).toEqual([]);
  },
);
