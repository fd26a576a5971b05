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
