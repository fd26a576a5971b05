import { rowKinds, type RowKind } from '@orchard/contracts';
import {
  DatasetError,
  type FoundRule,
  openRowFile,
  readTrainingRows,
  type RowFile,
  trainingCounts,
  type TableSplits,
  type TrainingRows as ReadRows,
  type TrainingRowsOptions,
} from '@orchard/dataset';
import { hasRareLabels, seenWords } from '@orchard/model';
import { families } from '@orchard/registry';
import { learnedBy, type Family, type Splits } from '@orchard/pipeline';
import { errorDocument, interrupted, messageOf, UsageError } from '../output/errors.js';
import { sayAtInterruption } from '../output/interruption.js';
import { readOptions, type DatasetOptions } from '../options/dataset-options.js';
import { saysBits, saysTable, readingOfFile, readingOfColumns, type TableWords } from '../options/table-options.js';
import { count, counted } from '../output/figures.js';
import { openGiven } from './open-given.js';
import type { Terminal } from '../output/terminal.js';
import { firstNames, leftOutNotes } from './left-out-notes.js';
import { checkShares, checkSources, fractionsOf, nameOfFile, sharesOf, type SplitSources } from './split-sources.js';

export interface RowsFor {
  /** The models, as messages call them. */
  readonly names: string;
  /** The kinds of rows that all of them learn. */
  readonly learns: readonly RowKind[];
}

/** What rows have to be for one model. */
export function rowsFor(family: Family): RowsFor {
  return { names: family.name, learns: learnedBy(family) };
}

export interface WeighedSplits extends Splits {
  /** Null where each row counts once. */
  readonly weighed: TableSplits['weighed'];
}

/**
 * Reads the splits as rows of bits where that is what they are, and else as a table. What is said on the command line
 * decides; where nothing is, the rows do: a file of 0 and 1 alone is bits, also behind a column that a table leaves
 * out.
 *
 * @param said the models that were named: where they learn rows of one kind alone, the rows must be of that
 * @param onRule called for what holds of all rows of a table
 * @throws DatasetError, UsageError, for a table too where a model of bits is said
 */
export async function loadTrainingRows(
  sources: SplitSources,
  options: DatasetOptions & TableWords,
  said: RowsFor | undefined,
  terminal: Terminal,
  onRule?: (found: FoundRule) => void,
): Promise<WeighedSplits> {
  checkSources(sources);
  const asksForBits = saysBits(options);
  const asksForTable = saysTable(options);
  if (asksForBits && asksForTable)
    throw new UsageError({
      got: 'options of tables beside options of rows of bits',
      expected: 'one of them',
      remedy: 'Leave out --type, --bins and the like, or --threshold, --one-hot, --columns and the like.',
    });
  const mustBeBits = said?.learns.includes('table') === false;
  const note = (text: string): void => terminal.note(`orchard: ${text}`);
  const seed = options.seed ?? 0;
  const files: RowFile[] = [];
  const open = async (file: string): Promise<RowFile> => {
    const opened = await openGiven(file, terminal);
    files.push(opened);
    return opened;
  };
  const reading = readingOptions(options, said, note);
  const dispose = sayAtInterruption(() => {
    const error = interrupted('The rows were still being read, and nothing was written.');
    terminal.document(errorDocument(error));
    terminal.complain(`orchard: ${messageOf(error)}`);
  });
  try {
    const read = await readTrainingRows(
      {
        train: await open(sources.train),
        valid: sources.valid === undefined ? null : await open(sources.valid),
        test: sources.test === undefined ? null : await open(sources.test),
      },
      {
        ...reading,
        columns: { ...reading.columns, onRule },
        fractions: fractionsOf(sources),
        shared: true,
        checkRows: (rows) => {
          checkShares(rows, sources);
          sayPart(rows, sources, note);
        },
        onNote: (text, file) => note(file === undefined ? text : `${file}: ${text}`),
        onDecided: (text) => terminal.remark(text),
      },
    ).catch((error: unknown) => {
      throw !asksForTable && (mustBeBits || (asksForBits && said !== undefined)) ? withOtherModel(error) : error;
    });
    if (mustBeBits && read.train.columns.kind === 'table')
      throw read.whyNotBits === null ? tableForBits(said.names) : whyTable(said.names, read.whyNotBits);
    if (read.asTable === null) sayBits(read, sources, options, note);
    else sayTable(read.asTable, sources, seed, terminal);
    const weighed = read.asTable?.weighed ?? null;
    return { train: read.train, valid: read.valid!, test: read.test, weighed };
  } finally {
    dispose();
    for (const file of files) await file.close();
  }
}

