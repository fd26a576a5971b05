/**
 * The first of the places 0 to `count - 1` of which something holds, where it holds of all after one of which it does;
 * `count` where it holds of none. By halving: it is asked O(log count) times.
 */
export function firstThat(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The largest of 1 to `most` of which something holds, where it holds of all below such a one; 0 of none. */
export function largestThat(most: number, holds: (number: number) => boolean): number {
  return firstThat(most, (place) => !holds(place + 1));
}
