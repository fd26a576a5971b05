import type { WorkerGlance } from '@orchard/contracts';

/** A worker announces itself every second: one that is silent for longer may be gone. */
const SILENT_SECONDS = 3;

/** How a worker is, in a word that its lane is coloured by. */
export function conditionOf({
  isThere,
  silentSeconds,
  notice,
  holds,
}: Pick<WorkerGlance, 'isThere' | 'silentSeconds' | 'notice' | 'holds'>): string {
  if (!isThere) return 'gone';
  if (silentSeconds > SILENT_SECONDS) return 'silent';
  if (notice !== null) return 'slowed';
  return holds.length > 0 ? 'at work' : 'idle';
}
