import type { DensityModel, JsonValue, ModelHead, Variables } from '@orchard/model';
import { isTabular, variableFigures } from '@orchard/model';
import type { ChosenFacts, FinishedModel } from '@orchard/report';
import type { ObjectStore } from '@orchard/storage';
import type { Computation } from './compute.js';
import type { Family } from './family.js';
import { pausesOf } from './pauses.js';
import type { Run } from './run.js';
import { loadSplits, storeModelFiles, type Splits } from './store-model.js';

/** What a run ends in. */
export interface Ending {
  readonly model: DensityModel;
  /** Of the family's own, for the summary. @default none */
  readonly figures?: Readonly<Record<string, unknown>>;
  /** What only the family can show, as markup by the functions of `@orchard/report`. @default none */
  readonly sections?: () => Promise<readonly string[]>;
  /** Of a table's model what the validation rows chose. @default nothing */
  readonly chosenByValidation?: ChosenFacts;
}

/**
 * Makes the model of a run from its rows and from what its tasks have stored: a function of these alone.
 *
 * @param pause to be awaited now and then by what takes long: lets others have the thread, and throws where the run is
 *   to stop
 */
export type End = (
  run: Run,
  splits: Splits,
  store: ObjectStore,
  pause: () => Promise<void>,
) => Ending | Promise<Ending>;

/** The last computation of a run: stores the model with its summary and, where one is wanted, its report. */
export function computationOfEnding(end: End): Computation {
  return async ({ run, withReport }: { run: Run; withReport: boolean }, { store, isCancelled }) => {
    const splits = await loadSplits(store, run);
    const ending = await end(run, splits, store, pausesOf(isCancelled, 'the model'));
    const { model, figures } = ending;
    const ofVariables = figuresOf(model, splits);
    await storeModelFiles(store, run, model, { ...ofVariables, ...figures }, async () =>
      withReport ? reportOn(run, splits, ending, ofVariables) : null,
    );
  };
}

/** The page about the model of a run. */
export function reportOfEnding(end: End): Family['report'] {
  return async (store, run, _, { title, sources, cells } = {}) => {
    const splits = await loadSplits(store, run);
    const ending = await end(run, splits, store, () => Promise.resolve());
    return reportOn(run, splits, ending, { ...figuresOf(ending.model, splits), title, sources, cells });
  };
}

/** Of a model of a table, what it knows of each variable. */
function figuresOf(model: DensityModel, splits: Splits): Partial<FinishedModel> {
  return isTabular(model) ? { variables: variableFigures(model, splits) } : {};
}

async function reportOn(run: Run, splits: Splits, ending: Ending, more: Partial<FinishedModel>): Promise<string> {
  // the drawing libraries take longer to load than most tasks to run
  const { reportOnModel } = await import('@orchard/report');
  const { model, chosenByValidation } = ending;
  const sections = await ending.sections?.();
  return reportOnModel({ runId: run.id, model, splits, sections, chosenByValidation, ...more });
}

/**
 * The beginning of a run's model file but for its likelihoods.
 *
 * @param found what the run found out beside its specification
 */
export function headOf(
  run: Run,
  { dimensions, names, shape }: Variables,
  found: Readonly<Record<string, unknown>> = {},
): Omit<ModelHead, 'family' | 'likelihoods'> {
  const specification = { runId: run.id, ...run.specification, ...found } as JsonValue;
  return { dimensions, names, shape, specification };
}