/** A model of bits was asked for, of a file that options of tables were given for. */
function tableForBits(said: string): UsageError {
  return new UsageError({
    got: 'a table, with options of tables',
    expected: `rows of 0 and 1 alone, which a model of the kind ${said} learns`,
    where: '--model',
    remedy: `Use --model ${modelsOfTables()}; or leave out --type, --bins and the like, and make bits by --threshold, --one-hot, --columns.`,
  });
}

/** Formats of tables alone are read as such: that they are no format of bits tells nothing of their values. */
function whyTable(said: string, whyNotBits: DatasetError): unknown {
  if (whyNotBits.code !== 'format') return withOtherModel(whyNotBits);
  return new UsageError({
    got: 'columns that are not of 0 and 1 alone',
    expected: `rows of 0 and 1, which a model of the kind ${said} learns`,
    ...(whyNotBits.where === undefined ? {} : { where: whyNotBits.where }),
    remedy: `Use --model ${modelsOfTables()}, which learn tables; or leave out all columns but those of 0 and 1.`,
  });
}

/** The models that learn tables: `tables or chow-liu`. */
function modelsOfTables(): string {
  return families
    .learning('table')
    .map(({ name }) => name)
    .join(' or ');
}

/** Where a model of bits was asked for and the file is a table, the error says so. */
function withOtherModel(error: unknown): unknown {
  if (!(error instanceof DatasetError) || !['value', 'missing-value'].includes(error.code)) return error;
  const { code, got, expected, where, remedy } = error;
  const whole = `${remedy} Tables of categories, numbers and missing values are what --model ${modelsOfTables()} takes.`;
  const parts = { got, expected, remedy: whole, ...(where === undefined ? {} : { where }) };
  return new DatasetError(code, parts, { cause: error });
}

/** How files are read: the words of the command line decide, and the models that are named. */
export function readingOptions(
  options: DatasetOptions & TableWords,
  said: RowsFor | undefined,
  note: (text: string) => void,
): Omit<TrainingRowsOptions, 'fractions' | 'onNote'> {
  const asksForBits = saysBits(options);
  const [onlyKind, ...others] = said?.learns ?? rowKinds;
  const result = others.length > 0 ? 'either' : onlyKind!;
  return {
    bits:
      asksForBits || (result !== 'table' && !saysTable(options)) ? (place) => readOptions(options, place, note) : null,
    table: asksForBits ? null : readingOfFile(options),
    columns: asksForBits ? {} : readingOfColumns(options, note),
    result,
    seed: options.seed ?? 0,
  };
}

/** The first rows of a file, a tenth of which validates: what the file is, not what it says. */
export async function readFirstRows(
  source: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> },
  options: DatasetOptions & TableWords,
  said: RowsFor | undefined,
): Promise<Splits> {
  const quiet = (): void => {};
  const file = await openRowFile(source);
  try {
    const how = { ...readingOptions(options, said, quiet), fractions: { valid: 0.1 }, onNote: quiet };
    const { train, valid } = await readTrainingRows({ train: file, valid: null, test: null }, how);
    return { train, valid: valid!, test: null };
  } finally {
    await file.close();
  }
}

/** That not all rows are taken, or that there are no more. */
function sayPart(all: number, { train, rows }: SplitSources, note: (text: string) => void): void {
  if (rows === undefined) return;
  note(
    rows < all
      ? `${count(rows)} of the ${counted(all, 'row')} of ${nameOfFile(train)} are taken, drawn by the seed (--rows)`
      : `--rows ${String(rows)} takes all: ${nameOfFile(train)} has ${counted(all, 'row')}`,
  );
}

