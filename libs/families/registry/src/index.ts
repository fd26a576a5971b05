import { chowLiu } from '@orchard/chow-liu';
import { cutset } from '@orchard/cutset';
import { mixture } from '@orchard/mixture';
import { lbarn } from '@orchard/lbarn';
import { marginals } from '@orchard/marginals';
import { Families } from '@orchard/pipeline';
import { sparn } from '@orchard/sparn';
import { tables } from '@orchard/tables';
import { evaluation } from './evaluation.js';
import { papers } from './papers.js';
import { sampling } from './sampling.js';

/**
 * The kinds of models that every program of this release knows. One that is added here is known everywhere. The first
 * that learns bits, and the first that learns tables, is what is trained where none is named.
 */
export const families = new Families([lbarn, tables, marginals, chowLiu, cutset, mixture, sparn], {
  experimental: papers.families,
  // on most sets of tables another one is likelier
  experimentalOfTables: [sparn],
  absent: papers.absent === null ? [] : [papers.absent],
  answers: [sampling, evaluation],
});

/** Runs that ask a model: how they are begun, and what they end in. */
export { samplingOf, slicesOf, sliceName, readSlice, type Slice } from './sampling-specification.js';
export {
  evaluationOf,
  evaluationSchema,
  isEvaluation,
  readEvaluation,
  type Evaluation,
} from './evaluation-specification.js';
export type { ModelOfRun } from './model-of-run.js';

/**
 * What is asked of a table's model by names and labels, and streams, whose models are learned row by row, without a
 * run.
 */
export { restrictionsOf, type Given } from '@orchard/tables';
/** A model of a table's few rows at once, without a run. */
export { treeOfRows } from '@orchard/chow-liu';
export {
  isModelOfStream,
  lossInHindsight,
  OnlineForest,
  stateBytes,
  streamFrom,
  streamOfTable,
  type OnlineStream,
} from '@orchard/online-forest';
export { modelOfStream } from './model-of-stream.js';
