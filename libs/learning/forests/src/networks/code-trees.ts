import { spanningTree } from '../pairs/spanning-tree.js';
import { CodeForest } from '../code-forest.js';
import type { LearntCodeForest } from '../code-forest-of.js';
import { leftOutNats, type Cells, type GroupedRows, type RowWeights } from './grouped-rows.js';

/**
 * The tree of most likelihood of a table's rows under some weights (Chow and Liu), judged by rows that are left out;
 * there is no edge that gains nothing.
 *
 * O(V² rows).
 *
 * @param weights of each distinct row, none negative
 * @param pseudoCount rows of all rows together that are added, spread evenly over the lines of each edge's table
 */
export function codeTreeOf(rows: GroupedRows, weights: Float64Array, pseudoCount: number): LearntCodeForest {
  const { variables } = rows;
  const weighed = rows.weigh(weights);
  const none = new Uint8Array(weights.length);
  const alone = variables.map(({ ofRows, groups, margin }) =>
    leftOutNats(cellsOf(none, 1, ofRows, groups, weighed), margin, pseudoCount),
  );
  const gainOf = (a: number, b: number): number => {
    const [one, other] = [variables[a]!, variables[b]!];
    const cells = cellsOf(one.ofRows, one.groups, other.ofRows, other.groups, weighed);
    const turned: Cells = { ...cells, lines: other.groups, strides: [1, other.groups] };
    const nats = leftOutNats(cells, other.margin, pseudoCount) + leftOutNats(turned, one.margin, pseudoCount);
    return (nats - alone[a]! - alone[b]!) / 2;
  };
  const tree = spanningTree(variables.length, 0, (a, b) => gainOf(Math.min(a, b), Math.max(a, b)));
  const isEdge = Array.from(tree.parents, (parent, index) => parent !== index && tree.weights[index]! > 0);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    forest: new CodeForest(
      variables.map(({ groupOf }, index) => {
        const parent = isEdge[index] === true ? tree.parents[index]! : -1;
        const [lineOf, lines] = parent < 0 ? [none, 1] : [variables[parent]!.ofRows, variables[parent]!.groups];
        return {
          parent,
          groupOf,
          within: rows.sharesWithin(index, weighed, pseudoCount),
          given: rows.tableOf(index, lineOf, lines, weighed, pseudoCount),
        };
      }),
    ),
    information: tree.weights.map((gain, index) => (isEdge[index] === true ? gain / all : 0)),
  };
}

function cellsOf(
  lineOf: ArrayLike<number>,
  lines: number,
  groupOf: Uint16Array,
  groups: number,
  { weights, squares }: RowWeights,
): Cells {
  const cells = { weights: new Float64Array(lines * groups), squares: new Float64Array(lines * groups) };
  for (let row = 0; row < groupOf.length; row++) {
    const cell = lineOf[row]! * groups + groupOf[row]!;
    cells.weights[cell]! += weights[row]!;
    cells.squares[cell]! += squares[row]!;
  }
  return { ...cells, lines, strides: [groups, 1] };
}
