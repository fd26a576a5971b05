import type { RowKind } from '@orchard/contracts';
import { DatasetError } from '../errors.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { matchSplits, type Splits } from '../rows/match.js';
import { isSplit, splitRows, type SplitFractions } from '../rows/split.js';
import type { RawTable } from '../table-files/raw-table.js';
import type { RowFile } from './row-file.js';
import type { TableFileOptions } from '../table-files/table-options.js';
import type { TableOptions } from '../table/infer-table.js';
import { weighedInWords } from '../weights/weighed-in-words.js';
import { readTableSplits, type TableSplits } from '../table/read-splits.js';
import { rowsOfBits } from '../table/rows-of-bits.js';
import { bitsOrWhyNot, openRows, sameOfBits } from './open-rows.js';
import type { ReadOptions } from './options.js';

/** The files of a training set; validation and test rows may also be drawn from the training file. */
export interface TrainingFiles {
  readonly train: RowFile;
  readonly valid: RowFile | null;
  readonly test: RowFile | null;
}

export interface TrainingRowsOptions {
  /**
   * How each file (0 training, 1 validation, 2 test) becomes rows of bits; null where cells are read as those of a
   * table.
   */
  readonly bits: ((place: 0 | 1 | 2) => ReadOptions) | null;
  /** How a file becomes a table; null where the rows have to be read as bits. */
  readonly table: TableFileOptions | null;
  /** What is said of the columns of a table. */
  readonly columns: TableOptions;
  /**
   * What the rows may be in the end: a table of 0 and 1 alone becomes rows of bits where those are allowed.
   *
   * @default both
   */
  readonly result?: RowKind | 'either';
  /** Shares of the training file that validate and test. */
  readonly fractions: SplitFractions;
  readonly seed: number;
  /** Whether bits lie in memory that threads share. @default false */
  readonly shared?: boolean;
  /** Called with how many rows the training file has, before they are split. */
  readonly checkRows?: TableOptions['checkRows'];
  /** The table as its rows are read, as with a limit of time. @default as it is */
  readonly wrap?: (raw: RawTable) => RawTable;
  /** Called with what was found out, one sentence each; of one file with its name. */
  readonly onNote: (note: string, file?: string) => void;
  /** Called with what was decided about cells of a table: counted as missing, guessed. @default onNote */
  readonly onDecided?: (decision: string) => void;
}

export interface TrainingRows extends Splits {
  /** What was inferred, where the rows were read as a table; also where that turned out to be bits. */
  readonly asTable: TableSplits | null;
  /** Why the rows were not read as bits; null where they were, or that was not asked for. */
  readonly whyNotBits: DatasetError | null;
}

/**
 * Reads the rows of a training set: bits where every cell of every file is 0 or 1, else a table. The files stay open.
 *
 * @throws DatasetError where the rows are neither, or not what the result has to be
 */
export async function readTrainingRows(files: TrainingFiles, options: TrainingRowsOptions): Promise<TrainingRows> {
  const { bits, table, result = 'either', onNote, onDecided = (decision) => onNote(decision) } = options;
  const held: Parameters<typeof onNote>[] = [];
  const hold = (...note: Parameters<typeof onNote>): unknown => held.push(note);
  const sayHeld = (): void => held.forEach((note) => onNote(...note));
  const saidOfBits = (place: 0 | 1 | 2): ReadOptions => ({
    ...bits!(place),
    shared: options.shared,
    onNote: (note) => hold(note),
  });
  const opened = await openRows(files.train, { bits: bits && saidOfBits(0), table });
  let whyNotBits = opened.kind === 'table' ? opened.whyNotBits : null;
  if (opened.kind === 'bits') {
    // the rows of another file may not be bits, and all of them have to be of one kind
    const read = (): Promise<Splits> => splitsOfBits(opened.matrix, files, options, saidOfBits);
    const splits = table === null ? await read() : await bitsOrWhyNot(read);
    if (!(splits instanceof DatasetError)) {
      sayHeld();
      return { ...splits, asTable: null, whyNotBits };
    }
    whyNotBits = splits;
  }
  held.length = 0;
  // where bits are wanted and the rows are none, what is found out about a table is of no use
  const mustBeBits = result === 'bits';
  const say = mustBeBits ? { onNote: hold, onDecided: hold } : { onNote, onDecided };
  const train = opened.kind === 'table' ? opened.table : null;
  const asTable = await splitsOfTable(train, files, { ...options, ...say }).catch((error: unknown) => {
    throw mustBeBits && whyNotBits !== null ? whyNotBits : sameOfBits(whyNotBits, error);
  });
  const asBits = result === 'table' ? null : rowsOfBits(asTable, options.shared ?? false);
  const { train: rows, valid, test } = asBits ?? asTable;
  if (asBits !== null) {
    sayHeld();
    onNote('every column is 0 and 1: rows of bits');
  }
  return { train: rows, valid, test, asTable, whyNotBits };
}

async function splitsOfBits(
  rows: BitMatrix,
  { train, valid, test }: TrainingFiles,
  { fractions, seed, checkRows }: TrainingRowsOptions,
  bits: (place: 0 | 1 | 2) => ReadOptions,
): Promise<Splits> {
  const read = async (file: RowFile | null, place: 1 | 2): Promise<BitMatrix | null> => {
    if (file === null) return null;
    const own = bits(place);
    const like = { categoriesOf: rows.names, dimensions: own.dimensions ?? rows.dimensions };
    return (await openRows(file, { bits: { ...own, ...like }, table: null })).matrix;
  };
  const ofFiles = { valid: await read(valid, 1), test: await read(test, 2) };
  checkRows?.(rows.rows, rows.rows);
  const drawn = isSplit(fractions) ? splitRows(rows, fractions, seed) : { train: rows, valid: null, test: null };
  const labels = { train: train.name, valid: valid?.name ?? 'validation rows', test: test?.name ?? 'test rows' };
  const all = { train: drawn.train, valid: ofFiles.valid ?? drawn.valid, test: ofFiles.test ?? drawn.test };
  return matchSplits(all, labels, bits(0).wordFor);
}

async function splitsOfTable(
  train: RawTable | null,
  files: TrainingFiles,
  { table, columns, fractions, seed, checkRows, onNote, onDecided, wrap = (raw) => raw }: TrainingRowsOptions,
): Promise<TableSplits> {
  const open = async (file: RowFile): Promise<RawTable> => (await openRows(file, { bits: null, table: table! })).table;
  const raws = {
    train: train ?? (await open(files.train)),
    valid: files.valid && (await open(files.valid)),
    test: files.test && (await open(files.test)),
  };
  const all = [raws.train, raws.valid, raws.test].filter((raw) => raw !== null);
  const known = all.map((raw) => raw.notes.length);
  for (const raw of all) raw.notes.forEach((note) => onNote(note, raw.name));
  const sources = {
    train: wrap(raws.train),
    valid: raws.valid && wrap(raws.valid),
    test: raws.test && wrap(raws.test),
  };
  const splits = await readTableSplits(sources, fractions, seed, { ...columns, onNote: onDecided, checkRows });
  if (splits.weighed !== null) onDecided?.(weighedInWords(splits.weighed));
  // what was found out as rows were read
  all.forEach((raw, i) => raw.notes.slice(known[i]).forEach((note) => onNote(note, raw.name)));
  return splits;
}
