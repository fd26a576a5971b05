import {
  coarseGroups,
  codeCount,
  codeOffsets,
  otherCode,
  readCodes,
  type BitMatrix,
  type CodeGroups,
  type TableRows,
} from '@orchard/dataset';
import { log } from '@orchard/numerics';
import { countTogether, SmoothedGroups, type GroupColumn } from './pairs/smoothed-groups.js';
import { spanningTree } from './pairs/spanning-tree.js';
import { CodeForest, type ForestVariable } from './code-forest.js';

type Table = TableRows['table'];

/**
 * Groups of values that a forest's edges distinguish are tried in these steps, up to as many as the variables have
 * codes.
 */
const FEWEST_GROUPS = 2;
/** Steps without a gain on validation rows after which finer groups are not tried. */
const PATIENCE = 2;

/** How many rows may be lent: validation rows choose. */
const LENT = [0, 0.25, 1, 4];

/** A forest of a table's variables and the mutual information of its edges. */
export interface LearntCodeForest {
  readonly forest: CodeForest;
  /** I(variable; its parent) in nats, of their groups; 0 of roots. */
  readonly information: Float64Array;
}

export interface CodeForestOptions {
  /** Pseudo-rows, added to the counts of each pair of variables, spread evenly over all pairs of codes. */
  readonly added: number;
  /** Whether edges below a threshold of mutual information, chosen by validation rows, are cut. */
  readonly isCut: boolean;
  /**
   * Rows that each line of an edge's probabilities is lent, spread as all rows are: what goes with a value of few rows
   * is drawn towards what is usual. With `auto` 0, 0.25, 1 or 4, by validation rows.
   *
   * @default 0
   */
  readonly lent?: number | 'auto';
}

/** Codes of all variables. */
export type CodeColumns = readonly Uint16Array[];

/** @param rows of the table */
export function codeColumns(rows: BitMatrix, { variables }: Table): CodeColumns {
  const offsets = codeOffsets({ variables });
  return variables.map((_, index) => readCodes(rows, offsets[index]!, offsets[index + 1]!));
}

/** Every variable on its own: (n + added / codes) / (N + added) of each code. */
export function codeProduct({ variables }: Table, train: CodeColumns, added: number): LearntCodeForest {
  const alone = variables.map((variable, index): ForestVariable => {
    const groupOf = new Uint16Array(codeCount(variable));
    return {
      parent: -1,
      groupOf,
      within: ratesOf(train[index]!, groupOf.length, added),
      given: Float64Array.of(1),
    };
  });
  return { forest: new CodeForest(alone), information: new Float64Array(alone.length) };
}

/**
 * The tree of most likelihood over a table's variables (Chow and Liu, 1968), by groups of their codes: at most 2, 4, 8,
 * … a variable (`coarseGroups`), as many as validation rows find likeliest: pairs of single codes have few rows or
 * none, and would show what is chance. Trees are those of most mutual information of the groups, ties to the earlier
 * edge. O(V² rows) for each number of groups.
 *
 * @param train codes of the training rows
 * @param valid of the validation rows: they choose how many groups there are, and which edges are cut
 */
export function chowLiuOfCodes(
  table: Table,
  train: CodeColumns,
  valid: CodeColumns,
  options: CodeForestOptions,
): LearntCodeForest {
  const most = table.variables.map(codeCount).reduce((most, one) => Math.max(most, one), -Infinity);
  let best: LearntCodeForest | null = null;
  let bestNats = -Infinity;
  let [withoutGain, isFinest] = [0, false];
  for (let groups = FEWEST_GROUPS; !isFinest && withoutGain < PATIENCE; groups *= 2) {
    isFinest = groups >= most;
    const learnt = treeOfGroups(table, train, valid, groups, options);
    const nats = natsOf(learnt.forest, valid);
    withoutGain++;
    if (!(nats > bestNats)) continue;
    [best, bestNats, withoutGain] = [learnt, nats, 0];
  }
  return best!;
}

