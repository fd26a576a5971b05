import { MARGIN, type Composition } from './experts.js';

/** Rules under which every expert has a say, and not the most extreme alone. */
export type VoteRule = Extract<Composition, 'noisy-or' | 'sum-of-odds' | 'mean' | 'normalized-sum'>;

export function isVoteRule(composition: Composition): composition is VoteRule {
  return composition !== 'max-minus-min' && composition !== 'max' && composition !== 'log-odds';
}

/**
 * What experts say together of one column (thesis, 3.1), one after another. An expert that says q changes nothing, but
 * of the mean, which knows no abstaining.
 *
 * The normalized sum is Saund's: for opinions of 0, 1/2 and 1 the share of the votes for 1, which is between them
 * linear in each opinion. That is an expectation: an opinion p above 1/2 is a vote for 1 with probability 2p - 1, one
 * below a vote for 0 with probability 1 - 2p. The distribution of both numbers of votes is kept, so nothing is
 * approximated.
 */
export class Tally {
  /** P(1) so far. */
  rate: number;
  opinions = 0;
  /** Of the normalized sum P(1) with a vote for 1, or for 0, more. */
  up = 1;
  down = 0;
  /** Of the normalized sum how probable each number of votes is, for 1 and for 0. */
  readonly #ones = [1];
  readonly #zeros = [1];

  constructor(
    private readonly rule: VoteRule,
    private readonly abstaining: number,
  ) {
    this.rate = abstaining;
  }

  clear(): void {
    this.rate = this.abstaining;
    this.opinions = 0;
    this.up = 1;
    this.down = 0;
    setVotes(this.#ones, [1]);
    setVotes(this.#zeros, [1]);
  }

  copy(from: Tally): void {
    this.rate = from.rate;
    this.opinions = from.opinions;
    this.up = from.up;
    this.down = from.down;
    setVotes(this.#ones, from.#ones);
    setVotes(this.#zeros, from.#zeros);
  }

  /** P(1) with one opinion more, which is not added. */
  with(opinion: number): number {
    return Math.min(Math.max(this.#with(opinion), MARGIN), 1 - MARGIN);
  }

  #with(opinion: number): number {
    const { rate, abstaining } = this;
    if (this.rule === 'noisy-or') return 1 - ((1 - rate) * (1 - opinion)) / (1 - abstaining);
    if (this.rule === 'mean') return (rate * this.opinions + opinion) / (this.opinions + 1);
    if (this.rule === 'normalized-sum')
      return opinion > 1 / 2
        ? rate + (2 * opinion - 1) * (this.up - rate)
        : rate + (1 - 2 * opinion) * (this.down - rate);
    const odds = rate / (1 - rate) + opinion / (1 - opinion) - abstaining / (1 - abstaining);
    return odds / (1 + odds);
  }

  add(opinion: number): void {
    this.rate = this.with(opinion);
    this.opinions++;
    if (this.rule !== 'normalized-sum') return;
    if (opinion > 1 / 2) addVote(this.#ones, 2 * opinion - 1);
    else addVote(this.#zeros, 1 - 2 * opinion);
    this.up = this.#expected(1, 0);
    this.down = this.#expected(0, 1);
  }

  /** The expected share of ones among the votes with so many more. */
  #expected(ones: number, zeros: number): number {
    let share = 0;
    for (let forOne = 0; forOne < this.#ones.length; forOne++)
      for (let forZero = 0; forZero < this.#zeros.length; forZero++)
        share += (this.#ones[forOne]! * this.#zeros[forZero]! * (forOne + ones)) / (forOne + forZero + ones + zeros);
    return share;
  }
}

function setVotes(votes: number[], from: readonly number[]): void {
  votes.length = from.length;
  for (let count = 0; count < from.length; count++) votes[count] = from[count]!;
}

/** How probable each number of votes is with one vote more, which comes with that probability. */
function addVote(votes: number[], probability: number): void {
  votes.push(0);
  for (let count = votes.length - 1; count > 0; count--)
    votes[count] = votes[count]! * (1 - probability) + votes[count - 1]! * probability;
  votes[0]! *= 1 - probability;
}
