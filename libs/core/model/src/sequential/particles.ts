import { log } from '@orchard/numerics';
import { thin, type MeritOf } from './thinning.js';

/** What `taken` has for a particle that did not come to the decision. */
export const NOT_REACHED = 2;

/**
 * Particles, their weights and which of them go on: sequential Monte Carlo over decisions of two outcomes. It knows no
 * trees: the caller keeps the state of each particle (its values so far) and gives the odds of each decision. A
 * variable of several values is several decisions, of which each particle comes to those on its path.
 *
 * Particles come in groups, such as several for each row. A group starts with one particle of weight 1 (`begin`), or as
 * another stands (`fork`): until that is thinned for the first time both would be the same. A decision whose outcome is
 * known is weighed (`observe`); one that is open is branched (`branch`): every particle continues with both outcomes,
 * each by its probability, until there are more than the group may have; then they are thinned without bias
 * (thinning.ts). So no two particles of a group are the same, a group whose possibilities fit is exact, and the
 * expectation of exp(logEvidence) is the probability of what was observed.
 *
 * Particles are numbered 0..used - 1 over all groups, and a number is used again when its particle ends. What `branch`
 * and `compact` put where is in `copies`: after either, and before the outcome of the decision is noted, the driver
 * copies the state of particle `from[i]` to particle `to[i]`, in order of i, and empties the list. `taken` then has the
 * outcome of each particle. A group's results depend on its own odds and uniform numbers alone, not on the groups
 * beside it.
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

  /**
   * @param most how many particles each group may have, at least 1
   * @param meritOf by what the light ones are kept (thinning.ts)
   */
  constructor(
    most: Uint32Array,
    private readonly meritOf?: MeritOf,
  ) {
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
    this.count = new Uint32Array(groups);
    this.candidates = new Float64Array(2 * largest);
    this.merits = new Float64Array(2 * largest);
    this.kept = new Uint8Array(2 * largest);
    this.next = new Uint32Array(largest);
  }

  /** How many groups there are, empty ones with them. */
  get groups(): number {
    return this.count.length;
  }

  /** Gives an empty group its first particle. @returns its number */
  begin(group: number): number {
    const particle = this.add();
    this.members[this.start[group]!] = particle;
    this.count[group] = 1;
    this.weight[particle] = 1;
    return particle;
  }

  /** The particles of a group; a view that the next call of `branch`, `draw`, `compact` or `move` makes void. */
  of(group: number): Uint32Array {
    const start = this.start[group]!;
    return this.members.subarray(start, start + this.count[group]!);
  }

  /**
   * Weighs a decision whose outcome is known. `odds[particle]` are the odds of a 1, 0 to Infinity; NaN for a particle
   * that does not come to the decision, which goes on as it is. O(particles).
   */
  observe(group: number, odds: Float64Array, value: 0 | 1): void {
    const { weight } = this;
    const members = this.of(group);
    let sum = 0;
    for (const particle of members) {
      const ones = odds[particle]!;
      if (ones === Infinity) weight[particle]! *= value;
      else if (!Number.isNaN(ones)) weight[particle]! *= (value === 1 ? ones : 1) / (1 + ones);
      sum += weight[particle]!;
    }
    this.normalize(group, sum);
  }

  /**
   * Weighs by a probability of each particle, `chances[particle]`, that is known otherwise than as an outcome.
   * O(particles).
   */
  weigh(group: number, chances: Float64Array): void {
    let sum = 0;
    for (const particle of this.of(group)) {
      this.weight[particle]! *= chances[particle]!;
      sum += this.weight[particle]!;
    }
    this.normalize(group, sum);
  }

  /** How many particles the group would have after the decision, were none thinned. O(particles). */
  branches(group: number, odds: Float64Array): number {
    let total = 0;
    for (const particle of this.of(group)) total += isOpen(odds[particle]!) ? 2 : 1;
    return total;
  }

  /** Makes `other`, an empty group, what `group` is before its decision. O(particles). */
  fork(group: number, other: number, odds: Float64Array): void {
    const start = this.start[other]!;
    this.of(group).forEach((particle, at) => {
      const copy = this.add();
      this.members[start + at] = copy;
      this.weight[copy] = this.weight[particle]!;
      odds[copy] = odds[particle]!;
      this.copies.from.push(particle);
      this.copies.to.push(copy);
    });
    this.count[other] = this.count[group]!;
    this.logEvidence[other] = this.logEvidence[group]!;
  }

  /**
   * Continues with both outcomes of a decision, and thins what is too many. `odds` are as in `observe`, `uniform` is a
   * number in [0, 1) that is used for nothing else. O(particles).
   */
  branch(group: number, odds: Float64Array, uniform: number): void {
    const { weight, taken, candidates, merits, kept, next, copies } = this;
    const members = this.of(group);
    const most = this.start[group + 1]! - this.start[group]!;
    let total = 0;
    for (const particle of members) {
      const ones = odds[particle]!;
      if (!isOpen(ones)) candidates[total++] = weight[particle]!;
      else {
        const zero = weight[particle]! / (1 + ones);
        candidates[total++] = zero;
        candidates[total++] = zero * ones;
      }
    }
    if (thin(candidates, total, most, uniform, kept, merits, this.meritOf)) this.thinned[group] = 1;
    // first those that end: their numbers are free for the others
    let candidate = 0;
    for (const particle of members) {
      const goesOn = kept[candidate++] === 1;
      const branches = isOpen(odds[particle]!);
      if (!(branches && kept[candidate++] === 1) && !goesOn) this.remove(particle);
    }
    candidate = 0;
    let count = 0;
    let sum = 0;
    for (const parent of members) {
      const ones = odds[parent]!;
      const branches = isOpen(ones);
      const stays = kept[candidate] === 1;
      if (stays) {
        weight[parent] = candidates[candidate]!;
        sum += weight[parent]!;
        taken[parent] = branches || ones === 0 ? 0 : ones === Infinity ? 1 : NOT_REACHED;
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
        weight[particle] = candidates[candidate]!;
        sum += weight[particle]!;
        taken[particle] = 1;
        next[count++] = particle;
      }
      candidate++;
    }
    this.members.set(next.subarray(0, count), this.start[group]);
    this.count[group] = count;
    // thinning keeps the sum of the weights in expectation alone
    this.normalize(group, sum);
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

  /**
   * Ends the particles of groups `group..target - 1` but the chosen ones, and moves these into `target`, an empty
   * group, where they weigh nothing and are drawn on (`draw`).
   * @returns the place of each chosen one in `target`: a particle that is chosen again has the same
   */
  move(group: number, target: number, chosen: readonly number[]): Uint32Array {
    const { members, start, count } = this;
    const places = new Map<number, number>();
    for (const particle of chosen) if (!places.has(particle)) places.set(particle, places.size);
    for (let each = group; each < target; each++) {
      for (const particle of this.of(each)) if (!places.has(particle)) this.remove(particle);
      count[each] = 0;
    }
    members.set([...places.keys()], start[target]);
    count[target] = places.size;
    return Uint32Array.from(chosen, (particle) => places.get(particle)!);
  }

  /**
   * Continues with the outcomes that draws took: draw i stands at place `places[i]` of the group, and took
   * `outcomes[i]`. Draws stay together until they differ. Writes where they stand then.
   */
  draw(group: number, places: Uint32Array, outcomes: Uint8Array): void {
    const { members, taken, copies } = this;
    const start = this.start[group]!;
    const before = this.count[group]!;
    // where outcome o of place p stands: what comes first stays, the other one is new
    const standing = new Int32Array(2 * before).fill(-1);
    const isTaken = new Uint8Array(before);
    places.forEach((place, at) => {
      const outcome = outcomes[at]!;
      const own = 2 * place + (outcome === 1 ? 1 : 0);
      if (standing[own] === -1) {
        if (isTaken[place] === 0) {
          isTaken[place] = 1;
          standing[own] = place;
        } else {
          const particle = this.add();
          copies.from.push(members[start + place]!);
          copies.to.push(particle);
          members[start + this.count[group]!] = particle;
          standing[own] = this.count[group]!++;
        }
        taken[members[start + standing[own]!]!] = outcome;
      }
      places[at] = standing[own]!;
    });
  }

  /**
   * Gives the highest particles the numbers that are free, where these are more than a tenth: `used` is then their
   * number.
   */
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

  /** Makes the weights sum to 1. What nothing accounts for leaves the particles as likely as each other. */
  private normalize(group: number, sum: number): void {
    const members = this.of(group);
    if (sum > 0) for (const particle of members) this.weight[particle]! /= sum;
    else for (const particle of members) this.weight[particle] = 1 / members.length;
    this.logEvidence[group]! += log(sum);
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

/** Whether a decision of such odds has two outcomes. */
function isOpen(odds: number): boolean {
  return odds > 0 && odds < Infinity;
}

/** The state of particle `from[i]` is to be copied to particle `to[i]`, in order of i. */
export interface Copies {
  readonly from: number[];
  readonly to: number[];
}
