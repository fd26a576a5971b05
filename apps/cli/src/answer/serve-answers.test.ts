import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeFrames, encodeFrame, type Document } from '@orchard/questions/answer';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

// the built program: threads run built code
const main = fileURLToPath(new URL('../../program/main.js', import.meta.url));
const folder = temporaryFolder();
const rows = join(folder, 'rows.csv');
const model = join(folder, 'run');
const wide = join(folder, 'wide.csv');

beforeAll(async () => {
  writeFileSync(
    rows,
    `a,b\n${Array.from({ length: 200 }, (_, row) => `${String(row % 7)},${['x', 'y', 'z'][row % 3]!}`).join('\n')}\n`,
  );
  const line = (row: number): string => Array.from({ length: 40 }, (_, column) => (row * (column + 3)) % 11).join(',');
  writeFileSync(wide, `${Array.from({ length: 3000 }, (_, row) => line(row)).join('\n')}\n`);
  expect((await orchard('train', rows, '--rounds', '4', '--no-report', '--quiet', '--out', model)).code).toBe(0);
}, 60_000);

let child: ChildProcessWithoutNullStreams;
afterEach(() => child.kill('SIGKILL'));

function start(): { send: (request: Document) => void; next: () => Promise<Document>; ended: Promise<unknown[]> } {
  child = spawn(process.execPath, [main, 'answer'], { stdio: 'pipe' });
  const frames = decodeFrames(child.stdout);
  return {
    send: (request) => encodeFrame(request).forEach((piece) => child.stdin.write(piece)),
    next: async () => (await frames.next()).value as Document,
    ended: once(child, 'exit'),
  };
}

it('opens a model by its path or its bytes, answers by what it is called, and errors are documents', async () => {
  const { send, next, ended } = start();
  send({ id: 1, operation: 'open', model });
  const opened = (await next()) as { id: number; answer: { model: string; variables: string[] } };
  expect(opened).toMatchObject({ id: 1, answer: { family: 'mixture', variables: ['a', 'b'] } });
  const key = opened.answer.model;
  send({ id: 2, operation: 'open', model: new Uint8Array(readFileSync(join(model, 'network.msgpack'))) });
  expect(await next()).toMatchObject({ id: 2, answer: { model: key } });
  send({ id: 3, operation: 'sample', model: key, count: 2 });
  expect(await next()).toMatchObject({ id: 3, answer: { rows: { count: 2 } } });
  send({ id: 4, operation: 'sample', model: key, count: -2 });
  expect(await next()).toMatchObject({ id: 4, error: { code: 'invalid-contract' } });
  send({ id: 5, operation: 'close', model: key });
  expect(await next()).toEqual({ id: 5, answer: {} });
  send({ id: 6, operation: 'sample', model: key, count: 2 });
  expect(await next()).toMatchObject({ id: 6, error: { code: 'missing', remedy: 'Open it again.' } });
  send({ id: 7, operation: 'fly' });
  expect(await next()).toMatchObject({ id: 7, error: { got: 'the operation "fly"' } });
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

it('trains with progress, and a cancelled run keeps what is done', async () => {
  const { send, next, ended } = start();
  const until = async (key: string): Promise<Document> => {
    for (;;) {
      const document = await next();
      if (key in document) return document;
    }
  };
  send({
    id: 1,
    operation: 'run',
    words: ['train', rows, '--rounds', '3', '--no-report', '--out', join(folder, 'again')],
  });
  expect(await until('progress')).toMatchObject({ id: 1, progress: { state: 'ordering' } });
  expect(await until('answer')).toMatchObject({
    id: 1,
    answer: { network: { path: join(folder, 'again', 'network.msgpack') } },
  });
  send({ id: 2, operation: 'run', words: ['serve', '.'] });
  expect(await until('error')).toMatchObject({ id: 2, error: { got: 'the command "serve"' } });
  const long = join(folder, 'long');
  send({
    id: 3,
    operation: 'run',
    words: ['train', wide, '--rounds', '5000', '--patience', '0', '--no-report', '--out', long],
  });
  await until('progress');
  send({ id: 3, operation: 'cancel' });
  expect(await until('error')).toMatchObject({ id: 3, error: { code: 'interrupted' } });
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
}, 60_000);

it('a question that is cancelled ends at once, and the next is answered', async () => {
  const { send, next } = start();
  send({ id: 1, operation: 'open', model });
  const { answer } = (await next()) as unknown as { answer: { model: string } };
  // minutes of work
  send({ id: 2, operation: 'associations', model: answer.model, rows: 10_000_000 });
  send({ id: 2, operation: 'cancel' });
  expect(await next()).toMatchObject({ id: 2, error: { code: 'interrupted' } });
  send({ id: 3, operation: 'open', model });
  expect(await next()).toMatchObject({ id: 3, answer: { model: answer.model } });
});

it.each(['the end of its standard input', 'SIGTERM'])('ends by %s, whatever is under way', async (by) => {
  const { send, next, ended } = start();
  send({ id: 1, operation: 'open', model });
  const { answer } = (await next()) as unknown as { answer: { model: string } };
  send({ id: 2, operation: 'associations', model: answer.model, rows: 10_000_000 });
  if (by === 'SIGTERM') child.kill('SIGTERM');
  else child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

it('what is no frame ends it with a sentence', async () => {
  const { ended } = start();
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  child.stdin.end('train rows.csv and then some');
  expect(await ended).toEqual([2, null]);
  expect(said).toContain('Write frames as `orchard answer --help` describes them.');
});
