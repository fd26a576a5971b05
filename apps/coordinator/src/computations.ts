import type { DensityModel } from '@orchard/model';
import type { Computation, ComputationContext } from '@orchard/pipeline';
import { askComplete, askSample, askScore } from '@orchard/questions';
import { families } from '@orchard/registry';
import { LRUCache } from 'lru-cache';
import { describeBody } from './datasets/describe-body.js';
import { hashRows } from './datasets/hash-rows.js';
import { readRows } from './datasets/read-rows.js';
import { splitBody } from './datasets/split-body.js';
import { parseJson } from './http/json-text.js';
import { importanceOf } from './networks/importance.js';
import type { ModelQuestion } from './networks/model-questions.js';

/**
 * What a request has computed off the main thread, which answers all others meanwhile. Answers are JSON in UTF-8:
 * making megabytes of text takes as long as computing them may.
 */
export const computations = {
  score: answering(askScore),
  sample: answering(askSample),
  complete: answering(askComplete),
  importance: answering(importanceOf),
  hashRows,
  readRows,
  describeTable: describeBody,
  splitTable: splitBody,
} satisfies Readonly<Record<string, Computation>>;

export type ModelComputation = 'score' | 'sample' | 'complete' | 'importance';

function answering(ask: (model: DensityModel, question: unknown) => unknown) {
  return async (question: ModelQuestion, { store }: ComputationContext): Promise<Uint8Array> => {
    const model = await openModel(question, store);
    const body = question.body === null ? undefined : parseJson(question.body);
    return new TextEncoder().encode(JSON.stringify(ask(model, body)));
  };
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
    const bytes = await store.get(name);
    model = families.openModel(bytes);
    open.set(name, model, { size: Math.max(1, bytes.length) });
  }
  last = { name, model };
  return model;
}
