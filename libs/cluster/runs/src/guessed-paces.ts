import type { TrackedRun } from './tracked-run.js';

type Paced = Pick<TrackedRun, 'family' | 'stage' | 'size' | 'paceOf' | 'guessPace'>;

/**
 * Of runs of which no task was done yet, how long a task may take: as long as those of another run of the same kind of
 * model, or less where it has fewer rows and columns. So a small run is known to be small before its first task.
 */
export function guessPaces(runs: readonly Paced[]): void {
  const known = new Map<string, { readonly seconds: number; readonly size: number }>();
  const nameOf = ({ family, stage }: Paced): string => `${family.name} ${String(stage)}`;
  for (const run of runs) {
    const seconds = run.stage === null ? null : run.paceOf(run.stage);
    const name = nameOf(run);
    if (seconds !== null && run.size > (known.get(name)?.size ?? 0)) known.set(name, { seconds, size: run.size });
  }
  for (const run of runs) {
    const like = known.get(nameOf(run));
    if (run.stage === null || like === undefined || run.paceOf(run.stage) !== null) continue;
    run.guessPace(run.stage, like.seconds * Math.min(1, run.size / like.size));
  }
}
