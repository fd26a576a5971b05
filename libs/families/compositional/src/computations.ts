import { meanOverRows, type CountedSplits } from '@orchard/dataset';
import { untold } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  computationOfEnding,
  computationOfStep,
  headOf,
  headOfStep,
  judgedModel,
  likeliestStep,
  loadCounted,
  type Computations,
  type End,
  type Place,
  type Run,
  type StoredStep,
} from '@orchard/pipeline';
import { Compositional } from './compositional-model.js';
import { compositionalSpecification } from './compositional-run.js';
import type { Experts } from './experts.js';
import { sectionsOf } from './experts-section.js';
import { stepOf } from './learn-experts.js';
import { startOf } from './start-experts.js';
import { steps, type Step } from './steps.js';

/** What a run of EM begins with, or what comes after a step of it. @returns null where it was cancelled */
function nextStep(
  run: Run,
  { train, valid }: CountedSplits,
  { chain: restart, step }: Place,
  before: StoredStep<Step, Compositional> | null,
  isCancelled: () => boolean,
): Compositional | null {
  const specification = compositionalSpecification(run);
  const judged = (experts: Experts, explained: number | null, isLast: boolean): Compositional => {
    const { dimensions, names, shape } = train.distinct;
    const head = { dimensions, names, shape, specification: null, likelihoods: untold };
    const nats = new Compositional(head, experts).logLikelihood(valid.distinct);
    const facts = { restart, step, explained, valid: meanOverRows(nats, valid), isLast };
    return new Compositional(headOfStep(train.distinct, facts), experts);
  };
  if (before === null) {
    const stream = new RandomStream(specification.seed, Purpose.restart, restart);
    return judged(startOf(train, specification, stream), null, false);
  }
  const { experts } = before.model;
  const next = stepOf(train, experts, isCancelled);
  if (next === null) return null;
  const isLast = step === specification.steps || isSame(next.experts, experts);
  return judged(next.experts, next.explained / train.rows, isLast);
}

function isSame(one: Experts, other: Experts): boolean {
  return (
    one.active.every((share, at) => share === other.active[at]) &&
    one.rates.every((rate, at) => rate === other.rates[at])
  );
}

/** The model of the step by which the validation rows are likeliest. */
export const end: End = async (run, splits, store) => {
  const { all, best } = await likeliestStep(steps, store, run);
  const { restart, step } = best.facts;
  const chosen = { restart, step };
  const head = headOf(run, splits.train, { chosen });
  const { experts } = best.model;
  const model = judgedModel((likelihoods) => new Compositional({ ...head, likelihoods }, experts), splits);
  return { model, figures: { chosen }, sections: () => sectionsOf(model, all, chosen, splits.train) };
};

/** What threads run for experts. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,
  em: computationOfStep(steps, nextStep),
  choose: computationOfEnding(end),
} satisfies Computations['functions'];
