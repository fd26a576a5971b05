import { taskNames } from '@orchard/contracts';
import { untold, type DensityModel } from '@orchard/model';
import {
  artefactNames,
  concurrently,
  headOf,
  meanLogLikelihood,
  pooledRows,
  readDocument,
  type Before,
  type OpenTask,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import {
  mixedNames,
  type MixedStep,
  type PartDocument,
  readPart,
  readStep,
  refitsFolder,
  type SparnSpecification,
  sparnSpecification,
} from '@orchard/sparn-mixture';
import { Sparn, weightsOfColumns } from '@orchard/sparse-network';
import { chooseAmong, type Ending, mixtureOfParts } from './choose-mixture.js';
import { bestPenaltyOf } from './choose-penalty.js';
import { outputsOf, pathDocumentSchema } from './path-document.js';

/**
 * A refit learns what was chosen once more, from training and validation rows together: `decide` stores what the
 * validation rows chose, and tasks `refit` learn by it, of one network a column each (`17`), of a mixture the steps of
 * EM with that λ from the beginning (`rk3s0` shares the rows out, `rk3s1.17` is a column). No rows are left to judge by
 * but test rows.
 */

const readsAtOnce = 8;

export const decisionSchema = z.strictObject({
  penalty: z.number(),
  components: z.int().min(1),
  /** Of EM; 0 of one component. */
  step: z.int().min(0),
});

export type Decision = z.infer<typeof decisionSchema>;

export const refitNames = {
  decision: (run: string): string => `${artefactNames.run(run)}${refitsFolder}/decision`,
  path: (run: string, column: number): string => taskNames.artefact({ run, key: String(column) }, refitsFolder),
};

export async function decide(store: ObjectStore, run: Run): Promise<Decision> {
  const { tried, chosen } = await chooseAmong(store, run);
  const { penalty, components, step } = tried[chosen]!;
  return { penalty, components, step };
}

/** The run as its refit has it: with what was chosen, and nothing else to try. */
export async function refitRun(store: ObjectStore, run: Run): Promise<Run & { readonly decision: Decision }> {
  const decision = await readDocument(store, refitNames.decision(run.id), decisionSchema);
  const { penalty, components, step } = decision;
  const specification: SparnSpecification = {
    ...sparnSpecification(run),
    penalty: [penalty],
    components: [components],
    ...(components > 1 && { steps: step }),
  };
  return { ...run, specification, decision };
}

/** What a refit lacks, once everything is tried that it chooses among. */
export async function missingOfRefit(stored: ReadonlySet<string>, store: ObjectStore, run: Run): Promise<Before> {
  if (!stored.has(refitNames.decision(run.id)))
    return { tasks: [{ kind: 'decide', key: 'decision', isNew: false }], stages: stagesOfRefit(run, 0) };
  const { decision } = await refitRun(store, run);
  const { components, step: steps } = decision;
  const { dimensions } = run.datasets.train;
  const columns = Array.from({ length: dimensions }, (_, at) => dimensions - 1 - at);
  const tasks: OpenTask[] = [];
  let done = 0;
  const addOpen = (key: string, name: string, cost: number): void => {
    if (stored.has(name)) done++;
    else tasks.push({ kind: 'refit', key, cost });
  };
  if (components === 1)
    for (const column of columns) addOpen(String(column), refitNames.path(run.id, column), column + 1);
  // each step needs the one before it
  for (let step = 0; components > 1 && step <= steps && tasks.length === 0; step++) {
    const of: MixedStep = { pooled: true, components, step };
    if (step > 0)
      for (const column of columns)
        addOpen(mixedNames.partKey(of, column), mixedNames.part(run.id, of, column), components * (column + 1));
    if (step < steps && tasks.length === 0) addOpen(mixedNames.stepKey(of), mixedNames.shares(run.id, of), components);
  }
  const total = components === 1 ? dimensions : steps * (dimensions + 1);
  return { tasks, stages: { decide: { total: 1, done: 1 }, refit: { total, done } } };
}

/** Before anything is decided, or after the model is there (`share` 1). */
export function stagesOfRefit({ datasets }: Run, share: 0 | 1): Before['stages'] {
  const { dimensions } = datasets.train;
  return { decide: { total: 1, done: share }, refit: { total: dimensions, done: share * dimensions } };
}

/** One network of all rows, with the penalty that the validation rows chose. */
export async function refittedNetwork(store: ObjectStore, run: Run, splits: Splits): Promise<Sparn> {
  const { decision } = await refitRun(store, run);
  const columns = Array.from({ length: splits.train.dimensions }, (_, column) => column);
  const steps = await concurrently(
    columns,
    readsAtOnce,
    async (column) => outputsOf(await readDocument(store, refitNames.path(run.id, column), pathDocumentSchema), 0)[0]!,
  );
  const sparse = weightsOfColumns(steps);
  const head = headOf(run, splits.train, { chosen: decision.penalty });
  return judged((likelihoods) => new Sparn({ ...head, likelihoods }, sparse), splits);
}

/**
 * The model of all rows, in place of the one that the validation rows chose. It says nothing of validation rows, which
 * it learned from.
 */
export async function refittedEnding(store: ObjectStore, run: Run, splits: Splits, ending: Ending): Promise<Ending> {
  const { decision } = await refitRun(store, run);
  const columns = Array.from({ length: splits.train.dimensions }, (_, column) => column);
  if (decision.components === 1) {
    const model = await refittedNetwork(store, run, splits);
    return { ...ending, model, single: { ...ending.single!, model } };
  }
  const of: MixedStep = { pooled: true, components: decision.components, step: decision.step };
  const parts: PartDocument = await concurrently(
    columns,
    readsAtOnce,
    async (column) => (await readPart(store, run.id, of, column))[0]!,
  );
  const { weights } = await readStep(store, run.id, { ...of, step: of.step - 1 });
  const chosen = ending.tried[ending.chosen]!;
  const model = judged((likelihoods) => mixtureOfParts(run, splits, parts, weights, chosen, likelihoods), splits);
  return { ...ending, model, parts };
}

function judged<Model extends DensityModel>(
  make: (likelihoods: DensityModel['likelihoods']) => Model,
  splits: Splits,
): Model {
  const model = make(untold);
  const { test } = splits;
  return make({
    train: meanLogLikelihood(model, pooledRows(splits.train, splits.valid)),
    valid: null,
    test: test === null ? null : meanLogLikelihood(model, test),
  });
}

/** The ending where some columns chose the penalty of all: before the refit there is no model of every column. */
export async function endingChosenBySome(store: ObjectStore, run: Run, splits: Splits): Promise<Ending> {
  const { tried, chosen } = await chooseAmong(store, run);
  const model = await refittedNetwork(store, run, splits);
  return { model, tried, chosen, single: { model, tried: (await bestPenaltyOf(store, run)).tried }, parts: null };
}

/** For the report: what the figures of validation rows below it are of. */
export function refitSection({ choosers }: Pick<SparnSpecification, 'choosers'>): string {
  const by =
    choosers === undefined
      ? ''
      : ` Penalties were tried on ${String(choosers)} evenly spaced columns, and weights and likelihoods below are sums over these.`;
  return `<section><h2>The refit</h2><p class="note">What the validation rows chose was learned once more, from training and validation rows together. Figures of validation rows below are of the models before, among which they chose.${by}</p></section>`;
}
