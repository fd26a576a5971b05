// Sections 2.1 to 2.3 of M. Goessling's thesis: templates that are sums along the paths of a tree of clusters.

/**
 * A tree whose leaves are points: bisecting k-means down to single ones, as the thesis suggests.
 *
 * @typedef {{ leaf: number } | { one: Cluster, other: Cluster }} Cluster of a leaf its point's number
 * @param {number[][]} points
 * @returns {Cluster}
 */
export function clusterTree(points, stream) {
  const divide = (members) => {
    if (members.length === 1) return { leaf: members[0] };
    const [one, other] = halves(members, points, stream);
    return { one: divide(one), other: divide(other) };
  };
  return divide([...points.keys()]);
}

const distance = (a, b) => a.reduce((sum, value, d) => sum + (value - b[d]) ** 2, 0);
const meanOf = (rows) => rows[0].map((_, d) => rows.reduce((sum, row) => sum + row[d], 0) / rows.length);

/** Two means, which begin with a point and another that is drawn in proportion to how far it is from it. */
function halves(members, points, stream) {
  const first = points[members[stream.below(members.length)]];
  const far = members.map((member) => distance(points[member], first));
  let drawn = stream.uniform() * far.reduce((sum, own) => sum + own, 0);
  let centres = [first, points[members.find((_, at) => (drawn -= far[at]) <= 0) ?? members.at(-1)]];
  let parts = null;
  for (let step = 0; step < 20; step++) {
    const next = [[], []];
    for (const member of members) {
      const [one, other] = centres.map((centre) => distance(points[member], centre));
      next[other < one ? 1 : 0].push(member);
    }
    // equal points
    if (next.some((part) => part.length === 0)) return parts ?? [members.slice(0, 1), members.slice(1)];
    const isSame = parts !== null && parts[0].length === next[0].length && parts[0].every((m, at) => m === next[0][at]);
    parts = next;
    if (isSame) break;
    centres = parts.map((part) => meanOf(part.map((member) => points[member])));
  }
  return parts;
}

/**
 * The root, +1 for all points, then the splits, +1 or -1 by the side: the columns of the thesis' design matrix.
 *
 * @returns {{ leaves: number[], signs: number[] }[]}
 */
export function pathsOf(tree) {
  const splits = [];
  const walk = (node) => {
    if (node.leaf !== undefined) return [node.leaf];
    const split = { leaves: [], signs: [] };
    splits.push(split);
    for (const [side, sign] of [
      [walk(node.one), 1],
      [walk(node.other), -1],
    ])
      for (const leaf of side) {
        split.leaves.push(leaf);
        split.signs.push(sign);
      }
    return split.leaves;
  };
  const all = walk(tree);
  return [{ leaves: all, signs: all.map(() => 1) }, ...splits];
}

/**
 * The points as their mean and contributions of the root and each split, ± by the side, each of which costs λ / 2 times its square (`l2`) or
 * λ times its size (`l1`) beside half the squared distance from the points: by coordinate descent.
 *
 * @returns {number[][]}
 */
export function shrunken(points, splits, penalty, kind) {
  const mean = meanOf(points);
  const columns = mean.map((centre, d) => {
    const left = points.map((point) => point[d] - centre);
    const own = new Float64Array(splits.length);
    for (let sweep = 0, moved = 1; sweep < 2000 && moved > 1e-9; sweep++) {
      moved = 0;
      splits.forEach(({ leaves, signs }, at) => {
        const pull = leaves.reduce((sum, leaf, i) => sum + signs[i] * left[leaf], 0) + leaves.length * own[at];
        const next =
          kind === 'l2'
            ? pull / (leaves.length + penalty)
            : (Math.sign(pull) * Math.max(0, Math.abs(pull) - penalty)) / leaves.length;
        const change = next - own[at];
        if (change === 0) return;
        moved = Math.max(moved, Math.abs(change));
        own[at] = next;
        leaves.forEach((leaf, i) => (left[leaf] -= signs[i] * change));
      });
    }
    return points.map((point, row) => point[d] - left[row]);
  });
  return points.map((_, row) => columns.map((column) => column[row]));
}
