import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { markedTable, type RawTable } from '../table-files/raw-table.js';
import { assignRows, isSplit, NOT_TAKEN, type SplitFractions } from '../rows/split.js';
import { DatasetError, quote } from '../errors.js';
import { readAsTrained } from '../second-file/find-readings.js';
import { readWeights } from '../weights/read-weights.js';
import { repeatedMarks, repeatedTable } from '../weights/repeated-table.js';
import { repeatsOf } from '../weights/row-repeats.js';
import { keptTable } from '../table-files/kept-columns.js';
import { encodeTable, findIncomplete, type EncodedRows } from './encode-table.js';
import { profileTable, tableOf, type TableOptions, type TableProfile } from './infer-table.js';
import { WEIGHS_ROWS } from './inferred.js';
import { withTellingCuts } from './telling-cuts.js';

/** The files of a table's splits. */
export interface TableSources {
  readonly train: RawTable;
  readonly valid: RawTable | null;
  readonly test: RawTable | null;
}

export interface TableSplits {
  readonly table: Table;
  readonly train: BitMatrix;
  readonly valid: BitMatrix | null;
  readonly test: BitMatrix | null;
  /** Values of validation and test rows that training rows never have, by column. */
  readonly unseen: Readonly<Record<string, number>>;
  /** Rows of separate files that are left out, since they have missing values where training has none. */
  readonly incomplete: readonly LeftOutRows[];
  /** How rows were weighed; null where each counts once. */
  readonly weighed: WeighedRows | null;
}

/** Rows that stand as often as they weigh: counts and sizes of splits are of all repeats. */
export interface WeighedRows {
  readonly column: string;
  /** Rows of all files, each counted once. */
  readonly rows: number;
  /** The same with their repeats. */
  readonly repeated: number;
  /** The weight that one repeat stands for: 1 where weights are whole numbers and taken as they are. */
  readonly step: number;
  /** Rows of too small a weight to be taken. */
  readonly notTaken: number;
}

/** What was left out of one file. */
export interface LeftOutRows {
  readonly file: string;
  readonly rows: number;
  /** Rows of the file, those included. */
  readonly of: number;
  readonly columns: readonly string[];
}

/**
 * Reads the splits of a table. The kinds of columns are decided by all rows of the training file; labels, cells and
 * cuts are those of the training rows alone, so that nothing is known of rows that validate or test.
 *
 * A row of a separate file with a missing value where training has none says nothing of how likely it is as a whole: it
 * is left out, and counted.
 *
 * @param fractions rows of the training file that validate or test, where there is no file for them, and how many are
 *   taken in all
 */
export async function readTableSplits(
  sources: TableSources,
  fractions: SplitFractions,
  seed: number,
  options: TableOptions,
): Promise<TableSplits> {
  const [train, valid, test] = [sources.train, sources.valid, sources.test].map(
    (raw) => raw && keptTable(markedTable(raw)),
  );
  try {
    return await readKept({ train: train!, valid: valid ?? null, test: test ?? null }, fractions, seed, options);
  } finally {
    for (const table of [train, valid, test]) await table?.discard();
  }
}

async function readKept(
  sources: TableSources,
  fractions: SplitFractions,
  seed: number,
  options: TableOptions,
): Promise<TableSplits> {
  const { weights } = options;
  const read = weights === undefined ? unweighed(sources) : await weighedBy(weights, sources);
  const { train, valid, test } = read.sources;
  const profile = await profileOf(sources.train, train, options, !isSplit(fractions));
  const rows = read.repeats?.length ?? profile.rows;
  options.checkRows?.(rows, read.repeats?.reduce((sum, repeat) => sum + repeat, 0) ?? rows);
  // all repeats of a row are in one split
  const assigned = isSplit(fractions) ? assignRows(rows, fractions, seed) : null;
  const splitOf = assigned === null || read.repeats === null ? assigned : repeatedMarks(assigned, read.repeats);
  const inferred = await tableOf(train, profile, splitOf, options);
  const counts = [profile.rows, 0, 0];
  for (let row = 0; splitOf !== null && row < splitOf.length; row++) {
    const split = splitOf[row]!;
    if (split === 0) continue;
    if (split !== NOT_TAKEN) counts[split]!++;
    counts[0]!--;
  }
  const sides = await encodeTable(train, inferred, counts, { splitOf, refine: withTellingCuts });
  const { table } = sides[0]!.matrix.columns.codes;
  const incomplete: LeftOutRows[] = [];
  const other = async (raw: RawTable | null, index: 1 | 2) => {
    if (raw !== null) return encodeWhole(await asTrained(raw, table, options), table, incomplete);
    return counts[index]! > 0 ? sides[index]! : null;
  };
  const [validation, testing] = [await other(valid, 1), await other(test, 2)];
  const unseen = Object.fromEntries(
    table.variables
      .map(({ name }, index): [string, number] => [
        name,
        (validation?.unseen[index] ?? 0) + (testing?.unseen[index] ?? 0),
      ])
      .filter(([, count]) => count > 0),
  );
  return {
    table,
    train: sides[0]!.matrix,
    valid: validation?.matrix ?? null,
    test: testing?.matrix ?? null,
    unseen,
    incomplete,
    weighed: read.weighed,
  };
}

