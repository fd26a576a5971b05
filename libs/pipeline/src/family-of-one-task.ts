import { runIdOf, type BaseSpecification } from '@orchard/contracts';
import type { DensityModel } from '@orchard/model';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { z } from 'zod';
import { artefactNames } from './artefact-names.js';
import type { Computation, Computations } from './compute.js';
import type { Family } from './family.js';
import { checkSplits, requireSameNumerics, type Run, type RunDatasets } from './run.js';
import { loadSplits, storeModel, type Splits } from './store-model.js';

/** What there is to say of a family whose models are made by one task of a worker, on one thread. */
export interface OneTask extends Pick<
  Family,
  'name' | 'description' | 'learns' | 'answers' | 'chosenByValidation' | 'words' | 'specification' | 'codec'
> {
  readonly kind: string;
  /** What a run is in meanwhile. */
  readonly state: string;
  /** Of built code, which exports `computations`: those of {@link computationsOfOneTask}. */
  readonly module: URL;
  readonly computations: Computations['functions'];
  readonly modelOf: (run: Run, splits: Splits) => DensityModel;
  /** What the words mean, beside the splits. */
  readonly specify: (words: Readonly<Record<string, unknown>>) => object;
  /** Refuses data sets beyond what every family does. @throws PipelineError `bad-request` */
  readonly check?: (datasets: RunDatasets) => void;
  /** What of a model only its own family can show, as sections of the report. @default none */
  readonly sectionsOf?: SectionsOf;
}

/** What its report shows beyond what all have. */
type Shown = Pick<OneTask, 'sectionsOf' | 'chosenByValidation'>;

/** Markup by the functions of `@orchard/report`. */
export type SectionsOf = (model: DensityModel) => Promise<readonly string[]>;

/** The one model that such a run ends in. */
const wanted = 'model';

/** The whole computation: the run's rows, its model of them, and all that is stored of it. */
export function computationsOfOneTask(modelOf: OneTask['modelOf'], shown: Shown = {}): { make: Computation } {
  return {
    make: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }) => {
      const splits = await loadSplits(store, run);
      await storeModel(store, run, wanted, modelOf(run, splits), { splits, withReport, ...shown });
    },
  };
}

export function familyOfOneTask(one: OneTask): Family {
  const { name, description, learns, answers, kind, state, module, computations, words, specification, codec } = one;
  return {
    ...{ name, description, words, specification, codec },
    ...(learns === undefined ? {} : { learns }),
    ...(answers === undefined ? {} : { answers }),
    ...(one.chosenByValidation === undefined ? {} : { chosenByValidation: one.chosenByValidation }),
    kinds: [{ kind, pool: 'worker', state, folder: 'networks', counted: null }],
    wanted: z.strictObject({}),
    computations: { module, functions: computations },
    handlers: {
      [kind]: async ({ compute, signal, withReport }, run) => {
        requireSameNumerics(run);
        await compute.call('make', { run, withReport }, { signal });
        return { stored: 'created' };
      },
    },
    resolve: (said, datasets) => {
      checkSplits(datasets, learns);
      one.check?.(datasets);
      const { train, valid, test } = datasets;
      const splits = { train: train.id, valid: valid.id, test: test?.id ?? null };
      const made: BaseSpecification = {
        family: name,
        ...splits,
        ...one.specify(said),
        numericsVersion: NUMERICS_VERSION,
      };
      return { runId: runIdOf(made), specification: made, choice: {} };
    },
    wantedName: () => wanted,
    missing: async (store, { id }, [choice = {}], { withReport }) => {
      const names = [artefactNames.network(id, wanted), artefactNames.summary(id, wanted)];
      if (withReport) names.push(artefactNames.report(id, wanted));
      const isComplete = !(await Promise.all(names.map((name) => store.head(name)))).includes(null);
      const task = { task: { run: id, kind, key: wanted }, cost: 1, detail: {}, isNew: false };
      return {
        tasks: isComplete ? [] : [task],
        complete: isComplete ? [choice] : [],
        stages: { [kind]: { total: 1, done: isComplete ? 1 : 0 } },
      };
    },
    // the model and its summary are all that such a run stores
    damaged: () => Promise.resolve([]),
    report: async (store, run) => {
      const splits = await loadSplits(store, run);
      const { reportOnModel } = await import('@orchard/report');
      const model = one.modelOf(run, splits);
      const sections = await one.sectionsOf?.(model);
      return reportOnModel({ runId: run.id, model, splits, sections, chosenByValidation: one.chosenByValidation });
    },
  };
}