/** The tree of groups, of which there are at most so many a variable. */
function treeOfGroups(
  { variables }: Table,
  train: CodeColumns,
  valid: CodeColumns,
  most: number,
  { added, isCut, lent = 0 }: CodeForestOptions,
): LearntCodeForest {
  const neverSeen = variables.map((variable, index) => {
    const other = otherCode(variable);
    return other === null || train[index]!.includes(other) || valid[index]!.includes(other) ? null : other;
  });
  const grouped = variables.map((variable, index) => {
    const own = coarseGroups(variable, most);
    return neverSeen[index] === null ? own : besideTheRarest(own, neverSeen[index]!);
  });
  const pairs = new SmoothedGroups(groupColumns(train, grouped), added);
  const tree = spanningTree(variables.length, 0, (a, b) => pairs.information(a, b));
  let parents = Int32Array.from(tree.parents, (parent, index) => (index === 0 ? -1 : parent));
  if (isCut) parents = keptEdges(parents, tree.weights, pairs, groupColumns(valid, grouped));
  const rowsLent = lent === 'auto' ? likeliestLent(parents, pairs, groupColumns(valid, grouped)) : lent;
  const told = variables.map((_, index): ForestVariable => {
    const { groupOf, groups } = grouped[index]!;
    const rates = ratesOf(train[index]!, groupOf.length, added);
    // less likely than what pairs without a row leave to any value that there was
    if (neverSeen[index] !== null) rates[neverSeen[index]!] = (train[index]!.length + 2) ** -3;
    const sums = new Float64Array(groups);
    rates.forEach((rate, code) => (sums[groupOf[code]!]! += rate));
    const parent = parents[index]!;
    return {
      parent,
      groupOf,
      within: rates.map((rate, code) => rate / sums[groupOf[code]!]!),
      given: parent < 0 ? pairs.margin(index) : pairs.given(index, parent, rowsLent),
    };
  });
  const information = tree.weights.map((nats, index) => (parents[index]! < 0 ? 0 : nats));
  return { forest: new CodeForest(told), information };
}

/** How many rows are lent to each line of all edges: as validation rows find likeliest, of equals the fewest. */
function likeliestLent(parents: Int32Array, pairs: SmoothedGroups, valid: readonly GroupColumn[]): number {
  const together = valid.map((column, index) =>
    parents[index]! < 0 ? null : countTogether(valid[parents[index]!]!, column),
  );
  const nats = LENT.map((lent) => {
    let sum = 0;
    together.forEach((counts, index) => {
      if (counts === null) return;
      const given = pairs.given(index, parents[index]!, lent);
      counts.forEach((rows, cell) => {
        if (rows > 0) sum += rows * log(given[cell]!);
      });
    });
    return sum;
  });
  return LENT[nats.reduce((best, each, at) => (each > nats[best]! ? at : best), 0)]!;
}

/**
 * The forest of Tan, Anandkumar and Willsky (2011): edges whose mutual information is below a threshold are cut, the
 * threshold chosen among the edges' own by the likelihood of validation rows; of equally likely forests the one of
 * fewest edges.
 */
function keptEdges(
  parents: Int32Array,
  information: Float64Array,
  pairs: SmoothedGroups,
  valid: readonly GroupColumn[],
): Int32Array<ArrayBuffer> {
  const edges = Array.from(parents.keys())
    .filter((index) => parents[index]! >= 0)
    .sort((a, b) => information[b]! - information[a]! || a - b);
  let [gain, best, kept] = [0, 0, 0];
  edges.forEach((index, at) => {
    const parent = parents[index]!;
    const [given, margin] = [pairs.given(index, parent), pairs.margin(index)];
    countTogether(valid[parent]!, valid[index]!).forEach((rows, cell) => {
      if (rows > 0) gain += rows * (log(given[cell]!) - log(margin[cell % margin.length]!));
    });
    // edges of equal mutual information are kept or cut together
    const isLast = at + 1 === edges.length || information[edges[at + 1]!]! < information[index]!;
    if (!isLast || !(gain > best)) return;
    [best, kept] = [gain, at + 1];
  });
  const isKept = new Set(edges.slice(0, kept));
  return Int32Array.from(parents, (parent, index) => (isKept.has(index) ? parent : -1));
}

function groupColumns(columns: CodeColumns, grouped: readonly CodeGroups[]): GroupColumn[] {
  return grouped.map(({ groupOf, groups }, index) => {
    const shares = new Float64Array(groups);
    groupOf.forEach((group) => (shares[group]! += 1 / groupOf.length));
    return { groups: columns[index]!.map((code) => groupOf[code]!), shares };
  });
}

/** The same groups without one of its own for "(other)", which no row has: it is in that of the value before it. */
function besideTheRarest({ groupOf, groups }: CodeGroups, other: number): CodeGroups {
  const own = groupOf[other]!;
  if (other === 0 || groupOf.some((group, code) => code !== other && group === own)) return { groupOf, groups };
  const fewer = groupOf.map((group) => (group > own ? group - 1 : group));
  fewer[other] = fewer[other - 1]!;
  return { groupOf: fewer, groups: groups - 1 };
}

/** P(code): (n + added / codes) / (N + added). */
function ratesOf(codes: Uint16Array, size: number, added: number): Float64Array {
  const counts = new Uint32Array(size);
  for (let row = 0; row < codes.length; row++) counts[codes[row]!]!++;
  return Float64Array.from(counts, (count) => (count + added / size) / (codes.length + added));
}

/** Summed nats of all rows. */
function natsOf(forest: CodeForest, columns: CodeColumns): number {
  const sums = new Float64Array(columns[0]!.length);
  for (let index = 0; index < columns.length; index++) forest.addCells(index, columns, sums, 'sums');
  return sums.reduce((all, nats) => all + nats, 0);
}
