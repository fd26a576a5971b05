import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { RunProgress } from '@orchard/contracts';
import { decodeFrames, encodeFrame, type Document } from '@orchard/questions/answer';

/** What went wrong, in a sentence that says what to do. */
class AnswerError extends Error {}

export interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  readonly onNote?: (note: string) => void;
}

interface Asked extends AskOptions {
  readonly resolve: (answer: Document) => void;
  readonly reject: (error: AnswerError) => void;
}

/** How long a request that was cancelled may go on: training keeps what is done. */
const GRACE_MILLISECONDS = 3_000;

/**
 * `orchard answer` as a process of its own, so that whatever is computed there, this one goes on to answer, and can end
 * it. Started when it is first asked, and again when it has ended.
 */
export class AnsweringProcess {
  readonly #asked = new Map<number, Asked>();
  #child: ChildProcessWithoutNullStreams | null = null;
  #ids = 0;

  /**
   * @param program the command line's own file
   * @param folder relative paths are taken from
   */
  constructor(
    private readonly program: string,
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** @throws AnswerError for what was refused, failed, or was cancelled */
  async ask(operation: string, question: Document, options: AskOptions = {}): Promise<Document> {
    const { signal } = options;
    this.#child ??= this.#start();
    const child = this.#child;
    const id = this.#ids++;
    const send = (document: Document): void => {
      for (const piece of encodeFrame(document)) child.stdin.write(piece);
    };
    let grace: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      send({ id, operation: 'cancel' });
      grace = setTimeout(() => child.kill('SIGKILL'), GRACE_MILLISECONDS);
    };
    try {
      return await new Promise<Document>((resolve, reject) => {
        this.#asked.set(id, { ...options, resolve, reject });
        send({ id, operation, ...question });
        signal?.addEventListener('abort', onAbort);
        if (signal?.aborted === true) onAbort();
      });
    } finally {
      clearTimeout(grace);
      signal?.removeEventListener('abort', onAbort);
      this.#asked.delete(id);
    }
  }

  /** Ends it, with whatever it does. */
  close(): void {
    this.#child?.stdin.end();
    this.#child?.kill('SIGTERM');
    this.#child = null;
  }

  #start(): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [this.program, 'answer'], {
      cwd: this.folder,
      env: this.environment,
      stdio: 'pipe',
    });
    // the end of the process says what a broken pipe would
    child.stdin.on('error', () => undefined);
    let said = '';
    child.stderr.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-2000);
    });
    const fail = (message: string): void => {
      if (this.#child === child) this.#child = null;
      for (const { reject } of this.#asked.values()) reject(new AnswerError(message));
      this.#asked.clear();
    };
    child.once('error', (error) => fail(`The process that computes could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      const cause = said.trim() === '' ? (signal ?? `code ${String(code)}`) : said.trim();
      fail(
        `The process that computes has ended (${cause}). Ask again, for less at a time if its memory was not enough.`,
      );
    });
    void this.#read(child).catch((error: unknown) => {
      fail(`The process that computes could not be understood: ${String(error)}`);
      child.kill('SIGKILL');
    });
    return child;
  }

  async #read(child: ChildProcessWithoutNullStreams): Promise<void> {
    for await (const { id, answer, error, progress, note } of decodeFrames(child.stdout)) {
      const asked = this.#asked.get(id as number);
      if (progress !== undefined) asked?.onProgress?.(progress as RunProgress);
      else if (note !== undefined) asked?.onNote?.(String(note));
      else if (answer !== undefined) asked?.resolve(answer as Document);
      else asked?.reject(new AnswerError((error as { readonly message: string }).message));
    }
  }
}
