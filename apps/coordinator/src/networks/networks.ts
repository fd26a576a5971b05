import type { DensityModel } from '@orchard/model';
import { artefactNames, type Families } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { CoordinatorError } from '../errors.js';
import type { RequestMemory } from '../http/request-memory.js';

/** Networks held ready, up to `bytes` of their files; the one that was asked for longest ago goes first. */
export class Networks {
  readonly #held = new Map<string, { network: DensityModel; bytes: number }>();
  readonly #opening = new Map<string, Promise<DensityModel>>();
  #bytes = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly families: Families,
    private readonly mostBytes: number,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws StorageError `missing`; ModelError for bytes that are no network; CoordinatorError where it is too large */
  async open(runId: string, wanted: string): Promise<DensityModel> {
    const name = artefactNames.network(runId, wanted);
    const held = this.#held.get(name);
    if (held !== undefined) {
      this.#held.delete(name);
      this.#held.set(name, held);
      return held.network;
    }
    // any number of questions to one network read it once
    const opening = this.#opening.get(name) ?? this.#read(name);
    this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  async #read(name: string): Promise<DensityModel> {
    const size = (await this.store.head(name))?.size ?? 0;
    if (size > this.mostBytes) throw tooLarge(size, this.mostBytes);
    const share = this.memory.share();
    try {
      share.take(size);
      const bytes = await this.store.get(name);
      const network = this.families.openModel(bytes);
      this.#hold(name, network, bytes.length);
      return network;
    } finally {
      share.release();
    }
  }

  #hold(name: string, network: DensityModel, bytes: number): void {
    if (this.#held.has(name)) return;
    this.#held.set(name, { network, bytes });
    this.#bytes += bytes;
    for (const [oldest, held] of this.#held) {
      if (this.#bytes <= this.mostBytes) return;
      this.#held.delete(oldest);
      this.#bytes -= held.bytes;
    }
  }
}

function tooLarge(size: number, most: number): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `a network of ${size} bytes`,
    expected: `at most ${most}, which this coordinator holds in memory`,
    remedy: 'Fetch the network and use `orchard evaluate` or `orchard sample`, or raise ORCHARD_NETWORK_CACHE_BYTES.',
  });
}
