import type { RunDatasets, Splits } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { count, counted, duration, timeLeft } from '../output/figures.js';
import { expectedNeeds, mayBeLong, sampleOf } from '../rows/expected-needs.js';
import type { RunStatus } from './documents.js';

const TIMED_MILLISECONDS = 1_000;

/** What a run will take of threads that are as fast as those of this machine. */
export type ThreadTime = Readonly<Record<'secondsLeast' | 'secondsMost', number>>;

/**
 * Times decisions of some of the rows, as `orchard train` does before it begins.
 *
 * @param words that are submitted
 * @returns null for few rows, which are soon done, and of a kind of model that does not say
 */
export async function threadTimeOf(
  model: string,
  words: Readonly<Record<string, unknown>>,
  splits: Splits,
  datasets: RunDatasets,
): Promise<ThreadTime | null> {
  if (!mayBeLong(splits)) return null;
  const family = families.named(model);
  const planned = { ...family.resolve(words, datasets), datasets };
  const needs = await expectedNeeds(family, planned, sampleOf(splits), {
    milliseconds: TIMED_MILLISECONDS,
    threads: 1,
  });
  if (needs === null || needs.secondsLeast === null || needs.secondsMost === null) return null;
  return { secondsLeast: needs.secondsLeast, secondsMost: needs.secondsMost };
}

const range = (least: number, most: number): string => timeLeft(least, { least, most }).replace(/ left$/, '');

/** What a run will cost, and how long that is where it has the cluster for itself. */
export function threadTimeInWords({ secondsLeast, secondsMost }: ThreadTime, threads: number): string {
  const all = `takes about ${range(secondsLeast, secondsMost)} of threads like those of this machine`;
  if (threads < 2) return all;
  return `${all}: ${range(secondsLeast / threads, secondsMost / threads)} on the ${count(threads)} of the cluster, where nothing else runs`;
}

/** When a run starts, in words; null where the coordinator, of before, does not say. */
export function startInWords({ starts }: RunStatus): string | null {
  if (starts === undefined) return null;
  const { threads, freeThreads, jobsBefore, runsBefore, secondsUntil } = starts;
  if (threads === 0) return 'starts when a worker comes: none is there';
  if (jobsBefore === 0)
    return freeThreads > 0
      ? `starts at once: ${count(freeThreads)} of ${counted(threads, 'thread')} free`
      : `starts when a job in work is done: all of ${counted(threads, 'thread')} are busy`;
  const before = `${counted(jobsBefore, 'job')} of ${counted(runsBefore, 'run')} before it, on ${counted(threads, 'thread')}`;
  return secondsUntil === null ? `starts after ${before}` : `starts in about ${duration(secondsUntil)}: ${before}`;
}
