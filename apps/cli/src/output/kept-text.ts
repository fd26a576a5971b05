import type { FileHandle } from 'node:fs/promises';
import { Spool } from '@orchard/dataset';

/** Letters that are held in memory; beyond them text goes to a temporary file. */
const MOST_HELD = 2 ** 22;

/** Text that is written piece after piece, and read when all of it is there. */
export class KeptText {
  readonly #spool = new Spool('the document');
  #held: string[] = [];
  #letters = 0;
  #file: FileHandle | null = null;

  /** Whether nothing was written. */
  get isEmpty(): boolean {
    return this.#letters === 0 && this.#file === null;
  }

  async add(text: string): Promise<void> {
    this.#held.push(text);
    this.#letters += text.length;
    if (this.#letters < MOST_HELD) return;
    this.#file ??= await this.#spool.create();
    await this.#spool.write(this.#file, Buffer.from(this.#held.join('')));
    this.#held = [];
    this.#letters = 0;
  }

  async *pieces(): AsyncGenerator<string, void> {
    if (this.#file !== null) {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const bytes = this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: 2 ** 18 });
      for await (const chunk of bytes) yield decoder.decode(chunk as Uint8Array, { stream: true });
    }
    yield* this.#held;
  }

  async remove(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    await this.#spool.remove();
  }
}
