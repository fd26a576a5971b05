import { openModel } from '@orchard/model';
import {
  artefactNames,
  builtModule,
  damagedBelow,
  familyOfOneModel,
  loadSplits,
  makeArtefact,
  type DataRequest,
  type Run,
} from '@orchard/pipeline';
import { componentIn, componentName, componentsFolder } from './artefacts.js';
import { computations, mix } from './computations.js';
import { sectionsOf } from './conditions-section.js';
import { cutsetCodec, cutsetFamily } from './cutset-model.js';
import { cutsetSpecification, cutsetSpecificationSchema, cutsetWordsSchema, wholeWords } from './cutset-run.js';

/** Cutset networks, one or a mixture: one task a component, then one that mixes them. */
export const cutset = familyOfOneModel({
  name: cutsetFamily,
  description: 'cutset networks: conditions on columns, then trees of the others; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'component', pool: 'worker', state: 'learning', folder: componentsFolder, counted: 'components' },
    { kind: 'mix', pool: 'selector', state: 'mixing', folder: 'networks', counted: null },
  ],
  words: cutsetWordsSchema,
  specification: cutsetSpecificationSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    component: (context, run, { key }) => {
      const component = componentIn(key);
      const name = componentName(run.id, component);
      const what = `component ${String(component)}`;
      return makeArtefact(context, {
        ...{ name, data: rowsOf(run), computation: 'component', input: { run, component }, what },
        write: (bytes) => context.store.put(name, bytes),
      });
    },
  },
  specify: (words) => wholeWords(cutsetWordsSchema.parse(words)),
  before: ({ run, stored, isComplete }) => {
    const { components: total } = cutsetSpecification(run);
    const missing = Array.from({ length: isComplete ? 0 : total }, (_, component) => component).filter(
      (component) => !stored.has(componentName(run.id, component)),
    );
    return {
      tasks: missing.map((component) => ({ kind: 'component', key: `c${String(component)}` })),
      stages: { component: { total, done: total - missing.length } },
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
});

function taskFolder({ id }: Run): string {
  return `${artefactNames.run(id)}${componentsFolder}/`;
}

/** The training rows, once for all threads. */
function rowsOf({ specification: { train }, datasets }: Run): DataRequest {
  const { rows, dimensions } = datasets.train;
  // distinct rows with how often each is there, and of every row which it is
  const bytes = rows * (8 * Math.ceil(dimensions / 64) + 12) + 65_536;
  return {
    key: `bits ${train}`,
    fit: (threads) => ({ threads, bytes }),
    arrange: () => ({ name: 'load', input: { train } }),
  };
}
