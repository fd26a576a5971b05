import { parseContract, taskNames } from '@orchard/contracts';
import {
  openModel,
  type DensityModel,
  type JsonValue,
  type ModelCodec,
  type ModelHead,
  type Variables,
} from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import type { z } from 'zod';
import { artefactNames } from './artefact-names.js';
import type { RunSoFar } from './family-of-one-model.js';
import type { Run } from './run.js';
import { storedNames } from './stored-names.js';

/**
 * Which step of which chain: a run goes through its chains side by side, and through the steps of each in turn. Both
 * count from 0.
 */
export interface Place {
  readonly chain: number;
  readonly step: number;
}

/** A stored step: a model file, whose specification is what there is to know of the step. */
export interface StoredStep<Facts, Model> {
  readonly facts: Facts;
  readonly model: Model;
}

export interface StepsOptions<Facts> {
  /** Of the model files; also what steps are called where they are counted. */
  readonly folder: string;
  /** In the keys of tasks: what stands before the number of the chain, where there are several, and of the step. */
  readonly letters: { readonly chain?: string; readonly step?: string };
  /** The number of the first step in keys. @default 0 */
  readonly first?: number;
  /** Whether the key of a chain's first step names the chain alone, as where chains have one step. @default no */
  readonly isFirstPlain?: boolean;
  readonly facts: z.ZodType<Facts>;
  readonly codec: ModelCodec;
  /** Of steps that are models of other kinds. @default none */
  readonly otherCodecs?: readonly ModelCodec[];
  /** How many chains a run has, and how many steps each of them has at most. */
  readonly courseOf: (run: Run) => { readonly chains: number; readonly steps: number };
  /** Whether a chain ends with a step. @default it does with the last that it may have */
  readonly isLast?: (facts: Facts) => boolean;
}

/** How far the chains of a run are. */
interface Progress {
  readonly total: number;
  readonly done: number;
  /** The next step of each chain that has one. */
  readonly open: readonly Place[];
}

/**
 * The steps that a run's model is chosen from or made of, each after the one before it in its chain, and where they are
 * stored.
 */
export class Steps<Facts, Model extends DensityModel> {
  constructor(private readonly options: StepsOptions<Facts>) {}

  get folder(): string {
    return this.options.folder;
  }

  get codecs(): readonly ModelCodec[] {
    return [this.options.codec, ...(this.options.otherCodecs ?? [])];
  }

  keyOf({ chain, step }: Place): string {
    const { letters, first = 0, isFirstPlain = false } = this.options;
    const ofChain = letters.chain === undefined ? '' : `${letters.chain}${String(chain)}`;
    const isPlain = letters.step === undefined || (isFirstPlain && step === 0);
    const ofStep = isPlain ? '' : `${letters.step}${String(first + step)}`;
    return ofChain + ofStep;
  }

  /** The step that a task's key names. */
  placeIn(key: string): Place {
    const { letters, first = 0, isFirstPlain = false } = this.options;
    const numbers = (key.match(/\d+/g) ?? []).map(Number);
    const isPlain = letters.step === undefined || (isFirstPlain && numbers.length === 1);
    return {
      chain: letters.chain === undefined ? 0 : numbers[0]!,
      step: isPlain ? 0 : numbers.at(-1)! - first,
    };
  }

  nameOf(run: string, place: Place): string {
    return taskNames.artefact({ run, key: this.keyOf(place) }, this.folder);
  }

  prefix(run: string): string {
    return `${artefactNames.run(run)}${this.folder}/`;
  }

  /** @throws ModelError, ContractError where the bytes are not a step */
  from(bytes: Uint8Array): StoredStep<Facts, Model> {
    const model = openModel(bytes, this.codecs) as Model & { readonly specification: unknown };
    return { facts: parseContract(this.options.facts, model.specification, `file of ${this.folder}`), model };
  }

  async read(store: ObjectStore, run: Run, place: Place): Promise<StoredStep<Facts, Model>> {
    return this.from(await store.get(this.nameOf(run.id, place)));
  }

  /** All steps of a finished course, chain by chain; one is in memory at a time. */
  async *all(store: ObjectStore, run: Run): AsyncGenerator<StoredStep<Facts, Model>> {
    const { chains, steps } = this.options.courseOf(run);
    const stored = this.options.isLast === undefined ? null : await storedNames(store, run);
    for (let chain = 0; chain < chains; chain++) {
      const count = stored === null ? steps : this.#count(stored, run, chain, steps);
      for (let step = 0; step < count; step++) yield await this.read(store, run, { chain, step });
    }
  }

  async progress({ run, store, stored, isComplete }: RunSoFar): Promise<Progress> {
    const { isLast, courseOf } = this.options;
    const { chains, steps } = courseOf(run);
    const open: Place[] = [];
    let total = 0;
    let done = 0;
    for (let chain = 0; chain < chains; chain++) {
      const count = this.#count(stored, run, chain, steps);
      const mayEnd = isLast !== undefined && count > 0 && count < steps && !isComplete;
      const isEnded =
        isComplete ||
        count === steps ||
        (mayEnd && isLast((await this.read(store, run, { chain, step: count - 1 })).facts));
      if (!isEnded) open.push({ chain, step: count });
      // where steps say which is the last, how many there will be is not known before
      const all = isEnded && isLast !== undefined ? count : steps;
      total += all;
      done += isEnded ? all : count;
    }
    return { total, done, open };
  }

  /** How many steps of a chain are stored, up to the first that is not. */
  #count(stored: ReadonlySet<string>, run: Run, chain: number, most: number): number {
    let count = 0;
    while (count < most && stored.has(this.nameOf(run.id, { chain, step: count }))) count++;
    return count;
  }
}

/** The beginning of a step's model file. @param train mean nats of the training rows, where they are asked */
export function headOfStep(
  { dimensions, names, shape }: Variables,
  facts: { readonly valid: number } & Readonly<Record<string, JsonValue>>,
  train: number | null = null,
): Omit<ModelHead, 'family'> {
  const likelihoods = { train, valid: facts.valid, test: null };
  return { dimensions, names, shape, specification: { ...facts }, likelihoods };
}

/** The step by which the validation rows are likeliest, of equal ones the first, and what there is to know of all. */
export async function likeliestStep<Facts extends { readonly valid: number }, Model extends DensityModel>(
  steps: Steps<Facts, Model>,
  store: ObjectStore,
  run: Run,
): Promise<{ readonly all: readonly Facts[]; readonly best: StoredStep<Facts, Model> }> {
  const all: Facts[] = [];
  let best: StoredStep<Facts, Model> | null = null;
  for await (const step of steps.all(store, run)) {
    all.push(step.facts);
    if (best === null || step.facts.valid > best.facts.valid) best = step;
  }
  if (best === null) throw new Error('a run without steps');
  return { all, best };
}
