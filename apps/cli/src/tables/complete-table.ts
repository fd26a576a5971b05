import type { Variable } from '@orchard/contracts';
import {
  codeCount,
  holeCode,
  isHole,
  medianValuesOf,
  otherCode,
  valuesOf,
  wordsOf,
  type RawTable,
  type SecondFile,
} from '@orchard/dataset';
import {
  isExactOfTable,
  isMostProbable,
  PARTICLES_OF_TABLES,
  type Completion,
  type TabularModel,
} from '@orchard/model';
import { drawsFor, type FilledCell, type Point } from '../fills/fill-options.js';
import { fillTable, missingCells, type RowsToFill } from '../fills/fill-table.js';
import { filledCellColumns } from '../fills/filled-cells.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { csvOfColumns, encodeTable, tableFile, type TextColumn } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { cellWordsOf } from './cell-words.js';
import { encodeRows, knownBits, useSecondFile, type TableRowsOptions } from './load-table-rows.js';

export interface CompleteTableOptions extends TableRowsOptions {
  readonly seed: number;
  readonly samples?: number;
  readonly draws?: number;
  readonly probabilities?: true;
  readonly mostProbable?: true;
  readonly point?: Point;
  readonly interval?: number;
  readonly out?: string;
}

/** Completions of each row for the distribution of its missing values. */
const DRAWS_FOR_PROBABILITIES = 200;

/** The rows that a command was given. */
interface Given extends RowsToFill {
  readonly model: TabularModel;
  /** The file, its cells as they are written. */
  readonly raw: RawTable;
  /** Of each variable how its cells are read, and values written beside them. */
  readonly readings: SecondFile['readings'];
  readonly missing: readonly MissingCell[];
  readonly options: CompleteTableOptions;
}

type MissingCell = Pick<FilledCell, 'row' | 'index'>;

/** What is said for programs, as far as it is known of what was asked for. */
interface AnswerDocument {
  /** Rows whose answer has no error of sampling. */
  readonly exactRows?: number;
  /** Of the rows that are not exact; null where all are. */
  readonly smallestEffectiveSampleSize?: number | null;
  readonly point?: CompleteTableOptions['point'];
  readonly interval?: number;
  readonly cells?: readonly CellDocument[];
  readonly draws?: number;
  readonly seed?: number;
  readonly logProbabilityOfCodes?: readonly number[];
  readonly logEvidence?: readonly number[];
}

/** A cell that was filled in. */
type CellDocument = Omit<FilledCell, 'index'> & { readonly column: string };

/** What is written, and what is said of it. */
interface Answer {
  readonly columns: readonly TextColumn[];
  /** How it was found, behind what was asked of how many missing values. */
  readonly how: string;
  readonly document: AnswerDocument;
  /** Of rows whose samples are hardly random. */
  readonly warning?: string;
}

/** Fills in the missing values of a table, and nothing else: all other cells come out as they went in. */
export async function completeTableFile(
  model: TabularModel,
  file: string,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  await useSecondFile(file, model.table, options, terminal, (second, raw) =>
    completeRows(model, { ...second, raw }, options, terminal),
  );
}

async function completeRows(
  model: TabularModel,
  { table, readings, raw }: Pick<Given, 'readings' | 'raw'> & Pick<SecondFile, 'table'>,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const { path: out, ending } = tableFile(options.out);
  const rows = await encodeRows(table, model, 'unknown', terminal);
  const known = knownBits(rows, model);
  const missing = missingCells(model, known, rows.misfits);
  const { columns, how, document, warning } = await answerOf({
    model,
    raw,
    readings,
    matrix: rows.matrix,
    known,
    values: rows.values,
    misfits: rows.misfits,
    missing,
    options,
  });
  const bytes = await encodeTable(ending, columns);
  if (out === undefined) await terminal.data(bytes);
  else await writeOutput(out, '--out', bytes);
  const of = `${counted(missing.length, 'missing value')} of ${counted(rows.matrix.rows, 'row')}`;
  terminal.note(`orchard: ${wantedOf(options)} of ${of}${out === undefined ? '' : `, in ${out}`}; ${how}`);
  if (warning !== undefined) terminal.note(`orchard: ${warning}`);
  terminal.document({
    ...{ rows: rows.matrix.rows, missing: missing.length, ...document, path: out ?? null },
    ...(out === undefined ? { text: csvOfColumns(columns) } : {}),
  });
}

