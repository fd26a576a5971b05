import { AUTO, isInformed, type NetworkChoice } from '@orchard/contracts';
import { orderingNames, type PlannedTask } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts/artefacts.js';
import { kindToFind, type AskedRun } from '../run/lbarn-run.js';
import { memberOptions, networksOf } from '../members/member-run.js';
import { allTasks, single, stagesOfNetworks, type Stages } from '../run/plan.js';
import { isAtLimit, mayLengthenSteps, stepCandidates } from './longer-steps.js';
import { candidatesOfStep, raisingsOf } from './search-in-full.js';
import { leavesOf, readSettled } from './settled-run.js';
import {
  fractionCandidates,
  fractionOfLeaves,
  keyOfTrial,
  leafCandidates,
  narrowedDimensions,
  orderingCandidates,
  predictorCandidates,
  pseudoCountCandidates,
  sampledDimensions,
  type Candidate,
  type Question,
  type Trial,
} from './trials.js';

/**
 * What a run is missing to know its own settings, and what fewer predictors lose: nothing where all settings are given
 * and all predictors are used. Leaves are found first, in the natural ordering where that is to be found too; then,
 * with those leaves, the share of predictors that a tree may use; then, where many trials still gained at their last
 * round, longer steps; or the pseudocount of single trees; then what it loses to look at some of the predictors. The
 * ordering is last, with all of these:
 *
 * | kind   | missing while                                | done by one task a                       |
 * |--------|----------------------------------------------|------------------------------------------|
 * | order  | a candidate that looks at rows is not found  | kind of ordering                         |
 * | screen | a trial of the question is                   | candidate and dimension, costliest first |
 * | settle | what the trials say is not stored            | question                                 |
 */
export async function planTuning(
  store: ObjectStore,
  run: AskedRun,
  stored: ReadonlySet<string>,
): Promise<{ readonly tasks: PlannedTask[]; readonly stages: Stages }> {
  const { specification, id } = run;
  const { tuning } = specification;
  const own = kindToFind(run);
  if (tuning === undefined && own === null) return { tasks: [], stages: {} };
  const place = { id, of: null };
  const kinds = own === null ? (tuning?.orderings ?? []).filter((kind) => isInformed(kind)) : [own];
  const unordered = kinds.filter((kind) => !stored.has(orderingNames.of(id, kind)));
  const stages = { total: 0, tried: 0, questions: 0, settled: 0 };
  // orderings wait for nothing, and only trials of them wait for them
  const tasks: PlannedTask[] = [];
  for (const { question, trials } of await questionsOf(store, run, stored)) {
    const untried = trials.filter((trial) => !stored.has(lbarnNames.screening(id, keyOfTrial(trial))));
    const isOpen = !stored.has(lbarnNames.settled(id, question));
    const isReady = tasks.length === 0 && (question !== 'ordering' || unordered.length === 0);
    if (isReady) {
      const screens = untried.map((trial) => screenTask(run, trial)).sort((a, b) => b.cost - a.cost);
      for (const task of screens) tasks.push(task);
    }
    if (isReady && isOpen && untried.length === 0) tasks.push(single(place, 'settle', question));
    stages.total += trials.length;
    stages.tried += trials.length - untried.length;
    stages.questions++;
    if (!isOpen) stages.settled++;
  }
  for (const kind of unordered) tasks.push(single(place, 'order', kind));
  return {
    tasks,
    stages: {
      ...(kinds.length > 0 && { order: { total: kinds.length, done: kinds.length - unordered.length } }),
      ...(tuning !== undefined && {
        screen: { total: stages.total, done: stages.tried },
        settle: { total: stages.questions, done: stages.settled },
      }),
    },
  };
}

interface PlannedQuestion {
  readonly question: Question;
  readonly trials: readonly Trial[];
}

