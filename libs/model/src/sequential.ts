import { Purpose, exp, log, philox4x32 } from '@orchard/numerics';
import type { Completion } from './completion.js';
import { logProbability } from './likelihood.js';
import { NOT_REACHED, Particles } from './particles.js';
import { draws as isDrawn } from './sampling.js';
import { KNOWN, OPEN, RESTRICTED, type UnknownVariables } from './unknown-variables.js';

/** Independent groups of particles for each row, whose disagreement is the error. */
const GROUPS = 4;

export interface SequentialOptions {
  readonly seed: number;
  /** Particles a row. */
  readonly samples: number;
  /** Independent draws of each row from its particles. */
  readonly draws: number;
}

/**
 * Draws the unknown values of each row given its known ones, by sequential Monte Carlo: `samples` particles in four groups
 * go through the ordering; before an unknown decision each goes on with both outcomes, known ones weigh them, and what is too
 * many is thinned (particles.ts). After the last known value particles are taken in proportion to their weights, one a draw, and
 * what comes after it is continued by ancestral sampling, at the cost of one row a draw, or of fewer where draws are alike. That
 * tends to the exact distribution as `samples` grows. A row is exact where its known values come first in the ordering, or what is
 * unknown before the last of them leaves no more possibilities than a group has particles. Until then its groups would be the
 * same, and there is one. A row costs at most `samples` rows, or `draws` where these are more.
 *
 * A restricted variable is weighed by the probability of what is allowed, and then drawn from it.
 *
 * Row r uses random stream (seed, complete, r), of which each position has some numbers, one a step: a draw, the thinning of the
 * first group, or, the position's last, the choice; group g thins by numbers of the same stream with g in the second word of the
 * counter, and draw d is drawn and chosen by those with d + 3 there, the first one with 0. So a row does not depend on those beside it.
 */
