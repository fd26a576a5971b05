import { asTabular, ModelError, type RowSampler, type TabularModel } from '@orchard/model';
import type { BitMatrix } from '@orchard/dataset';
import { families, readSlice, slicesOf } from '@orchard/registry';
import { baseSpecificationSchema } from '@orchard/contracts';
import { UsageError } from '../output/errors.js';
import { StageDisplay } from '../output/stage-display.js';
import type { Terminal } from '../output/terminal.js';
import { bodyBytes } from './body-bytes.js';
import { connectTo, watchRun } from './commands.js';
import type { CoordinatorClient } from './coordinator-client.js';
import type { RunStatus } from './documents.js';
import { damagedDownload } from '../output/server-error.js';

/** A question that a cluster has answered, and the model that it was to. */
export interface Answered {
  readonly client: CoordinatorClient;
  readonly model: TabularModel;
  /** Of the model's run. */
  readonly run: string;
  /** Of the question's own run, which is done. */
  readonly status: RunStatus;
}

/**
 * Has the workers of a cluster answer, and waits for it. The same question is the same run: who stops waiting, or asks
 * again, finds what is there.
 *
 * @param run the id of the model's run, or its beginning
 */
export async function askCluster(
  run: string,
  server: string,
  ask: (client: CoordinatorClient, id: string) => Promise<RunStatus>,
  terminal: Terminal,
): Promise<Answered> {
  const client = await connectTo({ server }, terminal);
  const id = await client.find(run);
  const begun = await ask(client, id);
  terminal.note(`orchard: run ${begun.id.slice(0, 12)} answers; the same command asks for it again`);
  const status = await watchRun(client, begun.id, terminal);
  return { client, model: await modelOf(client, id), run: id, status };
}

async function modelOf(client: CoordinatorClient, id: string): Promise<TabularModel> {
  const bytes = await bodyBytes(await client.file(id, 'network'));
  try {
    return asTabular(families.openModel(bytes));
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    throw damagedDownload(id, 'a network that cannot be opened', 'one that can', { cause });
  }
}

/** The rows of a sampling that is done, in their order; all codes are in memory. */
export async function sampledRows(
  { client, model, status }: Answered,
  count: number,
  terminal: Terminal,
): Promise<RowSampler> {
  const slices = slicesOf(baseSpecificationSchema.parse(status.specification)) ?? [];
  const rows = model.emptyRows(count);
  const display = new StageDisplay(terminal);
  for (const [number, { first }] of slices.entries()) {
    display.show('fetching rows', number / slices.length);
    const what = `slice ${number}`;
    const slice = readSlice(await bodyBytes(await client.slice(status.id, number)), what);
    if (slice.stride !== rows.stride)
      throw damagedDownload(status.id, `rows of ${slice.dimensions} bits`, `rows of ${rows.dimensions}`);
    rows.bytes.set(slice.bytes, first * rows.stride);
  }
  let next = 0;
  return {
    next: (wanted): BitMatrix => {
      const batch = model.emptyRows(wanted);
      batch.bytes.set(rows.bytes.subarray(next * rows.stride, (next + wanted) * rows.stride));
      next += wanted;
      return batch;
    },
  };
}

/** @param flag of an option that only one machine answers; null where none was given. @throws UsageError */
export function refuseBesideServer(flag: string | null): void {
  if (flag === null) return;
  throw new UsageError({
    got: `${flag} beside --server`,
    expected: 'what a cluster shares out by rows',
    where: flag,
    remedy: 'Leave it out, or fetch the model (orchard fetch) and ask it here, without --server.',
  });
}
