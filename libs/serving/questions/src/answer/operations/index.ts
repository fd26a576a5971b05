import { alarms } from './alarms.js';
import { associations } from './associations.js';
import { complete } from './complete.js';
import { describe } from './describe.js';
import { explain } from './explain.js';
import { importance } from './importance.js';
import { mostProbable } from './most-probable.js';
import type { Operation } from './operation.js';
import { predict } from './predict.js';
import { probabilities } from './probabilities.js';
import { questionsInJson } from './rows-in-json.js';
import { sample } from './sample.js';
import { score } from './score.js';
import { scoreTarget } from './score-target.js';

/** Every question that a model answers, by its name. */
export const operations: Readonly<Record<string, Operation>> = {
  describe,
  score,
  alarms,
  explain,
  sample,
  complete,
  probabilities,
  mostProbable,
  predict,
  scoreTarget,
  associations,
  importance,
  scoreRows: questionsInJson.scoreRows.answer,
  completeRows: questionsInJson.completeRows.answer,
};
