import type { DateFormat, OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { formOfColumn } from '../table/form-of-column.js';
import { wholeDatesOf } from '../table/whole-dates.js';
import type { DayOrder } from '../table/written-forms.js';
import type { RawCell } from '../table-files/raw-table.js';
import { numberOf, writeValue } from '../variables/cell-values.js';
import { decimalsOf } from '../variables/number-format.js';
import type { SeenColumn } from './seen-column.js';
import { inUnitsOf } from './units.js';

/** A way in which a file may write the values of a column of numbers or moments. */
export interface ColumnForm {
  /** The value of a cell in the units of the form; NaN where it is none. */
  valueOf(cell: Exclude<RawCell, null>): number;
  write(value: number): string;
  /** The units, and how the values are written where that is a text. */
  readonly format: OrderedFormat;
  /** Whether day and month may be each other, and nothing says which is which. */
  readonly isEither: boolean;
}

/** Moments as whole numbers, since 1970 in UTC: what many programs write to JSON. */
const EPOCHS = [0, 3, 6, 9].map((digits): DateFormat & { readonly time: object } => ({
  type: 'date',
  time: { separator: 'T', seconds: true, digits, zone: '' },
}));

/** The forms that the cells of a column may have, of the type of a model's column. */
export function formsOf(column: SeenColumn, { name, format, range }: OrderedVariable, order?: DayOrder): ColumnForm[] {
  const { ofMoments, written } = column.profile;
  // of days that may be read in two ways, the model's column may say which
  const own = format.type === 'date' ? format.written?.order : undefined;
  const most = written.most(order ?? (own === 'dmy' || own === 'mdy' ? own : undefined));
  const isEither = most?.isEither === true && order === undefined;
  const forms: ColumnForm[] = [];
  if (format.type === 'number') forms.push(plainFormOf(column));
  if (ofMoments.format !== null) forms.push(ofFormat(ofMoments.format));
  if (most !== null) forms.push(ofFormat(formOfColumn(column.profile, most.form).format, isEither));
  const whole = format.type === 'number' ? null : wholeDatesOf(column.profile, name);
  if (whole !== null) forms.push(ofFormat(whole.format));
  if (format.type === 'date')
    for (const epoch of EPOCHS) forms.push(ofEpoch(epoch, (value) => isNear(inUnitsOf(value, epoch, format), range)));
  return forms.filter((form) => form.format.type === format.type && haveOneSign(form.format, format));
}

/** Plain numbers with as many digits as those of the column. */
export function plainFormOf({ profile }: Pick<SeenColumn, 'profile'>): ColumnForm {
  const { mostDecimals: decimals, leastDecimals, places } = profile.ofNumbers;
  return ofFormat({ type: 'number', decimals, places, padded: leastDecimals === decimals });
}

export function ofFormat(format: OrderedFormat, isEither = false): ColumnForm {
  return {
    valueOf: (cell) => numberOf(cell, format),
    write: (value) => writeValue(value, format),
    format,
    isEither,
  };
}

function ofEpoch(format: DateFormat, isPossible: (value: number) => boolean): ColumnForm {
  return {
    valueOf: (cell) => {
      const value = typeof cell === 'string' && !/^-?\d+$/.test(cell) ? NaN : Number(cell);
      return typeof cell !== 'boolean' && Number.isInteger(value) && isPossible(value) ? value : NaN;
    },
    write: (value) => value.toFixed(decimalsOf(value)),
    format,
    isEither: false,
  };
}

/** Whether a moment lies among those that trained, or not farther beyond them than they reach. */
function isNear(value: number, [least, greatest]: readonly [number, number]): boolean {
  const reach = Math.max(greatest - least, 1);
  return value >= least - reach && value <= greatest + reach;
}

const SIGNS: Readonly<Record<string, string>> = { EUR: '€', USD: '$', GBP: '£' };

/** Of numbers, that they are not of two currencies, nor of one and per cents. */
function haveOneSign(form: OrderedFormat, own: OrderedFormat): boolean {
  const [one, other] = [signOf(form), signOf(own)];
  return one === '' || other === '' || one === other;
}

function signOf(format: OrderedFormat): string {
  if (format.type !== 'number' || format.written === undefined) return '';
  const sign = `${format.written.prefix}${format.written.suffix}`.trim();
  return SIGNS[sign] ?? sign;
}
