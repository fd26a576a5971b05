import { familyOf, unknownTimeLeft, type RunProgress } from '@orchard/contracts';
import type { TaskKind } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { bytes, count, counted, moment, nats, timeLeft } from '../output/figures.js';
import { timeOfThreads } from './costs.js';
import { hasEnded, type Notifications, type RunStatus } from './documents.js';

/** A status in the form that the progress display of local training takes; null where nothing is under way. */
export function progressOf(status: RunStatus): RunProgress | null {
  const { id, treesPerSecond, secondsLeft, secondsLeftRange, logLikelihood } = status;
  if (hasEnded(status)) return null;
  const current = Object.entries(status.stages).find(([, counts]) => counts !== null && counts.done < counts.total);
  const [stage, counts] = current ?? [status.state, null];
  const { done = 0, total = 0 } = counts ?? {};
  const kinds = kindsOf(status);
  const { state: own, counted } = kinds.find(({ kind }) => kind === stage) ?? {};
  // a run that is being deleted is in no stage
  const state = own !== undefined && kinds.some((one) => one.state === status.state) ? own : status.state;
  const tasks = { done, total, called: counted ?? 'tasks' };
  // a stage is counted as done before the coordinator has looked what comes next: its time left is the last one's
  const left = state === status.state ? { secondsLeft, secondsLeftRange } : unknownTimeLeft;
  return { runId: id, stage, state, tasks, trees: 0, treesPerSecond, ...left, logLikelihood };
}

/** What the family of a run goes through; a coordinator may know one that is newer than this program. */
function kindsOf({ specification }: RunStatus): readonly TaskKind[] {
  const name = familyOf(specification as { family?: string });
  return families.has(name) ? families.of({ family: name }).kinds : [];
}

/** A run in some lines, for people. */
export function describeRun(status: RunStatus): string {
  const { id, state, reason, choice, stages, treesPerSecond, secondsLeft, secondsLeftRange, logLikelihood } = status;
  const lines = [
    `run ${id}${status.name === undefined ? '' : `, ${status.name}`}`,
    `${state}${reason === null ? '' : `: ${reason}`}${status.pinned === true ? ', pinned' : ''}`,
  ];
  const wanted = Object.entries(choice).map(([name, value]) => `${name} ${String(value)}`);
  if (wanted.length > 0) lines.push(`wanted: ${wanted.join(', ')}`);
  for (const [stage, counts] of Object.entries(stages)) {
    if (counts === null) continue;
    const { done, total, active, waiting, quarantined } = counts;
    const given = quarantined === 0 ? '' : `, ${count(quarantined)} given up`;
    lines.push(
      `${stage.padEnd(9)}${count(done)} of ${count(total)} done, ${count(active)} active, ${count(waiting)} waiting${given}`,
    );
  }
  if (treesPerSecond > 0) lines.push(`${count(Math.round(treesPerSecond))} trees/s`);
  if (secondsLeft !== null) lines.push(`${timeLeft(secondsLeft, secondsLeftRange)} of this stage`);
  if (logLikelihood !== null)
    lines.push(`${nats(logLikelihood)} log-likelihood per validation row (nats)${hasEnded(status) ? '' : ' so far'}`);
  const { cost, deletion } = status;
  if (cost !== undefined)
    lines.push(
      `${timeOfThreads(cost)} of threads so far${cost.storedBytes === null ? '' : `, ${bytes(cost.storedBytes)} stored`}`,
    );
  if (deletion !== undefined)
    lines.push(`deleted at ${dateOf(deletion.at)}: ${deletion.why}; orchard pin ${id.slice(0, 12)} keeps it`);
  for (const line of describeHindrances(status)) lines.push(line);
  return lines.join('\n');
}

/** Tasks of one run in its status; `orchard logs` has them all. */
const fewTasks = 5;

/** What stands in a run's way and what is tried again, a line each: nothing where all is well. */
export function describeHindrances({ id, notices, waits, retrying = [] }: RunStatus): string[] {
  const waiting = waits?.map(({ message, since }) => `waits since ${dateOf(since)}: ${message}`) ?? notices;
  const tried = retrying
    .slice(0, fewTasks)
    .map(
      (work) =>
        `${nameOf(work)} is tried again, having failed ${counted(work.attempts, 'time')} (${work.code}): ${work.reason}`,
    );
  const more = retrying.length - tried.length;
  if (more > 0) tried.push(`${counted(more, 'more task')} tried again: orchard logs ${id.slice(0, 12)} has them all`);
  return [...waiting, ...tried];
}

const dateOf = (iso: string): string => `${moment(iso, 'seconds')} UTC`;

/** What went wrong, with the stacks: for `orchard logs`. */
export function describeTrouble(status: RunStatus): string {
  const { id, quarantined, retrying = [], notices, waits } = status;
  const given = quarantined.map((work) => describeTask(work, 'given up after'));
  const tried = retrying.map((work) => describeTask(work, 'tried again after'));
  const all = [...describeHindrances({ ...status, notices, waits, retrying: [] }), ...given, ...tried];
  const [first] = quarantined;
  if (first !== undefined) {
    all.push(
      `To see ${taskOf(first)} fail here, where ORCHARD_STORE names the store: orchard replay ${id.slice(0, 12)} ${taskOf(first)}`,
    );
  }
  return all.length === 0 ? `run ${id}: nothing went wrong` : all.join('\n');
}

/** Attempts to tell the address of `--notify`, a line each; nothing where none was named. */
export function describeNotifications(notifications: Notifications | null): string[] {
  if (notifications === null) return [];
  const { to, deliveries } = notifications;
  if (deliveries.length === 0) return [`${String(to)} is notified when the run ends`];
  return deliveries.flatMap(({ state, next, attempts }) => [
    ...attempts.map(
      ({ at, reason }) =>
        `${dateOf(at)}: ${String(to)} ${reason === null ? 'was notified' : `was not notified: ${reason}`}`,
    ),
    ...(state === 'pending' && next !== null ? [`${String(to)} is notified again at ${dateOf(next)}`] : []),
    ...(state === 'given-up' ? [`${String(to)} is not notified any more: all attempts failed`] : []),
  ]);
}

type Troubled = RunStatus['quarantined'][number];

function describeTask(work: Troubled, what: string): string {
  const { attempts, code, reason, stack } = work;
  return `${nameOf(work)}: ${what} ${counted(attempts, 'attempt')} (${code}): ${reason}${stack === null ? '' : `\n${stack}`}`;
}

/** What people read, with the task's own name where it says more: of a member's task, which member. */
function nameOf({ task, stage, dimension }: Troubled): string {
  if (dimension !== null && task?.includes('.') !== true) return `${stage} dimension ${dimension}`;
  return task ?? stage;
}

/** As `orchard replay` takes it. */
function taskOf({ task, stage, dimension }: Troubled): string {
  return task ?? (dimension === null ? stage : `${stage}/${dimension}`);
}
