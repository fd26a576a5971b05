import type { JsonValue } from '@orchard/model';
import { judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { Compositional } from './compositional-model.js';
import { placeIn, readStep, type Place, type Step, type StoredStep } from './steps.js';

/** The model of a run, and the steps that it was chosen among. */
export interface Chosen {
  readonly model: Compositional;
  readonly steps: readonly Step[];
  /** The step that it is of. */
  readonly chosen: Place;
}

/** The step by which the validation rows are likeliest, of equal ones the first. @param keys of all stored steps, in their order */
export async function chooseStep(
  store: ObjectStore,
  run: Run,
  keys: readonly string[],
  splits: Splits,
): Promise<Chosen> {
  const steps: Step[] = [];
  let best: StoredStep | null = null;
  for (const key of keys) {
    const { model, ...step } = await readStep(store, run.id, placeIn(key));
    steps.push(step);
    if (best === null || step.valid > best.valid) best = { ...step, model };
  }
  const { restart, step, model } = best!;
  const chosen = { restart, step };
  const { dimensions, names, shape } = splits.train;
  const specification = { runId: run.id, ...run.specification, chosen } as JsonValue;
  const head = { dimensions, names, shape, specification };
  return {
    model: judgedModel((likelihoods) => new Compositional({ ...head, likelihoods }, model.experts), splits),
    steps,
    chosen,
  };
}
