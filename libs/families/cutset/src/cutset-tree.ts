import type { BitMatrix } from '@orchard/dataset';
import type { Forest } from '@orchard/forests';
import { exp, log, logSumExp } from '@orchard/numerics';
import type { RowDistribution } from '@orchard/model';

/** A leaf, or a column that is asked first and what comes after each of its answers. */
export type CutsetNode = CutsetLeaf | CutsetCondition;

export interface CutsetLeaf {
  /** Of all columns that no condition above has asked. */
  readonly forest: Forest;
}

export interface CutsetCondition {
  readonly column: number;
  /** P(column = 1), strictly between 0 and 1. */
  readonly rate: number;
  readonly zero: CutsetNode;
  readonly one: CutsetNode;
}

export function isLeaf(node: CutsetNode): node is CutsetLeaf {
  return 'forest' in node;
}

/**
 * A tree of conditions whose leaves are forests of the columns left: of each row one leaf gives its probability, so
 * that every question is answered exactly by the leaves that what is known allows. O(leaves x columns) a row at most,
 * O(columns) where all is known.
 */
export class CutsetTree implements RowDistribution {
  constructor(readonly root: CutsetNode) {}

  logProbability(values: Uint8Array): number {
    let sum = 0;
    let node = this.root;
    while (!isLeaf(node)) {
      const isOne = values[node.column] === 1;
      sum += log(isOne ? node.rate : 1 - node.rate);
      node = isOne ? node.one : node.zero;
    }
    return sum + node.forest.logProbability(values);
  }

  cellsInto(values: Uint8Array, cells: Float64Array, offset: number): void {
    let node = this.root;
    while (!isLeaf(node)) {
      const isOne = values[node.column] === 1;
      cells[offset + node.column] = log(isOne ? node.rate : 1 - node.rate);
      node = isOne ? node.one : node.zero;
    }
    node.forest.cellsInto(values, cells, offset);
  }

  logEvidence(values: BitMatrix, known: BitMatrix, row: number): number {
    return this.#evidenceOf(this.root, values, known, row);
  }

  /**
   * From the root down: which answer of an unknown condition, by how probable each is given what is known; then the
   * leaf's columns.
   */
  drawInto(values: BitMatrix, known: BitMatrix, row: number, uniform: () => number): number {
    const evidence = this.#evidenceOf(this.root, values, known, row);
    let node = this.root;
    let rest = evidence;
    while (!isLeaf(node)) {
      const number = uniform();
      if (known.get(row, node.column) === 0) {
        const one = log(node.rate) + this.#evidenceOf(node.one, values, known, row);
        values.set(row, node.column, number < exp(one - rest));
      }
      node = values.get(row, node.column) === 1 ? node.one : node.zero;
      rest = this.#evidenceOf(node, values, known, row);
    }
    node.forest.drawInto(values, known, row, uniform);
    return evidence;
  }

  marginalsInto(values: BitMatrix, known: BitMatrix, row: number, rates: Float64Array, offset: number): number {
    const evidence = this.logEvidence(values, known, row);
    const own = new Float64Array(values.dimensions);
    rates.fill(0, offset, offset + values.dimensions);
    this.#visitLeaves(values, known, row, (leaf, logWeight, path) => {
      const share = exp(logWeight + leaf.forest.marginalsInto(values, known, row, own, 0) - evidence);
      for (const { column, value } of path) own[column] = value;
      own.forEach((rate, column) => {
        rates[offset + column]! += share * rate;
      });
    });
    for (let column = 0; column < values.dimensions; column++)
      if (known.get(row, column) === 1) rates[offset + column] = values.get(row, column);
    return evidence;
  }

  /** The best leaf's; of equally probable ones the first's, zeros before ones. */
  mostProbableInto(values: BitMatrix, known: BitMatrix, row: number): number {
    let most = -Infinity;
    let best: { readonly leaf: CutsetLeaf; readonly path: readonly Answer[] } | null = null;
    this.#visitLeaves(values, known, row, (leaf, logWeight, path) => {
      const total = logWeight + leaf.forest.logMostProbable(values, known, row);
      if (total <= most) return;
      most = total;
      best = { leaf, path: [...path] };
    });
    const { leaf, path } = best!;
    for (const { column, value } of path) values.set(row, column, value === 1);
    leaf.forest.mostProbableInto(values, known, row);
    return most;
  }

  /** Preorder, zeros first. */
  *nodes(): Generator<{ readonly node: CutsetNode; readonly depth: number }> {
    const open: { readonly node: CutsetNode; readonly depth: number }[] = [{ node: this.root, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      yield next;
      const { node, depth } = next;
      if (!isLeaf(node)) open.push({ node: node.one, depth: depth + 1 }, { node: node.zero, depth: depth + 1 });
    }
  }

  #evidenceOf(node: CutsetNode, values: BitMatrix, known: BitMatrix, row: number): number {
    if (isLeaf(node)) return node.forest.logEvidence(values, known, row);
    const { column, rate } = node;
    const ofZero = (): number => log(1 - rate) + this.#evidenceOf(node.zero, values, known, row);
    const ofOne = (): number => log(rate) + this.#evidenceOf(node.one, values, known, row);
    if (known.get(row, column) === 1) return values.get(row, column) === 1 ? ofOne() : ofZero();
    return logSumExp([ofZero(), ofOne()]);
  }

  #visitLeaves(
    values: BitMatrix,
    known: BitMatrix,
    row: number,
    visit: (leaf: CutsetLeaf, logWeight: number, path: readonly Answer[]) => void,
  ): void {
    const path: Answer[] = [];
    const descend = (node: CutsetNode, logWeight: number): void => {
      if (isLeaf(node)) {
        visit(node, logWeight, path);
        return;
      }
      const { column, rate } = node;
      for (const value of [0, 1] as const) {
        if (known.get(row, column) === 1 && values.get(row, column) !== value) continue;
        path.push({ column, value });
        descend(value === 1 ? node.one : node.zero, logWeight + log(value === 1 ? rate : 1 - rate));
        path.pop();
      }
    };
    descend(this.root, 0);
  }
}

interface Answer {
  readonly column: number;
  readonly value: 0 | 1;
}
