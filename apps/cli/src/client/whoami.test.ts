import { serverOfTest } from '@orchard/storage/testing';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addWhoamiCommand } from './whoami.js';

const caller = { name: 'ann', role: 'submitter', way: 'oidc', until: '2026-11-27T15:38:00.000Z', more: 1 };
const uses = { openRuns: 3, threads: 8, storedBytes: null };
const limits = { openRuns: 10, threads: null, storedBytes: 5_000_000 };

async function whoami(answer: object, json: boolean): Promise<string> {
  const server = await serverOfTest((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  });
  let output = '';
  const terminal = new Terminal({ json, quiet: true }, { write: (text) => (output += text) }, { write: () => true });
  const program = new Command();
  addWhoamiCommand(program, terminal);
  await program.parseAsync(['whoami', '--server', server], { from: 'user' });
  return output.replaceAll(server, 'SERVER');
}

test('orchard whoami prints the name, the role, what is used and what may be', async () => {
  expect((await whoami({ ...caller, uses, limits }, false)).trimEnd().split('\n')).toEqual([
    'ann, role submitter, at SERVER',
    'the token is good until 2026-11-27 15:38 UTC',
    'open runs     3, at most 10',
    'threads       8, no limit',
    'stored        not known now, at most 5.0 MB',
  ]);
  const { name, role, way, until } = caller;
  const document = { server: 'SERVER', name, role, way, until, uses, limits };
  expect(JSON.parse(await whoami({ ...caller, uses, limits }, true))).toEqual(document);
});

test('of a coordinator of before, which does not say what is used, it prints the name and the role', async () => {
  expect(await whoami({ ...caller, until: null }, false)).toBe('ann, role submitter, at SERVER\n');
});
