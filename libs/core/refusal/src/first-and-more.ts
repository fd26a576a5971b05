/**
 * The first of some words, and how many more there are: `a, b, c and 287 more`.
 *
 * @param inWords how that number is written
 */
export function firstAndMore(
  words: readonly string[],
  most: number,
  inWords: (more: number) => string = String,
  between = ', ',
): string {
  const shown = words.slice(0, most).join(between);
  return words.length > most ? `${shown} and ${inWords(words.length - most)} more` : shown;
}
