import { serverOfTest } from '@orchard/storage/testing';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addRetentionCommand } from './retention.js';

const run = 'a'.repeat(64);
const noRules = { runsDays: null, runsPerPerson: null, bytesPerPerson: null, unusedDatasetsDays: null };

async function retention(answer: object, json = false): Promise<string> {
  const server = await serverOfTest((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  let output = '';
  const terminal = new Terminal({ json, quiet: true }, { write: (text) => (output += text) }, { write: () => true });
  const program = new Command();
  addRetentionCommand(program, terminal);
  await program.parseAsync(['retention', '--server', server], { from: 'user' });
  return output.trimEnd();
}

test('orchard retention prints the rules, the last time, the next, and the runs that it deletes then', async () => {
  const rules = { ...noRules, runsDays: 90, runsPerPerson: 1, bytesPerPerson: 5e9 };
  const last = {
    endedAt: '2026-11-26T00:01:02Z',
    runs: [{ run, why: 'x' }],
    objects: 2,
    bytes: 2000,
    failure: 'denied',
  };
  const why = 'it ended more than 90 days ago';
  const answer = { rules, everyHours: 24, next: '2026-11-28T00:00:00Z', last, expired: [{ run, why }] };
  // columns but the first stand to the right
  expect((await retention(answer)).replace(/ +/g, ' ').split('\n')).toEqual([
    'runs are kept for 90 days after their end',
    'the last 1 run of each person are kept',
    '5.0 GB of the newest runs of each person are kept',
    'data sets that no run needs are kept until orchard gc --remove',
    'pinned runs are kept: orchard pin RUN',
    'applied every 24 h, next at 2026-11-28 00:00 UTC',
    'last at 2026-11-26 00:01 UTC: 1 run deleted, 2 leftovers (2.0 kB) removed; it failed: denied',
    '',
    'deleted next why',
    `aaaaaaaaaaaa ${why}`,
  ]);
  expect(JSON.parse(await retention(answer, true))).toEqual(answer);
});

test('without rules it says that runs stay', async () => {
  const answer = { rules: noRules, everyHours: 0, next: null, last: null, expired: [] };
  expect((await retention(answer)).split('\n')).toEqual([
    'runs are kept until they are deleted',
    'data sets that no run needs are kept until orchard gc --remove',
    'pinned runs are kept: orchard pin RUN',
    'nothing is removed by a schedule',
  ]);
});
