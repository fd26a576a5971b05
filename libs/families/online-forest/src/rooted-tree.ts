/**
 * A spanning tree of n columns and one node beside them, the ground, number n: the parent of each column. Columns whose
 * parent is the ground are roots of a forest, and every forest is such a tree; so forests of any number of edges are
 * bases of one matroid, which swap rounding wants.
 */
export type RootedTree = Int32Array;

/** The forest of a tree: -1 of a root. */
export function forestParents(tree: RootedTree): Int32Array {
  return tree.map((parent) => (parent === tree.length ? -1 : parent));
}

export function hasEdge(tree: RootedTree, a: number, b: number): boolean {
  return (a < tree.length && tree[a] === b) || (b < tree.length && tree[b] === a);
}

/** Which nodes are at or below a column. O(n). */
export function nodesBelow(tree: RootedTree, column: number): Uint8Array {
  const ground = tree.length;
  // 1: below, 2: not
  const side = new Uint8Array(ground + 1);
  side[ground] = 2;
  side[column] = 1;
  const walk: number[] = [];
  for (let start = 0; start < ground; start++) {
    let node = start;
    while (side[node] === 0) {
      walk.push(node);
      node = tree[node]!;
    }
    for (const passed of walk) side[passed] = side[node]!;
    walk.length = 0;
  }
  for (let node = 0; node <= ground; node++) if (side[node] === 2) side[node] = 0;
  return side;
}

/** The edges between two nodes, each by its lower end, from the first node on. O(n). */
export function pathBetween(tree: RootedTree, from: number, to: number): number[] {
  const ground = tree.length;
  const isAbove = new Uint8Array(ground + 1);
  for (let node = to; ; node = tree[node]!) {
    isAbove[node] = 1;
    if (node === ground) break;
  }
  const path: number[] = [];
  let meeting = from;
  while (isAbove[meeting] === 0) {
    path.push(meeting);
    meeting = tree[meeting]!;
  }
  const down: number[] = [];
  for (let node = to; node !== meeting; node = tree[node]!) down.push(node);
  return [...path, ...down.reverse()];
}

/**
 * Takes the edge above a column out and puts one between `inside`, a node at or below that column, and `outside`, one
 * that is not, in: what is below the column hangs on `inside` then. O(n).
 */
export function exchangeEdge(tree: RootedTree, inside: number, outside: number, column: number): void {
  let above = outside;
  for (let node = inside; ;) {
    const next = tree[node]!;
    tree[node] = above;
    if (node === column) return;
    above = node;
    node = next;
  }
}
