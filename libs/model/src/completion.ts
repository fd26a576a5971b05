import type { BitMatrix } from '@orchard/dataset';
import { Purpose, exp, log, philox4x32 } from '@orchard/numerics';
import type { BitColumns } from './bit-columns.js';
import { chunkRows } from './conditional-odds.js';
import type { Ensemble } from './ensemble.js';
import type { Evaluator } from './evaluator.js';
import { logProbability } from './likelihood.js';
import { Particles, type Copies } from './particles.js';
import { draws } from './sampling.js';

/** Rows with their unknown values drawn, and how probable their known values are. */
export interface Completion {
  readonly matrix: BitMatrix;
  /**
   * Of each row: as many independent candidates, drawn without regard to what is known later and weighted by it, would leave
   * `logEvidence` as uncertain, from 1 to `samples`. It is judged by how far `groups` of independent particles disagree, so it
   * is itself uncertain. Near 1 the known values contradict what the model expects, and the draw is hardly to be trusted:
   * ask for more samples. Where the draw is exact, `samples`.
   */
  readonly effectiveSampleSize: Float64Array;
  /** Of each row: 1 where the draw is from the exact conditional distribution, 0 where it is approximate. */
  readonly exact: Uint8Array;
  /**
   * Of each row: log P(known values), in nats, what is unknown summed out; 0 where nothing is known. Exact where `exact` is 1; else an
   * estimate whose exp is right on average over seeds, so that it is itself too low by about half the square of its error.
   */
  readonly logEvidence: Float64Array;
  /**
   * Of each row: standard error of `logEvidence` in nats, from the spread between independent groups of particles: 0 where
   * it is exact, Infinity where one sample says nothing about it. Over many rows the squares add up to the truth; that of
   * one row is uncertain, with three degrees of freedom.
   */
  readonly logEvidenceError: Float64Array;
}

/** What a completion is asked with: the particles a row, where a family cannot draw exactly. */
export interface CompleteOptions {
  readonly seed: number;
  readonly samples?: number;
}

/** A completion whose every row is drawn exactly, from one candidate. */
export function exactCompletion(matrix: BitMatrix, logEvidence: Float64Array): Completion {
  const { rows } = matrix;
  return {
    matrix,
    effectiveSampleSize: new Float64Array(rows).fill(1),
    exact: new Uint8Array(rows).fill(1),
    logEvidence,
    logEvidenceError: new Float64Array(rows),
  };
}

/** Independent groups of particles for each row, whose disagreement is the error. */
const GROUPS = 4;

/**
 * Draws the unknown values of each row given its known ones, by sequential Monte Carlo: `samples` particles in four groups
 * go through the ordering; before an unknown value each goes on with both values, known ones weigh them, and what is too many
 * is thinned (particles.ts). At the last known value one particle is taken in proportion to its weight, and what comes after
 * it is continued by ancestral sampling, at the cost of one row. That tends to the exact distribution as `samples` grows.
 * A row is exact where its known values come first in the ordering, or what is unknown before the last of them leaves no more
 * possibilities than a group has particles. It costs at most `samples` rows.
 *
 * Row r uses random stream (seed, complete, r), number `position` of it at each position: a draw, the thinning of the first group, or
 * the choice; group g thins by numbers of the same stream with g in the second word of the counter.
 */
