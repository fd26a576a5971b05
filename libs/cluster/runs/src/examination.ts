import type { BaseSpecification } from '@orchard/contracts';
import {
  artefactNames,
  damagedArtefacts,
  datasetFacts,
  describeRun,
  loadDataset,
  type Families,
} from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { damagedBy } from './attempts.js';

/**
 * Finds what is damaged by reading it through. Models are opened and rows hashed, which of large ones takes many
 * seconds: a program that answers others does it on a thread.
 */
export interface Examination {
  /** The artefacts of a run that are not what was written. */
  artefacts(specification: BaseSpecification): Promise<readonly string[]>;
  /** Of objects of data sets, by their names, those whose data set is damaged or gone. */
  datasets(names: readonly string[]): Promise<readonly string[]>;
}

/** On the thread that asks. */
export class OwnExamination implements Examination {
  constructor(
    private readonly store: ObjectStore,
    private readonly families: Families,
  ) {}

  async artefacts(specification: BaseSpecification): Promise<readonly string[]> {
    const run = await describeRun(this.store, specification);
    return damagedArtefacts(this.store, this.families.of(specification), run);
  }

  async datasets(names: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const name of names) {
      const id = name.slice(artefactNames.datasets.length, artefactNames.datasets.length + 64);
      const stored = Promise.all([datasetFacts(this.store, id), loadDataset(this.store, id)]);
      if (await stored.then(() => false, isBroken)) found.push(name);
    }
    return found;
  }
}

/** Whether an error says that stored rows are damaged or gone. @throws any other: a store that is away says nothing */
function isBroken(error: unknown): true {
  if (damagedBy(error) !== null || isRefusal(error, 'missing-artefact')) return true;
  throw error;
}
