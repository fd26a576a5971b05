import { runIdOf } from '@orchard/contracts';
import { openModel } from '@orchard/model';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  artefactNames,
  builtModule,
  checkSplits,
  damagedBelow,
  loadSplits,
  requireSameNumerics,
  type DataRequest,
  type Family,
  type Run,
} from '@orchard/pipeline';
import { listAll } from '@orchard/storage';
import { z } from 'zod';
import { componentIn, componentName, componentsFolder } from './artefacts.js';
import { computations, mix } from './computations.js';
import { sectionsOf } from './conditions-section.js';
import { cutsetCodec, cutsetFamily } from './cutset-model.js';
import {
  cutsetSpecification,
  cutsetSpecificationSchema,
  cutsetWordsSchema,
  wholeWords,
  type CutsetSpecification,
} from './cutset-run.js';

const wanted = 'model';

/** Cutset networks, one or a mixture: one task a component, then one that mixes them. */
export const cutset: Family = {
  name: cutsetFamily,
  description:
    'cutset networks, conditions on columns over trees of the others, one or many mixed: exact answers to any question',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'component', pool: 'worker', state: 'learning', folder: componentsFolder, counted: 'components' },
    { kind: 'mix', pool: 'selector', state: 'mixing', folder: 'networks', counted: null },
  ],
  words: cutsetWordsSchema,
  specification: cutsetSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    component: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const component = componentIn(key);
      const name = componentName(run.id, component);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `component ${String(component)}`;
      const bytes = await compute.withData(rowsOf(run), (call) =>
        call<Uint8Array>('component', { run, component }, { signal, what }),
      );
      return { stored: await store.put(name, bytes) };
    },
    mix: async ({ compute, signal, withReport }, run) => {
      requireSameNumerics(run);
      await compute.call('mix', { run, withReport }, { signal });
      return { stored: 'created' };
    },
  },
  resolve: (said, datasets) => {
    checkSplits(datasets);
    const { train, valid, test } = datasets;
    const specification: CutsetSpecification = {
      family: cutsetFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...wholeWords(cutsetWordsSchema.parse(said)),
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const { components } = cutsetSpecification(run);
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const missing = Array.from({ length: isComplete ? 0 : components }, (_, component) => component).filter(
      (component) => !stored.has(componentName(run.id, component)),
    );
    const taskOf = (kind: string, key: string) => ({
      task: { run: run.id, kind, key },
      cost: 1,
      detail: {},
      isNew: kind === 'component',
    });
    const open =
      missing.length > 0
        ? missing.map((component) => taskOf('component', `c${String(component)}`))
        : [taskOf('mix', wanted)];
    return {
      tasks: isComplete ? [] : open,
      complete: isComplete ? [choice] : [],
      stages: {
        component: { total: components, done: components - missing.length },
        mix: { total: 1, done: isComplete ? 1 : 0 },
      },
    };
  },
  codec: cutsetCodec,
  damaged: (store, run) => damagedBelow(store, taskFolder(run), (bytes) => openModel(bytes, [cutsetCodec])),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    const { reportOnModel } = await import('@orchard/report');
    const model = await mix(store, run, splits);
    return reportOnModel({ runId: run.id, model, splits, sections: await sectionsOf(model) });
  },
};

function taskFolder({ id }: Run): string {
  return `${artefactNames.run(id)}${componentsFolder}/`;
}

/** The training rows, once for all threads. */
function rowsOf({ specification: { train }, datasets }: Run): DataRequest {
  const { rows, dimensions } = datasets.train;
  const bytes = rows * 8 * Math.ceil(dimensions / 64) + 65_536;
  return {
    key: `bits ${train}`,
    fit: (threads) => ({ threads, bytes }),
    arrange: () => ({ name: 'load', input: { train } }),
  };
}
