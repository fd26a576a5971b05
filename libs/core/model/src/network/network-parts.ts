import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { validateEnsemble, type Ensemble } from './ensemble.js';
import { ModelError } from '../errors.js';
import { checkHead, type ModelHead } from '../file/model-head.js';

/** The family of {@link Network}, as its file names it. */
export const NETWORK_FAMILY = 'lbarn';

export interface NetworkParts extends Omit<ModelHead, 'family' | 'dimensions'> {
  /** `ordering[position]` is the stored column that comes at that position. */
  readonly ordering: Uint32Array;
  /** Of each position: the trees of its conditional. */
  readonly ensembles: readonly Ensemble[];
}

/**
 * Checks the parts against each other, and every tree.
 * @returns the parts with the specification in canonical form
 * @throws ModelError `invalid-network` or `invalid-ensemble`
 */
export function checkParts(parts: NetworkParts): NetworkParts {
  const { ordering, names, shape, specification, likelihoods, ensembles } = parts;
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
  const head = checkHead({ family: NETWORK_FAMILY, dimensions, names, shape, specification, likelihoods });
  if (ensembles.length !== dimensions)
    refuse('ensembles', `${ensembles.length} ensembles`, `${dimensions}, one a column`);
  ensembles.forEach(validateEnsemble);
  return { ...parts, specification: head.specification };
}
