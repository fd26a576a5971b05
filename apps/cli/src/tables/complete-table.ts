import type { Variable } from '@orchard/contracts';
import {
  codeCount,
  encodeParts,
  holeCode,
  isHole,
  medianValuesOf,
  otherCode,
  valuesOf,
  wordsOf,
  type RawBatch,
  type RawCell,
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
import { cellDocument, completeDocument, type CompleteDocument } from '../documents/complete-document.js';
import { drawsFor, type FilledCell, type Point } from '../fills/fill-options.js';
import { fillTable, missingCells, type RowsToFill } from '../fills/fill-table.js';
import { filledCellColumns } from '../fills/filled-cells.js';
import { rowsAtATime, rowsBetween } from '../fills/rows-at-a-time.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeBatches, tableFile, type TextColumn } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { cellWordsOf, type CellWords } from './cell-words.js';
import { checkRowsToFill, knownBits, rowsToFill, useSecondFile, type TableRowsOptions } from './load-table-rows.js';

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

/** What a command was given. */
interface Given {
  readonly model: TabularModel;
  readonly options: CompleteTableOptions;
  /** Of the file. */
  readonly columns: readonly string[];
  /** Of each variable how its cells are read, and values written beside them. */
  readonly readings: SecondFile['readings'];
  /** Whether what is said for programs is wanted: it has something of every row. */
  readonly wantsDocument: boolean;
}

/** Some rows of the file: as codes, and as they are written. */
export interface RowsToAnswer extends RowsToFill {
  /** Rows of these. */
  readonly missing: readonly MissingCell[];
  /** @param row of these */
  cellAt(row: number, column: number): RawCell;
}

type MissingCell = Pick<FilledCell, 'row' | 'index'>;

/** What is said for programs, as far as it is known of what was asked for. */
type AnswerDocument = Partial<CompleteDocument> & Pick<CompleteDocument, 'exactRows'>;

/** What is said of all rows. */
interface Said {
  /** How they were filled in, behind what was asked of how many missing values. */
  readonly how: string;
  readonly document: AnswerDocument;
  /** Of rows whose samples are hardly random. */
  readonly warning: string | undefined;
}

/** Answers the rows of a file, some after others. */
interface Answering {
  /** How many rows may come at a time. */
  readonly rowsAtATime: number;
  /** What is written of some rows: the same columns each time. */
  columnsOf(rows: RowsToAnswer): readonly TextColumn[];
  /** When all rows have come. */
  said(): Said;
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
  { table, readings, raw }: SecondFile & { readonly raw: RawTable },
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const { path: out, ending } = tableFile(options.out);
  await checkRowsToFill(table, model, terminal);
  const answering = answeringOf({ model, options, columns: raw.columns, readings, wantsDocument: terminal.json });
  let [all, missing] = [0, 0];
  const answers = async function* (): AsyncGenerator<readonly TextColumn[], void> {
    for await (const rows of rowsToComplete(model, table, raw, answering.rowsAtATime)) {
      all += rows.matrix.rows;
      missing += rows.missing.length;
      yield answering.columnsOf(rows);
    }
  };
  // the one document of --json has all of the text
  let text = '';
  const bytes = encodeBatches(ending, answers());
  if (out !== undefined) await writeOutput(out, '--out', bytes);
  else if (!terminal.json) await terminal.data(bytes);
  else for await (const piece of bytes) text += new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece);
  const { how, document, warning } = answering.said();
  const of = `${counted(missing, 'missing value')} of ${counted(all, 'row')}`;
  terminal.note(`orchard: ${answerOf(options).words} of ${of}${out === undefined ? '' : `, in ${out}`}; ${how}`);
  if (warning !== undefined) terminal.note(`orchard: ${warning}`);
  const shown = out === undefined ? { text } : {};
  const { name: answer } = answerOf(options);
  terminal.document(completeDocument({ rows: all, missing, answer, ...document, path: out ?? null, ...shown }));
}