export function completeInto(
  evaluator: Evaluator,
  result: BitMatrix,
  known: BitMatrix,
  ensembles: readonly Ensemble[],
  ordering: Uint32Array,
  seed: number,
  samples: number,
): Completion {
  const { rows } = result;
  const positions = ordering.length;
  const completion = {
    matrix: result,
    effectiveSampleSize: new Float64Array(rows).fill(samples),
    exact: new Uint8Array(rows).fill(1),
    logEvidence: new Float64Array(rows),
    logEvidenceError: new Float64Array(rows),
  };
  const { firstUnknown, lastKnown } = spans(known, ordering);
  const size = Math.max(samples, chunkRows(positions));
  const odds = new Float64Array(size);
  const bits = new Uint32Array(4);
  const groupsOfRow = Math.min(GROUPS, samples);
  for (let firstRow = 0; firstRow < rows;) {
    // as many rows as their particles fit
    const most: number[] = [];
    const firstGroup: number[] = [];
    let row = firstRow;
    for (let room = size; row < rows; row++) {
      const isDirect = firstUnknown[row]! > lastKnown[row]!;
      room -= isDirect ? 1 : samples;
      if (room < 0) break;
      firstGroup.push(most.length);
      if (isDirect) most.push(1);
      else for (let group = 0; group < groupsOfRow; group++) most.push(Math.floor(samples / groupsOfRow));
    }
    firstGroup.push(most.length);
    fill(firstRow, row, firstGroup, new Particles(Uint32Array.from(most)));
    firstRow = row;
  }
  return completion;

  /** Completes rows `firstRow..endRow - 1`; row r has groups `firstGroup[r - firstRow]..firstGroup[r - firstRow + 1] - 1`. */
  function fill(firstRow: number, endRow: number, firstGroup: readonly number[], particles: Particles): void {
    const columns = evaluator.columns(particles.weight.length, positions);
    const { words, stride } = columns;
    for (let position = 0; position < positions; position++) {
      const dim = ordering[position]!;
      particles.compact();
      copyRows(columns, position, particles.copies);
      evaluator.odds(ensembles[position]!, columns, particles.used, odds);
      const setBit = (particle: number): void => {
        words[position * stride + (particle >> 5)]! |= 1 << (particle & 31);
      };
      for (let row = firstRow; row < endRow; row++) {
        const group = firstGroup[row - firstRow]!;
        const endGroup = firstGroup[row - firstRow + 1]!;
        if (known.get(row, dim) === 1) {
          const value = result.get(row, dim);
          if (position < firstUnknown[row]!) {
            completion.logEvidence[row]! += logProbability(value, odds[particles.of(group)[0]!]!);
          } else {
            for (let each = group; each < endGroup; each++) particles.observe(each, odds, value);
            if (position === lastKnown[row]) settle(particles, row, group, endGroup, position);
          }
          if (value === 1) for (let each = group; each < endGroup; each++) particles.of(each).forEach(setBit);
        } else if (position > lastKnown[row]!) {
          const particle = chosenOf(particles, group, endGroup);
          if (draws(uniform(row, 0, position), odds[particle]!)) setBit(particle);
        } else {
          for (let each = group; each < endGroup; each++) {
            particles.branch(each, odds, uniform(row, each - group, position));
          }
        }
      }
      copyRows(columns, position, particles.copies);
      for (let row = firstRow; row < endRow; row++) {
        if (position > lastKnown[row]! || known.get(row, dim) === 1) continue;
        for (let each = firstGroup[row - firstRow]!; each < firstGroup[row - firstRow + 1]!; each++) {
          for (const particle of particles.of(each)) if (particles.taken[particle] === 1) setBit(particle);
        }
      }
    }
    for (let row = firstRow; row < endRow; row++) {
      const chosen = chosenOf(particles, firstGroup[row - firstRow]!, firstGroup[row - firstRow + 1]!);
      for (let position = firstUnknown[row]!; position < positions; position++) {
        const dim = ordering[position]!;
        const bit = (words[position * stride + (chosen >> 5)]! >>> (chosen & 31)) & 1;
        if (known.get(row, dim) === 0) result.set(row, dim, bit === 1);
      }
    }
  }

  /** After the last known value: evidence, its error, and one particle of one group in proportion to the evidence. */
  function settle(particles: Particles, row: number, group: number, endGroup: number, position: number): void {
    const groups = endGroup - group;
    const logs = particles.logEvidence.subarray(group, endGroup);
    const highest = logs.reduce((a, b) => Math.max(a, b));
    const shares = Float64Array.from(logs, (value) => exp(value - highest));
    const total = shares.reduce((sum, share) => sum + share, 0);
    completion.logEvidence[row]! += highest + log(total / groups);
    if (particles.thinned.subarray(group, endGroup).includes(1)) {
      completion.exact[row] = 0;
      completion.logEvidenceError[row] = groups === 1 ? Infinity : standardErrorOfMean(logs);
      // variance of the mean of the groups' evidence over its square: (samples / size - 1) / (samples - 1), as for weights
      const relative = groups === 1 ? 1 : (standardErrorOfMean(shares) / (total / groups)) ** 2;
      completion.effectiveSampleSize[row] = samples / (1 + (samples - 1) * relative);
    }
    let rest = uniform(row, 0, position) * total;
    let chosen = 0;
    while (chosen < groups - 1 && rest >= shares[chosen]!) rest -= shares[chosen++]!;
    const particle = particles.choose(group + chosen, rest / shares[chosen]!);
    for (let each = group; each < endGroup; each++) {
      if (each === group + chosen) particles.retain(each, particle);
      else particles.end(each);
    }
  }

  /** Number `number` of group `group` of the row's stream, in [0, 1). */
  function uniform(row: number, group: number, number: number): number {
    philox4x32(bits, number >>> 1, group, row, Purpose.complete, seed % 2 ** 32, Math.floor(seed / 2 ** 32));
    const at = number % 2 === 0 ? 0 : 2;
    return ((bits[at]! >>> 5) * 2 ** 26 + (bits[at + 1]! >>> 6)) * 2 ** -53;
  }
}

/** Of each row: the first position that is unknown (D where none is), and the last that is known (-1 where none is). */
function spans(known: BitMatrix, ordering: Uint32Array) {
  const firstUnknown = new Uint32Array(known.rows).fill(ordering.length);
  const lastKnown = new Int32Array(known.rows).fill(-1);
  for (let row = 0; row < known.rows; row++) {
    for (let position = ordering.length - 1; position >= 0; position--) {
      if (known.get(row, ordering[position]!) === 0) firstUnknown[row] = position;
      else if (lastKnown[row] === -1) lastKnown[row] = position;
    }
  }
  return { firstUnknown, lastKnown };
}

/** The one particle that is left of these groups. */
function chosenOf(particles: Particles, group: number, endGroup: number): number {
  for (let each = group; each < endGroup; each++) {
    const [particle] = particles.of(each);
    if (particle !== undefined) return particle;
  }
  throw new Error('A row has no particle left.');
}

/** Copies rows of the first `positions` columns as the list says, and empties it. O(copies x positions). */
function copyRows({ words, stride }: BitColumns, positions: number, { from, to }: Copies): void {
  for (let position = 0; position < positions; position++) {
    const column = position * stride;
    for (let i = 0; i < from.length; i++) {
      const bit = (words[column + (from[i]! >> 5)]! >>> (from[i]! & 31)) & 1;
      const word = column + (to[i]! >> 5);
      words[word] = (words[word]! & ~(1 << (to[i]! & 31))) | (bit << (to[i]! & 31));
    }
  }
  from.length = 0;
  to.length = 0;
}

function standardErrorOfMean(values: Float64Array): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1) / count);
}
