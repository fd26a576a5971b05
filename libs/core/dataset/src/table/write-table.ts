import type { Table, Variable } from '@orchard/contracts';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { writeValue } from '../variables/cell-values.js';
import { codeCount, codeOffsets, holeCode, otherCode, ownValue, readCodes } from '../variables/codes.js';
import { equalColumnsOf, type KnownValues } from '../variables/equal-columns.js';
import type { ValueRange } from '../variables/restriction.js';
import { equalTexts } from './drawn-equal.js';
import { textWithin } from './drawn-text.js';

/** What stands for all labels that were not distinguished. */
export const OTHER = '(other)';

/** By variable, what values lie in. */
type GivenRanges = ReadonlyMap<number, { readonly ranges: readonly ValueRange[] }>;

/** Of a cell by its row and variable. */
type IsWanted = (row: number, index: number) => boolean;

/**
 * Rows of codes in the words of the table: element `[variable][row]`, null for a missing value. A value of a cell that
 * holds many is drawn in it: row r takes number v of the random stream (seed, cell, r) for variable v, and behind those
 * of all variables one for each equality of the table.
 *
 * @param given what the codes were drawn for: their values lie in its ranges
 * @param known values that are not drawn, and that others may equal: they stand in both columns then
 * @param first the number of the first row, where the rows are a part of more
 * @param isWanted whether a number is asked for: writing one takes longer than drawing it, and others are null
 */
export function valuesOf(
  matrix: BitMatrix,
  table: Table,
  seed: number,
  given: GivenRanges = new Map(),
  known: KnownValues = new Map(),
  first = 0,
  isWanted: IsWanted = () => true,
): (string | null)[][] {
  const streamOf = (row: number): RandomStream => new RandomStream(seed, Purpose.cell, first + row);
  const uniformsOf = (row: number): (() => number) => {
    const stream = streamOf(row);
    return () => stream.uniform();
  };
  const texts = textsOf(matrix, table, uniformsOf, given, isWanted);
  const offsets = codeOffsets(table);
  equalColumnsOf(table).forEach((pair, number) => {
    const [one, other] = [pair.first, pair.second].map((index) => ({
      codes: readCodes(matrix, offsets[index]!, offsets[index + 1]!),
      ranges: given.get(index)?.ranges ?? [],
      known: known.get(index),
    })) as [EqualSide, EqualSide];
    for (let row = 0; row < matrix.rows; row++) {
      const stream = streamOf(row);
      const uniforms = Array.from({ length: table.variables.length + number + 1 }, () => stream.uniform());
      const own = equalTexts(pair, [one.codes[row]!, other.codes[row]!], {
        ranges: [one.ranges, other.ranges],
        known: [one.known?.[row] ?? NaN, other.known?.[row] ?? NaN],
        uniform: uniforms[pair.first]!,
        decides: uniforms.at(-1)!,
      });
      if (own !== null) [texts[pair.first]![row], texts[pair.second]![row]] = own;
    }
  });
  return texts;
}

interface EqualSide {
  readonly codes: Uint16Array;
  readonly ranges: readonly ValueRange[];
  readonly known: Float64Array | undefined;
}

/**
 * The same with nothing drawn: of a cell that holds many values the one that half of its mass lies below, as the
 * column's values are written.
 */
export function medianValuesOf(matrix: BitMatrix, table: Table): (string | null)[][] {
  return textsOf(
    matrix,
    table,
    () => () => 0.5,
    new Map(),
    () => true,
  );
}

/** @param uniformsOf of a row, what gives a number in [0, 1) for each variable: where in its cell the value lies */
function textsOf(
  matrix: BitMatrix,
  table: Table,
  uniformsOf: (row: number) => () => number,
  given: GivenRanges,
  isWanted: IsWanted,
): (string | null)[][] {
  const offsets = codeOffsets(table);
  const columns = table.variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
  const texts = table.variables.map((variable, index) => labelsOf(variable, columns[index]!));
  // nothing is drawn of labels
  if (table.variables.every(({ kind }) => kind !== 'ordered')) return texts;
  for (let row = 0; row < matrix.rows; row++) {
    const nextUniform = uniformsOf(row);
    table.variables.forEach((variable, index) => {
      const code = columns[index]![row]!;
      const uniform = nextUniform();
      if (variable.kind !== 'ordered' || code === holeCode(variable) || code === otherCode(variable)) return;
      if (isWanted(row, index)) texts[index]![row] = textWithin(variable, code, uniform, given.get(index)?.ranges);
    });
  }
  return texts;
}

/** The labels of a column; null of what is missing, and of values that are drawn. */
function labelsOf(variable: Variable, codes: Uint16Array): (string | null)[] {
  const words: (string | null)[] = Array.from({ length: codeCount(variable) }, (_, code) => {
    if (code === otherCode(variable)) return OTHER;
    return variable.kind === 'ordered' || code === holeCode(variable) ? null : variable.labels[code]!;
  });
  const labels = new Array<string | null>(codes.length);
  for (let row = 0; row < codes.length; row++) labels[row] = words[codes[row]!]!;
  return labels;
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

/** Rows in words: element `[variable][row]`, null for a missing value. */
export type Texts = readonly (readonly (string | null)[])[];

/** How rows are written as CSV. */
export interface CsvOptions {
  /** @default a comma */
  readonly delimiter?: string;
  /** The number of the first row, by which columns that count go on. @default 0 */
  readonly firstRow?: number | undefined;
  /** Whether the names stand before the first row. @default true */
  readonly hasNames?: boolean;
}

/**
 * Rows as CSV, a piece for each batch, as pandas writes and reads it: the columns of the training file in its order,
 * those that were left out excepted.
 */
export function* csvPieces(
  batches: Iterable<Texts>,
  table: Table,
  { delimiter = ',', firstRow = 0, hasNames = true }: CsvOptions = {},
): Generator<string, void> {
  const places = new Map(table.variables.map(({ name }, index) => [name, index]));
  const counters = new Map(
    table.leftOut.flatMap(({ name, countsFrom }) => (countsFrom === undefined ? [] : [[name, countsFrom]])),
  );
  const columns = table.columns.filter((name) => places.has(name) || counters.has(name));
  const cellsOf = columns.map((name) => {
    const place = places.get(name);
    if (place === undefined) return (_: Texts, row: number, first: number) => String(counters.get(name)! + first + row);
    const fieldOf = fieldsOf(table.variables[place]!, delimiter);
    return (texts: Texts, row: number) => fieldOf(texts[place]![row] ?? table.missing);
  });
  let before = hasNames ? `${columns.map((name) => csvField(name, delimiter)).join(delimiter)}\n` : '';
  let first = firstRow;
  for (const texts of batches) {
    const rows = texts[0]?.length ?? 0;
    const lines: string[] = [];
    for (let row = 0; row < rows; row++) {
      const cells = cellsOf.map((cellOf) => cellOf(texts, row, first));
      // a line of one empty field would be no row at all
      lines.push(cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.join(delimiter)}\n`);
    }
    yield before + lines.join('');
    before = '';
    first += rows;
  }
}

/** Fields of a column; those of its labels are made once. */
function fieldsOf(variable: Variable, delimiter: string): (text: string) => string {
  if (variable.kind === 'ordered') return (text) => csvField(text, delimiter);
  const fields = new Map(variable.labels.map((label) => [label, csvField(label, delimiter)]));
  return (text) => fields.get(text) ?? csvField(text, delimiter);
}

/** A field of a line of delimited text, quoted where it must be. */
export function csvField(text: string, delimiter = ','): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) || text !== text.trim()
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