/**
 * The rows of a file, some at a time, as codes beside their cells: two passes over the file go side by side, one of
 * them through cells that are read as training had them.
 */
async function* rowsToComplete(
  model: TabularModel,
  table: RawTable,
  raw: RawTable,
  most: number,
): AsyncGenerator<RowsToAnswer, void> {
  const written = raw.batches()[Symbol.asyncIterator]();
  let batch: RawBatch = { rows: 0, columns: [] };
  /** Rows of the batch that were had. */
  let used = 0;
  try {
    for await (const part of encodeParts(table, model.table, rowsToFill)) {
      const { rows } = part.matrix;
      const ofPart = { ...part, known: knownBits(part, model) };
      for (let from = 0; from < rows;) {
        while (used === batch.rows) {
          const next = await written.next();
          if (next.done === true) throw new Error('rowsToComplete: fewer rows than in the pass beside it');
          batch = next.value;
          used = 0;
        }
        const { columns } = batch;
        const firstOfBatch = used;
        const to = Math.min(rows, from + most, from + batch.rows - used);
        const some = rowsBetween(ofPart, from, to, model.variables);
        const cellAt = (row: number, column: number): RawCell => columns[column]!.at(firstOfBatch + row) ?? null;
        yield { ...some, missing: missingCells(model, some), cellAt };
        used += to - from;
        from = to;
      }
    }
  } finally {
    await written.return?.();
  }
}

/** What is asked for, for people and for programs. */
export function answerOf({ probabilities, mostProbable, point, interval }: CompleteTableOptions): {
  readonly words: string;
  readonly name: CompleteDocument['answer'];
} {
  if (probabilities === true) return { words: 'probabilities', name: 'probabilities' };
  if (mostProbable === true) return { words: 'most probable values', name: 'most probable values' };
  if (interval !== undefined) return { words: `intervals of ${String(interval)}`, name: 'intervals' };
  return point === undefined ? { words: 'samples', name: 'samples' } : { words: `${point}s`, name: 'points' };
}

/** Answers what is asked for, some rows after others. */
export function answeringOf(given: Given): Answering {
  const { probabilities, mostProbable, point, interval } = given.options;
  if (probabilities === true) return probabilitiesOf(given);
  if (mostProbable === true) return mostProbableOf(given);
  if (point !== undefined || interval !== undefined) return pointsOf(given);
  return samplesOf(given);
}

function samplesOf(given: Given): Answering {
  const { model, options } = given;
  const { seed, samples = PARTICLES_OF_TABLES, draws = 1 } = options;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, draws);
  return {
    rowsAtATime: rowsAtATime(model, draws, false),
    columnsOf: (rows) => {
      const { matrix, known, values, firstRow } = rows;
      const completions = model.completions(matrix, known, { seed, samples, draws, firstRow });
      trust.add(completions[0]!);
      return filling.columnsOf(
        rows,
        completions.map((one, draw) => valuesOf(one.matrix, model.table, seed + draw, new Map(), values, firstRow)),
      );
    },
    said: () => trust.said({ draws, seed, samples }),
  };
}

function pointsOf(given: Given): Answering {
  const { model, options, wantsDocument } = given;
  const { seed, samples = PARTICLES_OF_TABLES, point = 'median', interval } = options;
  const draws = drawsFor(interval, options.draws);
  const nameOf = (index: number): string => model.table.variables[index]!.name;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, 1);
  const documents: NonNullable<CompleteDocument['cells']>[number][] = [];
  const isText = tableFile(options.out).ending === '.csv';
  const words = model.table.variables.map((variable, index) =>
    cellWordsOf(variable, given.readings[index] ?? null, isText),
  );
  return {
    rowsAtATime: rowsAtATime(model, draws, true),
    columnsOf: (rows) => {
      const { cells, completion } = fillTable(model, rows, { seed, samples, draws, point, interval });
      trust.add(completion);
      if (interval === undefined) return filling.columnsOf(rows, [pointTexts(model, rows, cells)]);
      const written = cells.map((cell) => writtenAs(cell, words[cell.index]!));
      if (wantsDocument) for (const cell of written) documents.push(cellDocument(cell, nameOf));
      return filledCellColumns(written, nameOf);
    },
    said: () => {
      const asked = { point, ...(interval !== undefined && { interval, cells: documents }) };
      if (isExactOfTable(model))
        return { how: 'exactly', warning: undefined, document: { ...asked, exactRows: trust.rows } };
      const { how, ...rest } = trust.said({ ...asked, draws, seed, samples });
      return { how: `by ${count(draws)} samples: ${how}`, ...rest };
    },
  };
}

