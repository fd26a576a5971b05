import { runIdOf } from '@orchard/contracts';
import { openModel } from '@orchard/model';
import { NUMERICS_VERSION } from '@orchard/numerics';
import {
  artefactNames,
  builtModule,
  checkSplits,
  damagedBelow,
  loadSplits,
  PipelineError,
  requireSameNumerics,
  type DataRequest,
  type Family,
  type Run,
} from '@orchard/pipeline';
import { listAll } from '@orchard/storage';
import { z } from 'zod';
import { candidateIn, candidateKey, candidateName, candidatesFolder } from './artefacts.js';
import { choose, computations } from './computations.js';
import { forestMixtureCodec } from './forest-mixture-model.js';
import {
  candidatesOf,
  mixtureFamily,
  mixtureSpecification,
  mixtureSpecificationSchema,
  mixtureWordsSchema,
  wholeWords,
  type MixtureSpecification,
} from './mixture-run.js';
import { sectionsOf } from './templates-section.js';

const wanted = 'model';

/** Mixtures of products by EM, shrunk along a tree of clusters or not: one task a run of EM, then one that chooses. */
export const mixture: Family = {
  name: mixtureFamily,
  description:
    'mixtures of products of columns by EM, as many as validation rows like best: exact answers but for the most probable row',
  answers: { conditionals: 'exact', mostProbable: 'none' },
  kinds: [
    { kind: 'em', pool: 'worker', state: 'learning', folder: candidatesFolder, counted: 'candidates' },
    { kind: 'choose', pool: 'selector', state: 'choosing', folder: 'networks', counted: null },
  ],
  words: mixtureWordsSchema,
  specification: mixtureSpecificationSchema,
  wanted: z.strictObject({}),
  computations: { module: builtModule('computations', import.meta.url), functions: computations },
  handlers: {
    em: async ({ store, compute, isNew, signal }, run, { key }) => {
      requireSameNumerics(run);
      const candidate = candidateIn(key);
      const name = candidateName(run.id, candidate);
      if (!isNew && (await store.head(name)) !== null) return { stored: 'exists' };
      const what = `run ${String(candidate)} of EM`;
      const bytes = await compute.withData(rowsOf(run), (call) =>
        call<Uint8Array | null>('em', { run, candidate }, { signal, what }),
      );
      if (bytes === null) throw interruptedIn(what);
      return { stored: await store.put(name, bytes) };
    },
    choose: async ({ compute, signal, withReport }, run) => {
      requireSameNumerics(run);
      await compute.call('choose', { run, withReport }, { signal });
      return { stored: 'created' };
    },
  },
  resolve: (said, datasets) => {
    checkSplits(datasets);
    const { train, valid, test } = datasets;
    const specification: MixtureSpecification = {
      family: mixtureFamily,
      train: train.id,
      valid: valid.id,
      test: test?.id ?? null,
      ...wholeWords(mixtureWordsSchema.parse(said)),
      numericsVersion: NUMERICS_VERSION,
    };
    return { runId: runIdOf(specification), specification, choice: {} };
  },
  wantedName: () => wanted,
  missing: async (store, run, [choice = {}], { withReport }) => {
    const candidates = candidatesOf(mixtureSpecification(run));
    const stored = new Set<string>();
    for await (const { name } of listAll(store, artefactNames.run(run.id))) stored.add(name);
    const names = [artefactNames.network(run.id, wanted), artefactNames.summary(run.id, wanted)];
    if (withReport) names.push(artefactNames.report(run.id, wanted));
    const isComplete = names.every((name) => stored.has(name));
    const open = isComplete ? [] : [...candidates.keys()].filter((at) => !stored.has(candidateName(run.id, at)));
    const tasks = open.map((at) => ({
      task: { run: run.id, kind: 'em', key: candidateKey(at) },
      cost: candidates[at]!.components,
      detail: {},
      isNew: true,
    }));
    const last = { task: { run: run.id, kind: 'choose', key: wanted }, cost: 1, detail: {}, isNew: false };
    return {
      // of most components first
      tasks: isComplete ? [] : open.length > 0 ? tasks.reverse() : [last],
      complete: isComplete ? [choice] : [],
      stages: {
        em: { total: candidates.length, done: candidates.length - open.length },
        choose: { total: 1, done: isComplete ? 1 : 0 },
      },
    };
  },
  codec: forestMixtureCodec,
  damaged: (store, run) =>
    damagedBelow(store, `${artefactNames.run(run.id)}${candidatesFolder}/`, (bytes) =>
      openModel(bytes, [forestMixtureCodec]),
    ),
  report: async (store, run) => {
    const splits = await loadSplits(store, run);
    const { reportOnModel } = await import('@orchard/report');
    const { model, tried, chosen } = await choose(store, run, splits);
    const sections = await sectionsOf(model, splits.train, {
      tried,
      chosen,
      hierarchy: mixtureSpecification(run).hierarchy,
    });
    return reportOnModel({ runId: run.id, model, splits, sections });
  },
};

/** The rows that candidates learn from and are judged by, once for all threads. */
function rowsOf(run: Run): DataRequest {
  const { train, valid } = run.specification;
  const facts = run.datasets;
  const { rows, dimensions } = facts.train;
  const rowBytes = 8 * Math.ceil(dimensions / 64) + 8;
  const bytes = (rows + facts.valid.rows) * rowBytes + 131_072;
  // of a thread: the mixture, the best, the sums, logarithms, and the shares of a block of rows
  const own = Math.max(...mixtureSpecification(run).components) * (48 * dimensions + 8192);
  return {
    key: `counted bits ${train} ${valid}`,
    fit: (threads, room) => {
      const fitting = Math.max(1, Math.min(threads, Math.floor((room - bytes) / own)));
      return { threads: fitting, bytes: bytes + fitting * own };
    },
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

function interruptedIn(what: string): PipelineError {
  return new PipelineError('interrupted', {
    got: 'a request to stop between two steps',
    expected: 'time to finish',
    where: what,
    remedy: 'Run again: what is stored stays, and this run of EM begins again.',
  });
}