/** The files with their rows as often as they weigh. */
interface ReadSources {
  readonly sources: TableSources;
  readonly weighed: WeighedRows | null;
  /** Of each row of the training file how often it stands; null where each does once. */
  readonly repeats: Uint32Array | null;
}

function unweighed(sources: TableSources): ReadSources {
  return { sources, weighed: null, repeats: null };
}

/** @throws DatasetError for a file without weights, and a row without one */
async function weighedBy(column: string, { train, valid, test }: TableSources): Promise<ReadSources> {
  const files = [train, valid, test].filter((file) => file !== null);
  const weights: Float64Array[] = [];
  for (const file of files) weights.push(await readWeights(file, column));
  const { repeats, step, notTaken } = repeatsOf(weights);
  const weigh = (file: RawTable): RawTable => repeatedTable(file, repeats[files.indexOf(file)]!);
  const repeated = repeats.reduce((sum, ofFile) => ofFile.reduce((all, repeat) => all + repeat, sum), 0);
  return {
    sources: { train: weigh(train), valid: valid && weigh(valid), test: test && weigh(test) },
    weighed: { column, rows: weights.reduce((sum, { length }) => sum + length, 0), repeated, step, notTaken },
    repeats: repeats[0]!,
  };
}

/**
 * What is found out about the columns of rows that stand as often as they weigh. A column that is left out where each
 * row stands once is left out here too: the number of a row stands twice in a row that is repeated, and is still no
 * value to learn.
 */
async function profileOf(
  file: RawTable,
  weighed: RawTable,
  options: TableOptions,
  isWhole: boolean,
): Promise<TableProfile> {
  const profile = await profileTable(weighed, withoutWeights(options), isWhole);
  if (options.weights === undefined) return profile;
  const { kinds } = await profileTable(file, withoutWeights(options), isWhole);
  const kindsOfOnce = profile.kinds.map((kind, at) => {
    if (file.columns[at] === options.weights) return { kind: 'excluded', why: WEIGHS_ROWS } as const;
    return kinds[at]!.kind === 'excluded' ? kinds[at]! : kind;
  });
  return { ...profile, kinds: kindsOfOnce };
}

function withoutWeights({ weights, types, ...options }: TableOptions): TableOptions {
  return { ...options, types: weights === undefined ? types : { ...types, [weights]: 'excluded' } };
}

/** A separate file with its cells as the training rows have them. */
async function asTrained(raw: RawTable, table: Table, { dates, onNote }: TableOptions): Promise<RawTable> {
  const second = await readAsTrained(raw, table, { dates });
  for (const remark of second.remarks) onNote?.(`${raw.name}: ${remark}`);
  return second.table;
}

/** The rows of a separate file that have no missing value where training has none. */
async function encodeWhole(raw: RawTable, table: Table, leftOut: LeftOutRows[]): Promise<EncodedRows> {
  const { rows, isIncomplete, incomplete, columns } = await findIncomplete(raw, table);
  if (incomplete === rows)
    throw new DatasetError('missing-value', {
      got: `a missing value in every row: in ${columns.map(quote).join(', ')}`,
      expected: 'rows with a value where the training rows have no missing value',
      where: raw.name,
      remedy: 'Give rows with these values, or train on rows with missing values in these columns.',
    });
  if (incomplete > 0) leftOut.push({ file: raw.name, rows: incomplete, of: rows, columns });
  const [encoded] = await encodeTable(raw, table, [rows - incomplete], { leftOut: isIncomplete });
  return encoded!;
}
