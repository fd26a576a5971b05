import { parentPort } from 'node:worker_threads';
import { answerQuestion, errorAnswer } from './answer-question.js';
import type { Document } from './frames.js';
import { KeptModels, type ReadModel } from './kept-models.js';

/**
 * What the thread does that models are asked in: it answers one question at a time, and is ended where one is
 * cancelled, whatever it is doing.
 */
export function answerInThread(readModel: ReadModel): void {
  const models = new KeptModels(readModel);
  parentPort!.on('message', (question: Document) => {
    const { operation, ...asked } = question;
    const onProgress = (progress: object): void => parentPort!.postMessage({ progress });
    void answerQuestion(String(operation), asked, models, onProgress).then(
      (answer) => parentPort!.postMessage({ answer }),
      (error: unknown) => parentPort!.postMessage({ error: errorAnswer(error) }),
    );
  });
}
