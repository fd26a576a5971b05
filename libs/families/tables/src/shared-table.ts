import type { Table } from '@orchard/contracts';
import { TrainingData, type TrainingDataHandle } from '@orchard/kernel';

/**
 * What the threads that train share: the rows, and what their bits mean. A table of thousands of columns is posted once
 * to a thread so, instead of with each of its thousands of tasks.
 */
export interface SharedTable {
  readonly rows: TrainingDataHandle;
  readonly table: Table;
  readonly ordering: Uint32Array;
}

/** The same in a thread. */
export interface AttachedTable extends Pick<SharedTable, 'table' | 'ordering'> {
  readonly data: TrainingData;
}

export function attachTable({ rows, table, ordering }: SharedTable, thread: number): AttachedTable {
  return { data: TrainingData.attach(rows, thread), table, ordering };
}
