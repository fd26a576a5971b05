export { associationsIn, type Associations } from './associations/associations-in.js';
export { rungsOf, secondsOf, type Rung, type TrainedRung } from './budget/rungs.js';
export {
  trainWithin,
  type Budget,
  type BudgetFacts,
  type OnRung,
  type RungFacts,
  type Watched,
} from './budget/train-within.js';
export { checkTable, type CheckedTable, type CheckOptions } from './check/check-table.js';
export { SAMPLED_FOR_THRESHOLD, usualCells, type UsualAsked, type UsualCells } from './check/find-cells.js';
export { findDrift, type ColumnDrift } from './check/drift.js';
export { type Scored } from './check/find-cells.js';
export { type SuspectCell } from './check/suspect-cell.js';
export { classify, posterior, type Classified, type ClassModel } from './classify/classify-rows.js';
export { judgeClasses, type ClassFigures } from './classify/judge-classes.js';
export { nameOfClass, rowsByClass, trainClasses, type RowsByClass } from './classify/train-classes.js';
export { compareModels, type ComparedModels, type LikelihoodOfRows } from './compare/compare-models.js';
export { type ComparedColumn, type Comparison } from './compare/compare-scores.js';
export { rankModels, type Candidate, type RankedModel } from './compare/rank-models.js';
export { drawsFor } from './fills/draws-for.js';
export { points, type FilledCell, type FillOptions, type Point, type TableFills } from './fills/fill-options.js';
export { fillTable } from './fills/fill-table.js';
export { DRAWS_FOR_PROBABILITIES, possibleValues, type PossibleCell } from './fills/possible-values.js';
export { pointsOfColumns } from './fills/points-of-columns.js';
export { RowFiller } from './fills/row-filler.js';
export { missingCells, rowsAtATime, rowsBetween, type RowsToFill } from './fills/rows-to-fill.js';
export { particlesFor, sampleFills } from './fills/sample-fills.js';
export { findingsOf } from './judge/findings.js';
export { judgeSamples, type Judgement } from './judge/judge-samples.js';
export { membershipOf, type Membership, type RowAtRisk } from './judge/membership.js';
export { judgedColumns, readRows, type ReadRows } from './judge/read-rows.js';
export { givenColumns, givenFirst, givenOf, scoredGiven } from './outliers/given-columns.js';
export { scoreByFolds, type FoldModels, type FoldScores } from './outliers/score-by-folds.js';
export { trainFolds, type TrainFoldsOptions } from './outliers/train-folds.js';
export { RowScorer } from './scores/row-scorer.js';
export { TargetScorer } from './scores/target-scorer.js';
export { type Threads } from './model-threads.js';
export { raiseAlarms, type AlarmRate, type RaisedAlarms } from './outliers/raise-alarms.js';
export { findBroken, type BrokenRule } from './rules/broken-rows.js';
export { ruledBy, rulesAsked, type RulesOfModel } from './rules/rules-of-model.js';
export { scoreFileByRules, type RuledScores } from './rules/score-file-by-rules.js';
export { scoreRowsByRules, type RowsByRules, type RowsToRule } from './rules/score-rows-by-rules.js';
export { GivenSampler, PARTICLES_GIVEN } from './samples/given-sampler.js';
export { rowsOfModel, sampledAtATime, SampledRows, type RowSource } from './samples/sampled-rows.js';
export { notNamed, sharesOf, type SaidShares } from './shares/column-shares.js';
export { SharesSampler } from './shares/shares-sampler.js';
export { orderOfSplits, rowsInFileOrder } from './training/rows-of-file.js';
export { type ModelToTrain, type OnNote, type RowsToLearn, type TrainModel } from './training/train-model.js';
