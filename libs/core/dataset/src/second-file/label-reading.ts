import type { BinaryVariable, CategoricalVariable } from '@orchard/contracts';
import { counted } from '@orchard/refusal';
import { quote } from '../errors.js';
import { formOfColumn } from '../table/form-of-column.js';
import type { DayOrder } from '../table/written-forms.js';
import type { RawCell } from '../table-files/raw-table.js';
import { MISSING_MARKS } from '../table-files/table-options.js';
import { labelOf, numberOf, writeValue } from '../variables/cell-values.js';
import { numberFromText } from '../variables/number-format.js';
import type { ColumnProfile } from '../table/column-profile.js';
import { ofFormat, plainFormOf, type ColumnForm } from './column-form.js';
import type { Reading } from './reading.js';
import { SeenColumn } from './seen-column.js';
import { inUnitsOf } from './units.js';

type Cell = Exclude<RawCell, null>;

/** What cells mean that are no label as they stand, and how a label is written like them. */
interface Meaning {
  labelOf(cell: Cell): string | undefined;
  write(label: string): string;
}

/**
 * How a model's column of labels reads cells that mean a label of it and are written otherwise: `TRUE` for `True`, `1`
 * for `1.0`, midnight for the day. Null where there are none, or where it is not clear which label is meant.
 *
 * @param areTyped whether the file has a way of its own to say that a value is missing: a text that marks one in a CSV
 *   is a missing value there too, unless it is a label of the model
 */
export function labelReading(
  variable: BinaryVariable | CategoricalVariable,
  column: SeenColumn,
  order: DayOrder | undefined,
  areTyped: boolean,
): Reading | null {
  const { name, labels } = variable;
  const known = new Set(labels);
  const isMark = (cell: Cell): boolean => areTyped && typeof cell === 'string' && !known.has(cell) && MARKS.has(cell);
  const cells = [...column.cells.keys()].filter((cell) => !isMark(cell));
  const marked = column.rowsWhere(isMark);
  const meaning = meaningOf(variable, column, cells, order);
  const hows: string[] = [];
  if (meaning !== null) {
    const { example } = meaning;
    const label = meaning.labelOf(example)!;
    // the number 1 is what the label 1.0 stands for: nothing is decided
    const isItself = typeof example === 'number' && numberFromText(label) === example;
    if (!isItself) hows.push(`cells as ${quote(labelOf(example))} are read as ${quote(label)}`);
  }
  if (marked > 0) {
    const example = [...column.cells.keys()].find(isMark)!;
    const cells = counted(marked, 'cell counts', 'cells count');
    hows.push(`${cells} as missing, as ${quote(labelOf(example))}, which is not a label of the training rows`);
  }
  if (meaning === null && marked === 0) return null;
  return {
    read: (cell) => (isMark(cell) ? null : known.has(labelOf(cell)) ? cell : (meaning?.labelOf(cell) ?? cell)),
    write: (label) => meaning?.write(label) ?? label,
    how: hows.length === 0 ? null : `of ${quote(name)} ${hows.join('; ')}`,
    isEither: false,
  };
}

const MARKS: ReadonlySet<string> = new Set(MISSING_MARKS);

/** What cells mean that are no label as they stand, with one of them; null where they mean none. */
function meaningOf(
  variable: BinaryVariable | CategoricalVariable,
  column: SeenColumn,
  cells: readonly Cell[],
  order: DayOrder | undefined,
): (Meaning & { readonly example: Cell }) | null {
  const known = new Set(variable.labels);
  for (const meaning of [truthOf(variable.labels, cells), valuesOf(variable, column, order)]) {
    const example = cells.find((cell) => !known.has(labelOf(cell)) && meaning?.labelOf(cell) !== undefined);
    if (meaning !== null && example !== undefined) return { ...meaning, example };
  }
  return null;
}

const TRUTHS: readonly (readonly [no: string, yes: string])[] = [
  ['False', 'True'],
  ['false', 'true'],
  ['FALSE', 'TRUE'],
  ['0', '1'],
  ['0.0', '1.0'],
  // as databases and forms have them
  ['f', 't'],
  ['no', 'yes'],
  ['No', 'Yes'],
  ['NO', 'YES'],
  // as spreadsheets write them in other languages
  ['FALSCH', 'WAHR'],
  ['FAUX', 'VRAI'],
  ['FALSO', 'VERDADERO'],
  ['FALSO', 'VERO'],
  ['FALSO', 'VERDADEIRO'],
  ['ONWAAR', 'WAAR'],
  ['FALSKT', 'SANT'],
  ['FALSK', 'SAND'],
  ['USANN', 'SANN'],
  ['FAŁSZ', 'PRAWDA'],
  ['NEPRAVDA', 'PRAVDA'],
];

/** 1 for what is true, 0 for what is false; undefined of what is neither. */
function truth(text: string): 0 | 1 | undefined {
  const said = TRUTHS.find((words) => words.includes(text));
  return said === undefined ? undefined : said[1] === text ? 1 : 0;
}

/** Truth values, where labels and cells are nothing else. */
function truthOf(labels: readonly string[], cells: readonly Cell[]): Meaning | null {
  const label = new Map(labels.map((each) => [truth(each), each]));
  if (label.has(undefined) || label.size !== labels.length) return null;
  if (cells.some((cell) => truth(labelOf(cell)) === undefined)) return null;
  const words = TRUTHS.find((each) => cells.every((cell) => each.includes(labelOf(cell))));
  return {
    labelOf: (cell) => label.get(truth(labelOf(cell))),
    write: (text) => words?.[truth(text) ?? 0] ?? text,
  };
}

/** Numbers and moments by their value, where no two labels have the same. */
function valuesOf(
  variable: BinaryVariable | CategoricalVariable,
  column: SeenColumn,
  order: DayOrder | undefined,
): Meaning | null {
  const { labels } = variable;
  const ofLabels = new SeenColumn(variable, 1, 0);
  ofLabels.add(labels, labels.length);
  const own = formOf(ofLabels.end().profile, order);
  const form = formOf(column.profile, order);
  if (own === null || form?.format.type !== own.format.type) return null;
  const labelWith = new Map<number, string | undefined>();
  for (const label of labels) {
    const value = own.valueOf(label);
    if (!Number.isNaN(value)) labelWith.set(value, labelWith.has(value) ? undefined : label);
  }
  const toOwn = (value: number): number => inUnitsOf(value, form.format, own.format);
  return {
    labelOf: (cell) => labelWith.get(toOwn(form.valueOf(cell))),
    write: (text) => {
      const value = inUnitsOf(numberOf(text, own.format), own.format, form.format);
      return Number.isNaN(value) ? text : writeValue(value, form.format);
    },
  };
}

/** The form of most of the cells that are numbers or moments; null where there are none, and where it is not clear. */
function formOf(profile: ColumnProfile, order: DayOrder | undefined): ColumnForm | null {
  const { ofNumbers, ofMoments, written } = profile;
  const most = written.most(order);
  if (most !== null && most.form.rows > Math.max(ofNumbers.rows, ofMoments.rows))
    return most.isEither && order === undefined ? null : ofFormat(formOfColumn(profile, most.form).format);
  if (ofMoments.format !== null && ofMoments.rows > ofNumbers.rows) return ofFormat(ofMoments.format);
  return ofNumbers.rows === 0 ? null : plainFormOf({ profile });
}
