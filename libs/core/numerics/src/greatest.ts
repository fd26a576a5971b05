/** The greatest of some values; -Infinity of none. */
export function greatestOf(values: ArrayLike<number>): number {
  let greatest = -Infinity;
  for (let at = 0; at < values.length; at++) greatest = Math.max(greatest, values[at]!);
  return greatest;
}

/** Where the greatest of some values stands: of equal ones the first; 0 of none. */
export function placeOfGreatest(values: ArrayLike<number>): number {
  let place = 0;
  for (let at = 1; at < values.length; at++) if (values[at]! > values[place]!) place = at;
  return place;
}
