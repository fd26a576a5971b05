import { DatasetError, quote } from '../../errors.js';
import type { TableContext } from '../table-options.js';
import { decoded } from './text-encoding.js';
import { byteOrderMark, checkUtf8, refuseLong } from './text-pieces.js';

const QUOTE = 34;
const BACKSLASH = 92;
const LF = 10;
const COMMA = 44;
const OPENING_LIST = 91;
const CLOSING_LIST = 93;
const OPENING = 123;
const CLOSING = 125;
const SPACE = 32;

/** An object as it is written, and the line on which it begins. */
export interface ObjectText {
  readonly text: string;
  readonly line: number;
}

/**
 * Cuts a list of objects, or objects one after another, whatever lines they lie on. Memory is a chunk and an object.
 */
export async function* cutObjects(
  bytes: AsyncIterable<Uint8Array>,
  context: TableContext,
): AsyncGenerator<readonly ObjectText[], void> {
  const cutter = new ObjectCutter(context);
  for await (const chunk of decoded(bytes, context)) yield cutter.take(chunk);
  cutter.end();
}

class ObjectCutter {
  #line = 1;
  /** Lines that are still to be passed over. */
  #skip: number;
  #isFirst = true;
  /** Brackets that are open, without that of the list. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #list: 'none' | 'open' | 'closed' = 'none';
  /** Of the object at hand, what came in chunks before, and the line on which it begins. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #start = 1;
  #objects = 0;

  constructor(private readonly context: TableContext) {
    this.#skip = context.syntax.skip;
  }

  /** The objects that end in a chunk. */
  take(chunk: Uint8Array): ObjectText[] {
    const found: ObjectText[] = [];
    let at = 0;
    if (this.#isFirst) at = byteOrderMark(chunk);
    this.#isFirst = false;
    /** Where the object at hand begins in this chunk. */
    let from = 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === LF) {
        this.#line++;
        if (this.#skip > 0) this.#skip--;
        continue;
      }
      if (this.#skip > 0) continue;
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (this.#depth === 0) {
        if (!this.#takeBetween(byte, chunk, at)) continue;
        from = at;
        this.#start = this.#line;
        this.#depth = 1;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPENING || byte === OPENING_LIST) this.#depth++;
      else if (byte === CLOSING || byte === CLOSING_LIST) {
        if (--this.#depth > 0) continue;
        found.push(this.#endObject(chunk.subarray(from, at + 1)));
        from = at + 1;
      }
    }
    if (this.#depth > 0) this.#wait(chunk.slice(from));
    return found;
  }

  /** @throws DatasetError with code `truncated` where the text ends within an object or its list */
  end(): void {
    if (this.#depth === 0 && this.#list !== 'open') return;
    throw new DatasetError('truncated', {
      got: this.#depth > 0 ? `an object that does not end, begun on line ${this.#start}` : 'a list that does not end',
      expected: 'whole objects of JSON',
      where: this.context.name,
      remedy: 'Copy the file again, or write it anew.',
    });
  }

  /** What stands between objects. @returns whether an object begins */
  #takeBetween(byte: number, chunk: Uint8Array, at: number): boolean {
    if (byte <= SPACE) return false;
    if (byte === OPENING && this.#list !== 'closed') return true;
    if (byte === OPENING_LIST && this.#list === 'none' && this.#objects === 0) this.#list = 'open';
    else if (byte === CLOSING_LIST && this.#list === 'open') this.#list = 'closed';
    else if (byte !== COMMA || this.#list !== 'open')
      throw new DatasetError('format', {
        got: quote(
          Buffer.from(chunk.subarray(at, at + 60))
            .toString('utf8')
            .split('\n', 1)[0]!,
        ),
        expected: 'an object for each row, as {"age": 31, "city": "Kiel"}: one per line, or in a list',
        where: `${this.context.name}, line ${this.#line}`,
        remedy: 'Write JSON with df.to_json("table.json", orient="records").',
      });
    return false;
  }

  #endObject(last: Uint8Array): ObjectText {
    this.#wait(last);
    const bytes = this.#waiting.length === 1 ? Buffer.from(this.#waiting[0]!) : Buffer.concat(this.#waiting);
    checkUtf8(bytes, this.context, this.#start);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#objects++;
    return { text: bytes.toString('utf8'), line: this.#start };
  }

  #wait(part: Uint8Array): void {
    this.#waiting.push(part);
    this.#waitingBytes += part.length;
    if (this.#waitingBytes > this.context.maxLineBytes) refuseLong(this.context, this.#start);
  }
}
