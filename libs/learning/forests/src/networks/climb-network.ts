/** How much a network may hold. */
export interface NetworkSize {
  /** Parents of a column at most. */
  readonly parents: number;
  /** Edges of the network at most. */
  readonly edges: number;
}

/** What edges are worth: a column's likelihood given its parents depends on no other column. */
export interface EdgeGains {
  /**
   * What another column (place) would gain a column (line) as one more parent, nats: element `column * columns +
   * other`; 0 where it cannot be one.
   */
  readonly gains: Float64Array;
  /** Counts the gains of a column anew, which has other parents now. */
  renew(column: number, parents: Uint32Array): void;
  /** What a column loses without one of its parents, which the others do not tell. */
  lossOf(column: number, parent: number, others: Uint32Array): number;
}

/**
 * The structure of a network by greedy hill climbing: of all edges that could be added or reversed, that is taken which
 * gains most, until there are as many as may be. An edge has no price but its place, so that taking one away alone
 * never gains.
 *
 * After each change only the gains of the columns that it changed are counted anew.
 *
 * @param least nats: what gains no more is not taken
 * @returns the parents of each column, ascending
 */
export function climbNetwork(columns: number, most: NetworkSize, least: number, worth: EdgeGains): Uint32Array[] {
  const parents: Uint32Array[] = Array.from({ length: columns }, () => new Uint32Array());
  // without a place for an edge nothing has to be known of edges
  if (most.edges === 0) return parents;
  const renew = (column: number, own: Uint32Array): void => {
    parents[column] = own;
    worth.renew(column, own);
  };
  parents.forEach((own, column) => renew(column, own));
  for (let edges = 0; ;) {
    const change = bestChange(parents, edges < most.edges, most.parents, worth);
    if (!(change.gain > least)) return parents;
    const { child, parent, isReversal } = change;
    if (isReversal) renew(parent, withoutParent(parents[parent]!, child));
    else edges++;
    renew(child, withParent(parents[child]!, parent));
  }
}

/** An edge that is added, or turned to lead to the child. */
interface Change {
  readonly child: number;
  readonly parent: number;
  readonly gain: number;
  readonly isReversal: boolean;
}

/** Of changes that gain as much the first. */
function bestChange(
  parents: readonly Uint32Array[],
  mayAdd: boolean,
  mostParents: number,
  { gains, lossOf }: EdgeGains,
): Change {
  const columns = parents.length;
  let best: Change = { child: -1, parent: -1, gain: 0, isReversal: false };
  const consider = (child: number, parent: number, gain: number, isReversal: boolean): void => {
    if (gain > best.gain) best = { child, parent, gain, isReversal };
  };
  parents.forEach((own, child) => {
    if (!mayAdd || own.length >= mostParents) return;
    for (let parent = 0, at = child * columns; parent < columns; parent++, at++)
      if (gains[at]! > best.gain && !isBelow(parents, parent, child)) consider(child, parent, gains[at]!, false);
  });
  // child -> parent becomes parent -> child
  parents.forEach((own, parent) => {
    for (const child of own) {
      if (parents[child]!.length >= mostParents) continue;
      const added = gains[child * columns + parent]!;
      if (!(added > best.gain)) continue;
      const others = withoutParent(own, child);
      if (others.some((other) => isBelow(parents, other, child))) continue;
      consider(child, parent, added - lossOf(parent, child, others), true);
    }
  });
  return best;
}

export function withParent(parents: Uint32Array, parent: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from([...parents, parent]).sort();
}

export function withoutParent(parents: Uint32Array, parent: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(parents.filter((other) => other !== parent));
}

/** Whether a column is another one, or has it among those before it. */
function isBelow(parents: readonly Uint32Array[], column: number, above: number): boolean {
  const reached = [column];
  const isSeen = new Uint8Array(parents.length);
  for (const each of reached) {
    if (each === above) return true;
    if (isSeen[each] === 1) continue;
    isSeen[each] = 1;
    for (const parent of parents[each]!) reached.push(parent);
  }
  return false;
}
