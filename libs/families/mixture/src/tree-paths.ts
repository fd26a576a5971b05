import type { ClusterTree } from '@orchard/em';

/** The ways from the root of a tree of clusters to its leaves. */
export class TreePaths {
  /** Divisions above each leaf. */
  readonly depths: Uint32Array;
  /** Where each inner node, and each leaf, stands among the children. */
  readonly #nodeAt: Int32Array;
  readonly #leafAt: Int32Array;

  constructor({ children, clusters }: ClusterTree) {
    this.#nodeAt = new Int32Array(clusters - 1).fill(-1);
    this.#leafAt = new Int32Array(clusters).fill(-1);
    this.depths = new Uint32Array(clusters);
    const above = new Uint32Array(clusters - 1);
    // parents have lower numbers than their children
    children.forEach((child, at) => {
      const depth = above[at >> 1]! + 1;
      if (child >= 0) {
        this.#nodeAt[child] = at;
        above[child] = depth;
      } else {
        this.#leafAt[~child] = at;
        this.depths[~child] = depth;
      }
    });
  }

  /** What is below the root on the way to a leaf, one a division: inner nodes, and last the leaf itself as `~leaf`. */
  nodesTo(leaf: number): readonly number[] {
    return this.#placesTo(leaf).map((at, depth, places) =>
      depth + 1 < places.length ? places[depth + 1]! >> 1 : ~leaf,
    );
  }

  /** Which child is taken at each division, 0 or 1: leaves are in the tree's order by it. */
  sidesTo(leaf: number): string {
    return this.#placesTo(leaf)
      .map((at) => String(at & 1))
      .join('');
  }

  #placesTo(leaf: number): number[] {
    const places: number[] = [];
    for (let at = this.#leafAt[leaf]!; at >= 0; at = this.#nodeAt[at >> 1]!) places.push(at);
    return places.reverse();
  }
}
