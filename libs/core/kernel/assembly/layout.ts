import { ANSWER_BYTES } from './answers';
import { BUNDLE_BYTES, FIELD_TABLE_BYTES } from './bundles';
import { cellBytes } from './cells';
import { MARK_BYTES, NEXT_CUTS_BYTES, SINGLES_BYTES } from './few-patterns';
import { FIELD_BYTES, FIELD_CODES, RANGE_BYTES, SET_BYTES } from './fields';
import { GROUP_BYTES, GROUPS_HEAD } from './groups';
import { MOST_LEAVES, STEP_BYTES } from './leaves-by-block';
import { MOST_MASKS, NODE_BYTES } from './nodes';
import { BOUNDS_BYTES } from './occurring-codes';
import { CANDIDATE_BYTES, OWN_FIELD_BYTES } from './own-fields';
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
 * @param stride bytes of a row
 * @param fields of the rows of a table, else 0
 * @param sets predictors in fields of sets
 * @returns where it ends
 */
export function placeShared(state: State, rows: u32, dimensions: u32, stride: u32, fields: u32, sets: u32): f64 {
  // groups are of rows of bits
  const grouped: u64 = fields == 0 ? dimensions : 0;
  const groups = (grouped + (FEWEST_DIMENSIONS - 1)) / FEWEST_DIMENSIONS;
  end = LINE;
  state.fieldTotal = fields;
  state.fields = place(<u64>fields * FIELD_BYTES);
  state.codeRanges = place(fields == 0 ? 0 : <u64>dimensions * RANGE_BYTES);
  state.codeSets = place(<u64>sets * SET_BYTES);
  state.rows = place(<u64>rows * stride);
  state.sharedBits = place(<u64>rows << 2);
  state.splits = place(rows);
  state.groups = place(GROUPS_HEAD + groups * GROUP_BYTES);
  state.groupBits = place((groups * GROUP_CODES) << 3);
  state.codeStarts = place((grouped + 1) << 2);
  // a code is written before it is known to belong
  state.codeLists = place(grouped * GROUP_CODES + 1);
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
 * @param fields of the rows of a table, else 0
 * @param sets predictors in fields of sets
 * @param sampled most rows that a tree grows on; 0 where all trees grow on all
 * @returns how many bytes they take with the `State`
 */
export function placeWorkspace(
  state: State,
  rows: u32,
  trainingRows: u32,
  dimensions: u32,
  leaves: u32,
  fields: u32,
  sets: u32,
  sampled: u32,
): f64 {
  const isTable = fields != 0;
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
  // tallies are read no more when codes are written; rows that are still to be sorted lie here and behind
  state.tallies = place(max(<u64>rows * TALLY, isTable ? patterns * max(fields, state.rowStride) : 0));
  state.codes = state.tallies;
  state.labels = place(rows);
  state.buckets = place(<u64>max(CLASSES * SIGNATURES, leaves) << 2);
  state.patternRow = place(patterns << 2);
  state.patternKeys = place(patterns << 1);
  state.odds = place(patterns << 3);
  state.gradients = place(trainingPatterns << 4);
  state.counts = place(counted * COUNT_BYTES);
  state.entryStarts = place(isTable ? 0 : (trainingPatterns + 1) << 2);
  // a row's entries are written eight at a time, more than it may have
  state.entries = place(isTable ? 0 : (trainingRows * tables + 8) * entryBytes);
  state.columns = place(isTable ? 0 : (patterns * dimensions + 7) >>> 3);
  state.codeMaps = place(<u64>fields * FIELD_CODES);
  state.places = place(<u64>fields << 2);
  state.ownFields = place(<u64>fields * OWN_FIELD_BYTES);
  state.bundles = place(<u64>fields * BUNDLE_BYTES);
  state.members = place(<u64>fields << 2);
  state.sortedFields = place(<u64>fields << 2);
  state.candidates = place(isTable ? predictors * CANDIDATE_BYTES : 0);
  state.active = place(isTable ? predictors * CANDIDATE_BYTES : 0);
  state.setLists = place(<u64>sets * FIELD_CODES + 1);
  state.bounds = place(<u64>fields * BOUNDS_BYTES);
  state.occurring = place(FIELD_CODES);
  state.answers = place(ANSWER_BYTES);
  state.running = place(isTable ? FIELD_TABLE_BYTES : 0);
  state.nextCuts = place(<u64>fields * NEXT_CUTS_BYTES);
  state.singles = place(<u64>fields * SINGLES_BYTES);
  state.listedPlaces = place(isTable ? (predictors + 2) << 2 : 0);
  state.masks = place((patterns * MOST_MASKS + 7) >>> 3);
  state.lists = place(patterns << 2);
  state.scratch = place(patterns << 2);
  state.tables = place(isTable ? fields * FIELD_TABLE_BYTES : tables * TABLE_BYTES);
  // these are kept zero as tables are
  state.marginal = place(isTable ? FIELD_TABLE_BYTES : 0);
  state.marks = place(isTable ? (<u64>fields + 1) * MARK_BYTES : 0);
  const cells: u64 = isWide && !isTable ? cellBytes(tables) : 0;
  state.byteTable = place(isWide && !isTable ? TABLE_BYTES : 0);
  state.histograms = place(leaves * (predictors << 4));
  // `countOnes` writes whole vectors of counts
  state.scores = place(((predictors + 127) & ~127) << 3);
  state.lastCodes = place(GROUP_CODES);
  state.allowed = place(isTable ? 0 : predictors << 3);
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
  state.sampledRows = 0;
  // where no tree is sampled they are read before lists are written, and no more
  state.reachedRows = sampled ? place(<u64>rows << 2) : state.lists;
  if (sampled) placeSample(state, rows, dimensions, fields, sampled);
  return <f64>(end - start);
}

/** What trees on some of the rows take beside: sampled rows are laid out as patterns are. */
function placeSample(state: State, rows: u32, dimensions: u32, fields: u32, sampled: u32): void {
  const isTable = fields != 0;
  const patterns = <u64>sampled + MASK_BITS;
  const tables = (<u64>dimensions + 7) >>> 3;
  const entryBytes: u64 = tables * TABLE_ENTRIES > 0x10000 ? 4 : 2;
  state.patternOfRow = place(<u64>rows << 2);
  state.sampledRows = place(patterns << 2);
  state.sampledGradients = place(patterns << 4);
  state.sampledCodes = place(patterns * fields);
  state.sampledColumns = place(isTable ? 0 : (patterns * dimensions + 7) >>> 3);
  state.sampledEntryStarts = place(isTable ? 0 : (patterns + 1) << 2);
  state.sampledEntries = place(isTable ? 0 : (sampled * tables + 8) * entryBytes);
  state.sampledClassStarts = place((CLASSES + 1) << 2);
  state.sampledClassSizes = place((CLASSES + 1) << 2);
  state.leafOfPattern = place(isTable ? <u64>rows + CLASSES * MASK_BITS : 0);
  state.steps = place(isTable ? MOST_LEAVES * STEP_BYTES : 0);
}
