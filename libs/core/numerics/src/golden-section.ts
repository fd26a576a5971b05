/** Halvings, nearly, of an interval: 2^-20 of it are left. */
const SECTIONS = 29;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Where a function that rises and then falls is highest: by golden sections, to 2^-20 of the interval. */
export function highestIn(value: (at: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let [one, other] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atOne, atOther] = [value(one), value(other)];
  for (let section = 0; section < SECTIONS; section++)
    if (atOne >= atOther) {
      high = other;
      other = one;
      atOther = atOne;
      one = high - GOLDEN * (high - low);
      atOne = value(one);
    } else {
      low = one;
      one = other;
      atOne = atOther;
      other = low + GOLDEN * (high - low);
      atOther = value(other);
    }
  return atOne >= atOther ? one : other;
}
