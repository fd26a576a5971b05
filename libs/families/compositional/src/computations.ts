import { attachSplits, meanOverRows, type CountedSplits, type SharedSplits } from '@orchard/dataset';
import { untold } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import {
  loadCounted,
  loadSplits,
  storeModelFiles,
  type ComputationContext,
  type Computations,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import { chooseStep, type Chosen } from './choose-step.js';
import { Compositional } from './compositional-model.js';
import { compositionalSpecification } from './compositional-run.js';
import type { Experts } from './experts.js';
import { sectionsOf } from './experts-section.js';
import { stepOf } from './learn-experts.js';
import { startOf } from './start-experts.js';
import { placeIn, readStep, stepBytes, type StoredStep } from './steps.js';

/** What a run of EM begins with, or what comes after a step of it: a function of the run and that step alone. @returns null where it was cancelled */
export function nextStep(
  run: Run,
  { train, valid }: CountedSplits,
  restart: number,
  before: StoredStep | null,
  isCancelled?: () => boolean,
): StoredStep | null {
  const specification = compositionalSpecification(run);
  const modelOf = (experts: Experts): Compositional => {
    const { dimensions, names, shape } = train.distinct;
    return new Compositional({ dimensions, names, shape, specification: null, likelihoods: untold }, experts);
  };
  const validOf = (model: Compositional): number => meanOverRows(model.logLikelihood(valid.distinct), valid);
  if (before === null) {
    const stream = new RandomStream(specification.seed, Purpose.restart, restart);
    const model = modelOf(startOf(train, specification, stream));
    return { restart, step: 0, explained: null, valid: validOf(model), isLast: false, model };
  }
  const next = stepOf(train, before.model.experts, isCancelled);
  if (next === null) return null;
  const model = modelOf(next.experts);
  const step = before.step + 1;
  const isLast = step === specification.steps || isSame(next.experts, before.model.experts);
  return { restart, step, explained: next.explained / train.rows, valid: validOf(model), isLast, model };
}

function isSame(one: Experts, other: Experts): boolean {
  return (
    one.active.every((share, at) => share === other.active[at]) &&
    one.rates.every((rate, at) => rate === other.rates[at])
  );
}

/** The page about a model. */
export async function reportOf(run: Run, splits: Splits, made: Chosen): Promise<string> {
  // the drawing libraries take longer to load than few experts to learn
  const { reportOnModel } = await import('@orchard/report');
  const sections = await sectionsOf(made, splits);
  return reportOnModel({ runId: run.id, model: made.model, splits, sections });
}

/** What threads run for experts. */
export const computations = {
  /** Loads the rows that experts are learned from, and those that choose, each once. */
  load: loadCounted,

  /** @returns the file of the step; null where the task was cancelled */
  em: async (
    { run, key }: { run: Run; key: string },
    { store, data, isCancelled }: ComputationContext,
  ): Promise<Uint8Array | null> => {
    const rows = data((handle) => attachSplits(handle as SharedSplits));
    const { restart, step } = placeIn(key);
    const before = step === 0 ? null : await readStep(store, run.id, { restart, step: step - 1 });
    const next = nextStep(run, rows, restart, before, isCancelled);
    return next === null ? null : stepBytes(rows.train.distinct, next);
  },

  choose: async (
    { run, keys, withReport }: { run: Run; keys: readonly string[]; withReport: boolean },
    { store }: ComputationContext,
  ) => {
    const splits = await loadSplits(store, run);
    const made = await chooseStep(store, run, keys, splits);
    await storeModelFiles(store, run, made.model, { chosen: made.chosen }, () =>
      withReport ? reportOf(run, splits, made) : Promise.resolve(null),
    );
  },
} satisfies Computations['functions'];
