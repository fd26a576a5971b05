/** The seed so many steps behind another one: behind the last one, 2^53 - 1, comes 0. */
export function seedBehind(seed: number, steps: number): number {
  const room = Number.MAX_SAFE_INTEGER - seed;
  return steps <= room ? seed + steps : steps - room - 1;
}