function wantedOf({ probabilities, mostProbable, point, interval }: CompleteTableOptions): string {
  if (probabilities === true) return 'probabilities';
  if (mostProbable === true) return 'most probable values';
  if (interval !== undefined) return `intervals of ${String(interval)}`;
  return point === undefined ? 'samples' : `${point}s`;
}

function answerOf(given: Given): Answer | Promise<Answer> {
  const { probabilities, mostProbable, point, interval } = given.options;
  if (probabilities === true) return probabilitiesOf(given);
  if (mostProbable === true) return mostProbableOf(given);
  if (point !== undefined || interval !== undefined) return pointsOf(given);
  return samplesOf(given);
}

async function samplesOf(given: Given): Promise<Answer> {
  const { model, matrix, known, values, options } = given;
  const { seed, samples = PARTICLES_OF_TABLES, draws = 1 } = options;
  const completions = model.completions(matrix, known, { seed, samples, draws });
  const filled = completions.map((one, draw) => valuesOf(one.matrix, model.table, seed + draw, new Map(), values));
  return { columns: await filledColumns(given, filled), ...trustIn(completions[0]!, samples, { draws, seed }) };
}

async function pointsOf(given: Given): Promise<Answer> {
  const { model, options } = given;
  const { seed, samples = PARTICLES_OF_TABLES, point = 'median', interval } = options;
  const draws = drawsFor(interval, options.draws);
  const { cells, completion, isExact } = fillTable(model, given, { seed, samples, draws, point, interval });
  const nameOf = (index: number): string => model.table.variables[index]!.name;
  const columns = interval === undefined ? await pointColumns(given, cells) : filledCellColumns(cells, nameOf);
  const asked = {
    point,
    ...(interval !== undefined && { interval, cells: cells.map((cell) => document(cell, nameOf)) }),
  };
  if (isExact) return { columns, how: 'exactly', document: { ...asked, exactRows: given.matrix.rows } };
  const { how, ...trust } = trustIn(completion, samples, { ...asked, draws, seed });
  return { columns, how: `by ${count(draws)} samples: ${how}`, ...trust };
}

function document({ row, index, ...filled }: FilledCell, nameOf: (index: number) => string): CellDocument {
  return { row: row + 1, column: nameOf(index), ...filled };
}

async function mostProbableOf(given: Given): Promise<Answer> {
  const { model, matrix, known } = given;
  if (!isMostProbable(model)) throw new Error('mostProbableOf: of a model that cannot');
  const { matrix: filled, logLikelihood } = model.mostProbable(matrix, known);
  return {
    columns: await filledColumns(given, [medianValuesOf(filled, model.table)]),
    how: 'exactly, of a bin its median',
    document: { logProbabilityOfCodes: [...logLikelihood] },
  };
}

function probabilitiesOf({ model, matrix, known, missing, options }: Given): Answer {
  if (isExactOfTable(model)) {
    const { probabilities: shares, logEvidence } = model.distributions(matrix, known);
    return {
      columns: exactProbabilities(model, missing, shares),
      how: 'exactly',
      document: { exactRows: matrix.rows, logEvidence: [...logEvidence] },
    };
  }
  const { seed, samples = PARTICLES_OF_TABLES } = options;
  const draws = DRAWS_FOR_PROBABILITIES;
  const completions = model.completions(matrix, known, { seed, samples, draws });
  const columns = drawnProbabilities(model, missing, completions);
  const { how, ...trust } = trustIn(completions[0]!, samples, { draws, seed });
  return { columns, how: `by ${count(draws)} samples: ${how}`, ...trust };
}

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

/** How far samples can be trusted. */
function trustIn(
  { exact, effectiveSampleSize }: Completion,
  samples: number,
  beside: AnswerDocument,
): Omit<Answer, 'columns'> {
  const inexact = [...exact.keys()].filter((row) => exact[row] === 0);
  const least =
    inexact.length === 0 ? null : inexact.reduce((low, row) => Math.min(low, effectiveSampleSize[row]!), Infinity);
  const exactRows = exact.length - inexact.length;
  const others =
    least === null
      ? ''
      : `, the others from ${count(samples)} particles (smallest effective sample size ${least.toFixed(1)})`;
  return {
    how: `${counted(exactRows, 'row')} exactly${others}`,
    document: { exactRows, smallestEffectiveSampleSize: least, ...beside },
    ...(least !== null &&
      least < FEW_EFFECTIVE && {
        warning: 'some known values are unlikely together; more --samples bring the samples closer to exact',
      }),
  };
}

