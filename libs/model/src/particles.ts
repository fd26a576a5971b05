import { log } from '@orchard/numerics';
import { thin } from './thinning.js';

/** What `taken` has for a particle that did not come to the decision. */
export const NOT_REACHED = 2;

/**
 * Particles, their weights and which of them go on: sequential Monte Carlo over decisions of two outcomes. It knows no trees:
 * whoever drives it keeps the state of each particle (its values so far) and gives the odds of each decision. A variable of
 * several values is several decisions, of which each particle comes to those on its path.
 *
 * Particles come in groups, such as several for each row. A group starts as one particle of weight 1. A decision whose
 * outcome is known is weighed (`observe`); one that is open is branched (`branch`): every particle goes on with both
 * outcomes, each by its probability, until there are more than the group may have; then they are thinned without bias
 * (thinning.ts). So no two particles of a group are the same, a group whose possibilities fit is exact, and the expectation of
 * exp(logEvidence) is the probability of what was observed.
 *
 * Particles are numbered 0..used - 1 over all groups, and a number is used again when its particle ends. What `branch` and
 * `compact` put where is in `copies`: after either, and before the outcome of the decision is noted, the driver copies the state
 * of particle `from[i]` to particle `to[i]`, in order of i, and empties the list. `taken` then has the outcome of each
 * particle. A group's results depend on its own odds and uniform numbers alone, not on the groups beside it.
 */
export class Particles {
  /** Of each particle: its share in the weight of its group. */
  readonly weight: Float64Array;
  /** Of each particle: the outcome that it took at the latest `branch` of its group, or NOT_REACHED. */
  readonly taken: Uint8Array;
  /** Of each group: log of the estimated probability of what it observed, in nats. */
  readonly logEvidence: Float64Array;
  /** Of each group: 1 once possibilities have been given up. */
  readonly thinned: Uint8Array;
  /** What is to be copied, in this order. */
  readonly copies: Copies = { from: [], to: [] };
  /** Particle numbers in use are below this. */
  used = 0;

  private alive = 0;
  private free: number[] = [];
  private readonly start: Uint32Array;
  private readonly count: Uint32Array;
  /** The particles of each group from its `start` on; those that took the same outcomes longest are neighbours. */
  private readonly members: Uint32Array;
  private readonly candidates: Float64Array;
  private readonly merits: Float64Array;
  private readonly kept: Uint8Array;
  private readonly next: Uint32Array;

  /** @param most how many particles each group may have, at least 1 */
  constructor(most: Uint32Array) {
    const groups = most.length;
    this.start = new Uint32Array(groups + 1);
    for (let group = 0; group < groups; group++) this.start[group + 1] = this.start[group]! + most[group]!;
    const room = this.start[groups]!;
    const largest = most.reduce((a, b) => Math.max(a, b), 0);
    this.weight = new Float64Array(room);
    this.taken = new Uint8Array(room);
    this.members = new Uint32Array(room);
    this.logEvidence = new Float64Array(groups);
    this.thinned = new Uint8Array(groups);
    this.count = new Uint32Array(groups).fill(1);
    this.candidates = new Float64Array(2 * largest);
    this.merits = new Float64Array(2 * largest);
    this.kept = new Uint8Array(2 * largest);
    this.next = new Uint32Array(largest);
    for (let group = 0; group < groups; group++) {
      const particle = this.add();
      this.members[this.start[group]!] = particle;
      this.weight[particle] = 1;
    }
  }

  /** The particles of a group; a view that the next call of `branch`, `compact`, `retain` or `end` makes void. */
  of(group: number): Uint32Array {
    const start = this.start[group]!;
    return this.members.subarray(start, start + this.count[group]!);
  }

  /**
   * Weighs a decision whose outcome is known. `odds[particle]` are the odds of a 1, above 0 and finite; NaN for a particle that
   * does not come to the decision, which goes on as it is. O(particles).
   */
  observe(group: number, odds: Float64Array, value: 0 | 1): void {
    const { weight } = this;
    const members = this.of(group);
    let sum = 0;
    for (const particle of members) {
      const ones = odds[particle]!;
      if (!Number.isNaN(ones)) weight[particle]! *= (value === 1 ? ones : 1) / (1 + ones);
      sum += weight[particle]!;
    }
    for (const particle of members) weight[particle]! /= sum;
    this.logEvidence[group]! += log(sum);
  }

