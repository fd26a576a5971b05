import { Cells, type ArrayForm } from './cells.js';
import { DatasetError } from '../errors.js';
import type { ReadContext } from '../reading/options.js';
import type { ReadRows } from './row-sink.js';

/** Reads the head of an array file: its form and length once `head` is long enough, until then how long it must be. */
export type HeadReader = (head: Uint8Array, context: ReadContext) => number | { form: ArrayForm; headBytes: number };

/** Reads files that are a header and then nothing but values: NPY and IDX. */
export class ArrayParser {
  #head = new Uint8Array(0);
  #cells: Cells | null = null;

  constructor(
    private readonly context: ReadContext,
    private readonly readHead: HeadReader,
  ) {
    if (context.options.oneHot)
      throw new DatasetError('argument', {
        got: 'one-hot columns',
        expected: 'them with CSV and TSV only',
        where: context.name,
        remedy: `Leave ${context.wordFor('oneHot') || 'the option'} out, or save the data as CSV.`,
      });
  }

  push(chunk: Uint8Array): void {
    if (this.#cells) {
      this.#cells.push(chunk);
      return;
    }
    const head = new Uint8Array(this.#head.length + chunk.length);
    head.set(this.#head);
    head.set(chunk, this.#head.length);
    this.#head = head;
    const result = this.readHead(head, this.context);
    if (typeof result === 'number') return;
    this.#cells = new Cells(this.context, result.form);
    this.#head = new Uint8Array(0);
    if (head.length > result.headBytes) this.#cells.push(head.subarray(result.headBytes));
  }

  end(): ReadRows {
    if (this.#cells) return this.#cells.end();
    throw new DatasetError('truncated', {
      got: `${this.#head.length} bytes`,
      expected: 'a whole header',
      where: this.context.name,
      remedy: 'The file is cut short: write it anew.',
    });
  }
}
