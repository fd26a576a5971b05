import { LOG_LIKELIHOODS as LIKELIHOODS_AT, State } from './state';

// What the host knows about the memory, as the module's globals: offsets in a `State` of the fields that it uses, each
// a u32 (src/kernel-module.ts names them too, and refuses a kernel that does not export them).

export const STATE_BYTES: usize = offsetof<State>();
export const ROWS: usize = offsetof<State>('rows');
export const SHARED_BITS: usize = offsetof<State>('sharedBits');
export const SPLITS: usize = offsetof<State>('splits');
/** Of a table's rows (fields.ts): u32s of each field, and which codes every predictor is 1 with. */
export const FIELDS: usize = offsetof<State>('fields');
export const CODE_RANGES: usize = offsetof<State>('codeRanges');
export const CODE_SETS: usize = offsetof<State>('codeSets');
/**
 * Where it is written how many groups there are; behind its head each has so many bytes, of which start and end are the
 * first.
 */
export const GROUPS: usize = offsetof<State>('groups');
export { GROUP_BYTES, GROUPS_HEAD } from './groups';
/** Where rows may lie, and behind them the scratch, while they are sorted. */
export const UNSORTED: usize = offsetof<State>('tallies');
export const LABELS: usize = offsetof<State>('labels');
/** Where `reach` reads, u32 a row. */
export const REACHED_ROWS: usize = offsetof<State>('reachedRows');
/** Where `allow` reads, a byte a predictor. */
export const SCORES: usize = offsetof<State>('scores');
export const SPLIT_LEAVES: usize = offsetof<State>('splitLeaves');
export const SPLIT_PREDICTORS: usize = offsetof<State>('splitPredictors');
export const SPLIT_GAINS: usize = offsetof<State>('splitGains');
export const LEAF_SUMS: usize = offsetof<State>('leafSums');
export const LEAF_FACTORS: usize = offsetof<State>('leafFactors');
export const LEAF_COUNT: usize = offsetof<State>('leafCount');
/** Where `growOn` reads its rows, u32 each. */
export const SAMPLED_ROWS: usize = offsetof<State>('sampledRows');
/** After `prepare`: how many patterns there are with padding, the first row of each (2^32 - 1 of padding), their odds. */
export const PATTERN_END: usize = offsetof<State>('patternEnd');
export const PATTERN_ROW: usize = offsetof<State>('patternRow');
export const ODDS: usize = offsetof<State>('odds');
export const NUMBERS: usize = offsetof<State>('numbers');
/** Within the numbers: f64 of the three splits. */
export const LOG_LIKELIHOODS: usize = LIKELIHOODS_AT;
/**
 * Where a layout begins. Below it nothing lies, so on a memory of one page that is asked for sizes only a `State` may
 * lie here.
 */
export { LINE as FIRST } from './layout';
