import type { Blanks } from '../port/arguments.js';
import type { Completion } from '../port/completion.js';
import { completeSequentially, type SequentialOptions } from './sequential.js';

/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 4 * 2 ** 20;

/**
 * Fills what is unknown of rows of 0 and 1, by particles that go through the columns one after another and hold the
 * values of all, a byte each.
 *
 * @param order each column behind those that its odds depend on
 * @param oddsOf P(1) / P(0) of a column, by the values that begin at that place
 */
export function completeColumns(
  { matrix, known }: Blanks,
  asked: Omit<SequentialOptions, 'draws'>,
  order: Uint32Array,
  oddsOf: (column: number, values: Uint8Array, start: number) => number,
): Completion {
  const { dimensions } = matrix;
  const ones = new Uint8Array(dimensions).fill(1);
  const filled = completeSequentially(
    {
      rows: matrix.rows,
      steps: ones,
      numbers: ones,
      room: Math.max(asked.samples, Math.floor(ROOM / dimensions)),
      said: (row, position) => known.get(row, order[position]!),
      outcome: (row, position) => matrix.get(row, order[position]!),
      states: (room) => {
        const values = new Uint8Array(room * dimensions);
        return {
          copy: (_, { from, to }) => {
            for (let at = 0; at < from.length; at++) {
              const start = from[at]! * dimensions;
              values.copyWithin(to[at]! * dimensions, start, start + dimensions);
            }
            from.length = 0;
            to.length = 0;
          },
          begin: () => undefined,
          allowed: () => undefined,
          odds: (position, _, { used }, odds) => {
            const column = order[position]!;
            for (let particle = 0; particle < used; particle++)
              odds[particle] = oddsOf(column, values, particle * dimensions);
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
      },
    },
    { ...asked, draws: 1 },
  );
  return { matrix, ...filled };
}
