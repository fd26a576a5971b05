// Reads, scores and explains beside the page, so that it goes on to answer while that takes time.
import type { DensityModel } from '@orchard/model';
import { droppedFile } from './dropped-file.js';
import type { Question, Reply } from './messages.js';
import { describeModel, openModelFile } from './open-model-file.js';
import { RefusedFile, refusedOf } from './refused-file.js';
import { scoreRows, type ScoredFile } from './score-rows.js';

let model: DensityModel | null = null;
let scored: ScoredFile | null = null;

/** Progress is reported so often at most, in milliseconds. */
const EVERY = 100;

async function answer(question: Question): Promise<Reply> {
  switch (question.ask) {
    case 'model':
      model = null;
      scored = null;
      model = await openModelFile(question.file);
      return { reply: 'model', model: describeModel(model, question.file.name) };
    case 'rows':
      scored = await score(question.file);
      return { reply: 'rows', scored: scored.shown };
    case 'some':
      return { reply: 'some', from: question.from, some: scored!.some(question.from, question.count) };
    case 'list':
      return { reply: 'list', csv: scored!.list() };
  }
}

async function score(file: File): Promise<ScoredFile> {
  if (model === null) throw new RefusedFile('There is no model.', 'Open one first.');
  let stage: 'scoring' | 'explaining' = 'scoring';
  let last = 0;
  const tell = (bytes: number): void => {
    if (performance.now() - last < EVERY) return;
    last = performance.now();
    postMessage({ reply: 'progress', stage, share: bytes / file.size } satisfies Reply);
  };
  return scoreRows(model, await droppedFile(file, tell), () => {
    stage = 'explaining';
    last = 0;
    tell(0);
  });
}

/** One after another: a question may follow before the one before it is answered. */
let before: Promise<void> = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  before = before.then(async () => {
    try {
      postMessage(await answer(data));
    } catch (error) {
      postMessage({ reply: 'refused', of: data.ask, refused: refusedOf(error) } satisfies Reply);
    }
  });
});
