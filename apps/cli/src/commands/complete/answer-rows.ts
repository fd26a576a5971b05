import type { CompleteDocument } from './complete-document.js';
import type { Answering, Given } from './answering.js';
import type { CompleteTableOptions } from './complete.js';
import { mostProbableOf } from './most-probable.js';
import { pointsOf } from './points.js';
import { probabilitiesOf } from './probabilities.js';
import { samplesOf } from './samples.js';

/** What is asked for, for people and for programs. */
export function answerOf({ probabilities, mostProbable, point, points, interval }: CompleteTableOptions): {
  readonly words: string;
  readonly name: CompleteDocument['answer'];
} {
  if (probabilities === true) return { words: 'probabilities', name: 'probabilities' };
  if (mostProbable === true) return { words: 'most probable values', name: 'most probable values' };
  if (interval !== undefined) return { words: `intervals of ${String(interval)}`, name: 'intervals' };
  if (points !== undefined) return { words: 'points', name: 'points' };
  return point === undefined ? { words: 'samples', name: 'samples' } : { words: `${point}s`, name: 'points' };
}

/** Answers what is asked for, some rows after others. */
export function answeringOf(given: Given): Answering {
  const { probabilities, mostProbable, point, points, interval } = given.options;
  if (probabilities === true) return probabilitiesOf(given);
  if (mostProbable === true) return mostProbableOf(given);
  if (point !== undefined || points !== undefined || interval !== undefined) return pointsOf(given);
  return samplesOf(given);
}
