import { ExitCode } from '@orchard/refusal';
import { serverOfTest } from '@orchard/storage/testing';
import { Command } from 'commander';
import { beforeEach, expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addDeleteCommand } from './delete.js';

const [mine, others, alike] = [`aaaa${'1'.repeat(60)}`, `bbbb${'2'.repeat(60)}`, `aaaa${'3'.repeat(60)}`];
const run = (id: string): object => ({
  id,
  state: 'done',
  submittedAt: '2026-01-01T00:00:00Z',
  choice: {},
  reason: null,
});
const detail = '"bob" may not delete a run of "ann".';

let url: string;
let asked: string[];
let isAway: boolean;
beforeEach(async () => {
  asked = [];
  isAway = false;
  url = await serverOfTest((request, response) => {
    asked.push(`${request.method!} ${request.url!}`);
    const answer = (status: number, document: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
    };
    if (request.method === 'GET') answer(200, { runs: [mine, others, alike].map(run), next: null });
    else if (isAway) answer(503, { detail: 'Later.', code: 'unavailable', status: 503 });
    else if (request.url!.endsWith(others)) {
      answer(403, { detail, code: 'forbidden', status: 403, got: 'a', expected: 'b', remedy: 'c' });
    } else response.writeHead(204).end();
  });
});

async function remove(...runs: string[]): Promise<{ document: unknown; complaints: string; exitCode: number }> {
  let output = '';
  let complaints = '';
  const terminal = new Terminal(
    { json: true, quiet: true },
    { write: (text) => (output += text) },
    { write: (text) => (complaints += text) },
  );
  const program = new Command();
  addDeleteCommand(program, terminal);
  await program.parseAsync(['delete', '--server', url, ...runs], { from: 'user' });
  return { document: JSON.parse(output), complaints, exitCode: terminal.exitCode };
}

test('orchard delete deletes each run once, by an id or its first digits', async () => {
  const { document, exitCode } = await remove('aaaa1', mine, alike);
  expect(document).toEqual({ deleted: [mine, alike], refused: [] });
  expect(exitCode).toBe(ExitCode.done);
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual([
    `DELETE /v1/runs/${mine}`,
    `DELETE /v1/runs/${alike}`,
  ]);
});

test("another's run is kept with the coordinator's reason, the others are deleted, and the command fails", async () => {
  const { document, complaints, exitCode } = await remove(others, mine);
  expect(document).toEqual({ deleted: [mine], refused: [{ id: others, code: 'forbidden', message: detail }] });
  expect(complaints).toContain(`run ${others} is kept: ${detail}`);
  expect(exitCode).toBe(ExitCode.badInput);
});

test('a name that stands for no run, or for two, deletes none', async () => {
  await expect(remove(mine, 'aaaa')).rejects.toThrow('Give more digits: 2 runs begin so.');
  await expect(remove(mine, 'cccc')).rejects.toThrow('orchard runs lists them');
  expect(asked.filter((one) => one.startsWith('DELETE'))).toEqual([]);
});

test('a coordinator that is away ends the command at the first run', async () => {
  isAway = true;
  await expect(remove(mine, alike)).rejects.toThrow('Later.');
  expect(asked.filter((one) => one.startsWith('DELETE'))).toHaveLength(1);
});
