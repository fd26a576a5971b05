import { type Family, type Run, type RunDatasets } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';

/** A task that takes no longer is short: it has places of its own beside long ones. */
export const shortSeconds = 2;
/** Of a run like which none was seen, about: fewer where rounds are many, so that large runs alone count as long. */
const sizePerSecond = 100_000;

/** What a run's tasks take grows with its rows and columns. */
export function sizeOf({ train }: RunDatasets): number {
  return train.rows * train.dimensions;
}

/** Whether the tasks of a run of that size are soon done, where nothing else is known of them. */
export function isSmall(size: number): boolean {
  return size / sizePerSecond <= shortSeconds;
}

/** Bytes that the rows of a run take on one thread, by its family; null where that is unknown or too large. */
export function needsOf(family: Family, run: Run): number | null {
  try {
    return family.needs?.memory(run, 1).bytes ?? null;
  } catch (error) {
    if (isRefusal(error, 'too-large')) return null;
    throw error;
  }
}
