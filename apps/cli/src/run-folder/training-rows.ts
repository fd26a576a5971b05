import { dirname } from 'node:path';
import type { BitMatrix } from '@orchard/dataset';
import { loadDataset } from '@orchard/pipeline';
import type { Terminal } from '../output/terminal.js';
import { storeBeside } from './store-beside.js';
import { summaryIn } from './summary-in.js';

/**
 * Finds out whether rows, read part by part, are those that trained a model: whether they hold all of its training
 * rows, in their order. The rows are compared as the model reads them, so that a file is recognised in any format.
 */
export class TrainingRowsFinder {
  /** Training rows that were met so far. */
  #met = 0;

  constructor(private readonly training: BitMatrix) {}

  /** Of the model in this file; null where the file does not lie in the folder of its run. */
  static async beside(networkFile: string): Promise<TrainingRowsFinder | null> {
    const training = await trainingRowsBeside(networkFile);
    return training === null ? null : new TrainingRowsFinder(training);
  }

  see({ rows, dimensions, stride, bytes }: BitMatrix): void {
    const { training } = this;
    if (dimensions !== training.dimensions || stride !== training.stride) return;
    // a row that weighed more than one stands there so often, and once in the file
    for (let row = 0; row < rows; row++) while (this.#isNext(bytes, row * stride)) this.#met++;
  }

  /** Whether the row whose bytes begin here is the training row that is met next. */
  #isNext(bytes: Uint8Array, here: number): boolean {
    const { rows, stride, bytes: trained } = this.training;
    if (this.#met === rows) return false;
    const there = this.#met * stride;
    let at = 0;
    while (at < stride && bytes[here + at] === trained[there + at]) at++;
    return at === stride;
  }

  get hasMetAll(): boolean {
    return this.#met === this.training.rows;
  }
}

/** The training rows of the model in this file; null where it does not lie in the folder of its run. */
export async function trainingRowsBeside(networkFile: string): Promise<BitMatrix | null> {
  const summary = await summaryIn(dirname(networkFile));
  try {
    const store = await storeBeside(networkFile);
    return summary === null || store === null ? null : await loadDataset(store, summary.dataset.sha256);
  } catch {
    // what cannot be read of a run keeps nothing from being scored
    return null;
  }
}

/** Warns where rows are judged by a model that learned from them. @param withScores whether outliers are asked for */
export function warnOfTrainingRows(
  finder: TrainingRowsFinder | null,
  file: string,
  withScores: boolean,
  terminal: Terminal,
): void {
  if (finder?.hasMetAll !== true) return;
  const advice = withScores
    ? `so their scores are too low. \`orchard outliers ${file}\` scores each row by a model that did not learn from it.`
    : 'so they are too likely by it. Give others, or train with --test-fraction 0.1 for figures of rows that it never saw.';
  terminal.note(`orchard: the model learned from these rows, ${advice}`);
}
