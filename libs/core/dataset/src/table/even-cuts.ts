/**
 * Up to `most` codes at which to split, equally many rows apart.
 * @param counts rows of each cell
 */
export function evenCuts(counts: readonly number[], most: number): number[] {
  if (counts.length - 1 <= most) return counts.slice(1).map((_, at) => at + 1);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const cuts: number[] = [];
  let below = 0;
  counts.forEach((count, code) => {
    if (code > 0 && below >= ((cuts.length + 1) * rows) / (most + 1) && cuts.length < most) cuts.push(code);
    below += count;
  });
  return cuts;
}
