import { presets, type RunSpecification } from '@orchard/contracts';

/** A run of its seed, for tests that look at what is marked and stored of it, and train nothing. */
export function specificationOf(seed: number): RunSpecification {
  const rows = { train: 'a'.repeat(64), valid: 'b'.repeat(64), test: null };
  return { ...rows, ...presets.paper, ordering: 'natural', seed, numericsVersion: 1 };
}
