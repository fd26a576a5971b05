import { NUMERICS_VERSION } from '@orchard/numerics';
import { createRun, PipelineError } from '@orchard/pipeline';
import { agendaOf } from './agenda.js';
import type { AttemptLimits, Quarantine } from './attempts.js';
import { lifeOf, type Life } from './life.js';
import { OpenRun } from './open-run.js';
import type { OpenRuns, ReconcilerPorts } from './reconciler-ports.js';
import { workStages } from './run-status.js';
import { quarantinedOf } from './status.js';
import { sweep } from './sweep.js';
import { workName } from './work.js';

/** Why a look ended: `outdated` where something changed under it, so that another should follow. */
export type LookResult = 'settled' | 'outdated';

/**
 * Looks at one run: what is missing of it, what has failed, whether it is at an end. Keeps `open` in step with that, marks
 * ends and quarantines, and sweeps what is to be deleted.
 */
export async function lookAtRun(
  ports: ReconcilerPorts,
  open: OpenRuns,
  id: string,
  limits: AttemptLimits,
): Promise<LookResult> {
  const { store, marks, attempts, log, observer } = ports;
  const life = lifeOf(await marks.of(id));
  if (life?.standing !== 'open') {
    open.delete(id);
    if (life?.standing === 'deleting') await sweep(ports, id, life);
    return 'settled';
  }
  const found = await openedRun(ports, open, id, life);
  if (!(found instanceof OpenRun)) return close(ports, open, id, life, found);
  found.beginLook();
  const agenda = await agendaOf(store, found.run, life);
  if (agenda.state === 'done') return close(ports, open, id, life, { kind: 'done' });
  const { troubles, fresh } = await attempts.quarantine(id, life.epoch, limits);
  found.endLook(life, agenda, troubles);
  for (const work of fresh) {
    const { reason, code } = troubles.quarantined.get(work)!;
    log.warn({ run: id, work, code, reason }, 'quarantined after its attempts');
    observer.onQuarantined?.(workStages.find((stage) => work.startsWith(stage))!);
  }
  const nondeterministic = [...troubles.quarantined].find(([, { code }]) => code === 'conflict');
  if (nondeterministic === undefined && !agenda.jobs.every((job) => troubles.quarantined.has(workName(job)))) {
    // what was missing when the look began may have been completed before it ended
    return found.missing.size === 0 ? 'outdated' : 'settled';
  }
  const reason = reasonOf(nondeterministic === undefined ? troubles.quarantined : new Map([nondeterministic]));
  return close(ports, open, id, life, { kind: 'failed', reason });
}

type End = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly reason: string };

/** The run as it is known, or known from now on, or the end of one that cannot be opened. */
async function openedRun({ store }: ReconcilerPorts, open: OpenRuns, id: string, life: Life): Promise<OpenRun | End> {
  const known = open.get(id);
  if (known !== undefined) return known;
  if (life.specification.numericsVersion !== NUMERICS_VERSION) {
    const own = `numerics version ${life.specification.numericsVersion}; this program computes version ${NUMERICS_VERSION}`;
    return { kind: 'failed', reason: `The run is of ${own}. Submit it anew.` };
  }
  try {
    // the specification is written again where a deletion of an earlier life took it away
    const run = new OpenRun(await createRun(store, life.specification), life);
    open.set(id, run);
    return run;
  } catch (error) {
    if (!(error instanceof PipelineError) || error.retryable) throw error;
    return { kind: 'failed', reason: error.message };
  }
}

/** Marks the end of a run, unless somebody has decided something else about it meanwhile. */
async function close(
  { marks, log }: ReconcilerPorts,
  open: OpenRuns,
  id: string,
  life: Life,
  end: End,
): Promise<LookResult> {
  if (!(await marks.append(id, life.marks, end))) return 'outdated';
  open.delete(id);
  log.info({ run: id, ...end }, 'the run has ended');
  return 'settled';
}

function reasonOf(quarantined: ReadonlyMap<string, Quarantine>): string {
  const [first] = quarantinedOf({ failures: new Map(), quarantined });
  if (first === undefined) return 'Nothing is left that could be done.';
  const what = first.dimension === null ? `Stage ${first.stage}` : `Dimension ${first.dimension} (${first.stage})`;
  const others = quarantined.size === 1 ? '' : `, and ${quarantined.size - 1} more`;
  return `${what} was given up after ${first.attempts} attempts${others}: ${first.reason}`;
}
