import { openModel } from '@orchard/model';
import { MOST_WEIGHTED_COLUMNS } from '@orchard/forests';
import {
  artefactNames,
  builtModule,
  countedRows,
  damagedBelow,
  familyOfOneModel,
  loadSplits,
  makeArtefact,
  requireFewColumns,
  type Run,
} from '@orchard/pipeline';
import { candidateIn, candidateKey, candidateName, candidatesFolder } from './artefacts.js';
import { chooseCandidate } from './choose-candidate.js';
import { computations, reportSections } from './computations.js';
import { forestMixtureCodec } from './forest-mixture-model.js';
import {
  candidatesOf,
  mixtureFamily,
  mixtureSpecification,
  mixtureSpecificationSchema,
  mixtureWordsSchema,
  wholeWords,
} from './mixture-run.js';
import { natsIn, readNats, risingLikelihood } from './rising-likelihood.js';

/** Mixtures by EM of products, shrunk along a tree of clusters or not, or of trees of columns: one task a run of EM, then one that chooses. */
export const mixture = familyOfOneModel({
  name: mixtureFamily,
  description: 'mixture of independent columns, or of trees of columns, by EM; exact conditional probabilities',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    {
      ...{ kind: 'em', pool: 'worker', state: 'learning', folder: candidatesFolder, counted: 'candidates' },
      rising: risingLikelihood,
    },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: mixtureWordsSchema,
  specification: mixtureSpecificationSchema,
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    em: (context, run, { key }) => {
      const candidate = candidateIn(key);
      const name = candidateName(run.id, candidate);
      const what = `run ${String(candidate)} of EM`;
      return makeArtefact(context, {
        ...{ name, data: countedRows(run, threadBytes(run)), computation: 'em', input: { run, candidate }, what },
        write: (bytes) => context.store.put(name, bytes),
        natsOf: (bytes) => natsIn(bytes, run),
      });
    },
  },
  specify: (said, { train: { dimensions } }) => {
    const words = wholeWords(mixtureWordsSchema.parse(said));
    if (words.of === 'trees') requireFewColumns(dimensions, MOST_WEIGHTED_COLUMNS);
    return words;
  },
  before: ({ run, stored, isComplete }) => {
    const candidates = candidatesOf(mixtureSpecification(run));
    const open = isComplete ? [] : [...candidates.keys()].filter((at) => !stored.has(candidateName(run.id, at)));
    // of most components first
    const tasks = open.reverse().map((at) => ({ kind: 'em', key: candidateKey(at), cost: candidates[at]!.components }));
    return { tasks, stages: { em: { total: candidates.length, done: candidates.length - open.length } } };
  },
  codec: forestMixtureCodec,
  readNats,
  damaged: (store, run) =>
    damagedBelow(store, `${artefactNames.run(run.id)}${candidatesFolder}/`, (bytes) =>
      openModel(bytes, [forestMixtureCodec]),
    ),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    const { reportOnModel } = await import('@orchard/report');
    const made = await chooseCandidate(store, run, splits);
    const sections = await reportSections(run, made, splits.train);
    return reportOnModel({ runId: run.id, model: made.model, splits, sections });
  },
});

/** Of a thread: the mixture, the best, the sums, logarithms, and the shares of a block of rows. */
function threadBytes(run: Run): number {
  const { rows, dimensions } = run.datasets.train;
  const { of, components } = mixtureSpecification(run);
  const most = components.reduce((most, one) => Math.max(most, one), -Infinity);
  // of trees the shares of all rows, before the first step and after it, where rows have ones (as if all were), and the pairs of one component
  const ofTrees = of === 'trees' ? (most * 16 + 6 * dimensions) * rows + 16 * dimensions ** 2 : 0;
  return most * (48 * dimensions + 8192) + ofTrees;
}
