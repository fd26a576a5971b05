import { cellBytes } from './cells';
import { MOST_LISTED } from './fold-groups';
import { GROUP_BYTES, GROUPS_HEAD } from './groups';
import { MOST_MASKS, NODE_BYTES } from './nodes';
import { COUNT_BYTES, TALLY } from './patterns';
import {
  CLASSES,
  COUNTED_CLASSES,
  FEWEST_DIMENSIONS,
  GROUP_CODES,
  MASK_BITS,
  NUMBERS_BYTES,
  SIGNATURES,
  State,
  TABLE_BYTES,
  TABLE_ENTRIES,
  TRAINING_CLASSES,
} from './state';

// Where everything lies, decided here and nowhere else. The host asks twice: on a memory of one page, to learn how much
// it will take, and on the memory that it then makes. Sizes are computed in 64 bits, so that what is too large does not
// wrap.

/** Loads of whole vectors and prefetchers may read a little past a region's end; regions begin on cache lines. */
export const LINE: u32 = 64;

let end: u64 = 0;

/** The next region. */
function place(bytes: u64): usize {
  const at = end;
  end += (bytes + (LINE - 1)) & ~(<u64>(LINE - 1));
  return <usize>at;
}

/**
 * Places what all threads share, from the first line on: address 0 stays free, so that 0 can mean "nowhere".
 *
 * @param rows of all splits
 * @param stride bytes of a packed row
 * @returns where it ends
 */
export function placeShared(state: State, rows: u32, dimensions: u32, stride: u32): f64 {
  const groups = (<u64>dimensions + (FEWEST_DIMENSIONS - 1)) / FEWEST_DIMENSIONS;
  end = LINE;
  state.rows = place(<u64>rows * stride);
  state.sharedBits = place(<u64>rows << 2);
  state.splits = place(rows);
  state.groups = place(GROUPS_HEAD + groups * GROUP_BYTES);
  state.groupBits = place((groups * GROUP_CODES) << 3);
  state.codeStarts = place((<u64>dimensions + 1) << 2);
  // a code is written before it is known to belong
  state.codeLists = place(<u64>dimensions * MOST_LISTED + 1);
  state.groupCodes = place(rows * groups);
  state.groupStride = <u32>groups;
  state.rowStride = stride;
  state.rowCount = rows;
  return <f64>end;
}

/**
 * Places the regions of one thread behind its `State`.
 *
 * @param rows of all splits
 * @param trainingRows most rows that can be in training: training and validation rows, because a refit pools them
 * @param leaves most leaves of a tree
 * @returns how many bytes they take with the `State`
 */
export function placeWorkspace(state: State, rows: u32, trainingRows: u32, dimensions: u32, leaves: u32): f64 {
  const patterns = <u64>rows + CLASSES * MASK_BITS;
  const trainingPatterns = <u64>trainingRows + TRAINING_CLASSES * MASK_BITS;
  // a counted pattern has at least two rows
  const counted = ((<u64>rows + 1) >>> 1) + COUNTED_CLASSES * MASK_BITS;
  const tables = (<u64>dimensions + 7) >>> 3;
  const predictors = tables << 3;
  const isWide = tables * TABLE_ENTRIES > 0x10000;
  const entryBytes: u64 = isWide ? 4 : 2;
  const start = <u64>changetype<usize>(state);
  end = start;
  place(offsetof<State>());
  state.tallies = place(<u64>rows * TALLY);
  state.labels = place(rows);
  state.buckets = place(<u64>max(CLASSES * SIGNATURES, leaves) << 2);
  state.patternRow = place(patterns << 2);
  state.patternKeys = place(patterns << 1);
  state.odds = place(patterns << 3);
  state.gradients = place(trainingPatterns << 4);
  state.counts = place(counted * COUNT_BYTES);
  state.entryStarts = place((trainingPatterns + 1) << 2);
  // a row's entries are written eight at a time, more than it may have
  state.entries = place((trainingRows * tables + 8) * entryBytes);
  state.columns = place((patterns * dimensions + 7) >>> 3);
  state.masks = place((patterns * MOST_MASKS + 7) >>> 3);
  state.lists = place(patterns << 2);
  state.scratch = place(patterns << 2);
  state.tables = place(tables * TABLE_BYTES);
  const cells: u64 = isWide ? cellBytes(tables) : 0;
  state.byteTable = place(isWide ? TABLE_BYTES : 0);
  state.histograms = place(leaves * (predictors << 4));
  // `countOnes` writes whole vectors of counts
  state.scores = place(((predictors + 127) & ~127) << 3);
  state.lastCodes = place(GROUP_CODES);
  state.allowed = place(predictors << 3);
  state.cells = place(cells);
  state.cellCodes = place(cells);
  state.nodes = place(<u64>leaves * NODE_BYTES);
  state.splitLeaves = place(<u64>leaves << 2);
  state.splitPredictors = place(<u64>leaves << 2);
  state.splitGains = place(<u64>leaves << 3);
  state.leafSums = place(<u64>leaves << 4);
  state.leafFactors = place(<u64>leaves << 3);
  state.classStarts = place((CLASSES + 1) << 2);
  state.classSizes = place((CLASSES + 1) << 2);
  state.numbers = place(NUMBERS_BYTES);
  return <f64>(end - start);
}
