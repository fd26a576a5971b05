// The thread of `orchard answer` that models are asked in. It is ended where a question is cancelled, whatever it is
// doing.
import { parentPort } from 'node:worker_threads';
import { answerQuestion, errorAnswer } from './answer/answer-question.js';
import type { Document } from './answer/frames.js';
import { KeptModels } from './answer/kept-models.js';

const models = new KeptModels();

/** Questions come one at a time: the next when this one is answered. */
parentPort!.on('message', (question: Document) => {
  const { operation, ...asked } = question;
  void answerQuestion(String(operation), asked, models).then(
    (answer) => parentPort!.postMessage({ answer }),
    (error: unknown) => parentPort!.postMessage({ error: errorAnswer(error) }),
  );
});
