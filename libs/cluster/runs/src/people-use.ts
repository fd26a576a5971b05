import { personOf, sha256Schema, type Submitter } from '@orchard/contracts';
import { artefactNames } from '@orchard/pipeline';
import { listAll, type ObjectStore } from '@orchard/storage';
import { groupsOf } from './entry-groups.js';
import type { Marks } from './marks.js';
import type { RunSheets } from './run-sheets.js';

/** What the runs of one person take in the store. */
export interface PersonUse {
  readonly submitter: Submitter;
  readonly runs: number;
  readonly runBytes: number;
  /** Of the data sets that these runs need, each counted once. */
  readonly datasetBytes: number;
}

/** What is stored for whom, at one moment. */
export interface StoredUse {
  /** By person, as `personOf` says. */
  readonly people: ReadonlyMap<string, PersonUse>;
  /** Of every run its bytes. */
  readonly runs: ReadonlyMap<string, number>;
  /** When the reading began, in milliseconds since 1970. */
  readonly at: number;
}

interface Known {
  /** The sheet's time of storing: a run that is deleted and submitted again may be another's. */
  readonly sheetAt: number;
  readonly submitter: Submitter | null;
}

/**
 * Bytes stored by person. Answers come of a whole reading, which lists all runs and data sets (a request for each
 * thousand objects) and reads the sheets of runs that are new; two who ask at once wait for the same one. A data set
 * that several people's runs need counts for each of them; one that no run needs counts for none.
 */
export class PeopleUse {
  #owners = new Map<string, Known>();
  #last: StoredUse | null = null;
  /** When that reading began, by a clock that no person sets. */
  #lastBegan = -Infinity;
  #reading: Promise<StoredUse> | null = null;

  constructor(
    private readonly store: ObjectStore,
    private readonly marks: Marks,
    private readonly sheets: Pick<RunSheets, 'of'>,
  ) {}

  /** The last reading; null before the first. */
  get last(): StoredUse | null {
    return this.#last;
  }

  /** A reading at most this old. */
  async within(seconds: number): Promise<StoredUse> {
    const oldest = performance.now() - seconds * 1000;
    if (this.#last !== null && this.#lastBegan >= oldest) return this.#last;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<StoredUse> {
    const at = Date.now();
    const began = performance.now();
    const datasets = await this.#datasetBytes();
    const needs = new Map<string, Set<string>>();
    for await (const [run, dataset] of this.marks.needs()) needs.set(run, (needs.get(run) ?? new Set()).add(dataset));
    const runs = new Map<string, number>();
    const owners = new Map<string, Known>();
    const people = new Map<string, PersonUse & { readonly datasets: Set<string> }>();
    for await (const [run, entries] of groupsOf(listAll(this.store, artefactNames.runs), runIn)) {
      const bytes = entries.reduce((sum, { size }) => sum + size, 0);
      runs.set(run, bytes);
      const sheetAt = entries.find(({ name }) => name === artefactNames.sheet(run))?.storedAt ?? 0;
      const submitter = await this.#submitterOf(run, sheetAt);
      owners.set(run, { sheetAt, submitter });
      if (submitter === null) continue;
      const person = personOf(submitter);
      const use = people.get(person) ?? { submitter, runs: 0, runBytes: 0, datasetBytes: 0, datasets: new Set() };
      for (const dataset of needs.get(run) ?? []) use.datasets.add(dataset);
      people.set(person, { ...use, runs: use.runs + 1, runBytes: use.runBytes + bytes });
    }
    this.#owners = owners;
    this.#lastBegan = began;
    this.#last = {
      people: new Map(
        [...people].map(([person, { datasets: own, ...use }]) => [person, withDatasets(use, own, datasets)]),
      ),
      runs,
      at,
    };
    return this.#last;
  }

  async #submitterOf(run: string, sheetAt: number): Promise<Submitter | null> {
    const known = this.#owners.get(run);
    if (known !== undefined && known.sheetAt === sheetAt) return known.submitter;
    return (await this.sheets.of(run))?.submitter ?? null;
  }

  async #datasetBytes(): Promise<ReadonlyMap<string, number>> {
    const bytes = new Map<string, number>();
    const prefix = artefactNames.datasets;
    for await (const { name, size } of listAll(this.store, prefix)) {
      const id = name.slice(prefix.length, prefix.length + 64);
      bytes.set(id, (bytes.get(id) ?? 0) + size);
    }
    return bytes;
  }
}

function withDatasets(use: PersonUse, own: ReadonlySet<string>, datasets: ReadonlyMap<string, number>): PersonUse {
  let datasetBytes = 0;
  for (const id of own) datasetBytes += datasets.get(id) ?? 0;
  return { ...use, datasetBytes };
}

function runIn(name: string): string | null {
  const run = name.slice(artefactNames.runs.length, artefactNames.runs.length + 64);
  return sha256Schema.safeParse(run).success ? run : null;
}
