const MOST = 24;
const POWERS = Array.from({ length: 2 * MOST + 1 }, (_, at) => Number(`1e${at - MOST}`));

/**
 * 10 to a whole power, correctly rounded: a literal is so in every program, where `10 ** -5` of Node 20 is
 * one unit of the last place less.
 */
export function powerOfTen(exponent: number): number {
  return POWERS[exponent + MOST] ?? Number(`1e${exponent}`);
}
