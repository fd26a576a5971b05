import { expect, test } from 'vitest';
import { linesOfStream } from './lines-of-stream.js';

async function linesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOfStream(chunks as AsyncIterable<Uint8Array>)) lines.push(line);
  return lines;
}

test.each([1, 2, 3, 5, 100])('lines are the same in chunks of %i bytes, whatever ends them', async (size) => {
  const bytes = new TextEncoder().encode('größe,b\r\n0,1\n\n1,0\r0,0\r\n1,1');
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  expect(await linesOf(chunks)).toEqual(['größe,b', '0,1', '', '1,0', '0,0', '1,1']);
  expect(await linesOf([...chunks, Uint8Array.of(13)])).toHaveLength(6);
});

test('a text without ends of lines is refused before it fills the memory', async () => {
  let chunks = 0;
  function* endless(): Generator<Uint8Array> {
    yield new TextEncoder().encode('0,1\n');
    while (++chunks < 100) yield new Uint8Array(2 ** 20).fill(48);
  }
  await expect(linesOf(endless())).rejects.toThrow(/line 2: got more than 16777216 characters/);
  expect(chunks).toBe(17);
});
