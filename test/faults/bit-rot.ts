import { isRefusal } from '@orchard/refusal';
import { expect } from 'vitest';
import type { Cluster } from '../cluster/cluster.js';
import type { Dice } from './dice.js';

/** One bit of the byte at this share of an object. */
export const flippedAt =
  (share: number) =>
  (bytes: Uint8Array): Uint8Array =>
    bytes.map((byte, index) => (index === Math.floor(share * bytes.length) ? byte ^ 1 : byte));

/** Flips bits of what is stored, now and then, and knows where. */
export class BitRot {
  /** What was damaged since it was last forgotten. */
  readonly names = new Set<string>();
  readonly #cluster: Cluster;
  readonly #dice: Dice;

  constructor(cluster: Cluster, dice: Dice) {
    this.#cluster = cluster;
    this.#dice = dice;
  }

  /**
   * One bit of one object below one of these prefixes: of any kind with equal odds, since there are hundreds of
   * conditionals and one specification.
   *
   * @returns its kind; null where nothing is stored there, or it went away meanwhile
   */
  async strike(prefixes: readonly string[]): Promise<string | null> {
    const byKind = new Map<string, string[]>();
    for (const prefix of prefixes) {
      for (const name of await this.#cluster.names(prefix)) {
        const kind = kindOf(name);
        byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
      }
    }
    if (byKind.size === 0) return null;
    const kind = this.#dice.pick([...byKind.keys()].sort());
    const name = this.#dice.pick(byKind.get(kind)!);
    this.names.add(name);
    try {
      await this.#cluster.alter(name, flippedAt(this.#dice.between(0, 1)));
      return kind;
    } catch (error) {
      // a checkpoint that is not needed any more
      if (isRefusal(error, 'missing')) return null;
      throw error;
    }
  }

  /** A run may fail of what was damaged, and says its name; of nothing else. */
  expectNamed(reason: string | null): void {
    const named = [...this.names].filter((name) => reason?.includes(name) === true);
    expect(named, `the run says: ${String(reason)}; damaged were ${[...this.names].join(', ')}`).not.toEqual([]);
  }
}

/** `conditionals` of `runs/<run>/conditionals/17`, `datasets` of `datasets/<id>`, `facts` of `datasets/<id>.facts`. */
function kindOf(name: string): string {
  if (name.endsWith('.facts')) return 'facts';
  const [first, , kind] = name.split('/');
  return kind ?? first!;
}
