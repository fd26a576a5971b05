// What a program answers that another one asks, frame by frame: `orchard answer`, which Python runs.
export { answerInThread } from './answer-in-thread.js';
export { errorAnswer, type ErrorAnswer } from './answer-question.js';
export { decodeFrames, encodeFrame, type Document } from './frames.js';
export { type ReadModel } from './kept-models.js';
export { operations } from './operations/index.js';
export { type Operation } from './operations/operation.js';
export { questionsInJson, type QuestionInJson } from './operations/rows-in-json.js';
export { type Ended } from './questions.js';
export { serveAnswers, type Answering, type AnswerStream } from './serve-answers.js';