/** In the order in which they are answered; of a search in full the steps so far. */
async function questionsOf(
  store: ObjectStore,
  run: AskedRun,
  stored: ReadonlySet<string>,
): Promise<readonly PlannedQuestion[]> {
  const { leaves, featureFraction, pseudoCount, ordering, tuning } = run.specification;
  const all = Array.from({ length: run.datasets.train.dimensions }, (_, dim) => dim);
  const planned: PlannedQuestion[] = [];
  const add = (question: Question, candidates: readonly Candidate[], dimensions: readonly number[]): void => {
    const trials = candidates.flatMap((candidate) => dimensions.map((dimension) => ({ candidate, dimension })));
    planned.push({ question, trials });
  };
  if (leaves === AUTO) {
    const raisings = raisingsOf(run);
    let step = 0;
    let candidates: readonly Candidate[] =
      raisings.length === 0 ? leafCandidates(run) : await candidatesOfStep(store, run, 0);
    while (step < raisings.length && candidates.length > 0) {
      const raising = raisings[step]!;
      add(raising, candidates, sampledDimensions(run));
      step++;
      const isDecided = stored.has(lbarnNames.settled(run.id, raising));
      candidates = isDecided ? await candidatesOfStep(store, run, step) : [];
    }
    // after the last step, or with no more trials where all have converged
    add('leaves', candidates, sampledDimensions(run));
  }
  if (featureFraction === AUTO) {
    // the trials of leaves are trials of the first
    const isTried = (candidate: Candidate): boolean =>
      leaves === AUTO && candidate.of === 'fraction' && candidate.featureFraction === fractionOfLeaves(run);
    const untried = fractionCandidates(run).filter((candidate) => !isTried(candidate));
    add('fraction', untried, sampledDimensions(run));
  }
  if (mayLengthenSteps(run) && !isOfEarlierRelease(run, stored)) {
    // the trials of leaves say it
    add('limit', [], []);
    if (stored.has(lbarnNames.settled(run.id, 'limit')) && isAtLimit(await readSettled(store, run, 'limit')))
      add('shrinkage', stepCandidates(run, await leavesOf(store, run)), sampledDimensions(run));
  }
  if (pseudoCount === AUTO) add('pseudocount', pseudoCountCandidates(run), all);
  if (tuning?.predictorDimensions !== undefined) add('predictors', predictorCandidates(run), narrowedDimensions(run));
  if (ordering === AUTO) add('ordering', orderingCandidates(run), all);
  return planned;
}

/** A run that an earlier release began to train keeps the steps that it began with: it was not asked for its limit. */
function isOfEarlierRelease({ id }: AskedRun, stored: ReadonlySet<string>): boolean {
  if (stored.has(lbarnNames.settled(id, 'limit'))) return false;
  const prefixes = [lbarnNames.conditionals(id), lbarnNames.checkpoints(id)];
  return [...stored].some((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

function screenTask(run: AskedRun, trial: Trial): PlannedTask {
  return {
    task: { run: run.id, kind: 'screen', key: keyOfTrial(trial) },
    cost: costOfTrial(trial.candidate, trial.dimension),
    detail: {},
    isNew: true,
  };
}

/**
 * Rounds are dearer the more leaves they grow, of which one question has as many; of an ordering that is not known here
 * the natural one's places serve.
 */
function costOfTrial(candidate: Candidate, dimension: number): number {
  return ('leaves' in candidate ? 8 + candidate.leaves : 1) * (dimension + 8);
}

/** What a run with settings to find has before it: how much is known, and nothing of it done. */
export function stagesAhead(run: AskedRun, choices: readonly NetworkChoice[]): Stages {
  const { dimensions } = run.datasets.train;
  const networks = choices.map(({ members }) =>
    members === undefined ? 1 : networksOf(memberOptions(run), members).length,
  );
  const all = networks.reduce((most, count) => Math.max(most, count), 0);
  const assembled = networks.reduce((sum, count) => sum + count, 0);
  return {
    ...stagesOfNetworks(choices, allTasks(all, dimensions), { networks: all, dimensions }),
    assemble: { total: assembled, done: 0 },
    ...(run.specification.members !== undefined && { mix: { total: choices.length, done: 0 } }),
  };
}
