import { shownSheet, type RunSheet } from '@orchard/contracts';
import type { History } from './history.js';
import { datasetsOf, type Life } from './lifecycle.js';
import type { RunPage } from './runs.js';

/** Whether a page cannot be made from marks alone. */
export function asksForSheets({ person, name, label }: RunPage): boolean {
  return person !== undefined || name !== undefined || label !== undefined;
}

/** Whether a run is what a page asks for, but for its state. @param life null of a run that is gone or damaged */
export function matches(page: RunPage, life: Life | null, sheet: RunSheet | null): boolean {
  const { dataset, person, name, label } = page;
  if (dataset !== undefined && (life === null || !datasetsOf(life).includes(dataset))) return false;
  const shown = shownSheet(sheet);
  if (person !== undefined && shown.submittedBy !== person) return false;
  if (name !== undefined && shown.name?.toLowerCase().includes(name.toLowerCase()) !== true) return false;
  return label === undefined || isLabelled(shown.labels ?? {}, label);
}

function isLabelled(labels: Readonly<Record<string, string>>, label: string): boolean {
  const at = label.indexOf('=');
  if (at < 0) return Object.hasOwn(labels, label);
  const key = label.slice(0, at);
  return Object.hasOwn(labels, key) && labels[key] === label.slice(at + 1);
}

type Found = readonly [run: string, history: History];

/** Runs by the time of their submission, the newest first. @param after only those behind it */
export function newestFirst(found: readonly Found[], after: Found | null = null): Found[] {
  const sorted = [...found].sort(byTime);
  return after === null ? sorted : sorted.filter((one) => byTime(one, after) > 0);
}

function byTime([a, first]: Found, [b, second]: Found): number {
  const [one, other] = [timeOf(first), timeOf(second)];
  if (one !== other) return one < other ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of one that was removed it is still known: a page may begin behind it. */
function timeOf({ life, lastAt, bornAt }: History): string {
  return life?.submittedAt ?? bornAt ?? lastAt ?? '';
}
