const WHOLE = /^[-+]?\d+$/;
/** So many characters are never too many. */
const FEW = 18;
const LIMIT = 2n ** 63n;

/** Whether a text is a whole number that files have a type for, which keeps all of its digits. */
export function isWholeIn64Bits(text: string): boolean {
  if (!WHOLE.test(text)) return false;
  if (text.length <= FEW) return true;
  const value = BigInt(text);
  return value >= -LIMIT && value < LIMIT;
}
