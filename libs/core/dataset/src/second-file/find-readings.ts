import type { BinaryVariable, CategoricalVariable, Table, Variable } from '@orchard/contracts';
import { DatasetError, quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import { listNames } from '../rows/columns.js';
import { placesInFile, readFor } from '../table/encode-table.js';
import type { Kind } from '../table/inferred.js';
import type { DayOrder } from '../table/written-forms.js';
import type { RawColumn } from '../table-files/raw-column.js';
import type { RawBatch, RawCell, RawTable } from '../table-files/raw-table.js';
import { withoutMarks } from '../table-files/missing-cells.js';
import { Encoder, expectedCell, isHole, labelOf, writeValue } from '../variables/cell-values.js';
import { labelReading } from './label-reading.js';
import { orderedReading } from './ordered-reading.js';
import type { Reading } from './reading.js';
import { FirstLook, SeenColumn } from './seen-column.js';

export interface ReadingOptions {
  /** Which of day and month comes first, where dates do not show it. */
  readonly dates?: DayOrder | undefined;
  /** What columns are: as the model has them. Labels of a column that is said to be one of labels stay as written. */
  readonly types?: Readonly<Record<string, Kind>> | undefined;
}

/** A file whose cells are read as those that trained a model. */
export interface SecondFile {
  /** The same rows, their cells in the words of the model where they were written otherwise. */
  readonly table: RawTable;
  /** Of each variable how its cells are read; null where they are read as they stand. */
  readonly readings: readonly (Reading | null)[];
  /** What is made of cells that are not read as they stand, one sentence for each such column. */
  readonly remarks: readonly string[];
}

/**
 * Finds out how the cells of a file are to be read for a model that was trained on another file: the same values in
 * another form (Parquet for CSV, `11/14/2024` for `2024-11-14`, `TRUE` for `True`) are the same rows. One pass, and one
 * more over columns that are not read as they stand.
 *
 * @throws DatasetError `column` for columns that are missing; `value` where more than half of a column's cells are not
 *   read, `argument` for a kind that a column does not have in the model
 */
export async function readAsTrained(file: RawTable, table: Table, options: ReadingOptions = {}): Promise<SecondFile> {
  const marked = new Set<string>();
  const raw = withMarksOf(table, readFor(table, file), (cell) => marked.add(String(cell)));
  checkKinds(table, options, raw);
  const places = placesInFile(raw, table);
  checkReadable(raw, table, places);
  const looks = table.variables.map((variable) => new FirstLook(variable));
  await eachBatch(raw, places, (columns, rows) => {
    looks.forEach((look, index) => look.add(columns[places[index]!]!, rows));
  });
  const open = table.variables.flatMap((variable, index) =>
    !looks[index]!.readsAll || mayBeOtherwise(variable, options) ? [index] : [],
  );
  const seen = new Map(
    open.map((index) => [index, new SeenColumn(table.variables[index]!, raw.columns.length, places[index]!)]),
  );
  if (open.length > 0)
    await eachBatch(
      raw,
      [...seen.keys()].map((index) => places[index]!),
      (columns, rows) => {
        for (const [index, column] of seen) column.add(columns[places[index]!]!, rows);
      },
    );
  const readings = findReadings(table, seen, options, raw, places);
  const remarks = [...ofMarks(marked), ...readings.flatMap((reading) => reading?.how ?? [])];
  if (readings.every((reading) => reading === null)) return { table: raw, readings, remarks };
  return { table: { ...raw, batches: (needed) => readBatches(raw, needed, places, readings) }, readings, remarks };
}

/** Cells that were said to be missing values at training are such here, unless it is said which are. */
function withMarksOf({ marks }: Table, raw: RawTable, onMark: (cell: string | number) => void): RawTable {
  return marks === undefined || raw.saidMarks !== undefined ? raw : withoutMarks(raw, new Set(marks), onMark);
}

function ofMarks(marked: ReadonlySet<string>): readonly string[] {
  if (marked.size === 0) return [];
  return [`cells that say ${listNames([...marked])} are missing values, as was said at training`];
}

/** @param seen the columns that are not read as they stand, or may be meant otherwise */
function findReadings(
  { variables }: Table,
  seen: ReadonlyMap<number, SeenColumn>,
  { dates, types = {} }: ReadingOptions,
  raw: RawTable,
  places: readonly number[],
): readonly (Reading | null)[] {
  return variables.map((variable, index) => {
    const column = seen.get(index)?.end();
    if (column === undefined) return null;
    if (variable.kind !== 'ordered') {
      if (Object.hasOwn(types, variable.name)) return null;
      const ofLabels = labelReading(variable, column, dates, raw.format !== 'csv');
      const newLabels = newLabelsAre(variable, column, ofLabels, raw);
      return newLabels === null ? ofLabels : { ...(ofLabels ?? AS_IT_STANDS), how: newLabels };
    }
    const reading = orderedReading(variable, column, dates, raw);
    requireMostRead(variable, column, reading, raw, places[index]!);
    return reading;
  });
}

/**
 * Whether the cells are to be looked at though the model's column reads them: days of which the order was given, and
 * all that may be written in several ways, in which what is filled in is to be written too.
 */
function mayBeOtherwise(variable: Variable, { dates }: ReadingOptions): boolean {
  if (variable.kind !== 'ordered') return false;
  const { format } = variable;
  switch (format.type) {
    case 'number':
      return format.written !== undefined;
    case 'date':
      return dates !== undefined || format.written !== undefined || format.midnight !== undefined;
    case 'time':
    case 'duration':
      return format.clock !== undefined;
  }
}

async function eachBatch(
  raw: RawTable,
  places: readonly number[],
  use: (columns: readonly RawColumn[], rows: number) => void,
): Promise<void> {
  for await (const { rows, columns } of raw.batches(new Set(places))) use(columns, rows);
}

async function* readBatches(
  raw: RawTable,
  needed: ReadonlySet<number> | undefined,
  places: readonly number[],
  readings: readonly (Reading | null)[],
): AsyncGenerator<RawBatch, void> {
  const readingAt = new Map(places.map((place, index) => [place, readings[index] ?? null]));
  for await (const { rows, columns } of raw.batches(needed))
    yield {
      rows,
      columns: columns.map((column, place) => {
        const reading = readingAt.get(place) ?? null;
        return reading === null || (needed !== undefined && !needed.has(place))
          ? column
          : readColumn(column, rows, reading);
      }),
    };
}

function readColumn(column: RawColumn, rows: number, reading: Reading): RawColumn {
  const known = new Map<RawCell, RawCell>();
  return Array.from({ length: rows }, (_, row): RawCell => {
    const cell = column.at(row);
    if (isHole(cell)) return null;
    const found = known.get(cell);
    if (found !== undefined) return found;
    const read = reading.read(cell);
    known.set(cell, read);
    return read;
  });
}

/** A single cell is a mistake or another value, and says nothing of how a file is written. */
const LEAST_OF_A_FORM = 2;

/** @throws DatasetError `value` where more than half of the cells are not read: the file is of another form */
function requireMostRead(
  variable: Variable,
  column: SeenColumn,
  reading: Reading | null,
  raw: RawTable,
  place: number,
): void {
  if (variable.kind !== 'ordered') return;
  const encoder = new Encoder(variable);
  const isRead = (cell: Exclude<RawCell, null>): boolean => {
    const read = reading === null ? cell : reading.read(cell);
    return read !== null && !Number.isNaN(encoder.value(read));
  };
  const values = column.rowsWhere(() => true);
  const misfits = values - column.rowsWhere(isRead);
  if (misfits < LEAST_OF_A_FORM || misfits * 2 <= values) return;
  const example = [...column.cells.keys()].find((cell) => !isRead(cell))!;
  const { wordFor = noWord } = raw;
  throw new DatasetError('value', {
    got: `${quote(labelOf(example))} (${misfits} of ${values} cells)`,
    expected: `${expectedCell(variable.format)}, as ${quote(writeValue(variable.range[0], variable.format))} of the training rows`,
    where: raw.placeOf?.(place, example) ?? `${raw.name}, column ${quote(variable.name)}`,
    remedy: `Write the cells as the training rows do, or ${withWord(wordFor, 'say which of them mark missing values', 'missing')}.`,
  });
}

/** So many cells without one label of the model, and so many distinct ones, are no new value but another form. */
const LEAST_CELLS = 10;
const LEAST_LABELS = 2;
/** Labels of the training rows that a message shows. */
const MOST_SHOWN = 3;

/**
 * What is said of a column most of whose labels training never had; null of any other. They are "(other)": a new shop,
 * a new year. Where a column has none but such, as `M`, `F` for `male`, `female`, its cells are written otherwise, and
 * the scores of all rows would be wrong.
 *
 * @throws DatasetError `value` where no label of the model is in a column
 */
function newLabelsAre(
  variable: BinaryVariable | CategoricalVariable,
  column: SeenColumn,
  reading: Reading | null,
  { name, wordFor = noWord }: RawTable,
): string | null {
  // rare labels of the training rows are not listed
  if (variable.kind === 'categorical' && variable.others > 0) return null;
  const encoder = new Encoder(variable);
  const readOf = (cell: Exclude<RawCell, null>): RawCell => (reading === null ? cell : reading.read(cell));
  const isNew = (cell: Exclude<RawCell, null>): boolean => {
    const read = readOf(cell);
    const code = read === null ? 0 : encoder.code(read, NaN);
    return code === null || code >= variable.labels.length;
  };
  const rows = column.rowsWhere((cell) => readOf(cell) !== null);
  const newRows = column.rowsWhere(isNew);
  if (newRows < LEAST_LABELS || 2 * newRows <= rows) return null;
  const found = [...column.cells.keys()].filter(isNew);
  const own = variable.labels.slice(0, MOST_SHOWN).map(quote).join(', ');
  const labels = `${own}${variable.labels.length > MOST_SHOWN ? ', …' : ''}`;
  if (newRows < rows || rows < LEAST_CELLS || found.length < LEAST_LABELS)
    return `of ${quote(variable.name)} ${newRows} of ${rows} cells are no labels of the training rows: ${quote(labelOf(found[0]!))} for example, where those have ${labels}`;
  const [first, second] = found.map((cell) => quote(labelOf(cell)));
  throw new DatasetError('value', {
    got: `${first!} and ${second!} (none of ${rows} cells is a label of the training rows)`,
    expected: `labels as in the training rows: ${labels}`,
    where: `${name}, column ${quote(variable.name)}`,
    remedy: `Write the cells as the training rows do, or, if they are new labels, ${withWord(wordFor, 'say that the column is categorical', 'types')}.`,
  });
}

const AS_IT_STANDS: Omit<Reading, 'how'> = { read: (cell) => cell, write: (text) => text, isEither: false };

/** @throws DatasetError `column` for a column of the model whose cells are not single values: not one would be known */
function checkReadable(raw: RawTable, { variables }: Table, places: readonly number[]): void {
  variables.forEach(({ name }, index) => {
    const cells = raw.unreadable?.get(places[index]!);
    if (cells === undefined) return;
    throw new DatasetError('column', {
      got: cells,
      expected: 'one number, text, truth value or date in a cell, as in the training rows',
      where: `${raw.name}, column ${quote(name)}`,
      remedy: 'Write the column anew as those that trained the model are.',
    });
  });
}

/** @throws DatasetError for a kind that a column does not have in the model, and for a column that is none of it */
function checkKinds({ variables }: Table, { types = {} }: ReadingOptions, { name: where, columns }: RawTable): void {
  for (const [name, kind] of Object.entries(types)) {
    const variable = variables.find((each) => each.name === name);
    // what the model has not may be left out of what is written
    if (variable === undefined && kind === 'excluded' && columns.includes(name)) continue;
    const isLabels = variable !== undefined && variable.kind !== 'ordered';
    if (variable?.kind === kind || (isLabels && (kind === 'categorical' || kind === 'binary'))) continue;
    throw new DatasetError('argument', {
      got: `${quote(name)} as ${kind}`,
      expected:
        variable === undefined
          ? `a column of the model: ${variables
              .slice(0, 8)
              .map((each) => quote(each.name))
              .join(', ')}`
          : `${variable.kind}, as the model has it`,
      where,
      remedy: 'Leave it out: the model says what its columns are. To change it, train on the table anew.',
    });
  }
}
