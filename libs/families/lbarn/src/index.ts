export { choiceName, lbarnNames } from './artefacts/artefacts.js';
export { assemble, type Assembled } from './artefacts/assemble.js';
export {
  decodeConditional,
  decodeCurves,
  type StoredConditional,
  type StoredCurves,
} from './artefacts/conditional-codec.js';
export { lbarnRun, type LbarnRun } from './run/lbarn-run.js';
export { settledRun } from './tuning/settled-run.js';
export { lbarn } from './lbarn.js';
export { informedOrderings } from './members/informed-orderings.js';
export { memberRun } from './members/member-run.js';
export { planRefit, refitDimension, type RefitPlan } from './training/refit-dimension.js';
export { resolveRun } from './run/resolve-run.js';
export { readCurves, readSelections, selectRounds, type Selections } from './selection/select-rounds.js';
export { trainDimension, type DimensionHooks, type TrainingPorts } from './training/train-dimension.js';
export {
  trainerBy,
  trainerHere,
  type ConditionalOutcome,
  type ConditionalTask,
  type Trainer,
} from './training/trainer.js';
export { arrangeTrainingData } from './training/training-data.js';
export { select, type SelectionOptions } from './selection/select.js';
export { selectionMethods, type Selection, type SelectionMethod, type SelectionPath } from './selection/selection.js';
export type { DimensionCurves } from './selection/curves.js';
