import type { BaseSpecification } from '@orchard/contracts';
import type { DensityModel } from '@orchard/model';
import type { Computation, ComputationContext } from '@orchard/pipeline';
import type { Examination } from '@orchard/runs';
import { LRUCache } from 'lru-cache';
import { hashRows } from './datasets/hash-rows.js';
import { parseJson } from './http/json-text.js';
import type { ModelQuestion } from './networks/model-questions.js';

/**
 * What a request has computed off the main thread, which answers all others meanwhile. Answers are JSON in UTF-8:
 * making megabytes of text takes as long as computing them may.
 * A thread loads what it is asked for: all families take longer to load than most data sets to be hashed.
 */
export const computations = {
  score: loaded(async () => answering((await import('@orchard/questions')).askScore)),
  sample: loaded(async () => answering((await import('@orchard/questions')).askSample)),
  complete: loaded(async () => answering((await import('@orchard/questions')).askComplete)),
  check: loaded(async () => answering((await import('@orchard/questions')).askCheck)),
  alarms: alarming,
  compare: comparing,
  importance: explaining,
  examineArtefacts: async (specification: BaseSpecification, { store }: ComputationContext) =>
    (await examination(store)).artefacts(specification),
  examineDatasets: async (names: readonly string[], { store }: ComputationContext) =>
    (await examination(store)).datasets(names),
  hashRows,
  readRows: loaded(async () => (await import('./datasets/read-rows.js')).readRows),
  describeTable: loaded(async () => (await import('./datasets/describe-body.js')).describeBody),
  splitTable: loaded(async () => (await import('./datasets/split-body.js')).splitBody),
} satisfies Readonly<Record<string, Computation>>;

export type ModelComputation = 'score' | 'sample' | 'complete' | 'check' | 'alarms' | 'compare' | 'importance';

function loaded(load: () => Promise<Computation>): Computation {
  return async (input, context) => (await load())(input, context);
}

function answering(ask: (model: DensityModel, question: unknown) => unknown) {
  return async (question: ModelQuestion, { store }: ComputationContext): Promise<Uint8Array> =>
    answerOf(await ask(await openModel(question, store), askedIn(question)));
}

/** Usual rows are those that the run held out, in the store with the model, unless the question has scores. */
async function alarming(question: ModelQuestion, { store }: ComputationContext): Promise<Uint8Array> {
  const [model, { askAlarms }, { judgingRows }] = await Promise.all([
    openModel(question, store),
    import('@orchard/questions'),
    import('@orchard/pipeline'),
  ]);
  return answerOf(await askAlarms(model, askedIn(question), () => judgingRows(store, model)));
}

/** Both models are in the store. */
async function comparing(question: ModelQuestion, { store }: ComputationContext): Promise<Uint8Array> {
  const { askCompare } = await import('@orchard/questions');
  const model = await openModel(question, store);
  const other = await openModel({ ...question, name: question.other! }, store);
  return answerOf(await askCompare(model, other, askedIn(question)));
}

/** What is predicted from what is judged by rows of the run, which are in the store with the model. */
async function explaining(question: ModelQuestion, { store }: ComputationContext): Promise<Uint8Array> {
  const [model, { askImportance }, { judgingRows }] = await Promise.all([
    openModel(question, store),
    import('@orchard/questions'),
    import('@orchard/pipeline'),
  ]);
  const asked = askedIn(question) as Parameters<typeof askImportance>[1];
  return answerOf(await askImportance(model, asked, await judgingRows(store, model)));
}

async function examination(store: ComputationContext['store']): Promise<Examination> {
  const [{ OwnExamination }, { families }] = await Promise.all([import('@orchard/runs'), import('@orchard/registry')]);
  return new OwnExamination(store, families);
}

function askedIn({ body }: ModelQuestion): unknown {
  return body === null ? undefined : parseJson(body);
}

function answerOf(said: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(said));
}

/** The models that this thread has open, and the one that was asked last, however large it is. */
let open: LRUCache<string, DensityModel> | null = null;
let last: { readonly name: string; readonly model: DensityModel } | null = null;

async function openModel(
  { name, cacheBytes }: ModelQuestion,
  store: ComputationContext['store'],
): Promise<DensityModel> {
  open ??= new LRUCache({ maxSize: cacheBytes });
  let model = last?.name === name ? last.model : open.get(name);
  if (model === undefined) {
    const [bytes, { families }] = await Promise.all([store.get(name), import('@orchard/registry')]);
    model = families.openModel(bytes);
    open.set(name, model, { size: Math.max(1, bytes.length) });
  }
  last = { name, model };
  return model;
}
