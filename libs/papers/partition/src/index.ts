export { partition } from './partition.js';
export {
  Partition,
  PartitionBound,
  partitionCodec,
  partitionOf,
  TablePartition,
  tablePartitionCodec,
} from './partition-model.js';
