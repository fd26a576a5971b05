import { keepThreads } from '@orchard/pipeline';
import { decodeFrames, encodeFrame, type Document } from './frames.js';
import { Questions, type Ended } from './questions.js';

/** Where answers go: a stream that says when it is full. */
export interface AnswerStream {
  write(bytes: Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** What answers ask for of the program that they are a part of. */
export interface Answering {
  /** A module that calls `answerInThread`. */
  readonly thread: URL;
  /** Runs a command of the command line. @param onNote what it would write to standard error */
  readonly run: (
    words: readonly string[],
    caller: { readonly signal: AbortSignal; readonly onProgress: (progress: object) => void },
    onNote: (text: string) => void,
  ) => Promise<Ended>;
}

/** How long a thread waits for the next run: searches over options and cross-validation train one after another. */
const threadMilliseconds = 10_000;

/**
 * Answers the frames of `input` until it ends: questions to models in a thread, commands in this one. What is under way
 * then, or when `signal` is aborted, is stopped.
 *
 * A request has an `id`, which comes back with its answer, and an `operation`: `run` with `words`, a command; `cancel`
 * with the `id` of a request, which gets no answer of its own; else what `answerQuestion` knows.
 *
 * @throws Refusal for what is not a frame: nothing that follows can be understood
 */
export async function serveAnswers(
  input: AsyncIterable<Uint8Array>,
  output: AnswerStream,
  signal: AbortSignal,
  { thread, run }: Answering,
): Promise<void> {
  const questions = new Questions(thread);
  const running = new Map<unknown, { readonly controller: AbortController; readonly ended: Promise<void> }>();
  let writing = Promise.resolve();
  /** Frames are written whole, one after another, no faster than they are read. */
  const send = (document: Document): void => {
    writing = writing.then(async () => {
      for (const piece of encodeFrame(document))
        if (!output.write(piece)) await new Promise<void>((resolve) => output.once('drain', resolve));
    });
  };
  const start = (id: unknown, words: readonly string[]): void => {
    const controller = new AbortController();
    const onProgress = (progress: object): void => send({ id, progress });
    const onNote = (note: string): void => send({ id, note });
    const ended = run(words, { signal: controller.signal, onProgress }, onNote).then((result: Ended) => {
      running.delete(id);
      send({ id, ...result });
    });
    running.set(id, { controller, ended });
  };
  const stop = (): void => {
    for (const { controller } of running.values()) controller.abort();
  };
  questions.warm();
  keepThreads(threadMilliseconds);
  try {
    for await (const { id, operation, ...question } of untilAborted(decodeFrames(input), signal)) {
      if (operation === 'cancel') {
        running.get(id)?.controller.abort();
        questions.cancel(id);
      } else if (operation === 'run') start(id, Array.isArray(question['words']) ? question['words'].map(String) : []);
      else {
        const onProgress = (progress: Document): void => send({ id, progress });
        void questions.ask(id, { operation, ...question }, onProgress).then((ended) => send({ id, ...ended }));
      }
    }
  } finally {
    stop();
    await Promise.all([questions.close(), ...[...running.values()].map(({ ended }) => ended)]);
    await writing;
  }
}

/** The documents until the signal is aborted, and no longer. */
async function* untilAborted(
  documents: AsyncGenerator<Document, void>,
  signal: AbortSignal,
): AsyncGenerator<Document, void> {
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    if (signal.aborted) resolve({ done: true, value: undefined });
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }));
  });
  for (;;) {
    const { done, value } = await Promise.race([documents.next(), aborted]);
    if (done === true) return;
    yield value;
  }
}
