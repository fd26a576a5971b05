// What the threads of `orchard serve` compute: questions to models. Meanwhile the page is served.
import { judgingRows, Kept, type ComputationContext } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { askAlarms, askCheck, askCompare, askComplete, askImportance, askSample, askScore } from '@orchard/questions';
import type { DensityModel } from '@orchard/model';

/** A question to a model, as it goes to a thread. */
export interface ServedQuestion {
  /** The last part of its path. */
  readonly kind: string;
  /** The model's name in the store. */
  readonly name: string;
  /** The name of the model that it is compared with. */
  readonly other: string | null;
  readonly asked: unknown;
}

type Store = ComputationContext['store'];
type Ask = (model: DensityModel, asked: unknown, store: Store) => unknown;

/** With the bounds of a coordinator. */
const questions: Readonly<Record<string, Ask>> = {
  score: askScore,
  sample: askSample,
  complete: askComplete,
  check: askCheck,
  alarms: (model, asked, store) => askAlarms(model, asked, () => judgingRows(store, model)),
  importance: async (model, asked, store) =>
    askImportance(model, asked as { readonly column: number }, await judgingRows(store, model)),
};

/** Whether there is such a question to one model. */
export function isQuestion(kind: string): boolean {
  return Object.hasOwn(questions, kind);
}

const mostOpen = 8;
const keptMilliseconds = 3_600_000;
const open = new Kept<DensityModel>({ milliseconds: keptMilliseconds, most: mostOpen });

async function openModel(name: string, store: Store): Promise<DensityModel> {
  const known = open.get(name);
  if (known !== undefined) return known;
  const model = families.openModel(await store.get(name));
  open.set(name, model);
  return model;
}

/** @returns the answer in JSON: making megabytes of text takes as long as computing them may */
async function ask({ kind, name, other, asked }: ServedQuestion, { store }: ComputationContext): Promise<Uint8Array> {
  const model = await openModel(name, store);
  const answer =
    other === null
      ? await questions[kind]!(model, asked, store)
      : await askCompare(model, await openModel(other, store), asked);
  return new TextEncoder().encode(JSON.stringify(answer));
}

export const computations = { ask };
