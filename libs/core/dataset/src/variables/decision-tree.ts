import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode, valueCount } from './codes.js';

/**
 * How a value is decided, one binary decision after another. Decision i goes to `zero[i]` or `one[i]`: a decision from
 * 0 on, or `-1 - code`. Decision 0 comes first; every decision stands behind the one that leads to it. A variable of
 * one code has none.
 */
export interface DecisionTree {
  readonly zero: Int32Array;
  readonly one: Int32Array;
}

/** A decision that is not numbered yet, or a code. */
type Node = number | readonly [zero: Node, one: Node];

/**
 * The tree of a variable, a function of the variable alone. Is it absent, is it "(other)": these come first. Labels
 * follow in a Huffman tree on the training counts (ties: the earlier label, the earlier pair), so that log2(k)
 * decisions or fewer lead to frequent ones; ordered values in a balanced tree. Where there are atoms, the next decision
 * is "is it one?", and a Huffman tree has them.
 */
export function decisionTreeOf(variable: Variable): DecisionTree {
  let node: Node = variable.kind === 'categorical' ? huffman(variable.counts) : ofOrder(variable);
  const other = otherCode(variable);
  if (other !== null) node = [node, other];
  const hole = holeCode(variable);
  if (hole !== null) node = [node, hole];
  return numbered(node, codeCount(variable) - 1);
}

/** The decisions that lead to each code, first to last, and their outcomes. */
export function pathsOf(
  tree: DecisionTree,
): readonly (readonly { readonly decision: number; readonly outcome: 0 | 1 }[])[] {
  const paths: { decision: number; outcome: 0 | 1 }[][] = [];
  const walk = (child: number, path: { decision: number; outcome: 0 | 1 }[]): void => {
    if (child < 0) {
      paths[-1 - child] = path;
      return;
    }
    walk(tree.zero[child]!, [...path, { decision: child, outcome: 0 }]);
    walk(tree.one[child]!, [...path, { decision: child, outcome: 1 }]);
  };
  walk(tree.zero.length === 0 ? -1 : 0, []);
  return paths;
}

function ofOrder(variable: Exclude<Variable, { kind: 'categorical' }>): Node {
  if (variable.kind === 'binary' || variable.atoms === undefined) return balanced(0, valueCount(variable));
  const cells = variable.values.length;
  return [balanced(0, cells), huffman(variable.atoms.counts, cells)];
}

function balanced(from: number, to: number): Node {
  if (to - from === 1) return from;
  const middle = (from + to) >> 1;
  return [balanced(from, middle), balanced(middle, to)];
}

/** Quadratic in the labels, of which there are some hundreds at most. @param first the code of the first label */
function huffman(counts: readonly number[], first = 0): Node {
  const open: { node: Node; count: number; rank: number }[] = counts.map((count, label) => ({
    node: first + label,
    count,
    rank: label,
  }));
  let rank = counts.length;
  const takeRarest = () => {
    let rarest = 0;
    open.forEach(({ count, rank: at }, index) => {
      const least = open[rarest]!;
      if (count < least.count || (count === least.count && at < least.rank)) rarest = index;
    });
    return open.splice(rarest, 1)[0]!;
  };
  while (open.length > 1) {
    const first = takeRarest();
    const second = takeRarest();
    // the more frequent side is outcome 0
    open.push({ node: [second.node, first.node], count: first.count + second.count, rank: rank++ });
  }
  return open[0]!.node;
}

function numbered(root: Node, decisions: number): DecisionTree {
  const tree = { zero: new Int32Array(decisions), one: new Int32Array(decisions) };
  let next = 0;
  const number = (node: Node): number => {
    if (typeof node === 'number') return -1 - node;
    const decision = next++;
    tree.zero[decision] = number(node[0]);
    tree.one[decision] = number(node[1]);
    return decision;
  };
  number(root);
  return tree;
}
