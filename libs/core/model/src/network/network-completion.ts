import type { Blanks } from '../port/arguments.js';
import type { BitColumns } from '../port/bit-columns.js';
import type { Completion } from '../port/completion.js';
import { chunkRows, type Conditionals } from './conditional-odds.js';
import type { Copies } from '../sequential/particles.js';
import { completeSequentially, type SequentialOptions } from '../sequential/sequential.js';
import type { ParticleStates, UnknownVariables } from '../sequential/unknown-variables.js';

/**
 * Fills the unknown values of rows of bits (sequential.ts), of which each is one decision: particles are rows of the
 * evaluator's columns.
 */
export function completeInto(
  { evaluator, ensembles, ordering }: Conditionals,
  { matrix, known }: Blanks,
  asked: Omit<SequentialOptions, 'draws'>,
): Completion {
  const ones = new Uint8Array(ordering.length).fill(1);
  const variables: UnknownVariables = {
    rows: matrix.rows,
    steps: ones,
    numbers: ones,
    room: Math.max(asked.samples, chunkRows(ordering.length)),
    said: (row, position) => known.get(row, ordering[position]!),
    outcome: (row, position) => matrix.get(row, ordering[position]!),
    states: (room) => columnStates(evaluator.columns(room, ordering.length)),
  };
  return { matrix, ...completeSequentially(variables, { ...asked, draws: 1 }) };

  function columnStates(columns: BitColumns): ParticleStates {
    const { words, stride } = columns;
    return {
      copy: (position, copies) => {
        copyRows(columns, position, copies);
      },
      begin: () => undefined,
      allowed: () => undefined,
      odds: (position, _, particles, odds) => {
        evaluator.odds(ensembles[position]!, columns, particles.used, odds);
      },
      take: (position, particle, outcome) => {
        if (outcome === 1) words[position * stride + (particle >> 5)]! |= 1 << (particle & 31);
      },
      end: () => undefined,
      write: (row, _, particle) => {
        ordering.forEach((dim, position) => {
          const bit = (words[position * stride + (particle >> 5)]! >>> (particle & 31)) & 1;
          if (known.get(row, dim) === 0) matrix.set(row, dim, bit === 1);
        });
      },
    };
  }
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
