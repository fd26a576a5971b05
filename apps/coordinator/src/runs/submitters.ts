import { Inject, Injectable } from '@nestjs/common';
import { artefactNames, concurrently, Kept, keptDocuments } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { Port } from '../ports.js';

const readsAtOnce = 32;

/**
 * Who submitted a run first, by the name of the token: `runs/<run>/submitted-by`, which goes with the run. No part of
 * what the run is, and so none of its marks: a run without a submitter is as good as any.
 */
@Injectable()
export class Submitters {
  /** Of runs, for a while: one that is deleted and submitted again is another's. */
  readonly #known = new Kept<string>(keptDocuments);

  constructor(@Inject(Port.store) private readonly store: ObjectStore) {}

  async write(run: string, caller: string): Promise<void> {
    this.#known.delete(run);
    try {
      await this.store.put(nameOf(run), Buffer.from(caller));
    } catch (error) {
      // another request was first
      if (!isRefusal(error, 'conflict')) throw error;
    }
  }

  /** Of those that are written down. */
  async of(runs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const submitters = new Map<string, string>();
    await concurrently(runs, readsAtOnce, async (run) => {
      const submitter = this.#known.get(run) ?? (await this.#read(run));
      if (submitter === null) return;
      this.#known.set(run, submitter);
      submitters.set(run, submitter);
    });
    return submitters;
  }

  async #read(run: string): Promise<string | null> {
    try {
      return Buffer.from(await this.store.get(nameOf(run))).toString('utf8');
    } catch (error) {
      if (isRefusal(error, 'missing')) return null;
      throw error;
    }
  }
}

const nameOf = (run: string): string => `${artefactNames.run(run)}submitted-by`;
