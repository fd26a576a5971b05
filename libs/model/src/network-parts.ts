import { validateEnsemble, type Ensemble } from './ensemble.js';
import { ModelError } from './errors.js';
import { canonicalJson, type JsonValue } from './specification.js';

/** Mean log-likelihoods of a row in nats, as they were when the network was made; null where there was no such split. */
export interface Likelihoods {
  readonly train: number | null;
  readonly valid: number | null;
  readonly test: number | null;
}

/** All that a network is. */
export interface NetworkParts {
  /** `ordering[position]` is the stored column that comes at that position. */
  readonly ordering: Uint32Array;
  /** Names of the stored columns. */
  readonly names: readonly string[] | null;
  /** Height and width of the image that a row is, row-major. */
  readonly shape: readonly [number, number] | null;
  /** The run that made it: plain JSON. */
  readonly specification: JsonValue;
  readonly likelihoods: Likelihoods;
  /** Of each position: the trees of its conditional. */
  readonly ensembles: readonly Ensemble[];
}

/** More columns are refused. */
export const MAXIMUM_DIMENSIONS = 2 ** 18;

/**
 * Checks the parts against each other, and every tree.
 * @returns the parts with the specification in canonical form
 * @throws ModelError `invalid-network` or `invalid-ensemble`
 */
export function checkParts(parts: NetworkParts): NetworkParts {
  const { ordering, names, shape, likelihoods, ensembles } = parts;
  const dimensions = ordering.length;
  const refuse = (where: string, got: string, expected: string): never => {
    const remedy = 'Make the network from the parts of one run.';
    throw new ModelError('invalid-network', { got, expected, where, remedy });
  };
  if (dimensions < 1 || dimensions > MAXIMUM_DIMENSIONS) {
    refuse('ordering', `${dimensions} dimensions`, `1 to ${MAXIMUM_DIMENSIONS}`);
  }
  const seen = new Uint8Array(dimensions);
  ordering.forEach((column, position) => {
    if (column >= dimensions) refuse(`ordering[${position}]`, `column ${column}`, `a column below ${dimensions}`);
    if (seen[column]) refuse(`ordering[${position}]`, `column ${column} twice`, 'every column once');
    seen[column] = 1;
  });
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
  for (const split of ['train', 'valid', 'test'] as const) {
    const value = likelihoods[split];
    if (value !== null && !Number.isFinite(value))
      refuse(`likelihoods.${split}`, String(value), 'a finite number or null');
  }
  if (ensembles.length !== dimensions)
    refuse('ensembles', `${ensembles.length} ensembles`, `${dimensions}, one a column`);
  ensembles.forEach(validateEnsemble);
  return { ...parts, specification: canonicalJson(parts.specification) };
}
