import type { OrderedFormat, OrderedVariable } from '@orchard/contracts';
import { quote } from '../errors.js';
import { withWord, type OptionWord } from '../reading/option-words.js';
import type { DayOrder } from '../table/written-forms.js';
import type { TableOptionName } from '../table-files/table-options.js';
import type { RawCell } from '../table-files/raw-table.js';
import { labelOf, numberOf, writeValue } from '../variables/cell-values.js';
import { formsOf, ofFormat, plainFormOf, type ColumnForm } from './column-form.js';
import type { Reading } from './reading.js';
import type { SeenColumn } from './seen-column.js';
import { inUnitsOf, wholeOf } from './units.js';

/**
 * How a model's column of numbers or moments reads a file's column that is written in another form: the form in which
 * most of its cells are read. Null where none reads more than the model's own form, which decides what several could
 * mean.
 */
export function orderedReading(
  variable: OrderedVariable,
  column: SeenColumn,
  order: DayOrder | undefined,
  wordFor: OptionWord<TableOptionName>,
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
    [best, most] = [form, rows];
  }
  return best === null ? bareReading(format, column) : readingOf(variable, best, column, wordFor);
}

/** Plain numbers in a column of numbers with signs are read as they stand, and those beside them are written so too. */
function bareReading(format: OrderedFormat, column: SeenColumn): Reading | null {
  const { numbers, values } = column.profile;
  if (format.type !== 'number' || format.written === undefined || numbers < values) return null;
  const plain = plainFormOf(column);
  return {
    read: (cell) => cell,
    write: (text) => plain.write(numberOf(text, format)),
    how: null,
    isEither: false,
  };
}

function saysOtherOrder(format: OrderedFormat, order: DayOrder): boolean {
  return format.type === 'date' && format.written?.month === 'number' && format.written.order !== order;
}

function readingOf(
  { format, name }: OrderedVariable,
  form: ColumnForm,
  column: SeenColumn,
  wordFor: OptionWord<TableOptionName>,
): Reading {
  const valueOf = (cell: Exclude<RawCell, null>): number => inUnitsOf(form.valueOf(cell), form.format, format);
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
    ? `; ${withWord(wordFor, `if day and month are the other way round, say ${other}`, 'dates')}`
    : '';
  return {
    read,
    write: (text) => {
      const value = inUnitsOf(numberOf(text, format), format, form.format);
      if (!Number.isNaN(value)) return form.write(value);
      // of a moment that is filled in, a column of days has the day
      const isDay = form.format.type === 'date' && form.format.time === null;
      return isDay ? form.write(wholeOf(numberOf(text, format), format, form.format)) : text;
    },
    how: `of ${quote(name)} ${what} as ${quote(labelOf(example))} are read as ${means}${doubt}`,
    isEither: form.isEither,
  };
}
