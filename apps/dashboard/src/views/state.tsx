import type { RunStatus, StageCounts } from '@orchard/contracts';
import { ask } from '../cluster/questions.js';
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

/**
 * Mean nats per validation row of the best selection of a finished run; where the status has none, the summary has it.
 */
export async function bestLikelihood(status: RunStatus): Promise<number | null> {
  const selections = status['selections'] as Record<string, { readonly validLogLikelihood?: number }> | null;
  const ofSelections = Object.values(selections ?? {}).flatMap(({ validLogLikelihood }) => validLogLikelihood ?? []);
  if (ofSelections.length > 0) return ofSelections.reduce((most, one) => Math.max(most, one), -Infinity);
  const summary = await ask<Record<string, unknown>>(`/v1/runs/${status.id}/summary`);
  return heldOutOf(summary);
}

/** The held-out figure of a summary. */
function heldOutOf(summary: Readonly<Record<string, unknown>>): number | null {
  const { valid } = (summary['likelihoods'] ?? {}) as { readonly valid?: unknown };
  return typeof valid === 'number' ? valid : null;
}
