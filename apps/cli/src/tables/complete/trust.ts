import type { Completion } from '@orchard/model';
import type { CompleteDocument } from '../../documents/complete-document.js';
import { count, counted } from '../../output/figures.js';
import type { Said } from './answering.js';

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

/** What is said of a smallest effective sample size. */
export function hardlyRandom(least: number): string | undefined {
  if (least >= FEW_EFFECTIVE) return undefined;
  return 'some known values are unlikely together; more --samples bring the samples closer to exact';
}

/** How far samples can be trusted. */
export class Trust {
  rows = 0;
  #exactRows = 0;
  /** The smallest effective sample size of the others. */
  #least = Infinity;

  /** @param samples particles a row */
  constructor(private readonly samples: number) {}

  add({ exact, effectiveSampleSize }: Completion): void {
    this.rows += exact.length;
    exact.forEach((isExact, row) => {
      if (isExact === 1) this.#exactRows++;
      else this.#least = Math.min(this.#least, effectiveSampleSize[row]!);
    });
  }

  said(beside: Partial<CompleteDocument>): Said {
    const exactRows = this.#exactRows;
    const least = exactRows === this.rows ? null : this.#least;
    const others =
      least === null
        ? ''
        : `, the others from ${count(this.samples)} particles (smallest effective sample size ${least.toFixed(1)})`;
    return {
      how: `${counted(exactRows, 'row')} exactly${others}`,
      document: { exactRows, smallestEffectiveSampleSize: least, ...beside },
      warning: least === null ? undefined : hardlyRandom(least),
    };
  }
}
