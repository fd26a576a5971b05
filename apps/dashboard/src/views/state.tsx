import type { StageCounts } from '@orchard/contracts';
import { percent } from '../words.js';

export function State({ state }: { state: string }) {
  return <span class={`state ${state}`}>{state}</span>;
}

export function Progress({ share, label = 'progress' }: { share: number; label?: string }) {
  return (
    <span class="progress">
      <progress max={1} value={share} aria-label={label} />
      <span>{percent(share)}</span>
    </span>
  );
}

type Stages = Readonly<Record<string, StageCounts | null>>;

/** Of all tasks that are known: a stage that is not reached has its tasks too. */
export function shareDone(stages: Stages): number {
  const all = Object.values(stages).filter((stage) => stage !== null);
  const total = all.reduce((sum, stage) => sum + stage.total, 0);
  return total === 0 ? 0 : all.reduce((sum, stage) => sum + stage.done, 0) / total;
}
