import type { DensityModel } from '@orchard/model';
import type { Computations } from './compute.js';
import { familyOfOneModel, type OneModel } from './family-of-one-model.js';
import type { Family } from './family.js';
import type { Run } from './run.js';
import { loadSplits, storeModel, type Splits } from './store-model.js';

/** What there is to say of a family whose models are made by one task of a worker, on one thread. */
export interface OneTask extends Pick<
  OneModel,
  'name' | 'description' | 'learns' | 'answers' | 'chosenByValidation' | 'words' | 'specification' | 'specify' | 'codec'
> {
  readonly kind: string;
  /** What a run is in meanwhile. */
  readonly state: string;
  /** Of built code, which exports `computations`: those of {@link computationsOfOneTask}. */
  readonly module: URL;
  readonly computations: Computations['functions'];
  readonly modelOf: (run: Run, splits: Splits) => DensityModel;
  /** What of a model only its own family can show, as sections of the report. @default none */
  readonly sectionsOf?: SectionsOf;
}

/** What its report shows beyond what all have. */
type Shown = Pick<OneTask, 'sectionsOf' | 'chosenByValidation'>;

/** Markup by the functions of `@orchard/report`. */
export type SectionsOf = (model: DensityModel) => Promise<readonly string[]>;

/** The whole computation: the run's rows, its model of them, and all that is stored of it. */
export function computationsOfOneTask(
  kind: string,
  modelOf: OneTask['modelOf'],
  shown: Shown = {},
): Computations['functions'] {
  return {
    [kind]: async ({ run, withReport }: { run: Run; withReport: boolean }, { store }) => {
      const splits = await loadSplits(store, run);
      await storeModel(store, run, modelOf(run, splits), { splits, withReport, ...shown });
    },
  };
}

export function familyOfOneTask({ kind, state, module, computations, modelOf, sectionsOf, ...said }: OneTask): Family {
  return familyOfOneModel({
    ...said,
    kinds: [{ kind, pool: 'worker', state, folder: 'networks', counted: null }],
    computations: { module, functions: computations },
    report: async (store, run) => {
      const splits = await loadSplits(store, run);
      const { reportOnModel } = await import('@orchard/report');
      const model = modelOf(run, splits);
      const sections = await sectionsOf?.(model);
      return reportOnModel({ runId: run.id, model, splits, sections, chosenByValidation: said.chosenByValidation });
    },
  });
}
