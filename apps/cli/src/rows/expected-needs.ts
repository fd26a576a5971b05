import { availableParallelism } from 'node:os';
import { evenlySpaced, type BitMatrix } from '@orchard/dataset';
import type { Family, Splits } from '@orchard/pipeline';
import { bytes, timeLeft } from '../output/figures.js';
import { runOf, type Planned } from './room-for-rows.js';

/** What training is expected to take, before anything of it is done. */
export interface ExpectedNeeds {
  readonly threads: number;
  /** The most that the program takes at a time, about: itself, its threads, the rows and what threads make of them. */
  readonly memoryBytes: number;
  /** By the wall on a machine that does nothing else; null where nothing was timed. */
  readonly secondsLeast: number | null;
  readonly secondsMost: number | null;
}

/** From so many rows of {@link USUAL_COLUMNS} on it is said what a run will take: those of fewer are soon done. */
const MANY_ROWS = 20_000;
const USUAL_COLUMNS = 20;
/** From so many seconds on it is said how a model is had in less. */
const LONG_SECONDS = 3600;
const SAMPLE_ROWS = 16_000;

/** What a run on few rows takes: 285 MB on one thread, 353 on two (2026-11-28). */
const PROGRAM_BYTES = 210e6;
const THREAD_BYTES = 75e6;

/** Threads of one program do not all end at once, and share what a core has. */
const IDLE_SHARE = 1.3;

/**
 * @param sample some of the rows, of which decisions are timed; null where that is not wanted
 * @param milliseconds how long the timing may take, about
 * @returns null of a family that does not say
 * @throws KernelError `too-large` where there is no room for the rows even on one thread
 */
export async function expectedNeeds(
  family: Family,
  planned: Planned,
  sample: { readonly train: BitMatrix; readonly valid: BitMatrix } | null,
  {
    milliseconds,
    threads = availableParallelism(),
  }: { readonly milliseconds: number; readonly threads?: number | undefined },
): Promise<ExpectedNeeds | null> {
  if (family.needs === undefined) return null;
  const run = runOf(family, planned);
  const fit = family.needs.memory(run, threads);
  const seconds =
    sample === null ? undefined : await family.needs.seconds?.(run, { ...sample, test: null }, milliseconds);
  return {
    threads: fit.threads,
    memoryBytes: PROGRAM_BYTES + fit.threads * THREAD_BYTES + fit.bytes + fit.beside,
    secondsLeast: seconds === undefined ? null : seconds.least / fit.threads,
    secondsMost: seconds === undefined ? null : (seconds.most / fit.threads) * (fit.threads > 1 ? IDLE_SHARE : 1),
  };
}

/**
 * Whether a run may be long enough that it is said before. Of a table each column learns from all others, so that its
 * work grows with the square of their number.
 */
export function mayBeLong({ train, valid }: Splits): boolean {
  const rows = train.rows + valid.rows;
  const { table, count } = train.columns;
  return rows >= MANY_ROWS || (table !== undefined && rows * count ** 2 >= MANY_ROWS * USUAL_COLUMNS ** 2);
}

/** `20 s to 2 min on 2 threads, 45.1 MB of memory`. */
export function needsInWords({ threads, memoryBytes, secondsLeast, secondsMost }: ExpectedNeeds): string {
  const on = `on ${String(threads)} ${threads === 1 ? 'thread' : 'threads'}, ${bytes(memoryBytes)} of memory`;
  if (secondsLeast === null || secondsMost === null) return on;
  const range = timeLeft(secondsLeast, { least: secondsLeast, most: secondsMost });
  return `${range.replace(/ left$/, '')} ${on}`;
}

/** Of hours how a model is had in less; '' of less. */
export function soonerInWords({ secondsMost }: ExpectedNeeds): string {
  if ((secondsMost ?? 0) < LONG_SECONDS) return '';
  return '; --budget 10m takes the likeliest model that fits into that time';
}

/** A part of the rows of which decisions are timed. */
export function sampleOf({ train, valid }: Splits): Pick<Splits, 'train' | 'valid'> {
  const share = Math.min(1, SAMPLE_ROWS / (train.rows + valid.rows));
  const part = (matrix: BitMatrix): BitMatrix => evenlySpaced(matrix, Math.ceil(matrix.rows * share));
  return { train: part(train), valid: part(valid) };
}
