import { chooseLeaves, refitDecision, trainConditional, trialOptions, type TriedLeaves } from '@orchard/logitboost';
import { loadKernel, type Kernel, type TrainingData } from '@orchard/kernel';
import { prefixOfTrees } from '@orchard/model';
import { exp, greatestOf, log, placeOfGreatest, RandomStream } from '@orchard/numerics';
import type { SecondsRange, Splits } from '@orchard/pipeline';
import { certainTree } from './certain-tree.js';
import { decisionWork } from './decision-work.js';
import { Decisions } from './decisions.js';
import { viewsOf } from './members/member-run.js';
import { neverSeen } from './never-seen.js';
import { boostingOptions, leafSearchOf, type TablesRun } from './tables-run.js';
import { arrangeCodes } from './training-data.js';

/** Decisions are drawn until their mean is known so well, twice its standard error, or the time is up. */
const WELL_KNOWN = 0.1;
const LEAST_DRAWS = 6;
const MOST_DRAWS = 400;
/** Of the time that is expected, so much at most is taken to expect it: a run of seconds is soon seen. */
const SHARE = 1 / 30;
/** The next run of the same differs by as much: compiled code, other programs, what the sample does not show. */
const EVER_UNKNOWN = 1.25;
/** More rows allow more rounds: by the power of how many times the rows of the sample there are. */
const ROUNDS_BY_ROWS = 0.25;
const PURPOSE = 0x73656373;

interface DrawnDecision {
  readonly position: number;
  readonly decision: number;
  readonly predictors: number;
  /** Of the sample that reach it. */
  readonly rows: number;
  /** What it is expected to take in the run, relative to others. */
  readonly work: number;
}

/**
 * Seconds of processor time that a run will take, by decisions of its own that are trained on a sample of its rows:
 * drawn in proportion to the work that they are thought to be, and timed.
 *
 * @param sample rows of the run, as many as are arranged quickly
 * @param milliseconds how long it may take, about; a short run takes less
 */
export async function expectedSeconds(run: TablesRun, sample: Splits, milliseconds: number): Promise<SecondsRange> {
  const kernel = await loadKernel();
  const views = viewsOf(run);
  const view = views[0]!;
  const data = arrangeCodes({ ...sample, test: null }, view, 1);
  const scale = (view.datasets.train.rows + view.datasets.valid.rows) / data.rowCount;
  const decisions = decisionsIn(data, view, scale);
  // of columns that are constant there is nothing to decide
  if (decisions.length === 0) return { least: 0, most: 0 };
  const all = decisions.reduce((sum, { work }) => sum + work, 0);
  const stream = new RandomStream(view.specification.seed, PURPOSE);
  // compiled before the clock starts
  timeOf(kernel, data, view, draw(decisions, stream.uniform() * all));
  const known = new Map<DrawnDecision, number>();
  const began = processorMilliseconds();
  let [draws, sum, squares, error] = [0, 0, 0, Infinity];
  const expected = (): number => (views.length * all * sum) / draws;
  const isTime = (): boolean => processorMilliseconds() - began < Math.min(milliseconds, SHARE * expected());
  while (draws < LEAST_DRAWS || (isTime() && error > WELL_KNOWN && draws < MOST_DRAWS)) {
    // one decision of many seconds is not to be waited for a dozen times
    if (draws > 1 && processorMilliseconds() - began > 3 * milliseconds) break;
    const drawn = draw(decisions, stream.uniform() * all);
    const time = known.get(drawn) ?? timeOf(kernel, data, view, drawn);
    known.set(drawn, time);
    // time a unit of work, at the rows of the sample: work of all rows is as much more as it is thought to be
    const each = time / decisionWork(drawn.rows, drawn.predictors, view.specification.rowsPerTree);
    draws++;
    sum += each;
    squares += each * each;
    const mean = sum / draws;
    const variance = Math.max(0, squares / draws - mean * mean) / Math.max(1, draws - 1);
    error = draws < 2 || mean === 0 ? 1 : (2 * Math.sqrt(variance)) / mean;
  }
  const seconds = expected() / 1000;
  const grown = exp(ROUNDS_BY_ROWS * log(Math.max(1, scale)));
  return {
    least: (seconds * Math.max(1 / 3, 1 - error)) / EVER_UNKNOWN,
    most: seconds * (1 + error) * EVER_UNKNOWN * grown,
  };
}

/** Decisions of all variables that some row of the sample reaches. */
function decisionsIn(data: TrainingData, view: TablesRun, scale: number): readonly DrawnDecision[] {
  const drawn: DrawnDecision[] = [];
  for (let position = 0; position < view.ordering.length; position++) {
    const decisions = decisionsAt(data, view, position);
    const { predictors } = decisions;
    for (let decision = 0; decision < decisions.count; decision++) {
      const rows = decisions.rowsOf(decision);
      const work = decisionWork(rows * scale, predictors, view.specification.rowsPerTree);
      if (rows > 0) drawn.push({ position, decision, predictors, rows, work });
    }
  }
  return drawn;
}

function decisionsAt(data: TrainingData, { table, ordering }: TablesRun, position: number): Decisions {
  return new Decisions(data, { table, ordering, position });
}

/** The decision at that place of their work laid end to end. */
function draw(decisions: readonly DrawnDecision[], place: number): DrawnDecision {
  let before = 0;
  for (const one of decisions) {
    before += one.work;
    if (place < before) return one;
  }
  return decisions.at(-1)!;
}

/** What a task does with a decision: it tries leaves, trains, refits, and looks for rules. */
function timeOf(kernel: Kernel, data: TrainingData, view: TablesRun, { position, decision }: DrawnDecision): number {
  const options = boostingOptions(view);
  const search = leafSearchOf(view);
  const decisions = decisionsAt(data, view, position);
  const began = processorMilliseconds();
  if (neverSeen(data, decisions.predictors, decisions.counts(decision)) !== null)
    return processorMilliseconds() - began;
  const target = decisions.target(decision);
  const tried = (search?.leaves ?? []).map((leaves): TriedLeaves => {
    const { curves } = trainConditional(kernel, data, target, trialOptions(options, search!, leaves));
    return { leaves, nats: greatestOf(curves.valid!) };
  });
  const { leaves } = tried.length === 0 ? options : chooseLeaves(tried);
  const { ensemble, curves } = trainConditional(kernel, data, target, { ...options, leaves });
  const rounds = placeOfGreatest(curves.valid!);
  refitDecision(kernel, data.pooled(), target, prefixOfTrees(ensemble, rounds), options);
  certainTree(kernel, data, target);
  return processorMilliseconds() - began;
}

function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
