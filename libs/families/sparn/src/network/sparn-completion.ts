import type { BitMatrix } from '@orchard/dataset';
import {
  completeSequentially,
  type Blanks,
  type Completion,
  type Copies,
  type ParticleStates,
  type UnknownVariables,
} from '@orchard/model';
import { oddsOf } from './odds.js';
import { sumsOf, type SparseWeights } from './sparse-weights.js';

/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 4 * 2 ** 20;

/**
 * Fills what is unknown of rows, by particles that go through the columns in their order (sequential.ts of
 * `@orchard/model`).
 */
export function completeInto(
  sparse: SparseWeights,
  { matrix, known }: Blanks,
  { seed, samples }: { readonly seed: number; readonly samples: number },
): Completion {
  const { dimensions } = matrix;
  const ones = new Uint8Array(dimensions).fill(1);
  const variables: UnknownVariables = {
    rows: matrix.rows,
    steps: ones,
    numbers: ones,
    room: Math.max(samples, Math.floor(ROOM / dimensions)),
    said: (row, column) => known.get(row, column),
    outcome: (row, column) => matrix.get(row, column),
    states: (room) => valuesOf(sparse, matrix, known, room),
  };
  return { matrix, ...completeSequentially(variables, { seed, samples, draws: 1 }) };
}

/** Of each particle the values of the columns before the present one, a byte each. */
function valuesOf(sparse: SparseWeights, matrix: BitMatrix, known: BitMatrix, room: number): ParticleStates {
  const { dimensions } = matrix;
  const sums = sumsOf(sparse);
  const values = new Uint8Array(room * dimensions);
  return {
    copy: (column, { from, to }: Copies) => {
      for (let i = 0; i < from.length; i++) {
        const start = from[i]! * dimensions;
        values.copyWithin(to[i]! * dimensions, start, start + column);
      }
      from.length = 0;
      to.length = 0;
    },
    begin: () => undefined,
    allowed: () => undefined,
    odds: (column, _, { used }, odds) => {
      for (let particle = 0, row = 0; particle < used; particle++, row += dimensions) {
        // in the order in which ones are added elsewhere: the same bits
        odds[particle] = oddsOf(sums(column, values, row));
      }
    },
    take: (column, particle, outcome) => {
      values[particle * dimensions + column] = outcome;
    },
    end: () => undefined,
    write: (row, _, particle) => {
      for (let column = 0; column < dimensions; column++)
        if (known.get(row, column) === 0) matrix.set(row, column, values[particle * dimensions + column] === 1);
    },
  };
}
