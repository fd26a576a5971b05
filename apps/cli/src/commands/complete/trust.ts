import type { Completion } from '@orchard/model';
import type { CompleteDocument } from './complete-document.js';
import { count, counted } from '../../output/figures.js';
import type { Said } from './answering.js';

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

/** How probable what is known of each row is; of one particle no error is known. */
export function evidenceOf({
  logEvidence,
  logEvidenceError,
}: Completion): Pick<CompleteDocument, 'logEvidence' | 'logEvidenceError'> & { logEvidence: readonly number[] } {
  return {
    logEvidence: [...logEvidence],
    logEvidenceError: Array.from(logEvidenceError, (error) => (error === Infinity ? null : error)),
  };
}

/** What is said of a smallest effective sample size. */
function hardlyRandom(least: number): string | undefined {
  if (least >= FEW_EFFECTIVE) return undefined;
  return 'some known values are unlikely together; more --samples bring the samples closer to exact';
}

/** How far samples can be trusted. */
export class Trust {
  rows = 0;
  #exactRows = 0;
  /** The smallest effective sample size of the others. */
  #least = Infinity;
  /** The sum of theirs. */
  #effective = 0;
  /** The largest standard error of log P of what is known. */
  #error = 0;

  /** @param samples particles a row */
  constructor(private readonly samples: number) {}

  add({ exact, effectiveSampleSize, logEvidenceError }: Completion): void {
    this.rows += exact.length;
    exact.forEach((isExact, row) => {
      if (isExact === 1) {
        this.#exactRows++;
        return;
      }
      const effective = effectiveSampleSize[row]!;
      this.#least = Math.min(this.#least, effective);
      this.#effective += effective;
      this.#error = Math.max(this.#error, logEvidenceError[row]!);
    });
  }

  said(beside: Partial<CompleteDocument>): Said {
    const exactRows = this.#exactRows;
    const least = exactRows === this.rows ? null : this.#least;
    const others =
      least === null
        ? ''
        : `, the others from ${count(this.samples)} particles (smallest effective sample size ${least.toFixed(1)}; log P of what is known ${this.#errorInWords()})`;
    const effectiveSampleSize = least === null ? null : { least, mean: this.#effective / (this.rows - exactRows) };
    return {
      how: `${counted(exactRows, 'row')} exactly${others}`,
      document: { exactRows, smallestEffectiveSampleSize: least, effectiveSampleSize, ...beside },
      warning: least === null ? undefined : hardlyRandom(least),
    };
  }

  #errorInWords(): string {
    return this.#error === Infinity
      ? 'within an error that one particle cannot tell'
      : `within ±${this.#error.toFixed(2)} nats at worst`;
  }
}
