/**
 * Columns in an order in which each stands behind its parents, else ascending.
 *
 * @throws RangeError where that cannot be
 */
export function parentsFirst(parents: readonly Uint32Array[]): Uint32Array {
  const order: number[] = [];
  const isPlaced = new Uint8Array(parents.length);
  for (let before = -1; before < order.length;) {
    before = order.length;
    for (let column = 0; column < parents.length; column++) {
      if (isPlaced[column] === 1 || !parents[column]!.every((parent) => isPlaced[parent] === 1)) continue;
      isPlaced[column] = 1;
      order.push(column);
    }
  }
  if (order.length < parents.length) throw new RangeError('parents go round in a circle');
  return Uint32Array.from(order);
}
