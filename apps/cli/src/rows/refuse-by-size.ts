import { open, stat } from 'node:fs/promises';
import { findParts } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { factsOf, type Family } from '@orchard/pipeline';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import { readFirstRows, rowsFor } from './load-training-rows.js';
import { requireRoom, withRows, type Planned } from './room-for-rows.js';
import { nameOfFile } from './split-sources.js';

/** Smaller files are read before one could say it. */
const LEAST_BYTES = 2 ** 26;
/** Of the beginning, which says how long lines are, and what their columns are. */
const HEAD_BYTES = 2 ** 20;
/** Lines further on may be longer: so few of the rows are sure to be there. */
const SURE_SHARE = 0.75;

/** What is meant to be done with the rows. */
interface PlansBySize {
  /** The model that was named. */
  readonly named: Family | null;
  /** The run on such rows. */
  plan(family: Family, datasets: Planned['datasets']): Promise<Planned>;
  /** How many rows are taken, where not all are. */
  readonly rows: number | undefined;
  /** @default that of the file */
  readonly head?: Head | null;
}

/** The first whole lines of a text, and the size of the file. */
interface Head {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/**
 * Refuses a text of which three quarters of the rows that its size says would be too many, before it is read.
 *
 * @throws UsageError
 */
export async function refuseBySize(
  file: string,
  options: DatasetOptions & TableWords,
  plans: PlansBySize,
): Promise<void> {
  const { head = await headOf(file) } = plans;
  if (head === null) return;
  const { named, plan, rows } = plans;
  // what is wrong with the file is reported when it is read
  const read = await readFirstRows(
    { name: nameOfFile(file), bytes: bytesOf(head.bytes) },
    options,
    named === null ? undefined : rowsFor(named),
  ).catch(() => null);
  if (read === null) return;
  const { train, valid } = read;
  const family = named ?? families.usualFor(train.columns.kind);
  const firstRows = train.rows + valid.rows;
  const estimated = Math.round((head.size / head.bytes.length) * firstRows);
  if (Math.min(estimated, rows ?? estimated) <= firstRows) return;
  const planned = await plan(family, { train: factsOf(train), valid: factsOf(valid), test: null }).catch(() => null);
  if (planned === null) return;
  const taken = Math.min(Math.round(SURE_SHARE * estimated), rows ?? Infinity);
  requireRoom(family, withRows(planned, taken), {
    file: nameOfFile(file),
    ...(taken !== rows && { estimated }),
  });
}

/** Of parts the beginning of the first. Null of what is small, packed, or no text. */
async function headOf(file: string): Promise<Head | null> {
  if (file === '-') return null;
  const paths = (await findParts(file).catch(() => null))?.paths ?? [file];
  let size = 0;
  for (const path of paths) {
    const found = await stat(path).catch(() => null);
    if (found?.isFile() !== true) return null;
    size += found.size;
  }
  if (size < LEAST_BYTES) return null;
  const handle = await open(paths[0]!);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const isText = !bytes.includes(0) && !(bytes[0] === 0x1f && bytes[1] === 0x8b);
    const end = bytes.lastIndexOf(0x0a) + 1;
    return isText && end > 0 ? { bytes: bytes.subarray(0, end), size } : null;
  } finally {
    await handle.close();
  }
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(bytes);
}
