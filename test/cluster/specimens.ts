import type { BaseSpecification, RunWords, Wanted } from '@orchard/contracts';
import { openTable, readDataset, readTableSplits, type BitMatrix } from '@orchard/dataset';
import { lbarn } from '@orchard/lbarn';
import { artefactNames, keepThreads, registerDataset, runLocally, type Family } from '@orchard/pipeline';
import { RandomStream } from '@orchard/numerics';
import { FilesystemStore, type ObjectStore } from '@orchard/storage';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

/** `caps` are the first 40 of the 112 columns of mushrooms: for what is true of a run however many tasks it has. */
export type DataName = 'mushrooms' | 'caps' | 'dna';

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
  if (splits === undefined && name === 'caps') {
    const first = Array.from({ length: 40 }, (_, column) => column);
    splits = splitsOf('mushrooms').then((whole) => whole.map((matrix) => matrix.selectColumns(first)));
    matrices.set(name, splits);
  } else if (splits === undefined) {
    const path = (split: string): string => fileURLToPath(new URL(`../data/${name}/${split}.data.gz`, import.meta.url));
    splits = Promise.all(['train', 'valid', 'test'].map((split) => readDataset(path(split))));
    matrices.set(name, splits);
  }
  return splits;
}

type ArtefactsOf = (choice: Wanted, dimensions: number) => Specimen['artefacts'];

const made = new Map<string, Promise<Specimen>>();

/** The run of these words on this data, run locally once: a network of boosted trees. */
export function specimen(name: DataName, words: RunWords): Promise<Specimen> {
  const artefacts: ArtefactsOf = ({ refit, members = 1 }, dimensions) => ({
    conditionals: Number(members) * dimensions,
    ...(refit === true ? { refits: Number(members) * dimensions } : {}),
    ...(refit === 'again' ? { retrained: Number(members) * dimensions } : {}),
  });
  return once(['lbarn', name, words], async () => make(lbarn, await splitsOf(name), { ...words }, artefacts));
}

type Words = Readonly<Record<string, unknown>>;

/**
 * The same of another family.
 *
 * @param artefacts see {@link Specimen.artefacts}
 */
export function specimenOf(
  family: Family,
  name: DataName,
  words: Words,
  artefacts: Specimen['artefacts'],
): Promise<Specimen> {
  return once([family.name, name, words], async () => make(family, await splitsOf(name), words, () => artefacts));
}

/**
 * Of a table of five columns: words with missing values, numbers, dates, yes and no, each leaning on the one before it.
 *
 * @param rows of which a fifth validates and a fifth tests
 */
export function tableSpecimen(
  family: Family,
  words: Words,
  artefacts: Specimen['artefacts'],
  rows = 400,
): Promise<Specimen> {
  return once([family.name, 'table', rows, words], async () =>
    make(family, await tableSplits(treesInCsv(rows)), words, () => artefacts),
  );
}

/**
 * Of a table of three doses and whether they helped, which leans on all of them a little: validation rows like it better
 * after every one of hundreds of rounds, so that its one decision takes long. Each of the doses is chance.
 */
export function longDecisionSpecimen(
  family: Family,
  words: Words,
  artefacts: Specimen['artefacts'],
  rows: number,
): Promise<Specimen> {
  return once([family.name, 'doses', rows, words], async () =>
    make(family, await tableSplits(dosesInCsv(rows)), words, () => artefacts),
  );
}

function once(key: unknown, makeIt: () => Promise<Specimen>): Promise<Specimen> {
  const name = JSON.stringify(key);
  let found = made.get(name);
  if (found === undefined) {
    found = makeIt();
    made.set(name, found);
  }
  return found;
}

function treesInCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const size = (row * row * 7) % 101;
    const kind = row % 11 === 0 ? '' : ['fir', 'oak', 'ash'][Math.floor(size / 34)]!;
    const day = new Date((19_000 + size + (row % 5)) * 86_400_000).toISOString().slice(0, 10);
    return [kind, (size + (row % 3) / 4).toFixed(2), day, size > 50 ? 'yes' : 'no', (row * 3) % 8].join(',');
  });
  return `kind,size,day,tall,site\n${lines.join('\n')}\n`;
}

function dosesInCsv(rows: number): string {
  const stream = new RandomStream(1, 39);
  const lines = Array.from({ length: rows }, () => {
    const doses = [0, 1, 2].map(() => stream.below(48));
    const [a, b, c] = doses as [number, number, number];
    const logOdds = Math.sin(a / 5) * Math.cos(b / 7) + Math.sin((a + c) / 9) + ((b - c) / 48) ** 2;
    return [...doses, stream.uniform() < 1 / (1 + Math.exp(-logOdds)) ? 'yes' : 'no'].join(',');
  });
  return `a,b,c,helped\n${lines.join('\n')}\n`;
}

async function tableSplits(text: string): Promise<readonly BitMatrix[]> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-table-'));
  const path = join(folder, 'table.csv');
  await writeFile(path, text);
  const train = await openTable(path);
  try {
    const splits = await readTableSplits({ train, valid: null, test: null }, { valid: 0.2, test: 0.2 }, 1, {});
    return [splits.train, splits.valid!, splits.test!];
  } finally {
    await train.close();
    await rm(folder, { recursive: true });
  }
}

async function make(
  family: Family,
  splits: readonly BitMatrix[],
  words: Words,
  artefactsOf: ArtefactsOf,
): Promise<Specimen> {
  // in one folder for all tests: what another file has made is there
  const store = await FilesystemStore.open(inject('specimens'));
  const [train, valid, test] = await Promise.all(splits.map((matrix) => registerDataset(store, matrix)));
  const { specification, choice } = family.resolve(words, { train: train!, valid: valid!, test: test! });
  // threads are left to the file's next specimen, which then need not start and compile
  keepThreads(60_000);
  const { run, network } = await runLocally({ store, family, specification, choice, threads: 2 });
  const wanted = family.wantedName(choice);
  const summary = await store.get(artefactNames.summary(run.id, wanted));
  return {
    specification,
    choice,
    wanted,
    artefacts: artefactsOf(choice, train!.dimensions),
    register: async (other) => {
      await Promise.all(splits.map((matrix) => registerDataset(other, matrix)));
    },
    network,
    summary,
    store,
  };
}
