import { readFile } from 'node:fs/promises';
import {
  matchColumns,
  readDataset,
  readMasked,
  columnOrder,
  type BitMatrix,
  type ExpectedColumns,
  type MaskedRows,
} from '@orchard/dataset';
import { ModelError, Network } from '@orchard/model';
import { UsageError, messageOf } from './errors.js';
import { nameOfFile } from './load-splits.js';
import { readOptions, type DatasetOptions } from './options/dataset-options.js';
import type { Terminal } from './output/terminal.js';

/** A network and the bytes of its file. */
export interface LoadedNetwork {
  readonly network: Network;
  readonly bytes: Uint8Array;
}

/** @throws UsageError where there is no such file, or it is no network */
export async function loadNetwork(path: string): Promise<LoadedNetwork> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const remedy = 'Give the network.msgpack that orchard train wrote.';
    throw new UsageError(
      { got: `${path} (${messageOf(cause)})`, expected: 'a network file', where: 'NETWORK', remedy },
      { cause },
    );
  }
  try {
    return { network: Network.from(bytes), bytes };
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    const { got, expected, remedy, where } = cause;
    throw new UsageError(
      {
        got: `${path}, in which there is ${got}${where === undefined ? '' : ` at ${where}`}`,
        expected: `a network file: ${expected}`,
        where: 'NETWORK',
        remedy,
      },
      { cause },
    );
  }
}

/** Rows for a network, their columns put in its order by name where both have names. */
export async function loadRows(
  path: string,
  network: Network,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<BitMatrix> {
  const matrix = await readDataset(path, optionsFor(network, options, terminal));
  return matchColumns(columnsOf(network), { label: nameOfFile(path), matrix });
}

/** As {@link loadRows}, for rows of which values may be missing. */
export async function loadMaskedRows(
  path: string,
  network: Network,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<MaskedRows> {
  const { values, known } = await readMasked(path, optionsFor(network, options, terminal));
  const order = columnOrder(columnsOf(network), {
    label: nameOfFile(path),
    dimensions: values.dimensions,
    names: values.names,
  });
  return order === null
    ? { values, known }
    : { values: values.selectColumns(order), known: known.selectColumns(order) };
}

function optionsFor(network: Network, options: DatasetOptions, terminal: Terminal): ReturnType<typeof readOptions> {
  const read = readOptions(options, 0, (note) => terminal.note(`orchard: ${note}`));
  return { ...read, categoriesOf: network.names, dimensions: read.dimensions ?? network.dimensions };
}

function columnsOf(network: Network): ExpectedColumns {
  return { label: 'the network', dimensions: network.dimensions, names: network.names };
}
