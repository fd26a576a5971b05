import { createHash } from 'node:crypto';
import { families } from '@orchard/registry';
import type { DensityModel } from '@orchard/model';
import { Refusal } from '@orchard/refusal';

/** Bytes of the files of models that are kept: opened they take a few times as much. */
const MOST_BYTES = 2 ** 28;

interface KeptModel {
  readonly model: DensityModel;
  /** Its file. */
  readonly bytes: Uint8Array;
}

/** Reads the bytes of the model at a path: of its file, or of a run's folder. */
export type ReadModel = (path: string) => Promise<Uint8Array>;

/**
 * Models that were opened, by the hash of their files. Those that were not asked for longest go first when there are
 * too many.
 */
export class KeptModels {
  readonly #kept = new Map<string, KeptModel>();
  #bytes = 0;

  constructor(
    private readonly readModel: ReadModel,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /**
   * @param source the bytes of a file, or the path of one or of a run's folder.
   * @returns what the model is called from now on
   */
  async open(source: Uint8Array | string): Promise<{ readonly key: string; readonly model: DensityModel }> {
    const bytes = typeof source === 'string' ? await this.readModel(source) : source;
    const key = createHash('sha256').update(bytes).digest('hex');
    const model = this.#kept.get(key)?.model ?? families.openModel(bytes);
    this.#keep(key, { model, bytes });
    return { key, model };
  }

  /** @throws Refusal `missing` for one that was never opened, or has gone since */
  get(key: string): KeptModel {
    const kept = this.#kept.get(key);
    if (kept === undefined)
      throw new Refusal('missing', {
        got: 'a model that is not open',
        expected: 'one that `open` was asked for',
        where: 'model',
        remedy: 'Open it again.',
      });
    this.#keep(key, kept);
    return kept;
  }

  /** A model that is not open is closed already. */
  close(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes.length ?? 0;
    this.#kept.delete(key);
  }

  #keep(key: string, kept: KeptModel): void {
    this.close(key);
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.mostBytes || oldest === key) break;
      this.close(oldest);
    }
  }
}
