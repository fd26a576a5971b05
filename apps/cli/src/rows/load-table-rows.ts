import type { Table } from '@orchard/contracts';
import {
  bitTable,
  countRows,
  encodeParts,
  encodeTable,
  keptTable,
  openTableFrom,
  readAsTrained,
  readWeights,
  requireRows,
  withoutExcluded,
  type EncodedRows,
  type RawTable,
  type SecondFile,
} from '@orchard/dataset';
import {
  misfitWords,
  NewCellCounts,
  RowWeights,
  seenWords,
  type Becomes,
  type NewCells,
  type TabularModel,
} from '@orchard/model';
import { loadRows } from './load-network.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import { readingOptions, refuseWordsOfBits, readingOfFile, type SecondFileWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import { openGiven } from './open-given.js';
import type { WeightOptions } from '../options/row-weights.js';
import type { Terminal } from '../output/terminal.js';

export type TableRowsOptions = DatasetOptions & SecondFileWords;

/**
 * Opens a file as a table: what every command reads a table by that does not train.
 *
 * @param learnedNames of the columns of a model that the rows are for. @default there is none
 */
export async function openTableFile(
  file: string,
  options: TableRowsOptions,
  terminal?: Terminal,
  learnedNames?: readonly string[],
): Promise<RawTable> {
  const opened = await openGiven(file, terminal);
  try {
    return await openTableFrom(opened, { ...readingOfFile(options), learnedNames });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * The same for as long as it is used.
 *
 * @param terminal reports what is found out while rows are read, as lines that are passed over. @default not at all,
 *   where another pass over the file does
 */
export async function useTable<Result>(
  file: string,
  options: TableRowsOptions,
  use: (raw: RawTable) => Promise<Result>,
  terminal?: Terminal,
  learnedNames?: readonly string[],
): Promise<Result> {
  const raw = await openTableFile(file, options, terminal, learnedNames);
  const known = raw.notes.length;
  try {
    const result = await use(raw);
    raw.notes.slice(known).forEach((note) => terminal?.note(`orchard: ${file}: ${note}`));
    return result;
  } finally {
    await raw.close();
  }
}

/**
 * Rows of a model for as long as they are used, as a table: those of 0 and 1 in any of their formats, whole.
 *
 * @throws UsageError for rows of another kind
 */
export async function useRowsOf<Result>(
  file: string,
  model: TabularModel,
  options: TableRowsOptions,
  terminal: Terminal,
  use: (second: SecondFile, opened: RawTable) => Promise<Result>,
): Promise<Result> {
  if (model.ofBits === undefined) return useSecondFile(file, model, options, terminal, use);
  const raw = bitTable(await loadRows(file, model.ofBits, options, terminal), file);
  return use({ table: raw, readings: [], remarks: [] }, raw);
}

/**
 * A file for a model for as long as it is used: its cells are read as those that trained the model, however they are
 * written, and what is made of them is reported.
 */
export function useSecondFile<Result>(
  file: string,
  { table }: { readonly table: Table },
  options: TableRowsOptions,
  terminal: Terminal,
  use: (second: SecondFile, opened: RawTable) => Promise<Result>,
): Promise<Result> {
  refuseWordsOfBits(options);
  const names = table.variables.map(({ name }) => name);
  const useKept = async (opened: RawTable): Promise<Result> => {
    const raw = keptTable(withoutExcluded(opened, readingOptions(options)));
    try {
      if (options.header === undefined) noteOrderOfColumns(raw, names, terminal);
      const second = await readAsTrained(raw, table, readingOptions(options));
      for (const remark of second.remarks) terminal.remark(remark);
      return await use(second, raw);
    } finally {
      await raw.discard();
    }
  };
  return useTable(file, options, useKept, terminal, names);
}

/** Says that columns are taken in order where a file names none and the training rows had names. */
function noteOrderOfColumns(
  { hasHeader, columns, name }: RawTable,
  names: readonly string[],
  terminal: Terminal,
): void {
  if (hasHeader || names.every((each) => columns.includes(each))) return;
  terminal.remark(
    `${name} has no names of columns: its columns are taken for those of the training rows, in their order; if line 1 holds names, say so (--header yes)`,
  );
}

/**
 * The rows of a file for a model: of a table its variables say how they are read.
 *
 * @param missing what a missing value means: a value of its own where training had some, or an unknown value
 */
export async function loadTableRows(
  file: string,
  model: TabularModel,
  options: TableRowsOptions,
  missing: 'value' | 'unknown',
  terminal: Terminal,
): Promise<EncodedRows> {
  return useRowsOf(file, model, options, terminal, ({ table }) => encodeRows(table, model, missing, terminal));
}

/** Rows, and how much each counts; null where each does once. */
export interface WeighedRows extends EncodedRows {
  readonly weights: RowWeights | null;
}

/** The same with the weights of the rows. */
export async function loadWeighedRows(
  file: string,
  model: TabularModel,
  options: TableRowsOptions & WeightOptions,
  terminal: Terminal,
): Promise<WeighedRows> {
  const { rowWeights } = options;
  if (rowWeights === undefined)
    return { ...(await loadTableRows(file, model, options, 'value', terminal)), weights: null };
  // rows of 0 and 1 have a column that is none of theirs: they are read as those of a table
  return useSecondFile(file, model, options, terminal, async ({ table }, opened) => {
    const rows = await encodeRows(table, model, 'value', terminal);
    return { ...rows, weights: new RowWeights(await readWeights(opened, rowWeights)) };
  });
}

/** The rows of a file that is read as those that trained the model. */
export async function encodeRows(
  raw: RawTable,
  model: TabularModel,
  missing: 'value' | 'unknown',
  terminal: Terminal,
): Promise<EncodedRows> {
  const rows = await countRows(raw);
  requireRows(rows, raw.name);
  const [encoded] = await encodeTable(raw, model.table, [rows], { missing, withDensities: true, mayBeUnknown: true });
  const becomes = missing === 'unknown' ? 'kept as written' : 'counted as missing';
  reportNewCells(new NewCellCounts(model).add(encoded!).cells, terminal, becomes);
  return encoded!;
}

/**
 * Reads a file whose missing values are to be filled in, before any is: what is refused of it is refused here, and what
 * training had nothing like is reported.
 *
 * @returns rows
 */
export async function checkRowsToFill(raw: RawTable, model: TabularModel, terminal: Terminal): Promise<number> {
  const newCells = new NewCellCounts(model);
  let rows = 0;
  for await (const part of encodeParts(raw, model.table, rowsToFill)) {
    rows += part.matrix.rows;
    newCells.add(part);
  }
  requireRows(rows, raw.name);
  reportNewCells(newCells.cells, terminal, 'kept as written');
  return rows;
}

/** How rows are read whose missing values are filled in. */
export const rowsToFill = { missing: 'unknown', withDensities: true, mayBeUnknown: true } as const;

/** Reports what of each column training had nothing like. @param becomes what is done with cells that do not fit */
export function reportNewCells(
  cells: readonly NewCells[],
  terminal: Terminal,
  becomes: Becomes = 'counted as missing',
): void {
  for (const { column, unseen, misfits, example, ...rest } of cells) {
    const name = JSON.stringify(column);
    if (unseen > 0) terminal.note(`orchard: ${counted(unseen, 'value')} of ${name} ${seenWords(rest)}`);
    if (misfits > 0) terminal.remark(misfitWords({ column, misfits, example }, becomes));
  }
}
