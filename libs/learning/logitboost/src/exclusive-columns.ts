import { Split, TrainingData } from '@orchard/kernel';
import { log, sumOf } from '@orchard/numerics';

/** What the columns before it in its group say about a column's conditional. */
export interface ToldColumn {
  /** Their positions, rising. A 1 in one of them says that this column is 0. */
  readonly by: Uint32Array;
  /** Whether all of them 0 says that it is 1: the last of a complete group. */
  readonly isLast: boolean;
}

/** Groups of columns of which no training row has two that are 1, as columns that stand for a category's labels. */
export interface ExclusiveColumns {
  /** By ordering position; null for a column without a group, and for the first of its group. */
  readonly told: readonly (ToldColumn | null)[];
  /**
   * Chance that a value is another than its group says, where it says one: half a value of all that the groups say of
   * the training rows, of which none is another.
   */
  readonly chance: number;
}

/**
 * A column belongs to a group for certain where its 1s would all miss those of the others, were it independent of them,
 * with a chance of at most e^-10.
 */
const CERTAIN = 10;

/** Found once a data set and thread. */
const groupsOfMemory = new WeakMap<WebAssembly.Memory, ExclusiveColumns>();

/**
 * Groups are sought among columns that are neighbours as stored: from the first column on each takes in the next ones
 * until one of them is 1 in a training row with a 1 already. Of these it reaches from the first to the last that belong
 * to it for certain, which all do that are ever 1 where every row has a 1: what is never 1 at its ends may as well be
 * its neighbour's. Groups depend on the training rows alone, in a refit too, and not on the ordering.
 *
 * @param ordering the stored column at each position of `data`
 */
export function exclusiveColumns(data: TrainingData, ordering: Uint32Array): ExclusiveColumns {
  const { handle, thread } = data;
  const found = groupsOfMemory.get(handle.memory);
  if (found !== undefined) return found;
  const made = find(TrainingData.attach({ ...handle, pooled: false }, thread), ordering);
  groupsOfMemory.set(handle.memory, made);
  return made;
}

interface Group {
  readonly positions: Uint32Array;
  /**
   * Whether every training row has a 1 in it, and no column beside it, never 1 so far, may be a label that it lacks.
   */
  readonly isComplete: boolean;
}

function find(data: TrainingData, ordering: Uint32Array): ExclusiveColumns {
  const rows: number[] = [];
  for (let row = 0; row < data.rowCount; row++) if (data.splitOf(row) === Split.train) rows.push(row);
  const told = new Array<ToldColumn | null>(ordering.length).fill(null);
  let said = 0;
  for (const { positions, isComplete } of groupsOf(data, ordering, rows))
    positions.forEach((position, at) => {
      const isLast = isComplete && at === positions.length - 1;
      if (at > 0) told[position] = { by: positions.subarray(0, at), isLast };
      // its 1s say that those behind it are 0, or stand alone for what is left
      said += onesOf(data, rows, position) * (isLast ? 1 : positions.length - 1 - at);
    });
  return { told, chance: 0.5 / (said + 1) };
}

function* groupsOf(data: TrainingData, ordering: Uint32Array, rows: readonly number[]): Generator<Group> {
  const positionOf = new Uint32Array(ordering.length);
  ordering.forEach((column, position) => {
    positionOf[column] = position;
  });
  let isEndOpen = false;
  for (let column = 0; column < positionOf.length;) {
    const ones: number[] = [];
    const positions: number[] = [];
    const taken = new Uint8Array(data.rowCount);
    for (; column < positionOf.length; column++) {
      const position = positionOf[column]!;
      if (rows.some((row) => taken[row] === 1 && data.bit(row, position) === 1)) break;
      positions.push(position);
      ones.push(onesOf(data, rows, position));
      for (const row of rows) taken[row]! |= data.bit(row, position);
    }
    const covered = sumOf(ones);
    const isInEveryRow = covered === rows.length;
    const isCertain = ones.map(
      (own) => own > 0 && (isInEveryRow || -own * log(1 - (covered - own) / rows.length) >= CERTAIN),
    );
    const kept = positions.slice(isCertain.indexOf(true), isCertain.lastIndexOf(true) + 1);
    const isComplete = isInEveryRow && kept.length === positions.length && !isEndOpen;
    if (kept.length > 1) yield { positions: Uint32Array.from(kept).sort(), isComplete };
    isEndOpen = ones.at(-1) === 0;
  }
}

function onesOf(data: TrainingData, rows: readonly number[], position: number): number {
  return rows.reduce((sum, row) => sum + data.bit(row, position), 0);
}
