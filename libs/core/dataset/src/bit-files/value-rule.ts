import { Purpose, randomBits } from '@orchard/numerics';
import { advise, noWord, withWord, type OptionWord } from '../reading/option-words.js';

/** How a value of a file becomes a bit: exactly 0 or 1, above a threshold, or drawn with the value as probability. */
export class ValueRule {
  constructor(
    private readonly threshold: number | undefined,
    private readonly seed: number | undefined,
    private readonly scale: number | undefined,
    private readonly wordFor: OptionWord = noWord,
  ) {}

  /** Whether only the values 0 and 1 pass. */
  get exact(): boolean {
    return this.threshold === undefined && this.seed === undefined;
  }

  /** The same rule for a format whose values are bytes: 255 means probability 1, unless a scale was given. */
  forBytes(): ValueRule {
    return new ValueRule(this.threshold, this.seed, this.scale ?? 255, this.wordFor);
  }

  /**
   * The bit of a value that is a number, or -1 where the rule does not take it. `row` and `column` are the value's
   * place in the file, from 0: leaving out other columns changes no draw.
   */
  bit(value: number, row: number, column: number): 0 | 1 | -1 {
    if (this.threshold !== undefined) return value > this.threshold ? 1 : 0;
    if (this.seed !== undefined) {
      const probability = value / (this.scale ?? 1);
      if (probability === 0) return 0; // most pixels: spares the draw
      if (!(probability > 0 && probability <= 1)) return -1;
      return randomBits(this.seed, Purpose.binarize, row, column) < probability * 2 ** 32 ? 1 : 0;
    }
    return value === 1 ? 1 : value === 0 ? 0 : -1;
  }

  /** What {@link bit} takes, in words. */
  get expected(): string {
    if (this.threshold !== undefined) return 'a number';
    return this.seed === undefined ? '0 or 1' : `a probability: a number from 0 to ${this.scale ?? 1}`;
  }

  /** What to do about a number that {@link bit} does not take. */
  get remedy(): string {
    if (!this.exact) {
      const scale = withWord(this.wordFor, 'the scale', 'scale');
      return `Give ${scale}, the value that means probability 1: 255 for pixels.`;
    }
    const ways = [
      advise(this.wordFor, 'give a threshold', 'threshold'),
      advise(this.wordFor, 'binarize at random with a seed', 'binarize', 'seed'),
    ].filter((way) => way !== null);
    return `Make the values binary${ways.length === 0 ? '' : ` on the way in: ${ways.join(', or ')}`}.`;
  }
}
