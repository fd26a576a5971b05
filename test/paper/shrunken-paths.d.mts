/** A leaf with its point's number, or two parts. */
export type Cluster = { readonly leaf: number } | { readonly one: Cluster; readonly other: Cluster };

/** Points below a split, and on which side of it each is. */
export interface Split {
  readonly leaves: readonly number[];
  readonly signs: readonly number[];
}

type Points = readonly (readonly number[])[];

export function clusterTree(points: Points, stream: { below(n: number): number; uniform(): number }): Cluster;
export function pathsOf(tree: Cluster): readonly Split[];
export function shrunken(points: Points, splits: readonly Split[], penalty: number, kind: 'l1' | 'l2'): Points;
