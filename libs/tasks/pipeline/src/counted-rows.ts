import { shareSplits, type SharedSplits } from '@orchard/dataset';
import type { ComputationContext, DataRequest } from './compute.js';
import { loadDataset } from './datasets.js';
import { threadsBeside } from './make-artefact.js';
import type { Run } from './run.js';

/** The computation `load` that {@link countedRows} asks for: what `attachSplits` of `@orchard/dataset` takes. */
export const loadCounted = async (
  { train, valid }: { readonly train: string; readonly valid: string },
  { store }: Pick<ComputationContext, 'store'>,
): Promise<SharedSplits> =>
  shareSplits({ train: await loadDataset(store, train), valid: await loadDataset(store, valid) });

/**
 * The rows of 0 and 1 that a run learns from and is judged by, equal ones counted once, in memory that all threads
 * share: with every run of its family on the same rows whose threads take as much.
 *
 * @param own bytes that each thread takes beside them
 */
export function countedRows({ family, specification, datasets }: Run, own: number): DataRequest {
  const { train, valid } = specification;
  const { rows, dimensions } = datasets.train;
  const bytes = (rows + datasets.valid.rows) * (8 * Math.ceil(dimensions / 64) + 12) + 131_072;
  return {
    key: `counted rows ${train} ${valid} of ${family}, ${String(own)} bytes a thread`,
    fit: threadsBeside(bytes, own),
    arrange: () => ({ name: 'load', input: { train, valid } }),
  };
}

/**
 * The codes of a table that a run learns from and is judged by, loaded by its computation `loadTable`, once for all
 * threads.
 *
 * @param own bytes that each thread takes beside them
 */
export function sharedCodes({ family, specification, datasets }: Run, own: number): DataRequest {
  const { train, valid } = specification;
  const rows = datasets.train.rows + datasets.valid.rows;
  return {
    key: `table ${train} ${valid} of ${family}`,
    fit: threadsBeside((rows * datasets.train.dimensions) / 8 + 131_072, own),
    arrange: () => ({ name: 'loadTable', input: { train, valid } }),
  };
}
