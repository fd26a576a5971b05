/**
 * When the last job ends where every worker that is free takes the next one. O(n log w).
 *
 * @param {readonly number[]} costs in the order in which they are taken
 * @param {number} workers
 */
export function makespan(costs, workers) {
  // a heap of the times at which the workers are free
  const free = new Float64Array(Math.min(workers, costs.length));
  let last = 0;
  for (const cost of costs) {
    const end = free[0] + cost;
    last = Math.max(last, end);
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child + 1 < free.length && free[child + 1] < free[child]) child += 1;
      if (child >= free.length || free[child] >= end) break;
      free[place] = free[child];
      place = child;
    }
    free[place] = end;
  }
  return last;
}

/** The least that any order could reach. */
export function lowerBound(costs, workers) {
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  return Math.max(total / workers, ...costs);
}

/**
 * Values at all whole places from 0 to `count` - 1, straight lines between those that are known, level beyond them.
 *
 * @param {readonly { at: number, value: number }[]} known ascending, at least one
 * @param {number} count
 */
export function interpolate(known, count) {
  return Array.from({ length: count }, (_, place) => {
    const next = known.findIndex(({ at }) => at >= place);
    if (next === 0) return known[0].value;
    if (next === -1) return known.at(-1).value;
    const [left, right] = [known[next - 1], known[next]];
    return left.value + ((right.value - left.value) * (place - left.at)) / (right.at - left.at);
  });
}
