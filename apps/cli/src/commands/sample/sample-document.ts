/** What `sample` says, of every kind of model and of rows. */
export interface SampleDocument {
  readonly rows: number;
  /** How many there are. */
  readonly columns: number;
  /** In order; null of rows of 0 and 1 whose columns have no names. */
  readonly names: readonly string[] | null;
  readonly seed: number;
  /** Samples that equal a row of the file that was given, and were replaced; null where none was given. */
  readonly rejected: number | null;
  /** With shares: how many rows were sampled and weighed; null where each part was sampled by itself. */
  readonly pool?: number | null;
  /** With shares: so many independent rows are as good. */
  readonly effectiveRows?: number;
  readonly path: string | null;
  /** By row, where no file was written: 0 and 1 as numbers, cells of a table as its file writes them. */
  readonly values?: readonly (string | number | null)[][];
  /** @deprecated `columns` has the same. */
  readonly dimensions?: number;
  /** @deprecated `names` has the same. */
  readonly variables?: readonly string[];
}

type Sampled = Pick<
  SampleDocument,
  'rows' | 'columns' | 'names' | 'seed' | 'rejected' | 'path' | 'pool' | 'effectiveRows'
>;

/** All but the values, which may be too many to be held. */
export function sampleDocument(sampled: Sampled): SampleDocument {
  const { columns, names } = sampled;
  return { ...sampled, dimensions: columns, ...(names !== null && { variables: names }) };
}