/**
 * The column that numbers the draws: `draw`, with as many `_` before it as the file's own columns leave it no other
 * name.
 */
function numberColumn(columns: readonly string[]): string {
  let name = 'draw';
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

/** The file's own cells with the missing ones filled in; with several draws, each row as often, numbered. */
async function filledColumns(
  { model, raw, readings, known, misfits, options }: Given,
  filled: readonly (readonly (readonly (string | null | undefined)[])[])[],
): Promise<TextColumn[]> {
  const places = raw.columns.map((name) => model.table.variables.findIndex((variable) => variable.name === name));
  const isText = tableFile(options.out).ending === '.csv';
  const words = places.map((index) => cellWordsOf(model.table.variables[index], readings[index] ?? null, isText));
  const numbers: string[] = [];
  const texts: (string | null)[][] = raw.columns.map(() => []);
  let first = 0;
  for await (const { rows, columns } of raw.batches()) {
    for (let row = 0; row < rows; row++) {
      filled.forEach((ofDraw, draw) => {
        numbers.push(String(draw + 1));
        columns.forEach((cells, at) => {
          const index = places[at]!;
          const isMissing =
            index >= 0 &&
            known.get(first + row, model.offsets[index]!) === 0 &&
            !misfits.has((first + row) * model.variables + index);
          const cell = cells.at(row);
          const { own, filled: written } = words[at]!;
          const text = isMissing ? (ofDraw[index]![first + row] ?? null) : null;
          texts[at]!.push(isMissing ? text && written(text) : isHole(cell) ? null : own(cell));
        });
      });
    }
    first += rows;
  }
  const columns = raw.columns.map((name, at) => ({
    ...{ name, texts: texts[at]! },
    variable: model.table.variables[places[at]!],
  }));
  return filled.length === 1 ? columns : [{ name: numberColumn(raw.columns), texts: numbers }, ...columns];
}

/** The file's own cells with each missing one filled in by its point. */
function pointColumns(given: Given, cells: readonly FilledCell[]): Promise<TextColumn[]> {
  const texts: string[][] = given.model.table.variables.map(() => []);
  for (const { row, index, value } of cells) texts[index]![row] = value;
  return filledColumns(given, [texts]);
}

/** What each missing value may be: all values that training had, the more probable first. */
function exactProbabilities(
  model: TabularModel,
  missing: readonly MissingCell[],
  shares: readonly Float64Array[],
): TextColumn[] {
  return probabilityColumns(
    missing.flatMap(({ row, index }) => {
      const variable = model.table.variables[index]!;
      const codes = codeCount(variable);
      const own = shares[index]!.subarray(row * codes, (row + 1) * codes);
      return valuesByShare(variable, own).map((code) => [
        ...[String(row + 1), variable.name, wordsOf(variable, code)],
        own[code]!.toPrecision(6),
      ]);
    }),
  );
}

/** What each missing value may be, by how often it was drawn. */
function drawnProbabilities(
  model: TabularModel,
  missing: readonly MissingCell[],
  completions: readonly Completion[],
): TextColumn[] {
  return probabilityColumns(
    missing.flatMap(({ row, index }) => {
      const variable = model.table.variables[index]!;
      const counts = new Float64Array(codeCount(variable));
      for (const { matrix } of completions) counts[model.codeOf(matrix, row, index)]!++;
      return valuesByShare(variable, counts)
        .filter((code) => counts[code]! > 0)
        .map((code) => [
          ...[String(row + 1), variable.name, wordsOf(variable, code)],
          (counts[code]! / completions.length).toFixed(3),
        ]);
    }),
  );
}

/** The codes of values, the more frequent first. */
function valuesByShare(variable: Variable, shares: Float64Array): number[] {
  return [...shares.keys()]
    .filter((code) => code !== holeCode(variable) && code !== otherCode(variable))
    .sort((a, b) => shares[b]! - shares[a]! || a - b);
}

function probabilityColumns(lines: readonly (readonly string[])[]): TextColumn[] {
  return ['row', 'column', 'value', 'probability'].map((name, at) => ({ name, texts: lines.map((line) => line[at]!) }));
}