/** A cell as the file writes its column. */
function writtenAs(cell: FilledCell, { filled }: CellWords): FilledCell {
  const end = (text: string | null): string | null => (text === null ? null : filled(text));
  return { ...cell, value: filled(cell.value), low: end(cell.low), high: end(cell.high) };
}

/** Of each variable the texts of its missing values, by row. */
function pointTexts(model: TabularModel, { firstRow }: RowsToAnswer, cells: readonly FilledCell[]): string[][] {
  const texts: string[][] = model.table.variables.map(() => []);
  for (const { row, index, value } of cells) texts[index]![row - firstRow] = value;
  return texts;
}

function mostProbableOf(given: Given): Answering {
  const { model, wantsDocument } = given;
  if (!isMostProbable(model)) throw new Error('mostProbableOf: of a model that cannot');
  const filling = new FilledRows(given, 1);
  const logProbability: number[] = [];
  let all = 0;
  return {
    rowsAtATime: rowsAtATime(model, 1, false),
    columnsOf: (rows) => {
      const { matrix: filled, logLikelihood } = model.mostProbable(rows.matrix, rows.known);
      all += logLikelihood.length;
      if (wantsDocument) for (const nats of logLikelihood) logProbability.push(nats);
      return filling.columnsOf(rows, [medianValuesOf(filled, model.table)]);
    },
    said: () => ({
      how: 'exactly, of a bin its median',
      warning: undefined,
      document: { exactRows: all, logProbability, logProbabilityOfCodes: logProbability },
    }),
  };
}

function probabilitiesOf({ model, options, wantsDocument }: Given): Answering {
  const draws = DRAWS_FOR_PROBABILITIES;
  const atATime = rowsAtATime(model, draws, true);
  if (isExactOfTable(model)) {
    const ofRows: number[] = [];
    let all = 0;
    return {
      rowsAtATime: atATime,
      columnsOf: (rows) => {
        const { probabilities: shares, logEvidence } = model.distributions(rows.matrix, rows.known);
        all += logEvidence.length;
        if (wantsDocument) for (const nats of logEvidence) ofRows.push(nats);
        return exactProbabilities(model, rows, shares);
      },
      said: () => ({ how: 'exactly', warning: undefined, document: { exactRows: all, logEvidence: ofRows } }),
    };
  }
  const { seed, samples = PARTICLES_OF_TABLES } = options;
  const trust = new Trust(samples);
  return {
    rowsAtATime: atATime,
    columnsOf: (rows) => {
      const { matrix, known, firstRow } = rows;
      const completions = model.completions(matrix, known, { seed, samples, draws, firstRow });
      trust.add(completions[0]!);
      return drawnProbabilities(model, rows, completions);
    },
    said: () => {
      const { how, ...rest } = trust.said({ draws, seed, samples });
      return { how: `by ${count(draws)} samples: ${how}`, ...rest };
    },
  };
}

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

/** What is said of a smallest effective sample size. */
export function hardlyRandom(least: number): string | undefined {
  if (least >= FEW_EFFECTIVE) return undefined;
  return 'some known values are unlikely together; more --samples bring the samples closer to exact';
}

