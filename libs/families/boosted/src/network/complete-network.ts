import {
  completeSequentially,
  type Blanks,
  type Completion,
  type Copies,
  type ParticleStates,
  type UnknownVariables,
} from '@orchard/model';
import { lineOf, type DecisionTables } from './decision-tables.js';

/** Candidates a row that a completion may ask for. */
export const MOST_SAMPLES = 65_536;
/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 4 * 2 ** 20;

/**
 * Fills what is unknown of rows, by particles that go through the columns, parents first (sequential.ts of
 * `@orchard/model`).
 */
export function completeInto(
  tables: DecisionTables,
  order: Uint32Array,
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
    said: (row, position) => known.get(row, order[position]!),
    outcome: (row, position) => matrix.get(row, order[position]!),
    states: (room) => valuesOf(tables, order, { matrix, known }, room),
  };
  return { matrix, ...completeSequentially(variables, { seed, samples, draws: 1 }) };
}

/** Of each particle the values of all columns, a byte each. */
function valuesOf(
  { parents, rates }: DecisionTables,
  order: Uint32Array,
  { matrix, known }: Blanks,
  room: number,
): ParticleStates {
  const { dimensions } = matrix;
  const odds = rates.map((own) => own.map((rate) => rate / (1 - rate)));
  const values = new Uint8Array(room * dimensions);
  return {
    copy: (_, { from, to }: Copies) => {
      for (let at = 0; at < from.length; at++) {
        const start = from[at]! * dimensions;
        values.copyWithin(to[at]! * dimensions, start, start + dimensions);
      }
      from.length = 0;
      to.length = 0;
    },
    begin: () => undefined,
    allowed: () => undefined,
    odds: (position, _, { used }, into) => {
      const column = order[position]!;
      for (let particle = 0; particle < used; particle++)
        into[particle] = odds[column]![lineOf(parents[column]!, values, particle * dimensions)]!;
    },
    take: (position, particle, outcome) => {
      values[particle * dimensions + order[position]!] = outcome;
    },
    end: () => undefined,
    write: (row, _, particle) => {
      for (let column = 0; column < dimensions; column++)
        if (known.get(row, column) === 0) matrix.set(row, column, values[particle * dimensions + column] === 1);
    },
  };
}
