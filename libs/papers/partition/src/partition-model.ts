import { madeOfBody, type ModelCodec, type ModelHead } from '@orchard/model';
import { mostExact } from './every-set.js';
import { Partition } from './exact-partition.js';
import type { Experts } from './experts.js';
import { expertsIn } from './partition-body.js';
import { PartitionBound } from './partition-bound.js';
import { partitionFamily } from './partition-run.js';

export { Partition, PartitionBound };
export { TablePartition, tablePartitionCodec } from './table-partition.js';

/** The model of these experts: exact where every set of them can be asked. */
export function partitionOf(head: Omit<ModelHead, 'family'>, experts: Experts): Partition | PartitionBound {
  return experts.count <= mostExact(head.dimensions) ? new Partition(head, experts) : new PartitionBound(head, experts);
}

export const partitionCodec: ModelCodec = {
  family: partitionFamily,
  read: (head, body) =>
    madeOfBody('one expert at least, with probabilities between 0 and 1 and levels of expertise above 0', () =>
      partitionOf(head, expertsIn(body, head.dimensions)),
    ),
};
