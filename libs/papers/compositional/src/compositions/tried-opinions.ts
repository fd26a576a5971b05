import { MARGIN } from './experts.js';
import type { Tally, VoteRule } from './tally.js';

/**
 * One more opinion beside those of many tallies: what {@link Tally.with} says, bit for bit, as a loop over plain
 * numbers. A climb asks it of hundreds of opinions, where a call and an object for each takes most of the time.
 */
export class TriedOpinions {
  /** What the rule needs of each tally: see {@link take}. */
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #third: Float64Array;
  readonly #rates: Float64Array;

  constructor(
    private readonly rule: VoteRule,
    private readonly abstaining: number,
    private readonly count: number,
  ) {
    this.#first = new Float64Array(count);
    this.#second = new Float64Array(count);
    this.#third = new Float64Array(count);
    this.#rates = new Float64Array(count);
  }

  take(at: number, { rate, opinions, up, down }: Tally): void {
    const { rule } = this;
    if (rule === 'noisy-or') this.#first[at] = 1 - rate;
    else if (rule === 'sum-of-odds') this.#first[at] = rate / (1 - rate);
    else if (rule === 'mean') {
      this.#first[at] = rate * opinions;
      this.#second[at] = opinions + 1;
    } else {
      this.#first[at] = rate;
      this.#second[at] = up - rate;
      this.#third[at] = down - rate;
    }
  }

  /** P(1) of each tally with this opinion. The array is reused. */
  with(opinion: number): Float64Array {
    const { rule, abstaining, count } = this;
    const [first, second, third, rates] = [this.#first, this.#second, this.#third, this.#rates];
    if (rule === 'noisy-or')
      for (let at = 0; at < count; at++) rates[at] = 1 - (first[at]! * (1 - opinion)) / (1 - abstaining);
    else if (rule === 'mean') for (let at = 0; at < count; at++) rates[at] = (first[at]! + opinion) / second[at]!;
    else if (rule === 'normalized-sum') {
      const votes = opinion > 1 / 2 ? second : third;
      const share = opinion > 1 / 2 ? 2 * opinion - 1 : 1 - 2 * opinion;
      for (let at = 0; at < count; at++) rates[at] = first[at]! + share * votes[at]!;
    } else {
      const own = opinion / (1 - opinion);
      const silent = abstaining / (1 - abstaining);
      for (let at = 0; at < count; at++) {
        const odds = first[at]! + own - silent;
        rates[at] = odds / (1 + odds);
      }
    }
    for (let at = 0; at < count; at++) rates[at] = Math.min(Math.max(rates[at]!, MARGIN), 1 - MARGIN);
    return rates;
  }
}
