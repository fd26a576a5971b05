import type { BitMatrix } from '@orchard/dataset';

/** Held-out rows of a run, and among how many models they chose the one. */
export interface HeldOut {
  readonly rows: BitMatrix;
  readonly split: 'test' | 'validation';
  readonly chosenOf: number;
}
