/** Adds a packed row of so many bytes to counts by position: O(ones). */
export function countOnes(counts: Float64Array | Uint32Array, packed: Uint8Array, from: number, bytes: number): void {
  for (let byte = 0; byte < bytes; byte++)
    for (let bits = packed[from + byte]!; bits !== 0; bits &= bits - 1)
      // the first position of a byte is its highest bit: Math.clz32 of its lowest one is 31 - shift
      counts[8 * byte + Math.clz32(bits & -bits) - 24]!++;
}
