/** At most so many rows, evenly spaced. */
export function spaced(rows: number, most: number): number[] {
  const count = Math.min(rows, most);
  return Array.from({ length: count }, (_, at) => Math.floor((at * rows) / count));
}
