import { runIdOf, type BaseSpecification } from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import { z } from 'zod';
import { artefactNames } from './artefact-names.js';
import type { Family, Plan, PlannedTask, TaskHandler } from './family.js';
import { oneModel } from './one-model.js';
import { checkSplits, requireSameNumerics, type Run, type RunDatasets } from './run.js';
import { storedNames } from './stored-names.js';

/** A task before the last, of which most have the same cost and no checkpoint. */
export interface OpenTask {
  readonly kind: string;
  readonly key: string;
  /** @default 1 */
  readonly cost?: number;
  /** @default true */
  readonly isNew?: boolean;
}

/** What a run that goes through several kinds of task lacks before the last. */
export interface Before {
  readonly tasks: readonly OpenTask[];
  /** Of every kind but the last. */
  readonly stages: Plan['stages'];
}

/** What a plan is made from. */
export interface RunSoFar {
  readonly run: Run;
  readonly store: ObjectStore;
  /** The names of all that the run has stored. */
  readonly stored: ReadonlySet<string>;
  /**
   * The model is stored with all that goes with it: it stands for all that went into it, nothing of which is missing
   * any more.
   */
  readonly isComplete: boolean;
}

/**
 * What there is to say of a family whose runs end in one model, made by the last kind of task of what those before it
 * stored.
 */
export interface OneModel extends Omit<
  Family,
  'handlers' | 'wanted' | 'wantedName' | 'resolve' | 'missing' | 'damaged'
> {
  /**
   * Of every kind but the last, which calls the computation that is named as it is, with the run and whether a report
   * is wanted.
   *
   * @default none
   */
  readonly handlers?: Family['handlers'];
  /** What the words mean, beside the splits. @throws PipelineError `bad-request` */
  readonly specify: (words: Readonly<Record<string, unknown>>, datasets: RunDatasets) => object;
  /** @default nothing: the last kind is the only one */
  readonly before?: (soFar: RunSoFar) => Before | Promise<Before>;
  /** @default none: the model and its summary are all that a run of one kind stores */
  readonly damaged?: Family['damaged'];
}

export function familyOfOneModel(one: OneModel): Family {
  const { handlers = {}, specify, before, damaged = () => Promise.resolve([]), ...said } = one;
  const last = said.kinds.at(-1)!.kind;
  const makeModel: TaskHandler = async ({ compute, signal, withReport }, run) => {
    await compute.call(last, { run, withReport }, { signal });
    return { stored: 'created' };
  };
  return {
    ...said,
    damaged,
    wanted: z.strictObject({}),
    wantedName: () => oneModel,
    handlers: ofSameNumerics({ ...handlers, [last]: makeModel }),
    resolve: (words, datasets) => {
      checkSplits(datasets, said);
      const { train, valid, test } = datasets;
      const splits = { train: train.id, valid: valid.id, test: test?.id ?? null };
      const specification: BaseSpecification = {
        family: said.name,
        ...splits,
        ...specify(words, datasets),
        numericsVersion: NUMERICS_VERSION,
      };
      return { runId: runIdOf(specification), specification, choice: {} };
    },
    missing: async (store, run, [choice = {}], { withReport }) => {
      const stored = await storedNames(store, run);
      const isComplete = filesOfModel(run.id, withReport).every((name) => stored.has(name));
      const { tasks, stages } = (await before?.({ run, store, stored, isComplete })) ?? { tasks: [], stages: {} };
      const open = tasks.length > 0 ? tasks : [{ kind: last, key: oneModel, isNew: false }];
      return {
        tasks: isComplete ? [] : open.map((task) => planned(run, task)),
        complete: isComplete ? [choice] : [],
        stages: { ...stages, [last]: { total: 1, done: isComplete ? 1 : 0 } },
      };
    },
  };
}

/** The same, which refuse runs of another arithmetic. */
export function ofSameNumerics(handlers: Family['handlers']): Family['handlers'] {
  const refusing = (handle: TaskHandler): TaskHandler => {
    return (context, run, task, detail) => {
      requireSameNumerics(run);
      return handle(context, run, task, detail);
    };
  };
  return Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, refusing(handle)]));
}

function filesOfModel(run: string, withReport: boolean): readonly string[] {
  const names = [artefactNames.network(run, oneModel), artefactNames.summary(run, oneModel)];
  return withReport ? [...names, artefactNames.report(run, oneModel)] : names;
}

function planned({ id }: Run, { kind, key, cost = 1, isNew = true }: OpenTask): PlannedTask {
  return { task: { run: id, kind, key }, cost, detail: {}, isNew };
}
