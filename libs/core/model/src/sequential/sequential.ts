import type { Completion } from '../port/completion.js';
import { GROUPS, RowNumbers } from '../port/row-numbers.js';
import { SequentialBlock, type Spans } from './sequential-block.js';
import { KNOWN, OPEN, type UnknownVariables } from './unknown-variables.js';

export interface SequentialOptions {
  readonly seed: number;
  /** Particles a row. */
  readonly samples: number;
  /** Independent draws of each row from its particles. */
  readonly draws: number;
  /** Whether the draws of a row are spread evenly over its particles, instead of independent. @default false */
  readonly forCells?: boolean | undefined;
  /** The number of the first row, where the rows are a part of more. @default 0 */
  readonly firstRow?: number | undefined;
}

/**
 * Draws the unknown values of each row given its known ones, by sequential Monte Carlo: `samples` particles in four
 * groups go through the ordering; before an unknown decision each continues with both outcomes, known ones weigh them,
 * and what is too many is thinned (particles.ts). After the last known value particles are taken in proportion to their
 * weights, one a draw, and what comes after it is continued by ancestral sampling, at the cost of one row a draw, or of
 * fewer where draws are alike. That tends to the exact distribution as `samples` grows. A row is exact where its known
 * values come first in the ordering, or what is unknown before the last of them leaves no more possibilities than a
 * group has particles. Until then its groups would be the same, and there is one. A row costs at most `samples` rows,
 * or `draws` where these are more.
 *
 * A restricted variable is weighed by the probability of what is allowed, and then drawn from it.
 *
 * Row r uses random stream (seed, complete, r), counted from the first row of all, of which each position has some
 * numbers, one a step: a draw, the thinning of the first group, or, the position's last, the choice; group g thins by
 * numbers of the same stream with g in the second word of the counter, and draw d is drawn and chosen by those with
 * d + 3 there, the first one with 0. So a row does not depend on those beside it. Draws that are spread choose by the
 * first one's number and equal steps from it: each by itself is what it would be, and all of them err less.
 */
export function completeSequentially(
  variables: UnknownVariables,
  { seed, samples, draws, forCells = false, firstRow = 0 }: SequentialOptions,
): Omit<Completion, 'matrix'> {
  const { rows } = variables;
  const completion = {
    effectiveSampleSize: new Float64Array(rows).fill(samples),
    exact: new Uint8Array(rows).fill(1),
    logEvidence: new Float64Array(rows),
    logEvidenceError: new Float64Array(rows),
  };
  const spans = spansOf(variables);
  const numbers = new RowNumbers(seed, variables.numbers, firstRow);
  const task = { variables, samples, draws, forCells, spans, numbers, completion };
  const { firstUnknown, lastKnown } = spans;
  const groupsOfRow = Math.min(GROUPS, samples);
  for (let start = 0; start < rows;) {
    // as many rows as their particles fit; the last group of each has its draws
    const most: number[] = [];
    const firstGroup: number[] = [];
    let row = start;
    for (let room = variables.room; row < rows; row++) {
      const isDirect = lastKnown[row]! <= firstUnknown[row]!;
      room -= isDirect ? draws : Math.max(samples, draws);
      if (room < 0 && row > start) break;
      firstGroup.push(most.length);
      if (!isDirect) for (let group = 0; group < groupsOfRow; group++) most.push(Math.floor(samples / groupsOfRow));
      most.push(draws);
    }
    firstGroup.push(most.length);
    new SequentialBlock(task, start, Uint32Array.from(firstGroup), Uint32Array.from(most)).complete();
    start = row;
  }
  return completion;
}

function spansOf({ rows, steps, said }: UnknownVariables): Spans {
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
