import { log } from '@orchard/numerics';
import type { Candidates } from '../matching-pursuit.js';
import type { TableExperts } from './table-experts.js';

/** A row of codes, the experts that were added to it, and what each other one would make of it. */
export class TableCandidates implements Candidates {
  readonly nats: Float64Array;
  /** log P(code | one expert alone): `alone[variable][expert * codes + code]`. */
  readonly #alone: readonly Float64Array[];
  readonly #added: number[] = [];
  #codes: ArrayLike<number> = [];

  constructor(private readonly experts: TableExperts) {
    const { classes, count } = experts;
    this.nats = new Float64Array(count);
    this.#alone = classes.variables.map(({ codes }, index) => {
      const own = new Float64Array(count * codes);
      for (let expert = 0; expert < count; expert++) experts.composeInto([expert], index, own, expert * codes);
      return own.map((chance) => log(chance));
    });
  }

  /** Another row, with no expert that explains it. */
  begin(codes: ArrayLike<number>): void {
    this.#codes = codes;
    this.#added.length = 0;
  }

  add(expert: number): void {
    this.#added.push(expert);
  }

  ask(): void {
    const { nats } = this;
    nats.fill(0);
    if (this.#added.length === 0) {
      this.#alone.forEach((own, index) => {
        const codes = own.length / nats.length;
        for (let expert = 0; expert < nats.length; expert++)
          nats[expert]! += own[expert * codes + this.#codes[index]!]!;
      });
      return;
    }
    const own = [...this.#added, 0];
    for (let expert = 0; expert < nats.length; expert++) {
      if (this.#added.includes(expert)) continue;
      own[own.length - 1] = expert;
      for (let index = 0; index < this.#alone.length; index++)
        nats[expert]! += log(this.experts.probability(own, index, this.#codes[index]!));
    }
  }
}
