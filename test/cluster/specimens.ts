import type { BaseSpecification, RunWords, Wanted } from '@orchard/contracts';
import { openTable, readDataset, readTableSplits, type BitMatrix } from '@orchard/dataset';
import { boosted } from '@orchard/boosted';
import { chowLiu } from '@orchard/chow-liu';
import { compositional } from '@orchard/compositional';
import { cutset } from '@orchard/cutset';
import { mixture } from '@orchard/mixture';
import { lbarn } from '@orchard/lbarn';
import { marginals } from '@orchard/marginals';
import { partition } from '@orchard/partition';
import { sparn } from '@orchard/sparn';
import { artefactNames, registerDataset, runLocally, type Family } from '@orchard/pipeline';
import { FilesystemStore, type ObjectStore } from '@orchard/storage';
import { tables } from '@orchard/tables';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

export type DataName = 'mushrooms' | 'dna';

/** A run, and what a laptop makes of it. */
export interface Specimen {
  readonly specification: BaseSpecification;
  readonly choice: Wanted;
  /** The name of what is wanted, in artefacts. */
  readonly wanted: string;
  /** How many artefacts a run has when it is done, by folder. */
  readonly artefacts: Readonly<Record<string, number>>;
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

/** The run of these words on this data, run locally once: a network of boosted trees. */
export function specimen(name: DataName, words: RunWords): Promise<Specimen> {
  return specimenOf(lbarn, name, words);
}

/** The same of the smallest family. */
export function marginalsSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(marginals, name, {});
}

/** A forest of columns. */
export function forestSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(chowLiu, name, { forest: true });
}

/** A mixture of cutset networks. */
export function cutsetSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(cutset, name, { components: 12, minRows: 300, weights: 'em', seed: 3 });
}

/** A mixture of products, the best of twelve. */
export function mixtureSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(mixture, name, { components: '2,5', pseudoCount: '1,10', restarts: 3, steps: 5 });
}

/** A sparse autoregressive network. */
export function sparnSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(sparn, name, { penalty: '64,32' });
}

/** Experts that are composed, by two runs of EM of three steps each. */
export function compositionalSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(compositional, name, { experts: 4, restarts: 2, steps: 3 });
}

/** A mixture of two sparse autoregressive networks, beside a single one: barriers between the steps of EM. */
export function sparnMixtureSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(sparn, name, { penalty: '64,32', components: '1,2', steps: 1 });
}

/** A sequence of two mixtures of two networks each, whose steps do not wait for each other's. */
export function sparnSequenceSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(sparn, name, { penalty: '64', components: 2, intervals: 2, steps: 1 });
}

/** Boosted trees, one round after the other. */
export function boostedSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(boosted, name, { components: 8, waiting: 8, refits: 2 });
}

/** Experts with areas of expertise, the best step of three runs of EM. */
export function partitionSpecimen(name: DataName): Promise<Specimen> {
  return specimenOf(partition, name, { experts: 4, restarts: 3, steps: 3 });
}

/**
 * A table of five columns: words with missing values, numbers, dates, yes and no, each leaning on the one before it.
 */
export function tableSpecimen(): Promise<Specimen> {
  return tableSpecimenOf(tables, { rounds: 20, leaves: 4, members: 1 });
}

/** The same table, by members that are mixed, whose variables find their leaves. */
export function mixedTableSpecimen(): Promise<Specimen> {
  return tableSpecimenOf(tables, { rounds: 10, leaves: 'auto', members: 3, folds: 4 });
}

/** The same table, by a family of one task. */
export function forestOfTableSpecimen(): Promise<Specimen> {
  return tableSpecimenOf(chowLiu, { forest: true });
}

export function marginalsOfTableSpecimen(): Promise<Specimen> {
  return tableSpecimenOf(marginals, {});
}

function tableSpecimenOf(family: Family, words: Readonly<Record<string, unknown>>): Promise<Specimen> {
  const key = `table of ${family.name} ${JSON.stringify(words)}`;
  let found = made.get(key);
  if (found === undefined) {
    found = tableSplits().then((splits) => make(family, splits, words));
    made.set(key, found);
  }
  return found;
}

async function tableSplits(): Promise<readonly BitMatrix[]> {
  const lines = Array.from({ length: 400 }, (_, row) => {
    const size = (row * row * 7) % 101;
    const kind = row % 11 === 0 ? '' : ['fir', 'oak', 'ash'][Math.floor(size / 34)]!;
    const day = new Date((19_000 + size + (row % 5)) * 86_400_000).toISOString().slice(0, 10);
    return [kind, (size + (row % 3) / 4).toFixed(2), day, size > 50 ? 'yes' : 'no', (row * 3) % 8].join(',');
  });
  const folder = await mkdtemp(join(tmpdir(), 'orchard-table-'));
  const path = join(folder, 'trees.csv');
  await writeFile(path, `kind,size,day,tall,site\n${lines.join('\n')}\n`);
  const train = await openTable(path);
  try {
    const splits = await readTableSplits({ train, valid: null, test: null }, { valid: 0.2, test: 0.2 }, 1, {});
    return [splits.train, splits.valid!, splits.test!];
  } finally {
    await train.close();
    await rm(folder, { recursive: true });
  }
}

function specimenOf(family: Family, name: DataName, words: Readonly<Record<string, unknown>>): Promise<Specimen> {
  const key = JSON.stringify([family.name, name, words]);
  let found = made.get(key);
  if (found === undefined) {
    found = splitsOf(name).then((splits) => make(family, splits, words));
    made.set(key, found);
  }
  return found;
}

async function make(
  family: Family,
  splits: readonly BitMatrix[],
  words: Readonly<Record<string, unknown>>,
): Promise<Specimen> {
  // in one folder for all tests: what another file has made is there
  const store = await FilesystemStore.open(inject('specimens'));
  const [train, valid, test] = await Promise.all(splits.map((matrix) => registerDataset(store, matrix)));
  const { specification, choice } = family.resolve(words, { train: train!, valid: valid!, test: test! });
  const { run, network } = await runLocally({ store, family, specification, choice, threads: 2 });
  const wanted = family.wantedName(choice);
  const summary = await store.get(artefactNames.summary(run.id, wanted));
  const dimensions = train!.dimensions;
  const networks = Number(choice['members'] ?? 1);
  return {
    specification,
    choice,
    wanted,
    artefacts:
      family === lbarn
        ? {
            conditionals: networks * dimensions,
            ...(choice.refit === true ? { refits: networks * dimensions } : {}),
            ...(choice.refit === 'again' ? { retrained: networks * dimensions } : {}),
          }
        : family === tables
          ? { variables: Number(words['members'] ?? 1) * train!.table!.variables.length }
          : family === cutset
            ? { components: Number((specification as { components?: number }).components) }
            : family === mixture
              ? { candidates: 12 }
              : family === sparn
                ? { [words['intervals'] === undefined ? 'paths' : 'parts']: dimensions }
                : family === compositional
                  ? { steps: 8 }
                  : family === boosted
                    ? { rounds: 8 }
                    : family === partition
                      ? { steps: 9 }
                      : { networks: 1, conditionals: 0 },
    register: async (other) => {
      await Promise.all(splits.map((matrix) => registerDataset(other, matrix)));
    },
    network,
    summary,
    store,
  };
}
