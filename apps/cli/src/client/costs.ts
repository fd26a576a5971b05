import { costsOfPeople, type CostOfRun } from '@orchard/contracts/person-costs';
import { bytes, duration, table } from '../output/figures.js';
import type { RunOverview } from './documents.js';

type Cost = CostOfRun;

/** Thread time in words; at least so much where a part was computed unseen. */
export function timeOfThreads({ threadSeconds, isWhole }: Cost): string {
  return `${isWhole ? '' : 'over '}${duration(threadSeconds)}`;
}

/** What each run has cost, and below it the sums of each person who submitted some of them. */
export function costTables(runs: readonly RunOverview[], now: number): string {
  const rows = runs.map(({ id, name = '', state, submittedBy = '', submittedAt, cost }) => [
    id.slice(0, 12),
    name,
    state,
    submittedBy,
    cost === undefined ? 'not known' : timeOfThreads(cost),
    storedOf(cost),
    gigabyteHoursOf(cost, submittedAt, now),
  ]);
  const head = ['run', 'name', 'state', 'by', 'thread time', 'stored', 'GB h'];
  const sums = [...costsOfPeople(runs)].map(([person, { cost, runs: count, unknown }]) => [
    person === '' ? '(not known)' : person,
    String(count),
    timeOfThreads(cost),
    storedOf(cost),
    unknown === 0 ? '' : `without ${String(unknown)} that are not known`,
  ]);
  return `${table(head, rows)}\n\n${table(['person', 'runs', 'thread time', 'stored', ''], sums)}`;
}

const storedOf = (cost: Cost | undefined): string =>
  cost === undefined || cost.storedBytes === null ? 'not known' : bytes(cost.storedBytes);

/** Since the submission, as if it had stored all of it from the beginning: at most so much. */
function gigabyteHoursOf(cost: Cost | undefined, submittedAt: string, now: number): string {
  if (cost === undefined || cost.storedBytes === null) return 'not known';
  const hours = Math.max(0, now - Date.parse(submittedAt)) / 3_600_000;
  return ((cost.storedBytes / 1e9) * hours).toPrecision(2);
}
