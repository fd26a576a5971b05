import { expect, it } from 'vitest';
import { decodeFrames, encodeFrame, MOST_FRAME_BYTES, type Document } from './frames.js';

const bytesOf = (...documents: readonly Document[]): Buffer => Buffer.concat(documents.flatMap(encodeFrame));

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function decoded(bytes: Uint8Array, length = bytes.length): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of decodeFrames(inPieces(bytes, length))) documents.push(document);
  return documents;
}

const documents = [
  { id: 1, rows: { count: 3, bits: Uint8Array.of(0, 1, 2), numbers: Float64Array.of(1.5, NaN, -Infinity) } },
  { id: 'zwei', places: Int32Array.of(-1, 7), list: [1, null, 'é\n'] },
  {},
];

it.each([1, 3, 1000])('documents come out as they went in, in pieces of %d bytes', async (length) => {
  expect(await decoded(bytesOf(...documents), length)).toEqual(documents);
});

it('what is no frame is refused in a sentence', async () => {
  const whole = bytesOf({ id: 1 });
  const prefix = (json: number, parts: number): Buffer => Buffer.from(Uint32Array.of(json, parts).buffer);
  await expect(decoded(whole.subarray(0, 12))).rejects.toThrow('got an end within a frame, expected whole frames');
  await expect(decoded(prefix(MOST_FRAME_BYTES, 1))).rejects.toThrow('bytes, expected at most 1073741824');
  await expect(decoded(Buffer.concat([prefix(3, 0), Buffer.from('abc')]))).rejects.toThrow('a frame without JSON');
  await expect(decoded(Buffer.concat([prefix(2, 0), Buffer.from('[]')]))).rejects.toThrow(
    'a frame that is not an object',
  );
  const outside = Buffer.from('{"x":{"$part":["float64",0,16]}}');
  await expect(decoded(Buffer.concat([prefix(outside.length, 8), outside, Buffer.alloc(8)]))).rejects.toThrow(
    'a part that lies outside its frame',
  );
});
