import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  matchColumns,
  openRows,
  readMaskedFile,
  columnOrder,
  type BitMatrix,
  type ExpectedColumns,
  type MaskedRows,
  type RowFile,
} from '@orchard/dataset';
import { families } from '@orchard/registry';
import { kindOfNoModel, ModelError, Network, networkCodec, type DensityModel } from '@orchard/model';
import { networkFileName } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { readWholeFile } from '@orchard/storage';
import { UsageError, messageOf } from '../output/errors.js';
import { openGiven } from './open-given.js';
import { nameOfFile } from './split-sources.js';
import { flagOfReader, readOptions, type DatasetOptions } from '../options/dataset-options.js';
import { refuseWordsOfTableFiles, type SecondFileWords } from '../options/table-options.js';
import type { Terminal } from '../output/terminal.js';

/** A network and the bytes of its file. */
export interface LoadedNetwork {
  readonly network: DensityModel;
  readonly bytes: Uint8Array;
  /** Of the file. */
  readonly path: string;
}

/** What every command that asks a network calls it in its help. */
export const networkArgument = 'the folder of a run, or a model file (network.msgpack)';

/**
 * @param given the file, or the folder that `orchard train` or `orchard fetch` wrote it to
 * @param where how the command's help calls it
 * @throws UsageError where there is no such file, or it is not a network
 */
export async function loadNetwork(given: string, where = 'NETWORK'): Promise<LoadedNetwork> {
  const { path, bytes } = await readNetwork(given, where);
  try {
    return { network: families.openModel(bytes), bytes, path };
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const { got, expected, remedy, where: inFile } = cause;
    const kind = cause.code === 'not-a-network-file' ? kindOfNoModel(bytes) : null;
    throw new UsageError(
      kind === null
        ? {
            got: `${path}, in which there is ${got}${inFile === undefined ? '' : ` at ${inFile}`}`,
            expected: `a network file: ${expected}`,
            where,
            remedy,
          }
        : {
            got: `${path}, which is ${kind}`,
            expected: 'a network file, as orchard train writes network.msgpack',
            where,
            remedy: 'Give the network.msgpack of a run, or its folder; where rows are given, they come after it.',
          },
      { cause },
    );
  }
}

/**
 * A network of trees; null of a model of another family.
 *
 * @throws UsageError for such a model where only trees answer what is asked
 */
export function treesIn({ network, path }: LoadedNetwork, areNeeded: boolean): Network | null {
  if (network instanceof Network) return network;
  if (!areNeeded) return null;
  throw new UsageError({
    got: `${path}, a model of the family ${network.family}`,
    expected: `a network (family ${networkCodec.family}), whose columns depend on each other by trees`,
    where: 'NETWORK',
    remedy: 'orchard inspect says what this model is; evaluate, sample and complete take it.',
  });
}

async function readNetwork(
  given: string,
  where: string,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const remedy = 'Give the network.msgpack that orchard train wrote, or its folder.';
  const refuse = (got: string, cause: unknown): never => {
    const isTooLarge = isRefusal(cause, 'unsupported');
    if (isTooLarge)
      throw new UsageError(
        { got: `${cause.where}, a file of ${cause.got}`, expected: cause.expected, where, remedy: cause.remedy },
        { cause },
      );
    throw new UsageError({ got, expected: 'a network file', where, remedy }, { cause });
  };
  try {
    return { path: given, bytes: await readWholeFile(given) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return refuse(`${given}, which is not there`, error);
    if (code !== 'EISDIR') return refuse(`${given} (${messageOf(error)})`, error);
  }
  const path = join(given, networkFileName);
  try {
    return { path, bytes: await readWholeFile(path) };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return refuse(`${path} (${messageOf(error)})`, error);
    const unfinished = existsSync(join(given, 'store')) ? ', whose training has not finished' : '';
    return refuse(`the folder ${given}, which has no ${networkFileName}${unfinished}`, error);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Rows for a network, their columns put in its order by name where both have names. */
export async function loadRows(
  path: string,
  network: DensityModel,
  options: DatasetOptions & SecondFileWords,
  terminal: Terminal,
): Promise<BitMatrix> {
  refuseWordsOfTableFiles(options);
  const matrix = await fromFile(path, terminal, async (file) => {
    const rows = await openRows(file, { bits: optionsFor(network, options, terminal), table: null });
    return rows.matrix;
  });
  return matchColumns(expectedColumns(network), { label: nameOfFile(path), matrix }, flagOfReader);
}

/**
 * As {@link loadRows}, for rows of which values may be missing, for as long as their file is used.
 *
 * @param use takes the rows as the file has them, and of each column of the network its place there; null where that is
 *   its own
 */
export async function useMaskedRows<Result>(
  path: string,
  network: DensityModel,
  options: DatasetOptions & SecondFileWords,
  terminal: Terminal,
  use: (file: RowFile, rows: MaskedRows, order: Uint32Array | null) => Promise<Result>,
): Promise<Result> {
  refuseWordsOfTableFiles(options);
  return fromFile(path, terminal, async (file) => {
    const rows = await readMaskedFile(file, optionsFor(network, options, terminal));
    const { dimensions, names } = rows.values;
    const order = columnOrder(expectedColumns(network), { label: nameOfFile(path), dimensions, names }, flagOfReader);
    return use(file, rows, order);
  });
}

/** What is read of a file, however it is packed. */
async function fromFile<Rows>(path: string, terminal: Terminal, read: (file: RowFile) => Promise<Rows>): Promise<Rows> {
  const file = await openGiven(path, terminal);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

function optionsFor(
  network: DensityModel,
  options: DatasetOptions,
  terminal: Terminal,
): ReturnType<typeof readOptions> {
  const read = readOptions(options, 0, (note) => terminal.note(`orchard: ${note}`));
  return { ...read, categoriesOf: network.names, dimensions: read.dimensions ?? network.dimensions };
}

function expectedColumns(network: DensityModel): ExpectedColumns {
  return { label: 'the network', dimensions: network.dimensions, names: network.names };
}
