import { bayesianNetworkCodecs } from '@orchard/boosted/model';
import { compositionalCodec } from '@orchard/compositional/model';
import type { ModelCodec } from '@orchard/model';
import { partitionCodec, tablePartitionCodec } from '@orchard/partition/model';

/** How the files of these kinds of models are read, without what trains them. */
export const codecs: readonly ModelCodec[] = [
  ...bayesianNetworkCodecs,
  compositionalCodec,
  partitionCodec,
  tablePartitionCodec,
];
