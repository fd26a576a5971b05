import type { Table } from '@orchard/contracts';
import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { checkTable } from '@orchard/dataset';
import { ModelError } from '../errors.js';
import { sortedJson, type JsonValue } from './specification.js';

/** The columns that a model is about, in stored order. */
export interface Variables {
  /** D: how many. */
  readonly dimensions: number;
  /** Their names, distinct and not empty. */
  readonly names: readonly string[] | null;
  /** Height and width of the image that a row is, row-major. */
  readonly shape: readonly [number, number] | null;
  /**
   * What the dimensions mean where they are the codes of a table's variables; absent where each is a column of bits.
   */
  readonly table?: Table | undefined;
}

/** Mean log-likelihoods of a row in nats, as they were when the model was made; null where there was no such split. */
export interface Likelihoods {
  readonly train: number | null;
  readonly valid: number | null;
  readonly test: number | null;
}

/** Of a model that was not evaluated on any rows yet. */
export const untold: Likelihoods = { train: null, valid: null, test: null };

/** What is known of every model, whatever its family: the fields of its file beside the body. */
export interface ModelHead extends Variables {
  /** The kind of model by name, such as `lbarn`: it says how the body is read. */
  readonly family: string;
  /** The run that made it: plain JSON. */
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;
}

/** A family's name: a word that fits a command line and a path. */
const FAMILY = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Checks what every model says of itself.
 * @returns the head alone, its specification in canonical form
 * @throws ModelError `invalid-network`, naming the field
 */
export function checkHead(head: ModelHead): ModelHead {
  const { family, dimensions, names, shape, table, likelihoods } = head;
  const refuse = (where: string, got: string, expected: string): never => {
    throw new ModelError('invalid-network', { got, expected, where, remedy: 'Make the model from one run.' });
  };
  if (!FAMILY.test(family)) {
    refuse('family', JSON.stringify(family.slice(0, 80)), 'up to 64 small letters, digits and hyphens');
  }
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAXIMUM_DIMENSIONS) {
    refuse('dimensions', `${dimensions} dimensions`, `1 to ${MAXIMUM_DIMENSIONS}`);
  }
  if (names !== null) {
    if (names.length !== dimensions) refuse('names', `${names.length} names`, `${dimensions}, or none at all`);
    const distinct = new Set<string>();
    for (const name of names) {
      if (name === '' || !name.isWellFormed()) refuse('names', `the name ${JSON.stringify(name)}`, 'well-formed text');
      if (distinct.has(name)) refuse('names', `the name ${JSON.stringify(name)} twice`, 'distinct names');
      distinct.add(name);
    }
  }
  if (shape !== null) {
    const [height, width] = shape;
    if (!(Number.isInteger(height) && height > 0 && Number.isInteger(width) && height * width === dimensions)) {
      refuse('shape', `${height} x ${width}`, `height x width = ${dimensions}`);
    }
  }
  if (table !== undefined) {
    try {
      checkTable({ table, tailNats: table.variables.map(() => 0) }, dimensions);
    } catch (cause) {
      refuse('table', (cause as Error).message, `variables of ${dimensions} dimensions`);
    }
  }
  for (const split of ['train', 'valid', 'test'] as const) {
    const value = likelihoods[split];
    if (value !== null && !Number.isFinite(value))
      refuse(`likelihoods.${split}`, String(value), 'a finite number or null');
  }
  const specification = sortedJson(head.specification);
  return { family, dimensions, names, shape, table, specification, likelihoods };
}
