const STEPS = 60;

/**
 * Where a function that rises is 0, between `low` and `high`: by Newton's steps, and by halving where one leaves the
 * bounds that are known. To 1e-12 of itself, or as near as 60 steps come.
 *
 * @param at its value and its slope
 * @param first a guess within the bounds
 */
export function risingRoot(
  at: (x: number) => readonly [value: number, slope: number],
  low: number,
  high: number,
  first: number,
): number {
  let [least, most] = [low, high];
  let x = first;
  for (let step = 0; step < STEPS; step++) {
    const [value, slope] = at(x);
    if (value < 0) least = x;
    else most = x;
    const newton = x - value / slope;
    const next = newton > least && newton < most ? newton : (least + most) / 2;
    if (Math.abs(next - x) <= 1e-12 * (1 + Math.abs(x))) return next;
    x = next;
  }
  return x;
}
