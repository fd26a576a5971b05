import {
  select,
  type BoostingOptions,
  type Curves,
  type SelectionMethod,
  type TrainedConditional,
} from '@orchard/logitboost';
import { BitMatrix, decisionTreeOf, sumBitsInOrdering } from '@orchard/dataset';
import { Split, type Decision, type Kernel, type TrainingData } from '@orchard/kernel';
import { clampOdds, EnsembleBuilder, logProbability, prefixOfTrees, type Ensemble } from '@orchard/model';
import { greatestOf, log, sumOf } from '@orchard/numerics';
import { certainTree } from './certain-tree.js';
import { chooseRounds, leastGainOnLine, ROWS_TO_CHOOSE } from './choose-rounds.js';
import { decisionWork, shareOfRounds } from './decision-work.js';
import { decisionsOf, type Decisions, type VariablePlace } from './decisions.js';
import { fitLine, type FittedLine } from './line/fit-line.js';
import { LineOdds, type Line } from './line/line.js';
import { lineFeatures } from './line/line-features.js';
import { neverSeen } from './never-seen.js';
import { RowOdds } from './row-odds.js';
import { sumOfCurves, type VariableCurves } from './variable-curves.js';
import type { FinishedDecision, VariableWork } from './variable-work.js';

/** A variable to train on arranged rows: its place in the ordering, and all that the rows' bits mean. */
export interface VariableTask extends VariablePlace {
  readonly options: BoostingOptions;
  /** Of the run's specification. */
  readonly revision?: number | undefined;
  /** How validation rows choose the rounds of its decisions; absent: as `chooseRounds` does. */
  readonly select?: SelectionMethod | undefined;
  /** Where its decisions start; absent or null: from the rates of the training rows. */
  readonly start?: FittedLine | null | undefined;
}

/** A variable's conditional, chosen and refitted. Sums of nats over the rows of a split; null where there is none. */
export interface TrainedVariable {
  readonly ensembles: readonly Ensemble[];
  /** Of its trees, where it found them for itself. */
  readonly leaves?: number | undefined;
  /** Null where its trees start from rates. */
  readonly line: Line | null;
  /** Before the refit and the rules, which validation rows have a part in. */
  readonly train: number;
  readonly valid: number;
  /** After it. */
  readonly test: number | null;
}

/** The same with its way there. */
export interface FinishedVariable extends TrainedVariable {
  readonly curves: VariableCurves;
}

/** How far a variable is: its trees of this time, and the summed validation nats so far of all its decisions. */
export interface VariableProgress {
  readonly share: number;
  readonly trees: number;
  readonly nats: number;
}

/**
 * Shares of a variable's time, all decisions together: to choose its rounds, and to refit them and look for rules. The
 * first took .80 of males, .63 of hi and .45 of 60,000 rows of chance.
 */
const WORK = { train: 2 / 3, refit: 1 / 3 } as const;
/** Half of the decisions of shoppers and hi ended by then, with the default's patience. */
const USUAL_ROUNDS = 100;

/**
 * Trains all decisions of one variable (the README's "Rounds" and "Rules"): each by LogitBoost on the rows that reach
 * it, then as many rounds of each as validation rows favour, refitted on training and validation rows together, and
 * made certain where all rows follow a rule.
 *
 * @param work what was done of it before, and how to watch and stop it
 * @returns null where it was cancelled
 */