/** How rows of bits were shared out. @throws UsageError where they have other dimensions than was said */
function sayBits(
  { train, valid, test }: ReadRows,
  sources: SplitSources,
  options: DatasetOptions,
  note: (text: string) => void,
): void {
  const { dimensions = train.dimensions } = options;
  if (dimensions !== train.dimensions)
    throw new UsageError({
      got: `${count(train.dimensions)} dimensions in ${nameOfFile(sources.train)}`,
      expected: `${count(dimensions)}, as --dimensions says`,
      where: '--dimensions',
      remedy: 'Only libsvm files need it, whose last columns may be empty: leave it out.',
    });
  if (sources.folds !== undefined) {
    sayFolds(train.rows + (valid?.rows ?? 0), sources.folds, note);
    return;
  }
  const shares = sharesOf(sources);
  const parts = [{ rows: train.rows, text: `${count(train.rows)} train` }];
  if (shares.valid > 0)
    parts.push({ rows: valid!.rows, text: `${count(valid!.rows)} validate (--valid-fraction ${shares.valid})` });
  if (shares.test > 0)
    parts.push({ rows: test!.rows, text: `${count(test!.rows)} test (--test-fraction ${shares.test})` });
  if (parts.length === 1) return;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  note(
    `of ${counted(rows, 'row')} ${parts.map(({ text }) => text).join(', ')}; drawn by seed ${String(options.seed ?? 0)}`,
  );
}

/** One fold is all rows, which none of them scores. */
function sayFolds(rows: number, folds: number, note: (text: string) => void): void {
  if (folds > 1) note(`${counted(rows, 'row')} in ${counted(folds, 'fold')}: the model of the others scores each`);
}

/** Labels of a column from which on a warning says so. */
const MANY_LABELS = 100;

/** What was inferred and left out, before hours are spent on it. */
function sayTable(
  { table, train, valid, test, unseen, incomplete }: TableSplits,
  sources: SplitSources,
  seed: number,
  terminal: Terminal,
): void {
  const note = (text: string): void => terminal.note(`orchard: ${text}`);
  const remark = (text: string): void => terminal.remark(text);
  const kinds = (['binary', 'categorical', 'ordered'] as const)
    .map((kind) => [kind, table.variables.filter((variable) => variable.kind === kind).length] as const)
    .filter(([, many]) => many > 0);
  note(
    `a table of ${counted(table.variables.length, 'variable')}: ${kinds.map(([kind, many]) => `${String(many)} ${kind}`).join(', ')} (orchard describe shows them)`,
  );
  for (const line of leftOutNotes(table.leftOut)) remark(line);
  const constant = table.variables
    .filter((variable) => variable.holes === 0 && trainingCounts(variable).filter((rows) => rows > 0).length === 1)
    .map(({ name }) => name);
  if (constant.length > 0) remark(`warning: ${firstNames(constant)} ${constant.length === 1 ? 'is' : 'are'} constant`);
  for (const variable of table.variables) {
    if (variable.kind !== 'categorical' || variable.labels.length <= MANY_LABELS) continue;
    const labels = `warning: ${JSON.stringify(variable.name)} has ${String(variable.labels.length)} labels`;
    if (variable.others > 0) remark(`${labels}, and ${count(variable.others)} rows of others, now "(other)"`);
    else note(labels);
  }
  const shares = sharesOf(sources);
  const parts = [
    `${count(train.rows)} train`,
    `${count(valid?.rows ?? 0)} validate`,
    ...(test === null ? [] : [`${count(test.rows)} test`]),
  ];
  const drawn = shares.valid > 0 || shares.test > 0 ? `; drawn by seed ${String(seed)}` : '';
  if (sources.folds === undefined) note(`of the rows ${parts.join(', ')}${drawn}`);
  else sayFolds(train.rows + (valid?.rows ?? 0), sources.folds, note);
  for (const { file, rows, of, columns } of incomplete)
    remark(
      `${file}: ${count(rows)} of ${counted(of, 'row')} left out, with missing values in ${columns.map((name) => JSON.stringify(name)).join(', ')}, where the training rows have none`,
    );
  const rare = new Set(table.variables.filter(hasRareLabels).map(({ name }) => name));
  const told = Object.entries(unseen);
  for (const [words, columns] of [
    [seenWords({}), told.filter(([name]) => !rare.has(name))],
    [seenWords({ orRare: true }), told.filter(([name]) => rare.has(name))],
  ] as const)
    if (columns.length > 0)
      note(
        `held-out values ${words}: ${columns.map(([name, times]) => `${String(times)} of ${JSON.stringify(name)}`).join(', ')}`,
      );
}
