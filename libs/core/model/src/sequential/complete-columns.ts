import type { Blanks } from '../port/arguments.js';
import type { Completion } from '../port/completion.js';
import { completeSequentially, type SequentialOptions } from './sequential.js';

/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 4 * 2 ** 20;

/** Rows of 0 and 1 on their way through the columns, one after another. `odds` of a column comes before its `take`. */
export interface ColumnStates {
  /** Element `row * dimensions + column`; those to come are not looked at. */
  readonly values: Uint8Array;
  /** P(1) / P(0) of a column, by the values that it depends on. */
  odds(row: number, column: number): number;
  take(row: number, column: number, value: 0 | 1): void;
  /** A row becomes as another is, of which so many columns have values. */
  copy(from: number, to: number, columns: number): void;
}

/** States that are no more than the values. @param oddsOf of a column, by the values that begin at that place */
export class ColumnValues implements ColumnStates {
  readonly values: Uint8Array;

  constructor(
    rows: number,
    private readonly dimensions: number,
    private readonly oddsOf: (column: number, values: Uint8Array, start: number) => number,
  ) {
    this.values = new Uint8Array(rows * dimensions);
  }

  odds(row: number, column: number): number {
    return this.oddsOf(column, this.values, row * this.dimensions);
  }

  take(row: number, column: number, value: 0 | 1): void {
    this.values[row * this.dimensions + column] = value;
  }

  copy(from: number, to: number): void {
    const start = from * this.dimensions;
    this.values.copyWithin(to * this.dimensions, start, start + this.dimensions);
  }
}

/**
 * Fills what is unknown of rows of 0 and 1, by particles that go through the columns one after another and hold the
 * values of all, a byte each.
 *
 * @param order each column behind those that its odds depend on
 * @param statesOf so many particles
 */
export function completeColumns(
  { matrix, known }: Blanks,
  asked: Omit<SequentialOptions, 'draws'>,
  order: Uint32Array,
  statesOf: (particles: number) => ColumnStates,
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
        const states = statesOf(room);
        return {
          copy: (position, { from, to }) => {
            for (let at = 0; at < from.length; at++) states.copy(from[at]!, to[at]!, position);
            from.length = 0;
            to.length = 0;
          },
          begin: () => undefined,
          allowed: () => undefined,
          odds: (position, _, { used }, odds) => {
            const column = order[position]!;
            for (let particle = 0; particle < used; particle++) odds[particle] = states.odds(particle, column);
          },
          take: (position, particle, outcome) => {
            states.take(particle, order[position]!, outcome as 0 | 1);
          },
          end: () => undefined,
          write: (row, _, particle) => {
            for (let column = 0; column < dimensions; column++)
              if (known.get(row, column) === 0)
                matrix.set(row, column, states.values[particle * dimensions + column] === 1);
          },
        };
      },
    },
    { ...asked, draws: 1 },
  );
  return { matrix, ...filled };
}
