import type { ModelSummary } from '../port/density-model.js';

/** What is said of a network's trees. */
export function networkFacts(size: {
  readonly trees: number;
  readonly leaves: number;
  readonly depth: number;
}): ModelSummary['facts'] {
  const leaves = `${grouped(size.leaves)} ${size.leaves === 1 ? 'leaf' : 'leaves'}`;
  const depth = `${grouped(size.depth)} ${size.depth === 1 ? 'split' : 'splits'}`;
  return [['trees', `${grouped(size.trees)} of ${leaves} in all, at most ${depth} deep`]];
}

/** 50000 as `50,000`. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
