/** An array cut into consecutive pieces. */
export function piecesOf<Numbers extends Uint16Array | Uint32Array | Float64Array>(
  numbers: Numbers,
  sizes: ArrayLike<number>,
): Numbers[] {
  let from = 0;
  return Array.from(sizes, (size) => {
    from += size;
    return numbers.slice(from - size, from) as Numbers;
  });
}
