/**
 * What stands for a minus in texts that were set for readers: U+2212, as Swedish banks and Numbers write it, the dash
 * that is often put for it, and the small and the wide minus.
 */
const MINUS = /[\u2212\u2013\ufe63\uff0d]/;

/** The same text with the minus of a keyboard where it has such a sign. */
export function withPlainMinus(text: string): string {
  return text.replace(MINUS, '-');
}