  /**
   * Goes on with both outcomes of a decision, and thins what is too many. `odds` are as in `observe`, `uniform` is a number in
   * [0, 1) that is used for nothing else. O(particles).
   */
  branch(group: number, odds: Float64Array, uniform: number): void {
    const { weight, taken, candidates, merits, kept, next, copies } = this;
    const members = this.of(group);
    const most = this.start[group + 1]! - this.start[group]!;
    let total = 0;
    for (const particle of members) {
      const ones = odds[particle]!;
      if (Number.isNaN(ones)) candidates[total++] = weight[particle]!;
      else {
        const zero = weight[particle]! / (1 + ones);
        candidates[total++] = zero;
        candidates[total++] = zero * ones;
      }
    }
    if (thin(candidates, total, most, uniform, kept, merits)) this.thinned[group] = 1;
    // first those that end: their numbers are free for the others
    let candidate = 0;
    for (const particle of members) {
      const goesOn = kept[candidate++] === 1;
      const branches = !Number.isNaN(odds[particle]!);
      if (!(branches && kept[candidate++] === 1) && !goesOn) this.remove(particle);
    }
    candidate = 0;
    let count = 0;
    let sum = 0;
    for (const parent of members) {
      const branches = !Number.isNaN(odds[parent]!);
      const stays = kept[candidate] === 1;
      if (stays) {
        sum += weight[parent] = candidates[candidate]!;
        taken[parent] = branches ? 0 : NOT_REACHED;
        next[count++] = parent;
      }
      candidate++;
      if (!branches) continue;
      if (kept[candidate] === 1) {
        let particle = parent;
        if (stays) {
          particle = this.add();
          copies.from.push(parent);
          copies.to.push(particle);
        }
        sum += weight[particle] = candidates[candidate]!;
        taken[particle] = 1;
        next[count++] = particle;
      }
      candidate++;
    }
    this.members.set(next.subarray(0, count), this.start[group]);
    this.count[group] = count;
    // thinning keeps the sum of the weights in expectation alone
    for (const particle of this.of(group)) weight[particle]! /= sum;
    this.logEvidence[group]! += log(sum);
  }

  /** One particle of the group, taken in proportion to its weight. */
  choose(group: number, uniform: number): number {
    const members = this.of(group);
    let rest = uniform;
    for (const particle of members) {
      rest -= this.weight[particle]!;
      if (rest < 0) return particle;
    }
    return members.reduce((best, particle) => (this.weight[particle]! > this.weight[best]! ? particle : best));
  }

  /** Ends all particles of the group but this one, which then has its whole weight. */
  retain(group: number, chosen: number): void {
    for (const particle of this.of(group)) if (particle !== chosen) this.remove(particle);
    this.members[this.start[group]!] = chosen;
    this.count[group] = 1;
    this.weight[chosen] = 1;
  }

  /** Ends all particles of the group. */
  end(group: number): void {
    for (const particle of this.of(group)) this.remove(particle);
    this.count[group] = 0;
  }

  /** Gives the highest particles the numbers that are free, where these are more than a tenth: `used` is then their number. */
  compact(): void {
    if (this.used <= 1.1 * this.alive + 64) return;
    const { members, count, start, weight, taken, copies, alive } = this;
    const holes = this.free.filter((particle) => particle < alive);
    for (let group = 0; group < count.length; group++) {
      for (let at = start[group]!; at < start[group]! + count[group]!; at++) {
        const from = members[at]!;
        if (from < alive) continue;
        const to = holes.pop()!;
        members[at] = to;
        weight[to] = weight[from]!;
        taken[to] = taken[from]!;
        copies.from.push(from);
        copies.to.push(to);
      }
    }
    this.free = [];
    this.used = alive;
  }

  private add(): number {
    this.alive++;
    return this.free.pop() ?? this.used++;
  }

  private remove(particle: number): void {
    this.alive--;
    this.free.push(particle);
  }
}

/** The state of particle `from[i]` is to be copied to particle `to[i]`, in order of i. */
export interface Copies {
  readonly from: number[];
  readonly to: number[];
}
