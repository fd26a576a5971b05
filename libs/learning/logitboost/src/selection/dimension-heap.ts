/**
 * Binary max-heap of dimensions by a key, the lower index first among equal keys: a total order, so what is at the top
 * never depends on the order in which the dimensions came in. Typed arrays, nothing allocated after the construction.
 */
export class DimensionHeap {
  readonly #dims: Uint32Array;
  readonly #keys: Float64Array;
  #size: number;

  /** @param keys - by dimension; a dimension whose key is NaN has nothing to offer and stays out. O(D). */
  constructor(keys: Float64Array) {
    this.#keys = keys.slice();
    this.#dims = new Uint32Array(keys.length);
    this.#size = 0;
    for (let dim = 0; dim < keys.length; dim += 1) if (!Number.isNaN(keys[dim]!)) this.#dims[this.#size++] = dim;
    for (let slot = (this.#size >> 1) - 1; slot >= 0; slot -= 1) this.#sink(slot);
  }

  get size(): number {
    return this.#size;
  }

  /** The dimension with the largest key. */
  get top(): number {
    return this.#dims[0]!;
  }

  /** Gives the top dimension its next key. O(log D). */
  replaceTop(key: number): void {
    this.#keys[this.top] = key;
    this.#sink(0);
  }

  /** Takes the top dimension out. O(log D). */
  removeTop(): void {
    this.#size -= 1;
    this.#dims[0] = this.#dims[this.#size]!;
    if (this.#size > 0) this.#sink(0);
  }

  #sink(start: number): void {
    const dims = this.#dims;
    const keys = this.#keys;
    const size = this.#size;
    const dim = dims[start]!;
    const key = keys[dim]!;
    let slot = start;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= size) break;
      let childDim = dims[child]!;
      let childKey = keys[childDim]!;
      if (child + 1 < size) {
        const otherDim = dims[child + 1]!;
        const otherKey = keys[otherDim]!;
        if (otherKey > childKey || (otherKey === childKey && otherDim < childDim)) {
          child += 1;
          childDim = otherDim;
          childKey = otherKey;
        }
      }
      if (key > childKey || (key === childKey && dim < childDim)) break;
      dims[slot] = childDim;
      slot = child;
    }
    dims[slot] = dim;
  }
}