/** How far samples can be trusted. */
class Trust {
  rows = 0;
  #exactRows = 0;
  /** The smallest effective sample size of the others. */
  #least = Infinity;

  /** @param samples particles a row */
  constructor(private readonly samples: number) {}

  add({ exact, effectiveSampleSize }: Completion): void {
    this.rows += exact.length;
    exact.forEach((isExact, row) => {
      if (isExact === 1) this.#exactRows++;
      else this.#least = Math.min(this.#least, effectiveSampleSize[row]!);
    });
  }

  said(beside: Partial<CompleteDocument>): Said {
    const exactRows = this.#exactRows;
    const least = exactRows === this.rows ? null : this.#least;
    const others =
      least === null
        ? ''
        : `, the others from ${count(this.samples)} particles (smallest effective sample size ${least.toFixed(1)})`;
    return {
      how: `${counted(exactRows, 'row')} exactly${others}`,
      document: { exactRows, smallestEffectiveSampleSize: least, ...beside },
      warning: least === null ? undefined : hardlyRandom(least),
    };
  }
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
class FilledRows {
  readonly #model: TabularModel;
  readonly #columns: readonly string[];
  /** Of each column of the file its variable; -1 where the model has none. */
  readonly #places: readonly number[];
  readonly #words: readonly CellWords[];

  constructor(
    { model, columns, readings, options }: Given,
    private readonly draws: number,
  ) {
    this.#model = model;
    this.#columns = columns;
    this.#places = columns.map((name) => model.table.variables.findIndex((variable) => variable.name === name));
    const isText = tableFile(options.out).ending === '.csv';
    this.#words = this.#places.map((index) =>
      cellWordsOf(model.table.variables[index], readings[index] ?? null, isText),
    );
  }

  /** @param filled of each draw, of each variable, by row; only what is missing is looked at */
  columnsOf(
    { matrix: { rows }, known, misfits, cellAt }: RowsToAnswer,
    filled: readonly (readonly (readonly (string | null | undefined)[])[])[],
  ): TextColumn[] {
    const { variables, offsets, table } = this.#model;
    const columns = this.#columns.map((name, at): TextColumn => {
      const index = this.#places[at]!;
      const { own, filled: written } = this.#words[at]!;
      const texts: (string | null)[] = [];
      for (let row = 0; row < rows; row++) {
        const isMissing = index >= 0 && known.get(row, offsets[index]!) === 0 && !misfits.has(row * variables + index);
        const cell = isMissing ? null : cellAt(row, at);
        for (const ofDraw of filled) {
          const text = isMissing ? (ofDraw[index]![row] ?? null) : null;
          texts.push(isMissing ? text && written(text) : isHole(cell) ? null : own(cell));
        }
      }
      return { name, texts, variable: table.variables[index] };
    });
    if (this.draws === 1) return columns;
    const numbers = Array.from({ length: rows * this.draws }, (_, at) => String((at % this.draws) + 1));
    return [{ name: numberColumn(this.#columns), texts: numbers }, ...columns];
  }
}

/** What each missing value may be: all values that training had, the more probable first. */
function exactProbabilities(
  model: TabularModel,
  { missing, firstRow }: RowsToAnswer,
  shares: readonly Float64Array[],
): TextColumn[] {
  return probabilityColumns(
    missing.flatMap(({ row, index }) => {
      const variable = model.table.variables[index]!;
      const codes = codeCount(variable);
      const own = shares[index]!.subarray(row * codes, (row + 1) * codes);
      return valuesByShare(variable, own).map((code) => [
        ...[String(firstRow + row + 1), variable.name, wordsOf(variable, code)],
        own[code]!.toPrecision(6),
      ]);
    }),
  );
}

/** What each missing value may be, by how often it was drawn. */
function drawnProbabilities(
  model: TabularModel,
  { missing, firstRow }: RowsToAnswer,
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
          ...[String(firstRow + row + 1), variable.name, wordsOf(variable, code)],
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
