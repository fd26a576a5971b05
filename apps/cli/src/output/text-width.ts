/** Signs that terminals give no place of their own: accents behind their letter, and what joins or varies signs. */
const NO_PLACE = /[\p{M}\u200b-\u200d\ufe00-\ufe0f]/u;
/** Signs that take two places: those of Chinese, Japanese and Korean, full-width forms, and emoji. */
const TWO_PLACES =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const PLAIN = /^[\u0020-\u02ff]*$/;

/** How many places a text takes on a terminal, about. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += NO_PLACE.test(sign) ? 0 : TWO_PLACES.test(sign) ? 2 : 1;
  return width;
}
