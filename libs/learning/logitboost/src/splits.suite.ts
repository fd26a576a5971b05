import { BitMatrix } from '@orchard/dataset';
import { TrainingData } from '@orchard/kernel';

type Rows = readonly (readonly number[])[];
export type Splits = Readonly<Record<'train' | 'valid' | 'test', Rows>>;

/** Rows of all three splits, for one thread and trees of at most 12 leaves. */
export function arranged({ train, valid, test }: Splits, rowsPerTree?: number): TrainingData {
  const splits = { train: BitMatrix.fromRows(train), valid: BitMatrix.fromRows(valid), test: BitMatrix.fromRows(test) };
  return TrainingData.arrange(splits, { threads: 1, leaves: 12, rowsPerTree });
}
