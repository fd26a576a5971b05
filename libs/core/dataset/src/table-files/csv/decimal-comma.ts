/** `1,5`, `-,5`, `1,5e3`, and with points between thousands `1.234,5`. */
const COMMA = /^[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+(e[+-]?\d+)?$/i;
/** `1.5` or `1.234`: in a file with decimal commas it is ambiguous. */
const POINT = /^[+-]?\d*\.\d+(e[+-]?\d+)?$/i;

/** A cell of a file with decimal commas, its number with a decimal point; null where it has one already. */
export function withDecimalPoint(text: string): string | null {
  if (COMMA.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return POINT.test(text) ? null : text;
}