export function trainVariable(
  work: VariableWork,
  task: VariableTask,
  onProgress?: (done: VariableProgress) => void,
): FinishedVariable | null {
  const { options } = task;
  const { kernel, data, decisions: trained, finished } = work;
  const decisions = decisionsOf(data, task);
  const counts = Array.from({ length: decisions.count }, (_, index) => decisions.counts(index));
  // a decision that is not trained yet counts as its rate, so that the variable's reported figure rises to its last one
  const alone = counts.map(natsAlone);
  const isOfToday = task.revision !== undefined;
  const reaching = isOfToday ? decisions.reaching(Split.valid) : null;
  // trees of decisions that choose together count when all are there: each by itself would keep what is chance
  const shown = (index: number): number => {
    const curve = trained[index]!.curves.valid!;
    return reaching !== null && reaching[index]! >= ROWS_TO_CHOOSE ? greatestOf(curve) : curve[0]!;
  };
  let nats = alone.reduce((sum, own, index) => sum + (index < trained.length ? shown(index) : own), 0);
  const works = counts.map((_, index) =>
    decisionWork(decisions.rowsOf(index), decisions.predictors, options.rowsPerTree),
  );
  const allWork = sumOf(works);
  let doneWork = sumOf(works.slice(0, trained.length));
  const never = counts.map((own) => (isOfToday ? neverSeen(data, decisions.predictors, own) : null));
  const { start = null } = task;
  const targets = startingFrom(decisions, task, start);
  for (let index = trained.length; index < decisions.count; index++) {
    const result =
      never[index] ??
      work.train(targets(index), options, (rounds) => {
        const within = shareOfRounds(rounds, options.rounds, USUAL_ROUNDS);
        const share = (WORK.train * (doneWork + works[index]! * within)) / allWork;
        onProgress?.({ share, trees: work.trees, nats });
      });
    if (result === null) return null;
    work.addDecision(result);
    doneWork += works[index]!;
    nats += shown(index) - alone[index]!;
    onProgress?.({ share: (WORK.train * doneWork) / allWork, trees: work.trees, nats });
  }
  const tree = decisionTreeOf(task.table.variables[task.ordering[task.position]!]!);
  const curves = trained.map((own) => ({ train: own.curves.train, valid: own.curves.valid! }));
  const rounds =
    task.select === undefined || curves.length === 0
      ? chooseRounds(
          tree,
          curves.map(({ valid }) => valid),
          reaching,
          start === null ? 0 : leastGainOnLine(data.validationRows),
        )
      : select(task.select, curves, { pathPoints: 2 }).rounds;
  const pooled = data.pooled();
  // the line, as the leaves' values, is found anew on all rows
  const refittedStart =
    start === null ? null : fitLine(pooled, task, isNever(never), options.shrinkage, { scoring: data, before: start });
  const refittedTargets = startingFrom(decisions, task, refittedStart);
  let refittedWork = sumOf(works.slice(0, finished.length));
  for (let index = finished.length; index < trained.length; index++) {
    if (work.isCancelled) return null;
    const target = refittedTargets(index);
    const trees = prefixOfTrees(trained[index]!.ensemble, rounds[index]!);
    const refitted =
      never[index] ??
      work.refit(pooled, target, trees, options, (done) => {
        const within = works[index]! * (done / rounds[index]!);
        onProgress?.({ share: WORK.train + (WORK.refit * (refittedWork + within)) / allWork, trees: work.trees, nats });
      });
    if (refitted === null) return null;
    work.addFinished(withRules(kernel, data, target, refitted));
    refittedWork += works[index]!;
    onProgress?.({ share: WORK.train + (WORK.refit * refittedWork) / allWork, trees: work.trees, nats });
  }
  const sum = (split: 'train' | 'valid'): number =>
    trained.reduce((all, { curves }, index) => all + curves[split]![rounds[index]!]!, 0);
  const test = finished.every((decision) => decision.test !== null)
    ? finished.reduce((all, decision) => all + decision.test!, 0)
    : null;
  return {
    ensembles: finished.map(({ ensemble }) => ensemble),
    train: sum('train'),
    valid: sum('valid'),
    test: data.testRows === 0 ? null : test,
    line: refittedStart?.line ?? null,
    curves: sumOfCurves(trained),
  };
}

/** Whether each decision has an outcome that no row had. */
export function isNever(never: readonly (TrainedConditional | null)[]): boolean[] {
  return never.map((own) => own !== null);
}

/** The decisions with the odds of each row before any tree, where a line gives them. */
export function startingFrom(
  decisions: Decisions,
  { table, ordering, position }: VariablePlace,
  start: FittedLine | null,
): (decision: number) => Decision {
  if (start === null) return (decision) => decisions.target(decision);
  const variables = Array.from(ordering, (index) => table.variables[index]!);
  const variable = variables[position]!;
  const odds = new LineOdds(
    start.line,
    variable,
    decisionTreeOf(variable),
    lineFeatures(variables, sumBitsInOrdering(table, ordering)),
  );
  const places = start.places();
  return (decision) => {
    const target = decisions.target(decision);
    if (!odds.has(decision)) return target;
    return { ...target, startOdds: (row) => odds.odds(decision, places[row]!) };
  };
}

/** The refitted trees, and behind them the one that makes certain what all rows agree in. */
function withRules(
  kernel: Kernel,
  data: TrainingData,
  target: Decision,
  { ensemble, curves }: { readonly ensemble: Ensemble; readonly curves: Pick<Curves, 'test'> },
): FinishedDecision {
  const tree = certainTree(kernel, data, target);
  if (tree === null) return { ensemble, test: curves.test?.at(-1) ?? null };
  const builder = new EnsembleBuilder(ensemble.startOdds, ensemble);
  builder.push(tree);
  const whole = builder.build();
  return { ensemble: whole, test: data.testRows === 0 ? null : testNats(data, target, whole) };
}

/** Summed nats of the test rows that reach a decision. */
function testNats(data: TrainingData, { rows, labels, startOdds }: Decision, ensemble: Ensemble): number {
  const places = Uint32Array.from(rows.keys()).filter((place) => data.splitOf(rows[place]!) === Split.test);
  const reaching = places.map((place) => rows[place]!);
  // of bits alone that the trees ask for
  const asked = Uint32Array.from(new Set(ensemble.splitPredictor)).sort();
  const place = new Map(Array.from(asked, (predictor, at) => [predictor, at]));
  const bits = BitMatrix.create(reaching.length, Math.max(1, asked.length));
  reaching.forEach((row, at) => asked.forEach((predictor, bit) => bits.set(at, bit, data.bit(row, predictor))));
  const splitPredictor = ensemble.splitPredictor.map((predictor) => place.get(predictor)!);
  const odds = new Float64Array(reaching.length);
  const every = Uint32Array.from(reaching.keys());
  new RowOdds().odds({ ...ensemble, splitPredictor }, bits, every, odds);
  return reaching.reduce(
    (sum, row, at) =>
      sum +
      logProbability(
        labels[places[at]!] as 0 | 1,
        startOdds === undefined ? odds[at]! : clampOdds(odds[at]! * startOdds(row)),
      ),
    0,
  );
}

/** Summed nats of the validation rows that reach a decision, by its rate among the training rows that do. */
function natsAlone(counts: Uint32Array): number {
  const train = [0, 1].map((label) => counts[4 * Split.train + label]! + 0.5);
  const all = train[0]! + train[1]!;
  return train.reduce((sum, ones, label) => sum + counts[4 * Split.valid + label]! * log(ones / all), 0);
}
