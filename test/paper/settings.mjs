import { PAPER_ROUNDS } from '../oracles/figures.mjs';
import { published } from './published.mjs';

/**
 * How a data set is trained. In a quick look a fifth of the rounds are made with five times the shrinkage (digits: a
 * twentieth, with ten times): the same reach, coarser steps, and figures that are a little worse.
 */
export function settingsOf(set, quick, leaves = published[set].leaves) {
  const { shrinkage } = published[set];
  const settings = { leaves, shrinkage, rounds: PAPER_ROUNDS };
  // two-leaved trees are cheap enough as they are
  if (!quick || leaves === 2) return settings;
  return set === 'binarized_mnist'
    ? { ...settings, rounds: PAPER_ROUNDS / 20, shrinkage: shrinkage * 10 }
    : { ...settings, rounds: PAPER_ROUNDS / 5, shrinkage: shrinkage * 5 };
}
