import { withPlainMinus } from '../../variables/minus-sign.js';

/** `1,5`, `-,5`, `1,5e3`, and with points between thousands `1.234,5`. */
const COMMA = /^[+-]?(\d*|\d{1,3}(\.\d{3})+),\d+(e[+-]?\d+)?$/i;
/** `1.250` and `12.345.678`: beside decimal commas these are thousands. */
const THOUSANDS = /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/;
/** `1.5` and `0.250`: in a file with decimal commas they are ambiguous. */
const POINT = /^[+-]?\d*\.\d+(e[+-]?\d+)?$/i;

/** A cell of a file with decimal commas, its number with a decimal point; null where it has one already. */
export function withDecimalPoint(text: string): string | null {
  const number = withPlainMinus(text);
  if (COMMA.test(number)) return number.replaceAll('.', '').replace(',', '.');
  if (THOUSANDS.test(number)) return number.replaceAll('.', '');
  return POINT.test(number) ? null : text;
}
