import { RandomStream } from '@orchard/numerics';

/** The seed of all schedules: the same faults in the same order, though machines meet them at other moments. */
export const faultSeed = Number(process.env.ORCHARD_FAULT_SEED ?? 7);

const purposeOfFaults = 0xfa17;

export class Dice {
  readonly #stream: RandomStream;

  constructor(index: number) {
    this.#stream = new RandomStream(faultSeed, purposeOfFaults, index);
  }

  between(least: number, most: number): number {
    return least + this.#stream.uniform() * (most - least);
  }

  /** True so often of a hundred times. */
  chance(percent: number): boolean {
    return this.#stream.uniform() * 100 < percent;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.#stream.below(items.length)]!;
  }
}
