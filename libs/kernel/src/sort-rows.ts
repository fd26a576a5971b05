/** Below this many rows, insertion beats another counting pass. */
const INSERTION = 24;

/**
 * The order in which packed rows are lexicographically sorted (most significant bit first), by radix from the first byte
 * on; equal rows keep their order. O(rows x distinguishing bytes).
 *
 * @param rows `count` rows of `stride` bytes each
 * @param bytes how many bytes of a row take part
 */
export function sortRows(rows: Uint8Array, count: number, stride: number, bytes: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  const scratch = new Uint32Array(count);
  const counts = new Uint32Array(257);

  const insert = (from: number, to: number, byte: number): void => {
    for (let i = from + 1; i < to; i++) {
      const row = order[i]!;
      let at = i;
      while (at > from && compare(order[at - 1]!, row, byte) > 0) {
        order[at] = order[at - 1]!;
        at--;
      }
      order[at] = row;
    }
  };
  const compare = (first: number, second: number, byte: number): number => {
    const a = first * stride;
    const b = second * stride;
    for (let i = byte; i < bytes; i++) {
      const difference = rows[a + i]! - rows[b + i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  };

  // ranges still to be sorted: from, to, byte
  const pending: number[] = [0, count, 0];
  while (pending.length > 0) {
    const byte = pending.pop()!;
    const to = pending.pop()!;
    const from = pending.pop()!;
    if (byte >= bytes || to - from < 2) continue;
    if (to - from < INSERTION) {
      insert(from, to, byte);
      continue;
    }
    counts.fill(0);
    for (let i = from; i < to; i++) counts[rows[order[i]! * stride + byte]! + 1]!++;
    let largest = 0;
    for (let value = 1; value <= 256; value++) largest = Math.max(largest, counts[value]!);
    if (largest === to - from) {
      pending.push(from, to, byte + 1);
      continue;
    }
    for (let value = 1; value <= 256; value++) counts[value]! += counts[value - 1]!;
    const starts = counts.slice(0, 257);
    for (let i = from; i < to; i++) {
      const row = order[i]!;
      scratch[from + counts[rows[row * stride + byte]!]!++] = row;
    }
    order.set(scratch.subarray(from, to), from);
    for (let value = 0; value < 256; value++)
      if (starts[value + 1]! - starts[value]! > 1)
        pending.push(from + starts[value]!, from + starts[value + 1]!, byte + 1);
  }
  return order;
}

/** For each of the sorted rows, how many leading bits it shares with the row before it (0 for the first). */
export function sharedLeadingBits(rows: Uint8Array, count: number, stride: number, dimensions: number): Uint32Array {
  const shared = new Uint32Array(count);
  const bytes = Math.ceil(dimensions / 8);
  for (let row = 1; row < count; row++) {
    const start = row * stride;
    let byte = 0;
    while (byte < bytes && rows[start + byte] === rows[start - stride + byte]) byte++;
    shared[row] =
      byte === bytes
        ? dimensions
        : Math.min(dimensions, byte * 8 + Math.clz32(rows[start + byte]! ^ rows[start - stride + byte]!) - 24);
  }
  return shared;
}
