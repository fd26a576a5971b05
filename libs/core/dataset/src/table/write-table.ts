import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { cellOf, numberOf, writeValue } from '../variables/cell-values.js';
import { codeOffsets, holeCode, otherCode, ownValue, readCodes } from '../variables/codes.js';
import { drawIn, drawWithin } from '../variables/density.js';
import { momentStep } from '../variables/moment-format.js';
import { sharesIn, type ValueRange } from '../variables/restriction.js';
import { MOST_DECIMALS } from '../variables/number-format.js';

/** What stands for all labels that were not distinguished. */
export const OTHER = '(other)';

/**
 * Rows of codes in the words of the table: element `[variable][row]`, null for a missing value. A value of a cell that
 * holds many is drawn in it: row r takes number v of the random stream (seed, cell, r) for variable v.
 *
 * @param given what the codes were drawn for: their values lie in its ranges
 */
export function valuesOf(
  matrix: BitMatrix,
  table: Table,
  seed: number,
  given: ReadonlyMap<number, { readonly ranges: readonly ValueRange[] }> = new Map(),
): (string | null)[][] {
  return textsOf(
    matrix,
    table,
    (row) => {
      const stream = new RandomStream(seed, Purpose.cell, row);
      return () => stream.uniform();
    },
    given,
  );
}

/**
 * The same with nothing drawn: of a cell that holds many values the one that half of its mass lies below, as the
 * column's values are written.
 */
export function medianValuesOf(matrix: BitMatrix, table: Table): (string | null)[][] {
  return textsOf(matrix, table, () => () => 0.5, new Map());
}

/** @param uniformsOf of a row, what gives a number in [0, 1) for each variable: where in its cell the value lies */
function textsOf(
  matrix: BitMatrix,
  table: Table,
  uniformsOf: (row: number) => () => number,
  given: ReadonlyMap<number, { readonly ranges: readonly ValueRange[] }>,
): (string | null)[][] {
  const offsets = codeOffsets(table);
  const columns = table.variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
  const texts = table.variables.map(() => new Array<string | null>(matrix.rows));
  for (let row = 0; row < matrix.rows; row++) {
    const nextUniform = uniformsOf(row);
    table.variables.forEach((variable, index) => {
      const code = columns[index]![row]!;
      const uniform = nextUniform();
      if (code === holeCode(variable)) texts[index]![row] = null;
      else if (code === otherCode(variable)) texts[index]![row] = OTHER;
      else if (variable.kind !== 'ordered') texts[index]![row] = variable.labels[code]!;
      else texts[index]![row] = textWithin(variable, code, uniform, given.get(index)?.ranges);
    });
  }
  return texts;
}

const EVERYWHERE: ValueRange = [-Infinity, Infinity];

/**
 * A value of a cell that only some ranges are allowed of: the range is drawn by its share, and what is left of the
 * number is uniform again.
 */
function textWithin(
  variable: OrderedVariable,
  code: number,
  uniform: number,
  ranges: readonly ValueRange[] = [],
): string {
  const { shares } = sharesIn(variable, code, ranges);
  const own = ranges.map((range, at) => ({ range, share: shares[at]! })).filter(({ share }) => share > 0);
  if (own.length === 0) return drawnText(variable, code, uniform, EVERYWHERE);
  if (own.length === 1) return drawnText(variable, code, uniform, own[0]!.range);
  let rest = uniform * own.reduce((sum, { share }) => sum + share, 0);
  const at = own.findIndex(({ share }, index) => {
    if (rest < share || index === own.length - 1) return true;
    rest -= share;
    return false;
  });
  const { range, share } = own[at]!;
  return drawnText(variable, code, Math.min(rest / share, 1 - 2 ** -53), range);
}

function drawnText(variable: OrderedVariable, code: number, uniform: number, range: ValueRange): string {
  const value =
    range === EVERYWHERE ? drawIn(variable, code, 1 - uniform) : drawWithin(variable, code, 1 - uniform, range);
  const { format } = variable;
  if (format.type === 'number' && format.places >= MOST_DECIMALS) return writeValue(value, format);
  const step = format.type === 'number' ? 10 ** -format.places : momentStep(format);
  // on the grid of the column's values, to which most cells keep
  for (const shift of [0, step, -step]) {
    const near = value + shift;
    const onGrid = format.type === 'number' ? Number(near.toFixed(format.places)) : Math.round(near / step) * step;
    const text = writeValue(onGrid, format);
    const written = numberOf(text, format);
    if (codeOfValue(variable, written) === code && written >= range[0] && written <= range[1]) return text;
  }
  return format.type === 'number' ? String(value) : writeValue(value, format);
}

/** The cell or the atom of a number. */
function codeOfValue(variable: OrderedVariable, value: number): number {
  const atom = variable.atoms?.values.indexOf(value) ?? -1;
  return atom < 0 ? cellOf(variable, value) : variable.values.length + atom;
}

/** A code in words: a label, a value, `30 to 35`, `below 3`, `absent`. */
export function wordsOf(variable: Table['variables'][number], code: number): string {
  if (code === holeCode(variable)) return 'absent';
  if (code === otherCode(variable)) return OTHER;
  if (variable.kind !== 'ordered') return variable.labels[code]!;
  const { edges, format } = variable;
  const write = (value: number): string => writeValue(value, format);
  const own = ownValue(variable, code);
  if (own !== null) return write(own);
  if (code === 0) return `below ${write(edges[0]!)}`;
  if (code === edges.length) return `above ${write(edges[code - 1]!)}`;
  return `${write(edges[code - 1]!)} to ${write(edges[code]!)}`;
}

/**
 * Rows as CSV, as pandas writes and reads it: the columns of the training file in its order, those that were left out
 * excepted.
 */
export function csvOf(texts: readonly (readonly (string | null)[])[], table: Table): string {
  const places = new Map(table.variables.map(({ name }, index) => [name, index]));
  const counters = new Map(
    table.leftOut.flatMap(({ name, countsFrom }) => (countsFrom === undefined ? [] : [[name, countsFrom]])),
  );
  const fractional = table.variables.map((variable, index) => needsPoint(variable, texts[index] ?? []));
  const columns = table.columns.filter((name) => places.has(name) || counters.has(name));
  const lines = [columns.map(csvField).join(',')];
  const rows = texts[0]?.length ?? 0;
  for (let row = 0; row < rows; row++) {
    const cells = columns.map((name) => {
      const place = places.get(name);
      if (place === undefined) return String(counters.get(name)! + row);
      return csvField(texts[place]![row] ?? table.missing) + (fractional[place]! ? '.0' : '');
    });
    // a line of one empty field would be no row at all
    lines.push(cells.length === 1 && cells[0] === '' ? '""' : cells.join(','));
  }
  return `${lines.join('\n')}\n`;
}

const WHOLE = /^-?\d+$/;

/**
 * Whether whole numbers get a point: those of a column that has missing values in training, and none in these rows.
 * pandas reads whole numbers beside missing values as fractions, and without missing values only where they are written
 * so.
 */
function needsPoint(variable: Variable, texts: readonly (string | null)[]): boolean {
  const isWhole =
    variable.kind === 'ordered'
      ? variable.format.type === 'number' && variable.format.decimals === 0
      : variable.labels.every((label) => WHOLE.test(label));
  return variable.holes > 0 && isWhole && texts.every((text) => text !== null && WHOLE.test(text));
}

/** A field of a CSV line, quoted where it must be. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
