import type { BitMatrix } from '@orchard/dataset';
import type { Likelihoods } from '@orchard/model';

/** Whether samples give away the training rows. */
export interface CopyFacts {
  /** Shares of rows that equal a training row in the code of every column: values that share a bin count as equal. */
  readonly ofDraws: number;
  readonly ofHeldOut: number;
  /** Nats per row that training rows are likelier than held-out rows; null where the model does not know. */
  readonly gap: number | null;
}

/** @param heldOut rows of the split whose likelihood is compared */
export function copyFacts(
  { train, heldOut, draws }: Readonly<Record<'train' | 'heldOut' | 'draws', BitMatrix>>,
  likelihoods: Likelihoods,
  split: 'valid' | 'test',
): CopyFacts {
  const known = new Set(keysOf(train));
  const shareOf = (rows: BitMatrix): number => keysOf(rows).filter((key) => known.has(key)).length / rows.rows;
  const [own, other] = [likelihoods.train, likelihoods[split]];
  return {
    ofDraws: shareOf(draws),
    ofHeldOut: shareOf(heldOut),
    gap: own === null || other === null ? null : own - other,
  };
}

function keysOf({ rows, stride, bytes }: BitMatrix): string[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, rows * stride);
  return Array.from({ length: rows }, (_, row) => all.toString('latin1', row * stride, (row + 1) * stride));
}
