import { exp } from '@orchard/numerics';

/** From so much on a gain is shown as a factor: 900 % likelier is read as 900 times by many. */
const MOST_PERCENT = 9;

/**
 * How much likelier each value of a row is than by its column alone: `81 %` and `likelier than`. The mean over columns:
 * the factor of a whole row says more about the number of columns than about the fit.
 *
 * @param gain nats per row beyond independent columns
 */
export function gainInWords(gain: number, columns: number): { readonly figure: string; readonly words: string } {
  const factor = exp(gain / columns);
  if (factor > 1 + MOST_PERCENT) return { figure: `${factor.toPrecision(3)} times`, words: 'as likely as' };
  const percent = Math.abs(factor - 1) * 100;
  const shown = percent < 10 ? percent.toFixed(1) : percent.toFixed(0);
  if (Number(shown) === 0) return { figure: 'no', words: 'likelier than' };
  return { figure: `${shown} %`, words: factor > 1 ? 'likelier than' : 'less likely than' };
}
