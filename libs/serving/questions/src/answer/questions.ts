import { Worker } from 'node:worker_threads';
import type { Document } from './frames.js';

/** What a question ends in: an answer, or an error. */
export type Ended = { readonly answer: Document } | { readonly error: Document };

/** What the thread says of a question: how far it is, or how it ended. */
type Said = Ended | { readonly progress: Document };

interface Asked {
  readonly id: unknown;
  readonly question: Document;
  readonly onProgress: (progress: Document) => void;
  readonly end: (ended: Ended) => void;
}

const cancelled: Ended = {
  error: {
    code: 'interrupted',
    message: 'The question was cancelled.',
    got: 'cancel',
    expected: null,
    where: null,
    remedy: null,
  },
};

/**
 * Asks models in a thread of their own, one question at a time, so that each can be cancelled however long it takes:
 * the thread is ended then, and the models that were open in it have to be opened again.
 */
export class Questions {
  readonly #waiting: Asked[] = [];
  #current: Asked | null = null;
  #worker: Worker | null = null;

  /** @param thread a module that calls `answerInThread` */
  constructor(private readonly thread: URL) {}

  /** Starts the thread, which takes a while, before anything is asked. */
  warm(): void {
    this.#worker ??= this.#start();
  }

  ask(id: unknown, question: Document, onProgress: (progress: Document) => void): Promise<Ended> {
    return new Promise((end) => {
      this.#waiting.push({ id, question, onProgress, end });
      this.#next();
    });
  }

  /** Ends a question that was not answered yet; of others nothing happens. */
  cancel(id: unknown): void {
    const place = this.#waiting.findIndex((asked) => asked.id === id);
    if (place >= 0) this.#waiting.splice(place, 1)[0]!.end(cancelled);
    if (this.#current?.id !== id) return;
    this.#settle(cancelled);
    void this.close().then(() => this.#next());
  }

  /** Ends the thread, with whatever it does. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    this.warm();
    this.#current = this.#waiting.shift()!;
    this.#worker!.postMessage(this.#current.question);
  }

  #settle(ended: Ended): void {
    const asked = this.#current;
    this.#current = null;
    asked?.end(ended);
  }

  #start(): Worker {
    // no arguments of this process: tests resolve packages by a condition under which built code must not run, and no
    // stack leaves the thread, so that source maps would be read for nothing at each start
    const worker = new Worker(this.thread, { execArgv: [], name: 'orchard-questions' });
    let cause = 'it ended';
    worker.on('message', (said: Said) => {
      if (worker !== this.#worker) return;
      if ('progress' in said) {
        this.#current?.onProgress(said.progress);
        return;
      }
      this.#settle(said);
      this.#next();
    });
    worker.on('error', (error) => {
      cause = error.message;
    });
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      // its memory was not enough, for one: what waits is asked of another
      this.#worker = null;
      const message = `The thread that answers could not go on: ${cause}.`;
      this.#settle({ error: { code: null, message, got: null, expected: null, where: null, remedy: null } });
      this.#next();
    });
    return worker;
  }
}
