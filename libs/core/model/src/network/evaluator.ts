import type { BitMatrix } from '@orchard/dataset';
import { growMemory } from '@orchard/numerics';
import { columnStride, paddedRows, type BitColumns } from '../port/bit-columns.js';
import type { Ensemble } from './ensemble.js';
import { createEvaluatorModule, type EvaluatorModule } from './evaluator-module.js';
import { clampOdds, walkTrees } from './tree-walk.js';

/** Fewer rows for each leaf of a tree are walked: making a tree's program costs as much as walking about so many. */
const ROWS_OF_LEAF = 3;

/** Whether so few rows are quicker walked tree by tree than made columns of. */
export function areWalked({ leafCounts, leafFactor }: Ensemble, rows: number): boolean {
  return rows * leafCounts.length < ROWS_OF_LEAF * leafFactor.length;
}

/**
 * Odds of a 1 under an ensemble, for many rows at once. Per row the factors are multiplied in the order of the trees,
 * so the bits of a result depend neither on the other rows nor on how they were batched. Not reentrant, and it holds
 * one set of columns at a time: asking for others overwrites them. Its memory is as large as the largest set it held.
 */
export class Evaluator {
  private module: EvaluatorModule | undefined;
  private columnsAt = 0;
  private oddsAt = 0;
  private current: BitColumns | undefined;

  /** Columns of zeros for `rows` rows. */
  columns(rows: number, positions: number): BitColumns {
    const columns = this.place(rows, positions, 0).columns;
    columns.words.fill(0);
    return columns;
  }

  /**
   * The columns of some of `rows` rows of a matrix: row i of the result is row `firstRow + order[i]`, position p column
   * `ordering[p]`. Only the first `positions` positions are wanted. O(rows x dimensions / 16).
   */
  transposed(
    matrix: BitMatrix,
    ordering: Uint32Array,
    firstRow: number,
    rows: number,
    order: Uint32Array,
    positions = ordering.length,
  ): BitColumns {
    const { stride, dimensions, bytes } = matrix;
    const count = Math.ceil(order.length / 16) * 16;
    const { columns, module, heap } = this.place(order.length, positions, 4 * (count + dimensions) + rows * stride);
    const orderAt = heap;
    const targetsAt = orderAt + 4 * count;
    const rowsAt = targetsAt + 4 * dimensions;
    const { buffer } = module.memory;
    const rowOrder = new Uint32Array(buffer, orderAt, count);
    rowOrder.set(order);
    rowOrder.fill(order[order.length - 1] ?? 0, order.length);
    const targets = new Uint32Array(buffer, targetsAt, dimensions).fill(0);
    for (let position = 0; position < positions; position++) {
      targets[ordering[position]!] = this.columnsAt + 4 * position * columns.stride;
    }
    new Uint8Array(buffer, rowsAt, rows * stride).set(bytes.subarray(firstRow * stride, (firstRow + rows) * stride));
    module.transpose(rowsAt, stride, orderAt, count, targetsAt, dimensions);
    return columns;
  }

  /**
   * Writes the odds of the first `rows` rows of `columns`, the evaluator's own, to `odds`.
   * Costs about 1.5 operations a split, 128 rows at a time, and three a row and tree.
   */
  odds(ensemble: Ensemble, columns: BitColumns, rows: number, odds: Float64Array): void {
    const { leafCounts, leafFactor, startOdds } = ensemble;
    // trees before the first split are the same for all rows
    let tree = 0;
    let common = startOdds;
    while (tree < leafCounts.length && leafCounts[tree] === 1) common = clampOdds(common * leafFactor[tree++]!);
    odds.fill(common, 0, rows);
    if (tree === leafCounts.length) return;
    const { module } = this;
    if (module === undefined || columns !== this.current) throw new Error('These columns are not the evaluator’s.');
    if (areWalked(ensemble, rows) || leafCounts.some((leaves) => leaves > module.layout.MOST_LEAVES)) {
      odds.fill(startOdds, 0, rows);
      walkTrees(ensemble, columns, rows, odds);
      return;
    }
    this.applyTrees(module, ensemble, tree, common, columns, rows, odds);
  }

  private applyTrees(
    { memory, layout, applyTrees }: EvaluatorModule,
    { leafCounts, leafFactor, splitLeaf, splitPredictor }: Ensemble,
    firstTree: number,
    startOdds: number,
    columns: BitColumns,
    rows: number,
    odds: Float64Array,
  ): void {
    const { buffer } = memory;
    const padded = paddedRows(rows);
    const shuffled = new Float64Array(buffer, this.oddsAt, padded).fill(startOdds);
    const counts = new Uint32Array(buffer, layout.LEAF_COUNTS, layout.LEAF_ROOM);
    const factors = new Float64Array(buffer, layout.LEAF_FACTORS, layout.LEAF_ROOM);
    const leaves = new Uint32Array(buffer, layout.SPLIT_LEAVES, layout.LEAF_ROOM);
    const predictors = new Uint32Array(buffer, layout.SPLIT_PREDICTORS, layout.LEAF_ROOM);
    let reach = Math.max(startOdds, 1 / startOdds);
    let firstLeaf = firstTree;
    let firstSplit = 0;
    for (let tree = firstTree; tree < leafCounts.length;) {
      // as many trees as there is room for
      let end = tree;
      let endLeaf = firstLeaf;
      while (end < leafCounts.length && endLeaf + leafCounts[end]! - firstLeaf <= layout.LEAF_ROOM) {
        endLeaf += leafCounts[end++]!;
      }
      const endSplit = firstSplit + (endLeaf - firstLeaf) - (end - tree);
      counts.set(leafCounts.subarray(tree, end));
      factors.set(leafFactor.subarray(firstLeaf, endLeaf));
      leaves.set(splitLeaf.subarray(firstSplit, endSplit));
      predictors.set(splitPredictor.subarray(firstSplit, endSplit));
      reach = applyTrees(end - tree, this.columnsAt, 4 * columns.stride, padded, this.oddsAt, reach);
      tree = end;
      firstLeaf = endLeaf;
      firstSplit = endSplit;
    }
    // from the order of the codes back to the order of the rows
    for (let row = 0; row < rows; row++) {
      odds[row] = shuffled[(row & ~127) | ((row & 7) << 4) | ((row >> 3) & 15)]!;
    }
  }

  /** Lays out odds, columns and `extra` bytes from `heap` on, and makes room for them. */
  private place(rows: number, positions: number, extra: number) {
    this.module ??= createEvaluatorModule();
    const module = this.module;
    const stride = columnStride(rows);
    this.oddsAt = module.layout.HEAP;
    this.columnsAt = this.oddsAt + 8 * paddedRows(rows);
    const heap = this.columnsAt + 4 * stride * positions;
    // rows are read eight bytes at a time
    growMemory(module.memory, heap + extra + 8);
    const words = new Int32Array(module.memory.buffer, this.columnsAt, stride * positions);
    const columns = { words, stride, rows, positions };
    this.current = columns;
    return { columns, module, heap };
  }
}
