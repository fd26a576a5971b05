import { Refusal } from '@orchard/refusal';

/** Numbers or bytes that travel behind a document's JSON, as they lie in memory (little-endian). */
export type Part = Uint8Array | Int32Array | Float64Array;

/** What a frame carries: JSON in which any value may be a {@link Part}. */
export type Document = Readonly<Record<string, unknown>>;

/** A larger frame is refused before it is read: what one message may take of the memory. */
export const MOST_FRAME_BYTES = 2 ** 30;

/** Two numbers of 32 bits: the bytes of the JSON, and those of the parts behind it. */
const PREFIX_BYTES = 8;
/** Parts begin at multiples of it, so that they can be read as they lie. */
const ALIGNMENT = 8;

const kinds = { uint8: Uint8Array, int32: Int32Array, float64: Float64Array } as const;
type Kind = keyof typeof kinds;

/** The bytes of a frame, in pieces that are written one after another. */
export function encodeFrame(document: Document): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let end = 0;
  const text = JSON.stringify(document, (_, value: unknown) => {
    const kind = kindOf(value);
    if (kind === null) return value;
    const part = value as Part;
    const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
    const offset = end;
    const padding = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
    parts.push(bytes, new Uint8Array(padding));
    end += bytes.length + padding;
    return { $part: [kind, offset, bytes.length] };
  });
  const json = Buffer.from(text);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(json.length, 0);
  prefix.writeUInt32LE(end, 4);
  return [prefix, json, ...parts.filter(({ length }) => length > 0)];
}

function kindOf(value: unknown): Kind | null {
  if (value instanceof Float64Array) return 'float64';
  if (value instanceof Int32Array) return 'int32';
  return value instanceof Uint8Array ? 'uint8' : null;
}

/** The documents of a stream of frames. @throws Refusal for what is not a frame, or ends within one */
export async function* decodeFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Document, void> {
  const reader = new BytesReader(input);
  for (;;) {
    const prefix = await reader.take(PREFIX_BYTES);
    if (prefix === null) return;
    const view = new DataView(prefix.buffer, prefix.byteOffset);
    const [jsonBytes, partBytes] = [view.getUint32(0, true), view.getUint32(4, true)];
    if (jsonBytes + partBytes > MOST_FRAME_BYTES)
      throw noFrame(`a frame of ${String(jsonBytes + partBytes)} bytes`, `at most ${String(MOST_FRAME_BYTES)}`);
    const json = await reader.take(jsonBytes);
    const parts = await reader.take(partBytes);
    if (json === null || parts === null) throw noFrame('an end within a frame', 'whole frames');
    yield documentOf(json, parts);
  }
}

function documentOf(json: Uint8Array, parts: Uint8Array): Document {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder().decode(json), (_, value: unknown) => partIn(value, parts) ?? value);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw noFrame('a frame without JSON', 'JSON behind the 8 bytes that begin a frame');
  }
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as Document;
  throw noFrame('a frame that is not an object', 'a JSON object');
}

/** The part that a value stands for; null where it stands for itself. */
function partIn(value: unknown, parts: Uint8Array): Part | null {
  if (typeof value !== 'object' || value === null || !('$part' in value)) return null;
  const [kind, offset, length] = value.$part as [Kind, number, number];
  const Numbers = kinds[kind];
  const isWithin = Number.isInteger(offset) && offset >= 0 && offset + length <= parts.length;
  if (Numbers === undefined || !isWithin || length % Numbers.BYTES_PER_ELEMENT !== 0)
    throw noFrame('a part that lies outside its frame', 'parts as [kind, offset, bytes], kind uint8, int32 or float64');
  // a copy: the frame's bytes may begin anywhere, and numbers have to be aligned
  return new Numbers(new Uint8Array(parts.subarray(offset, offset + length)).buffer);
}

function noFrame(got: string, expected: string): Refusal {
  return new Refusal('format', {
    got,
    expected,
    where: 'standard input',
    remedy: 'Write frames as `orchard answer --help` describes them.',
  });
}

/** Takes so many bytes at a time from chunks of any size. */
class BytesReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #size = 0;

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  /**
   * The next bytes; null where the stream ends before the first of them.
   *
   * @throws Refusal where it ends within them
   */
  async take(length: number): Promise<Uint8Array | null> {
    while (this.#size < length) {
      const { value, done } = await this.#chunks.next();
      if (done === true) {
        if (this.#size === 0) return null;
        throw noFrame('an end within a frame', 'whole frames');
      }
      this.#held.push(value);
      this.#size += value.length;
    }
    const all = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held);
    this.#held = [all.subarray(length)];
    this.#size -= length;
    return all.subarray(0, length);
  }
}
