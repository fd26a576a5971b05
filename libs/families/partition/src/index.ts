export { partition } from './partition.js';
export { Partition, PartitionBound, partitionCodec, partitionOf } from './partition-model.js';