export function completeSequentially(
  variables: UnknownVariables,
  { seed, samples, draws }: SequentialOptions,
): Omit<Completion, 'matrix'> {
  const { rows, steps } = variables;
  const positions = steps.length;
  const completion = {
    effectiveSampleSize: new Float64Array(rows).fill(samples),
    exact: new Uint8Array(rows).fill(1),
    logEvidence: new Float64Array(rows),
    logEvidenceError: new Float64Array(rows),
  };
  const firstNumber = new Uint32Array(positions + 1);
  for (let position = 0; position < positions; position++)
    firstNumber[position + 1] = firstNumber[position]! + variables.numbers[position]!;
  const { firstUnknown, lastKnown } = spans(variables);
  const groupsOfRow = Math.min(GROUPS, samples);
  const bits = new Uint32Array(4);
  for (let firstRow = 0; firstRow < rows;) {
    // as many rows as their particles fit; the last group of each has its draws
    const most: number[] = [];
    const firstGroup: number[] = [];
    let row = firstRow;
    for (let room = variables.room; row < rows; row++) {
      const isDirect = lastKnown[row]! <= firstUnknown[row]!;
      room -= isDirect ? draws : Math.max(samples, draws);
      if (room < 0 && row > firstRow) break;
      firstGroup.push(most.length);
      if (!isDirect) for (let group = 0; group < groupsOfRow; group++) most.push(Math.floor(samples / groupsOfRow));
      most.push(draws);
    }
    firstGroup.push(most.length);
    fill(firstRow, row, Uint32Array.from(firstGroup), Uint32Array.from(most));
    firstRow = row;
  }
  return completion;

  /** Completes rows `firstRow..endRow - 1`; the groups of row r end before `firstGroup[r - firstRow + 1]`. */
  function fill(firstRow: number, endRow: number, firstGroup: Uint32Array, most: Uint32Array): void {
    const count = endRow - firstRow;
    const particles = new Particles(most, variables.meritOf);
    const room = particles.weight.length;
    const states = variables.states(room);
    const odds = new Float64Array(room);
    const said = new Uint8Array(most.length);
    const outcomes = new Uint8Array(draws);
    /** Of each row, where its draws stand in its last group, once they are drawn. */
    const places: (Uint32Array | null)[] = [];
    for (let at = 0; at < count; at++) {
      particles.begin(firstGroup[at]!);
      places.push(firstGroup[at + 1]! - firstGroup[at]! === 1 ? new Uint32Array(draws) : null);
    }
    for (let position = 0; position < positions; position++) {
      particles.compact();
      states.copy(position, particles.copies);
      for (let at = 0; at < count; at++)
        said.fill(variables.said(firstRow + at, position), firstGroup[at], firstGroup[at + 1]);
      states.begin(position, particles, said);
      weighAllowed(position);
      for (let step = 0; step < steps[position]!; step++) {
        states.odds(position, step, particles, odds);
        for (let at = 0; at < count; at++) decide(at, position, step);
        states.copy(position, particles.copies);
        for (let at = 0; at < count; at++) take(at, position, step);
      }
      states.end(position, particles);
      for (let at = 0; at < count; at++)
        if (said[firstGroup[at]!] === KNOWN && position === lastKnown[firstRow + at]! && places[at] === null)
          settle(at, position);
    }
    for (let at = 0; at < count; at++) {
      const members = particles.of(firstGroup[at + 1]! - 1);
      places[at]!.forEach((place, draw) => {
        states.write(firstRow + at, draw, members[place]!);
      });
    }

    function weighAllowed(position: number): void {
      if (!said.includes(RESTRICTED)) return;
      states.allowed(odds);
      for (let at = 0; at < count; at++) {
        const row = firstRow + at;
        const group = firstGroup[at]!;
        if (said[group] !== RESTRICTED) continue;
        if (places[at] !== null) completion.logEvidence[row]! += log(odds[particles.of(group)[0]!]!);
        else {
          for (let each = group; particles.of(each).length > 0; each++) particles.weigh(each, odds);
          if (position === lastKnown[row]) settle(at, position);
        }
      }
    }

    function decide(at: number, position: number, step: number): void {
      const row = firstRow + at;
      const group = firstGroup[at]!;
      const drawn = firstGroup[at + 1]! - 1;
      if (said[group] === KNOWN) {
        const outcome = variables.outcome(row, position, step);
        if (outcome === NOT_REACHED) return;
        if (position < firstUnknown[row]!)
          completion.logEvidence[row]! += logProbability(outcome as 0 | 1, odds[particles.of(group)[0]!]!);
        else
          for (let each = group; each < drawn && particles.of(each).length > 0; each++)
            particles.observe(each, odds, outcome as 0 | 1);
        return;
      }
      const number = firstNumber[position]! + step;
      const own = places[at]!;
      if (own !== null) {
        const members = particles.of(drawn);
        own.forEach((place, draw) => {
          const ones = odds[members[place]!]!;
          if (Number.isNaN(ones)) outcomes[draw] = NOT_REACHED;
          else if (ones === 0 || ones === Infinity) outcomes[draw] = ones === 0 ? 0 : 1;
          else outcomes[draw] = isDrawn(uniform(row, wordOf(draw), number), ones) ? 1 : 0;
        });
        particles.draw(drawn, own, outcomes);
        return;
      }
      if (group + 1 < drawn && particles.of(group + 1).length === 0 && particles.branches(group, odds) > most[group]!)
        for (let other = group + 1; other < drawn; other++) particles.fork(group, other, odds);
      for (let each = group; each < drawn && particles.of(each).length > 0; each++)
        particles.branch(each, odds, uniform(row, each - group, number));
    }

    function take(at: number, position: number, step: number): void {
      const group = firstGroup[at]!;
      const isKnown = said[group] === KNOWN;
      const known = isKnown ? variables.outcome(firstRow + at, position, step) : NOT_REACHED;
      if (isKnown && known === NOT_REACHED) return;
      for (let each = group; each < firstGroup[at + 1]!; each++)
        for (const particle of particles.of(each)) {
          const outcome = isKnown ? known : particles.taken[particle]!;
          if (outcome !== NOT_REACHED) states.take(position, particle, outcome);
        }
    }

    /** After the last known value: evidence, its error, and for each draw one particle of one group in proportion to the evidence. */
    function settle(at: number, position: number): void {
      const row = firstRow + at;
      const group = firstGroup[at]!;
      const endGroup = firstGroup[at + 1]! - 1;
      const groups = endGroup - group;
      const isOne = groups === 1 || particles.of(group + 1).length === 0;
      const logs = particles.logEvidence.slice(group, endGroup);
      if (isOne) logs.fill(logs[0]!);
      const highest = logs.reduce((a, b) => Math.max(a, b));
      const shares = Float64Array.from(logs, (value) => (highest === -Infinity ? 1 : exp(value - highest)));
      const total = shares.reduce((sum, share) => sum + share, 0);
      completion.logEvidence[row]! += highest + log(total / groups);
      if (particles.thinned.subarray(group, endGroup).includes(1)) {
        completion.exact[row] = 0;
        completion.logEvidenceError[row] = groups === 1 ? Infinity : standardErrorOfMean(logs);
        // variance of the mean of the groups' evidence over its square: (samples / size - 1) / (samples - 1), as for weights
        const relative = groups === 1 ? 1 : (standardErrorOfMean(shares) / (total / groups)) ** 2;
        completion.effectiveSampleSize[row] = samples / (1 + (samples - 1) * relative);
      }
      const chosen = Array.from({ length: draws }, (_, draw) => {
        let rest = uniform(row, wordOf(draw), firstNumber[position + 1]! - 1) * total;
        let own = 0;
        while (own < groups - 1 && rest >= shares[own]!) rest -= shares[own++]!;
        return particles.choose(isOne ? group : group + own, rest / shares[own]!);
      });
      places[at] = particles.move(group, endGroup, chosen);
    }
  }

  /** Number `number` of a word of the row's stream, in [0, 1). */
  function uniform(row: number, word: number, number: number): number {
    philox4x32(bits, number >>> 1, word, row, Purpose.complete, seed % 2 ** 32, Math.floor(seed / 2 ** 32));
    const at = number % 2 === 0 ? 0 : 2;
    return ((bits[at]! >>> 5) * 2 ** 26 + (bits[at + 1]! >>> 6)) * 2 ** -53;
  }
}

/** The first draw has the first group's numbers, of positions where that no longer takes any. */
function wordOf(draw: number): number {
  return draw === 0 ? 0 : GROUPS - 1 + draw;
}

/** Of each row: the first position that is not known (V where none is), and the last of which something is said (-1 where none is). */
function spans({ rows, steps, said }: UnknownVariables) {
  const firstUnknown = new Uint32Array(rows).fill(steps.length);
  const lastKnown = new Int32Array(rows).fill(-1);
  for (let row = 0; row < rows; row++) {
    for (let position = steps.length - 1; position >= 0; position--) {
      const how = said(row, position);
      if (how !== KNOWN) firstUnknown[row] = position;
      if (how !== OPEN && lastKnown[row] === -1) lastKnown[row] = position;
    }
  }
  return { firstUnknown, lastKnown };
}

function standardErrorOfMean(values: Float64Array): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1) / count);
}
