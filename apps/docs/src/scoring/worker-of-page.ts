import type { Question, Reply } from './messages.js';

/** The worker of a page, which is begun anew to stop what it does. */
export class WorkerOfPage {
  #worker: Worker | null = null;

  constructor(
    private readonly url: string,
    private readonly onReply: (reply: Reply) => void,
  ) {}

  ask(question: Question): void {
    this.start().postMessage(question);
  }

  /** Ends it with all that it holds. */
  stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.url, { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (this.#worker === worker) this.onReply(data);
    });
    worker.addEventListener('error', () => {
      const problem = 'The script that scores rows could not be loaded, or the browser ended it for want of memory.';
      this.onReply({ reply: 'refused', of: 'model', refused: { problem, remedy: 'Load the page again.' } });
    });
    this.#worker = worker;
    return worker;
  }
}
