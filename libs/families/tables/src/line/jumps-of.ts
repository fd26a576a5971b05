import type { Table } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { Split, type TrainingData } from '@orchard/kernel';
import type { VariablePlace } from '../decisions.js';
import { scoreJumps, valueJumps } from './line-features.js';

/** By how much each predictor bit of a variable moves its score, and its number. */
export interface Jumps {
  readonly scores: Float64Array;
  readonly numbers: Float64Array;
}

interface JumpsOfData {
  readonly table: Table;
  readonly ordering: ArrayLike<number>;
  /** By position. */
  readonly known: (Jumps | undefined)[];
}

/** They go when the rows do. */
const ofData = new WeakMap<TrainingData, JumpsOfData>();

/**
 * The jumps of the variable at a position, by the training rows: the lines of all variables behind it ask for the same.
 *
 * @param codes of the variable, by row
 */
export function jumpsOf(
  data: TrainingData,
  { table, ordering }: Pick<VariablePlace, 'table' | 'ordering'>,
  position: number,
  codes: Uint16Array,
): Jumps {
  let own = ofData.get(data);
  if (own?.table !== table || own.ordering !== ordering) {
    own = { table, ordering, known: [] };
    ofData.set(data, own);
  }
  own.known[position] ??= countedJumps(data, table.variables[ordering[position]!]!, codes);
  return own.known[position];
}

function countedJumps(data: TrainingData, variable: Table['variables'][number], codes: Uint16Array): Jumps {
  const counts = countsOf(data, codes, codeCount(variable));
  return { scores: scoreJumps(variable, counts), numbers: valueJumps(variable, counts) };
}

/** Training rows of each code. */
export function countsOf(data: TrainingData, codes: Uint16Array, count: number): Uint32Array {
  const counts = new Uint32Array(count);
  for (let row = 0; row < codes.length; row++) if (data.splitOf(row) === Split.train) counts[codes[row]!]!++;
  return counts;
}
