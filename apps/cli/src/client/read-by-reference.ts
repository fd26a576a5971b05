import type { ReadingRequest } from '@orchard/contracts';
import { Refusal, type RefusalCode } from '@orchard/refusal';
import type { RunDatasets } from '@orchard/pipeline';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../output/errors.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import { bytes, count, counted } from '../output/figures.js';
import { ServerError } from '../output/server-error.js';
import type { Terminal } from '../output/terminal.js';
import { readingOptions, type RowsFor } from '../rows/load-training-rows.js';
import { fractionsOf, type SplitSources } from '../rows/split-sources.js';
import type { CoordinatorClient } from './coordinator-client.js';
import type { ReadingDocument } from './documents.js';

const leastPause = 200;
const mostPause = 3_000;
/** As a run is followed. */
const patienceSeconds = 600;

/** Whether rows lie in a bucket, where workers fetch them. */
export function isInBucket(given: string): boolean {
  return /^s3:\/\//i.test(given);
}

/**
 * Has the cluster read rows where they lie, and waits: they do not come to this machine. What workers stored is said.
 *
 * @throws UsageError where one split is a file of this machine; Refusal for rows that are refused
 */
export async function readByReference(
  client: CoordinatorClient,
  sources: SplitSources,
  options: DatasetOptions & TableWords,
  named: RowsFor | undefined,
  terminal: Terminal,
): Promise<RunDatasets> {
  const elsewhere = [sources.valid, sources.test].find((file) => file !== undefined && !isInBucket(file));
  if (elsewhere !== undefined)
    throw new UsageError({
      got: `${elsewhere} beside ${sources.train}`,
      expected: 'all splits in buckets, or all on this machine',
      where: 'orchard submit',
      remedy: 'Put it into a bucket too, or have the rows split off (--valid-fraction).',
    });
  let reading = await client.read(requestOf(sources, options, named));
  let pause = leastPause;
  let waits: string | null = null;
  while (reading.state === 'waiting' || reading.state === 'reading') {
    if (reading.waits !== null && reading.waits !== waits && pause > leastPause) {
      waits = reading.waits;
      terminal.note(`orchard: ${waits}`);
    }
    terminal.status(progressOf(reading));
    await sleep(pause);
    pause = Math.min(mostPause, 1.5 * pause);
    reading = await progressed(client, reading.id, terminal);
  }
  const { answer, refusal } = reading;
  if (answer === null) {
    const { code, got, expected, where, remedy } = refusal!;
    const parts = { got, expected, remedy, ...(where !== undefined && { where }) };
    // what is wrong with rows ends a command as it does where they are read here
    throw new Refusal(code as RefusalCode, parts);
  }
  for (const note of answer.notes) terminal.note(`orchard: ${note}`);
  for (const { name, why } of answer.leftOut) terminal.remark(`${JSON.stringify(name)} is left out: ${why}`);
  const { rows } = answer;
  terminal.note(
    `orchard: a worker read ${counted(rows.train + rows.valid + (rows.test ?? 0), 'row')}: ${count(rows.train)} train, ${count(rows.valid)} validate${rows.test === null ? '' : `, ${count(rows.test)} test`}`,
  );
  const [train, valid, test] = await Promise.all([
    client.facts(answer.train),
    client.facts(answer.valid),
    answer.test === null ? null : client.facts(answer.test),
  ]);
  return { train, valid, test };
}

/** A reading as it is now. Workers continue it while a coordinator is without its store or Redis. */
async function progressed(client: CoordinatorClient, id: string, terminal: Terminal): Promise<ReadingDocument> {
  let awaySince: number | null = null;
  for (;;) {
    try {
      return await client.reading(id);
    } catch (error) {
      const now = performance.now();
      const isOver = awaySince !== null && now - awaySince > 1000 * patienceSeconds;
      if (!(error instanceof ServerError) || !error.retryable || isOver) throw error;
      if (awaySince === null)
        terminal.note(`orchard: ${error.message} The reading goes on; asking again for some minutes`);
      awaySince ??= now;
      await sleep(mostPause);
    }
  }
}

/** The same words as for rows that are read here, without what only this process can do. */
function requestOf(
  sources: SplitSources,
  options: DatasetOptions & TableWords,
  named: RowsFor | undefined,
): ReadingRequest {
  const { bits, table, columns, result, seed } = readingOptions(options, named, () => undefined);
  const { valid, test, rows } = fractionsOf(sources);
  const request = {
    source: sources.train,
    valid: sources.valid,
    test: sources.test,
    fractions: {
      ...(valid !== undefined && valid > 0 && { valid }),
      ...(test !== undefined && test > 0 && { test }),
      ...(rows !== undefined && { rows }),
    },
    seed,
    result,
    bits: bits && { ...bits(0), seed, onNote: undefined, wordFor: undefined },
    table: table && { ...table, wordFor: undefined, maxUnpackedBytes: undefined },
    columns: { ...columns, onNote: undefined },
  };
  return JSON.parse(JSON.stringify(request)) as ReadingRequest;
}

function progressOf({ state, progress, source }: ReadingDocument): string {
  if (state === 'waiting' || progress === null) return `${source} waits for a worker`;
  const of = progress.size === null ? '' : ` of ${bytes(progress.size)}`;
  if (progress.phase === 'copying') return `a worker copies ${source}: ${bytes(progress.bytes)}${of}`;
  return progress.phase === 'reading'
    ? `a worker reads ${source}: ${counted(progress.rows, 'row')} in all passes`
    : `a worker stores the rows of ${source}`;
}
