import type { Table, Variable } from '@orchard/contracts';
import { Purpose, RandomStream } from '@orchard/numerics';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { writeValue } from '../variables/cell-values.js';
import { codeOffsets, holeCode, otherCode, ownValue, readCodes } from '../variables/codes.js';
import { equalColumnsOf, type KnownValues } from '../variables/equal-columns.js';
import type { ValueRange } from '../variables/restriction.js';
import { equalText } from './drawn-equal.js';
import { textWithin } from './drawn-text.js';

/** What stands for all labels that were not distinguished. */
export const OTHER = '(other)';

/** By variable, what values lie in. */
type GivenRanges = ReadonlyMap<number, { readonly ranges: readonly ValueRange[] }>;

/**
 * Rows of codes in the words of the table: element `[variable][row]`, null for a missing value. A value of a cell that
 * holds many is drawn in it: row r takes number v of the random stream (seed, cell, r) for variable v, and behind those
 * of all variables one for each equality of the table.
 *
 * @param given what the codes were drawn for: their values lie in its ranges
 * @param known values that are not drawn, and that others may equal: they stand in both columns then
 */
export function valuesOf(
  matrix: BitMatrix,
  table: Table,
  seed: number,
  given: GivenRanges = new Map(),
  known: KnownValues = new Map(),
): (string | null)[][] {
  const streamOf = (row: number): RandomStream => new RandomStream(seed, Purpose.cell, row);
  const uniformsOf = (row: number): (() => number) => {
    const stream = streamOf(row);
    return () => stream.uniform();
  };
  const texts = textsOf(matrix, table, uniformsOf, given);
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
      const text = equalText(pair, [one.codes[row]!, other.codes[row]!], {
        ranges: [one.ranges, other.ranges],
        known: [one.known?.[row] ?? NaN, other.known?.[row] ?? NaN],
        uniform: uniforms[pair.first]!,
        decides: uniforms.at(-1)!,
      });
      if (text !== null) texts[pair.first]![row] = texts[pair.second]![row] = text;
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
  return textsOf(matrix, table, () => () => 0.5, new Map());
}

/** @param uniformsOf of a row, what gives a number in [0, 1) for each variable: where in its cell the value lies */
function textsOf(
  matrix: BitMatrix,
  table: Table,
  uniformsOf: (row: number) => () => number,
  given: GivenRanges,
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
