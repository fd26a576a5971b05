import { serverOfTest } from '@orchard/storage/testing';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { addSubmitCommand } from './submit.js';

test('a token that is refused is known before rows are read', async () => {
  const asked: (string | undefined)[] = [];
  const problem = {
    ...{ detail: 'Got no token, expected one.', code: 'unauthorized', status: 401 },
    ...{ got: 'no token', expected: 'one', remedy: 'Log in.' },
  };
  const server = await serverOfTest(({ url }, response) => {
    asked.push(url);
    response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(problem));
  });
  const silent = { write: () => true };
  const program = new Command();
  addSubmitCommand(program, new Terminal({ json: true, quiet: true }, silent, silent));
  const submitting = program.parseAsync(['submit', '/no/such/rows.csv', '--server', server], { from: 'user' });
  await expect(submitting).rejects.toThrow(problem.detail);
  expect(asked).toEqual(['/v1/caller']);
});

test('a reading is asked for again where the coordinator is without its store for a while, which is said', async () => {
  const id = 'f'.repeat(32);
  const alike = { id, source: 's3://lake/a.csv', progress: null, waits: null, answer: null };
  const waiting = { ...alike, state: 'waiting', refusal: null };
  const refusal = { code: 'source', got: 'rows of the test', expected: 'others', remedy: 'None.' };
  const away = { detail: 'Object storage does not answer.', code: 'unavailable', status: 503 };
  const readings: [number, object][] = [
    [503, away],
    [503, away],
    [200, { ...alike, state: 'failed', refusal }],
  ];
  const server = await serverOfTest(({ method, url }, response) => {
    const [status, document] =
      url === '/v1/caller'
        ? [200, { name: 'ann', role: 'submitter', way: 'token', until: null }]
        : method === 'POST'
          ? [202, waiting]
          : readings.shift()!;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  });
  const said: string[] = [];
  const program = new Command();
  const terminal = new Terminal(
    { json: false, quiet: false },
    { write: () => true },
    { write: (t) => said.push(t) > 0 },
  );
  addSubmitCommand(program, terminal);
  const submitting = program.parseAsync(['submit', 's3://lake/a.csv', '--server', server], { from: 'user' });
  await expect(submitting).rejects.toThrow('rows of the test');
  const notes = said.filter((text) => text.includes('The reading goes on'));
  expect(notes).toEqual([expect.stringContaining('Object storage does not answer.')]);
});
