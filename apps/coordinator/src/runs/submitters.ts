import { Inject, Injectable } from '@nestjs/common';
import { artefactNames, concurrently } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { Port } from '../ports.js';

const readsAtOnce = 32;
const mostKept = 10_000;

/**
 * Who submitted a run first, by the name of the token: `runs/<run>/submitted-by`, which goes with the run. No part of what the run is, and
 * so none of its marks: a run that nobody is written down for is as good as any.
 */
@Injectable()
export class Submitters {
  readonly #known = new Map<string, string>();

  constructor(@Inject(Port.store) private readonly store: ObjectStore) {}

  async write(run: string, caller: string): Promise<void> {
    try {
      await this.store.put(nameOf(run), Buffer.from(caller));
    } catch (error) {
      // somebody else was first
      if (!isRefusal(error, 'conflict')) throw error;
    }
  }

  /** Of those that are written down. */
  async of(runs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = runs.filter((run) => !this.#known.has(run));
    await concurrently(unknown, readsAtOnce, async (run) => {
      try {
        this.#known.set(run, Buffer.from(await this.store.get(nameOf(run))).toString('utf8'));
      } catch (error) {
        if (!isRefusal(error, 'missing')) throw error;
      }
    });
    while (this.#known.size > mostKept) this.#known.delete(this.#known.keys().next().value!);
    return this.#known;
  }
}

const nameOf = (run: string): string => `${artefactNames.run(run)}submitted-by`;
