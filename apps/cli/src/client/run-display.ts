import type { RunProgress } from '@orchard/contracts';
import { count, duration, nats } from '../output/figures.js';
import type { RunStatus } from './documents.js';

const stageOf: Readonly<Record<string, RunProgress['stage']>> = {
  training: 'train',
  selecting: 'select',
  refitting: 'refit',
  assembling: 'assemble',
  done: 'done',
};

/** A status in the form that the progress display of local training takes; null where nothing is under way. */
export function progressOf(status: RunStatus): RunProgress | null {
  const stage = stageOf[status.state];
  if (stage === undefined) return null;
  const { done = 0, total = 0 } = status.stages[stage] ?? {};
  const { id, treesPerSecond, secondsLeft, logLikelihood } = status;
  return { runId: id, stage, dimensions: { done, total }, trees: 0, treesPerSecond, secondsLeft, logLikelihood };
}

/** A run in some lines, for people. */
export function describeRun(status: RunStatus): string {
  const { id, state, reason, choice, stages, treesPerSecond, secondsLeft, logLikelihood } = status;
  const lines = [`run ${id}`, `${state}${reason === null ? '' : `: ${reason}`}`];
  lines.push(`wanted: ${choice.selection}${choice.refit ? ', refitted' : ''}`);
  for (const [stage, counts] of Object.entries(stages)) {
    if (counts === null) continue;
    const { done, total, active, waiting, quarantined } = counts;
    const given = quarantined === 0 ? '' : `, ${count(quarantined)} given up`;
    lines.push(
      `${stage.padEnd(9)}${count(done)} of ${count(total)} done, ${count(active)} active, ${count(waiting)} waiting${given}`,
    );
  }
  if (treesPerSecond > 0) lines.push(`${count(Math.round(treesPerSecond))} trees/s`);
  if (secondsLeft !== null) lines.push(`${duration(secondsLeft)} left of this stage`);
  if (logLikelihood !== null) lines.push(`${nats(logLikelihood)} nats a validation row so far`);
  lines.push(...status.notices);
  return lines.join('\n');
}

/** What went wrong, with the stacks: for `orchard logs`. */
export function describeTrouble({ id, quarantined, notices }: RunStatus): string {
  if (quarantined.length === 0 && notices.length === 0) return `run ${id}: nothing went wrong`;
  const works = quarantined.map(({ stage, dimension, attempts, code, reason, stack }) => {
    const what = dimension === null ? stage : `${stage} dimension ${dimension}`;
    return `${what}: given up after ${attempts} attempts (${code}): ${reason}${stack === null ? '' : `\n${stack}`}`;
  });
  return [...notices, ...works].join('\n');
}
