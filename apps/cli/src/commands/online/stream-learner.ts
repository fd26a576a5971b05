import type { OnlineStream } from '@orchard/registry';
import { UsageError } from '../../output/errors.js';
import { readLine, type StreamLine } from './rows-of-lines.js';
import { RowsOfTable } from './rows-of-table.js';

/** Learns a stream line by line. Rows of 0 and 1 begin it where it is none yet: the first one has its columns. */
export class StreamLearner {
  stream: OnlineStream | null;
  names: readonly string[] | null;
  readonly #ofTable: RowsOfTable | null;
  #line = 0;
  #recent = 0;

  constructor(
    stream: OnlineStream | null,
    private readonly begin: (columns: number, names: readonly string[] | null) => OnlineStream,
  ) {
    this.stream = stream;
    this.names = stream?.names ?? null;
    this.#ofTable = stream?.table === undefined ? null : new RowsOfTable(stream.table);
  }

  get isOfTable(): boolean {
    return this.#ofTable !== null;
  }

  /** @returns the stream; null of a line of names, or of nothing */
  learn(text: string): OnlineStream | null {
    const read = this.#read(text, ++this.#line);
    if (read === null) return null;
    if ('names' in read) {
      if (this.#ofTable === null) this.names = headOf(read.names, this.stream);
      return null;
    }
    this.stream ??= this.begin(read.values.length, this.names);
    this.#recent += this.stream.forest.learn(read.values);
    return this.stream;
  }

  /** What the rows since this was asked before cost, nats. */
  takeRecent(): number {
    const recent = this.#recent;
    this.#recent = 0;
    return recent;
  }

  #read(text: string, line: number): StreamLine | null {
    return this.#ofTable === null
      ? readLine(text, line, this.stream?.forest.dimensions ?? this.names?.length ?? null)
      : this.#ofTable.read(text, line);
  }
}

/** The names in the first line: those of the rows before, where there were rows before. */
function headOf(names: readonly string[], stream: OnlineStream | null): readonly string[] {
  if (
    stream === null ||
    (stream.names?.length === names.length && names.every((name, at) => name === stream.names![at]))
  )
    return names;
  throw new UsageError({
    got: `the columns ${names.slice(0, 5).join(', ')}`,
    expected: stream.names === null ? 'no names, as before' : `${stream.names.slice(0, 5).join(', ')}, as before`,
    where: 'standard input, line 1',
    remedy: 'Give the same columns in the same order, or another folder to begin anew.',
  });
}
