import type { NetworkChoice, RunSpecification, RunWords } from '@orchard/contracts';
import { readDataset, type BitMatrix } from '@orchard/dataset';
import { artefactNames, registerDataset, resolveRun, runLocally } from '@orchard/pipeline';
import { FilesystemStore, type ObjectStore } from '@orchard/storage';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type DataName = 'mushrooms' | 'dna';

/** A run, and what a laptop makes of it. */
export interface Specimen {
  readonly specification: RunSpecification;
  readonly choice: NetworkChoice;
  readonly dimensions: number;
  /** Registers the data sets in a store. */
  register(store: ObjectStore): Promise<void>;
  /** The network file and the summary that one undisturbed process writes. */
  readonly network: Uint8Array;
  readonly summary: Uint8Array;
  /** Where that process kept its artefacts. */
  readonly store: ObjectStore;
}

const matrices = new Map<DataName, Promise<readonly BitMatrix[]>>();

function splitsOf(name: DataName): Promise<readonly BitMatrix[]> {
  let splits = matrices.get(name);
  if (splits === undefined) {
    const path = (split: string): string => fileURLToPath(new URL(`../data/${name}/${split}.data.gz`, import.meta.url));
    splits = Promise.all(['train', 'valid', 'test'].map((split) => readDataset(path(split))));
    matrices.set(name, splits);
  }
  return splits;
}

const made = new Map<string, Promise<Specimen>>();

/** The run of these words on this data, run locally once. */
export function specimen(name: DataName, words: RunWords): Promise<Specimen> {
  const key = JSON.stringify([name, words]);
  let found = made.get(key);
  if (found === undefined) {
    found = splitsOf(name).then((splits) => make(splits, words));
    made.set(key, found);
  }
  return found;
}

async function make(splits: readonly BitMatrix[], words: RunWords): Promise<Specimen> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-specimen-'));
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const store = await FilesystemStore.open(folder);
  const [train, valid, test] = await Promise.all(splits.map((matrix) => registerDataset(store, matrix)));
  const { specification, choice } = resolveRun(words, { train: train!, valid: valid!, test: test! });
  const { run, network } = await runLocally({ store, specification, choice, threads: 2 });
  const summary = await store.get(artefactNames.summary(run.id, choice));
  return {
    specification,
    choice,
    dimensions: run.ordering.length,
    register: async (other) => {
      await Promise.all(splits.map((matrix) => registerDataset(other, matrix)));
    },
    network,
    summary,
    store,
  };
}
