import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import type { DayOrder } from '../table/written-forms.js';
import type { RawCell, RawTable } from '../table-files/raw-table.js';
import { labelOf, numberOf, writeValue } from '../variables/cell-values.js';
import { formsOf, ofFormat, type ColumnForm } from './column-form.js';
import { scaled, scaleOfPerCents } from './per-cents.js';
import type { Reading } from './reading.js';
import type { SeenColumn } from './seen-column.js';
import { inUnitsOf, wholeOf } from './units.js';

/** What messages call the rows, and the options that they advise. */
export type ReadingPlace = Pick<RawTable, 'name' | 'wordFor'>;

/**
 * How a model's column of numbers or moments reads a file's column that is written in another form: the form in which
 * most of its cells are read. Null where none reads more than the model's own form, which decides what several could
 * mean.
 */
export function orderedReading(
  variable: OrderedVariable,
  column: SeenColumn,
  order: DayOrder | undefined,
  where: ReadingPlace,
): Reading | null {
  const { format } = variable;
  const own = ofFormat(format);
  const rowsOf = (form: ColumnForm): number =>
    column.rowsWhere((cell) => !Number.isNaN(inUnitsOf(form.valueOf(cell), form.format, format)));
  let best: ColumnForm | null = null;
  // where the order of day and month is given, the form of the file comes before that of the model
  let most = order !== undefined && saysOtherOrder(format, order) ? 0 : rowsOf(own);
  for (const form of formsOf(column, variable, order)) {
    const rows = rowsOf(form);
    if (rows <= most) continue;
    best = form;
    most = rows;
  }
  if (best !== null) return readingOf(variable, best, column, where);
  const alike = formsOf(column, variable, order).find((form) => most > 0 && rowsOf(form) === most);
  if (alike === undefined) return null;
  return scaleOfPerCents(variable, alike, column, where) === 1
    ? ownReading(format, writtenBy(alike, format, most))
    : readingOf(variable, alike, column, where);
}

/** Fewer cells than that do not show with how many digits a column is written. */
const FEW_CELLS = 20;

/** The form in which values are written beside the cells of a file: of few cells with the digits of the model too. */
function writtenBy(form: ColumnForm, own: OrderedFormat, rows: number): ColumnForm {
  const { format } = form;
  if (format.type !== 'number' || own.type !== 'number' || rows >= FEW_CELLS) return form;
  return ofFormat({
    ...format,
    decimals: Math.max(format.decimals, own.decimals),
    places: Math.max(format.places, own.places),
    padded: format.padded && format.decimals >= own.decimals,
  });
}

/** Cells that the model's column reads as they stand, though they are written otherwise: so are those beside them. */
function ownReading(format: OrderedFormat, form: ColumnForm): Reading {
  return {
    read: (cell) => cell,
    write: (text) => {
      const value = inUnitsOf(numberOf(text, format), format, form.format);
      return Number.isNaN(value) ? text : form.write(value);
    },
    how: null,
    isEither: false,
  };
}

function saysOtherOrder(format: OrderedFormat, order: DayOrder): boolean {
  return format.type === 'date' && format.written?.month === 'number' && format.written.order !== order;
}

function readingOf(variable: OrderedVariable, form: ColumnForm, column: SeenColumn, where: ReadingPlace): Reading {
  const scale = scaleOfPerCents(variable, form, column, where);
  const valueOf = (cell: Exclude<RawCell, null>): number =>
    scaled(inUnitsOf(form.valueOf(cell), form.format, format), scale);
  const { format, name } = variable;
  const rows = column.rowsWhere((cell) => !Number.isNaN(form.valueOf(cell)));
  const written = writtenBy(form, format, rows);
  const read = (cell: Exclude<RawCell, null>): Exclude<RawCell, null> => {
    const value = valueOf(cell);
    if (Number.isNaN(value)) return cell;
    if (format.type === 'number') return value;
    // years of two digits do not hold every day
    const text = writeValue(value, format);
    return numberOf(text, format) === value ? text : cell;
  };
  const example = [...column.cells.keys()].find((cell) => !Number.isNaN(valueOf(cell)))!;
  const means = writeValue(valueOf(example), format);
  const what = { number: 'numbers', date: 'dates', time: 'times', duration: 'durations' }[format.type];
  const other = form.format.type === 'date' && form.format.written?.order === 'dmy' ? 'mdy' : 'dmy';
  const doubt = form.isEither
    ? `; ${withWord(where.wordFor ?? noWord, `if day and month are the other way round, say ${other}`, 'dates')}`
    : '';
  return {
    read,
    write: (text) => {
      const value = scaled(inUnitsOf(numberOf(text, format), format, form.format), 1 / scale);
      if (!Number.isNaN(value)) return written.write(value);
      // of a moment that is filled in, a column of days has the day
      const isDay = form.format.type === 'date' && form.format.time === null;
      return isDay ? form.write(wholeOf(numberOf(text, format), format, form.format)) : text;
    },
    how: `of ${quote(name)} ${what} as ${quote(labelOf(example))} are read as ${means}${doubt}`,
    isEither: form.isEither,
  };
}
