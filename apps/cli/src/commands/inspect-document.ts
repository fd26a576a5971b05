import type { Table } from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import type { ConditionalSummary, DensityModel, JsonValue, Likelihoods } from '@orchard/model';

/** One of the conditionals of a network. */
interface ConditionalDocument extends Omit<ConditionalSummary, 'column'> {
  /** Counted from 1. */
  readonly column: number;
}

/** What `inspect` says of a model, of every kind and of every kind of rows; behind it what the kind says of itself. */
export interface InspectDocument {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The kind of model, as its file has it. */
  readonly family: string;
  /** How many there are. */
  readonly columns: number;
  /** In order; null of rows of 0 and 1 whose columns have no names. */
  readonly names: readonly string[] | null;
  /** Of rows that are images; null of others. */
  readonly shape: readonly [number, number] | null;
  /** How cells are read and written; null of rows of 0 and 1. */
  readonly table: Table | null;
  /** Columns in the order in which each is predicted by those before it; null of a model without one order. */
  readonly ordering: 'natural' | readonly number[] | null;
  readonly logLikelihoods: Likelihoods;
  /** Whether the likelihoods are lower bounds; null where they are log P(row) itself. */
  readonly likelihoodIs: 'lower bound' | null;
  readonly specification: JsonValue;
  /** What the kind of model says of itself: a name, and what is to be said under it. */
  readonly facts: readonly (readonly [name: string, words: string])[];
  /** Of each column, where they were asked for. */
  readonly conditionals: readonly ConditionalDocument[] | null;
  /** @deprecated `columns` says how many columns there are; of a table these are the bits of its codes. */
  readonly dimensions: number;
  readonly [ofFamily: string]: unknown;
}

interface Inspected {
  readonly network: DensityModel;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly conditionals: readonly ConditionalDocument[] | null;
}

export function inspectDocument({ network, path, sha256, bytes, conditionals }: Inspected): InspectDocument {
  const { family, dimensions, shape, table = null, likelihoods, likelihoodIs = null, specification } = network;
  const ordering = (network as { readonly ordering?: Uint32Array | null }).ordering ?? null;
  const isNatural = ordering?.every((column, position) => column === position) === true;
  const { names, count } = columnsIn(network);
  return {
    ...network.summary(),
    path,
    sha256,
    bytes,
    family,
    columns: count,
    names,
    shape,
    table,
    ordering: ordering === null ? null : isNatural ? 'natural' : Array.from(ordering, (column) => column + 1),
    logLikelihoods: likelihoods,
    likelihoodIs,
    specification,
    conditionals,
    dimensions,
  };
}
