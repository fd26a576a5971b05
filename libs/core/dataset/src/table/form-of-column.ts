import type { NumberFormat, OrderedFormat } from '@orchard/contracts';
import { numberOf } from '../variables/cell-values.js';
import { isMarkAmongNumbers } from '../variables/marks-among-numbers.js';
import { numberFromText } from '../variables/number-format.js';
import type { ColumnProfile } from './column-profile.js';
import { formatOfForm, type WrittenForm } from './written-forms.js';

/** How the cells of a column are read that are mostly written in one form. */
export interface ColumnForm {
  readonly format: OrderedFormat;
  /** Rows that are read. */
  readonly fitting: number;
  /** Rows of these without the signs of the form, as `0.05` beside `4.8%`; 0 where it has none. */
  readonly bare: number;
  /** The first text that is not read; null where there is none, or where texts are too many to be looked at. */
  readonly misfit: string | null;
}

/** A whole number with points between thousands, as a column with decimal commas has it: 1.250. */
const POINTS_BETWEEN_THOUSANDS = /^[-+]?[1-9]\d{0,2}(?:\.\d{3})+$/;

/**
 * The form of most cells, with what the plain numbers beside them add to it. While all distinct texts are counted, each
 * is read as its column will be. Of more of them it is known how many are plain numbers, and what digits these have.
 */
export function formOfColumn(profile: ColumnProfile, form: WrittenForm): ColumnForm {
  const format = formatOfForm(form);
  const reads = format.type === 'number' && profile.numbers > 0 ? withPlainNumbers(profile, format) : format;
  const hasSigns =
    reads.type === 'number' && reads.written !== undefined && reads.written.prefix + reads.written.suffix !== '';
  if (profile.isBeyondCounting) {
    const numbers = reads === format ? 0 : profile.numbers;
    return { format: reads, fitting: form.rows + numbers, bare: hasSigns ? numbers : 0, misfit: null };
  }
  let fitting = 0;
  let bare = 0;
  let misfit: string | null = null;
  for (const [text, rows] of profile.labels) {
    if (isMarkAmongNumbers(text)) continue;
    if (Number.isNaN(numberOf(text, reads))) misfit ??= text;
    else {
      fitting += rows;
      if (hasSigns && !Number.isNaN(numberFromText(text))) bare += rows;
    }
  }
  return { format: reads, fitting, bare, misfit };
}

/** The same where plain numbers fit; the format itself, and no other, where they are of another form. */
function withPlainNumbers(profile: ColumnProfile, format: NumberFormat): NumberFormat {
  const { written } = format;
  const { mostDecimals, leastDecimals, places } = profile.ofNumbers;
  if (written === undefined) return format;
  const widened = (most: number, least: number, needed: number): Omit<NumberFormat, 'written'> => ({
    type: 'number',
    decimals: Math.max(format.decimals, most),
    places: Math.max(format.places, needed),
    padded: format.padded && most === format.decimals && least === format.decimals,
  });
  if (written.point === '.') return { ...widened(mostDecimals, leastDecimals, places), written };
  // beside decimal commas 1.046 has thousands, and 1.5 is of another form
  if (mostDecimals !== 0 && mostDecimals !== 3) return format;
  const hasThousands = [...profile.labels.keys()].some((text) => POINTS_BETWEEN_THOUSANDS.test(text));
  if (hasThousands && written.thousands !== '' && written.thousands !== '.') return format;
  return { ...widened(0, 0, 0), written: { ...written, thousands: hasThousands ? '.' : written.thousands } };
}
