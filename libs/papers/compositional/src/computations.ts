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
import { PlacedExperts, placedStartOf, placedStepOf, startOf, stepOf, type Experts } from './compositions/index.js';
import { isExact } from './compositional-body.js';
import { compositionalOf, PlacedCompositional, type Compositional } from './compositional-model.js';
import { compositionalSpecification, placesOf } from './compositional-run.js';
import { sectionsOf } from './experts-section.js';
import { steps, type Step } from './steps.js';

type Learned = Experts | PlacedExperts;

/** What a run of EM begins with, or what comes after a step of it. @returns null where it was cancelled */
function nextStep(
  run: Run,
  { train, valid }: CountedSplits,
  { chain: restart, step }: Place,
  before: StoredStep<Step, Compositional | PlacedCompositional> | null,
  isCancelled: () => boolean,
): Compositional | PlacedCompositional | null {
  const specification = compositionalSpecification(run);
  const judged = (learned: Learned, explained: number | null, isLast: boolean): Compositional | PlacedCompositional => {
    const { dimensions, names, shape } = train.distinct;
    const head = { dimensions, names, shape, specification: null, likelihoods: untold };
    const nats = compositionalOf(head, learned).logLikelihood(valid.distinct);
    const facts = { restart, step, explained, valid: meanOverRows(nats, valid), isLast };
    return compositionalOf(headOfStep(train.distinct, facts), learned);
  };
  if (before === null) {
    const stream = new RandomStream(specification.seed, Purpose.restart, restart);
    const places = placesOf(specification, train.distinct);
    const learned = isExact(specification.experts, train.distinct.dimensions, places.options)
      ? startOf(train, specification, stream)
      : placedStartOf(train, specification, places, stream);
    return judged(learned, null, false);
  }
  const learned = learnedBy(before.model);
  const next = afterStep(train, learned, isCancelled);
  if (next === null) return null;
  const isLast = step === specification.steps || isSame(next.learned, learned);
  return judged(next.learned, next.explained / train.rows, isLast);
}

function learnedBy(model: Compositional | PlacedCompositional): Learned {
  return model instanceof PlacedCompositional ? model.placed : model.experts;
}

function afterStep(
  train: CountedSplits['train'],
  learned: Learned,
  isCancelled: () => boolean,
): { readonly learned: Learned; readonly explained: number } | null {
  if (!(learned instanceof PlacedExperts)) {
    const next = stepOf(train, learned, isCancelled);
    return next === null ? null : { learned: next.experts, explained: next.explained };
  }
  const next = placedStepOf(train, learned, isCancelled);
  return next === null ? null : { learned: next.placed, explained: next.explained };
}

function isSame(one: Learned, other: Learned): boolean {
  if (one instanceof PlacedExperts && other instanceof PlacedExperts)
    return (
      isSame(one.experts, other.experts) &&
      one.placement.mean.every((mean, at) => mean === other.placement.mean[at]) &&
      one.placement.covariance.every((square, at) => square === other.placement.covariance[at])
    );
  if (one instanceof PlacedExperts || other instanceof PlacedExperts) return false;
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
  const learned = learnedBy(best.model);
  const model = judgedModel((likelihoods) => compositionalOf({ ...head, likelihoods }, learned), splits);
  return { model, figures: { chosen }, sections: () => sectionsOf(model, all, chosen, splits.train) };
};

/** What threads run for experts. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,
  em: computationOfStep(steps, nextStep),
  choose: computationOfEnding(end),
} satisfies Computations['functions'];
