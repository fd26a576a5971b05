import { Refusal } from '@orchard/refusal';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from './create-log.js';

const password = 'a-valid-password';

function logged(fields: object): string {
  const lines: string[] = [];
  createLog('worker', 'info', { write: (line) => void lines.push(line) }).warn(fields, 'the queue');
  return lines.join('');
}

/** As the client of Redis makes one. */
function refused(message: string): Error {
  const command = { name: 'hello', args: ['3', 'AUTH', 'default', password] };
  return Object.assign(new Error(message), { name: 'ReplyError', command });
}

test.each(['err', 'error'])(
  'an error in %s comes with its words and causes, and without the command that failed',
  (key) => {
    const cause = refused('ERR max number of clients reached');
    const error = new Refusal(
      'unreachable',
      { got: 'no answer', expected: 'one', where: 'redis:6379', remedy: 'Start it.' },
      { cause: new Error('in between', { cause }) },
    );
    const line = logged({ [key]: error });
    expect(line).not.toContain(password);
    expect(JSON.parse(line)).toMatchObject({
      [key]: {
        code: 'unreachable',
        where: 'redis:6379',
        cause: { message: 'in between', cause: { type: 'ReplyError' } },
      },
    });
    expect(line).toContain('max number of clients');
  },
);

test('what a server repeats of a command is not in the message, nor in the stack', () => {
  const line = logged({ err: refused(`ERR unknown command 'AUTH', with args beginning with: '${password}' `) });
  expect(line).toContain("unknown command 'AUTH'");
  expect(line).not.toContain(password);
});

test('what is called like a secret is left out', () => {
  expect(logged({ headers: { authorization: `Bearer ${password}` }, error: 'a text' })).not.toContain(password);
});

test('the stack of an error points into the sources, without a flag of Node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-built-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const built = join(folder, 'main.js');
  // the first character of the built file is the first of line 1 of the source
  const map = { version: 3, sources: ['src/take.ts'], names: [], mappings: 'AAAA' };
  await writeFile(`${built}.map`, JSON.stringify(map));
  const error = new Error('full');
  error.stack = `Error: full\n    at take (${pathToFileURL(built).href}:1:1)`;
  const { err } = JSON.parse(logged({ err: error })) as { err: { stack: string } };
  expect(err.stack).toBe(`Error: full\n    at take (${join(folder, 'src/take.ts')}:1:1)`);
});
