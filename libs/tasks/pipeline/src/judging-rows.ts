import type { BitMatrix } from '@orchard/dataset';
import { VALIDATION_CHOICES, type DensityModel } from '@orchard/model';
import type { ObjectStore } from '@orchard/storage';
import { isMissing, loadDataset } from './datasets.js';

/** Rows that trained nothing of a model, to judge it by. */
export interface JudgingRows {
  readonly rows: BitMatrix;
  readonly split: 'test' | 'validation';
  /** Among how many models these rows chose the one. */
  readonly chosenOf: number;
}

/**
 * The test rows of a model's run, or its validation rows where these trained nothing; null where there are none such,
 * or where the store has them no more.
 */
export async function judgingRows(store: ObjectStore, { specification }: DensityModel): Promise<JudgingRows | null> {
  const { test, valid, members, refit } = (specification ?? {}) as {
    readonly test?: string | null;
    readonly valid?: string | null;
    readonly members?: unknown;
    readonly refit?: unknown;
  };
  if (typeof test === 'string') return stored(store, test, { split: 'test', chosenOf: 1 });
  // members are validated by rows that have trained others, and a refit learns from all rows
  const hasSeenAll = members !== undefined || (refit !== undefined && refit !== false);
  if (typeof valid !== 'string' || hasSeenAll) return null;
  return stored(store, valid, { split: 'validation', chosenOf: VALIDATION_CHOICES });
}

async function stored(store: ObjectStore, id: string, how: Omit<JudgingRows, 'rows'>): Promise<JudgingRows | null> {
  try {
    return { rows: await loadDataset(store, id), ...how };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
