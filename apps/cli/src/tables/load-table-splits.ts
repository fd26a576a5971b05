import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  DatasetError,
  openTable,
  readTableSplits,
  rowsOfBits,
  type RawTable,
  type Source,
  type TableSplits,
} from '@orchard/dataset';
import { families } from '@orchard/registry';
import { learnedBy, type Family, type RowKind } from '@orchard/pipeline';
import { UsageError } from '../errors.js';
import {
  checkShares,
  checkSources,
  loadSplits,
  sharesOf,
  type LoadedSplits,
  type SplitSources,
} from '../rows/load-splits.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import { saysBits, saysTable, tableFileOptions, tableOptions, type TableWords } from '../options/table-options.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';

/** The splits of a run, and what their rows are. */
export interface TrainingRows {
  readonly splits: LoadedSplits;
  readonly kind: RowKind;
}

/** What the rows are for. */
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

/** Refusals of the reader of bits that say: this is a table. */
const ofTables: readonly string[] = ['value', 'missing-value', 'header', 'column', 'format', 'ragged', 'empty'];

/**
 * Reads the splits as rows of bits where that is what they are, and else as a table. What is said on the command line decides;
 * where nothing is, the rows do: a file of 0 and 1 alone is bits, also behind a column that a table leaves out.
 *
 * @param said the models that were named: where they learn rows of one kind alone, the rows must be of that
 * @throws DatasetError, UsageError, for a table too where a model of bits is said
 */
export async function loadTrainingRows(
  sources: SplitSources,
  options: DatasetOptions & TableWords,
  said: RowsFor | undefined,
  terminal: Terminal,
): Promise<TrainingRows> {
  checkSources(sources);
  if (saysBits(options)) {
    if (saysTable(options)) throw mixedWords();
    const splits = await loadSplits(sources, options, terminal).catch((error: unknown) => {
      throw said === undefined ? error : withOtherModel(error);
    });
    return { splits, kind: 'bits' };
  }
  const mayBeBits = said?.learns.includes('bits') ?? true;
  const spool = sources.train === '-' ? await spoolStandardInput() : null;
  try {
    let noBits: DatasetError | null = null;
    if (mayBeBits && !saysTable(options)) {
      const bits = await asBits(spool === null ? sources : { ...sources, train: spool.path }, options, terminal);
      if (!(bits instanceof DatasetError)) return { splits: bits, kind: 'bits' };
      noBits = bits;
    }
    const mustBeBits = said?.learns.includes('table') === false;
    const notes: string[] = [];
    const quiet = { note: (text: string) => notes.push(text) } as unknown as Terminal;
    const splits = await loadTable(sources, spool?.path ?? null, options, mustBeBits ? quiet : terminal).catch(
      (error: unknown) => {
        if (mustBeBits && noBits !== null) throw withOtherModel(noBits);
        // columns that do not fit do not fit as a table either: rows of bits are told which
        throw noBits?.code === 'column' && error instanceof DatasetError && error.code === 'column' ? noBits : error;
      },
    );
    const bits = mayBeBits ? rowsOfBits(splits, true) : null;
    if (bits === null && mustBeBits) throw noBits === null ? tableForBits(said.names) : withOtherModel(noBits);
    notes.forEach((note) => terminal.note(note));
    if (bits !== null) terminal.note('orchard: every column is 0 and 1: rows of bits');
    const { train, valid, test } = bits ?? splits;
    return { splits: { train, valid: valid!, test }, kind: bits === null ? 'table' : 'bits' };
  } finally {
    await spool?.remove();
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

/** The models that learn tables: `tables or chow-liu`. */
function modelsOfTables(): string {
  return families
    .learning('table')
    .map(({ name }) => name)
    .join(' or ');
}

/** What is no bits is told to be a table, where a model of bits was asked for. */
function withOtherModel(error: unknown): unknown {
  if (!(error instanceof DatasetError) || !['value', 'missing-value'].includes(error.code)) return error;
  const { code, got, expected, where, remedy } = error;
  const whole = `${remedy} Tables of categories, numbers and holes are what --model ${modelsOfTables()} takes.`;
  const parts = { got, expected, remedy: whole, ...(where === undefined ? {} : { where }) };
  return new DatasetError(code, parts, { cause: error });
}

/** The splits as rows of bits, or why they are a table. */
async function asBits(
  sources: SplitSources,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<LoadedSplits | DatasetError> {
  const notes: string[] = [];
  const quiet = { note: (text: string) => notes.push(text) } as unknown as Terminal;
  try {
    const splits = await loadSplits(sources, options, quiet);
    notes.forEach((note) => terminal.note(note));
    return splits;
  } catch (error) {
    if (error instanceof DatasetError && ofTables.includes(error.code)) return error;
    throw error;
  }
}

async function loadTable(
  sources: SplitSources,
  spooled: string | null,
  options: DatasetOptions & TableWords,
  terminal: Terminal,
): Promise<TableSplits> {
  const note = (text: string): void => terminal.note(`orchard: ${text}`);
  const opened: RawTable[] = [];
  const open = async (file: string): Promise<RawTable> => {
    const source: Source = file === '-' ? { name: 'standard input', bytes: createReadStream(spooled!) } : file;
    const raw = await openTable(source, tableFileOptions(options));
    opened.push(raw);
    raw.notes.forEach((text) => note(`${raw.name}: ${text}`));
    return raw;
  };
  try {
    const files = {
      train: await open(sources.train),
      valid: sources.valid === undefined ? null : await open(sources.valid),
      test: sources.test === undefined ? null : await open(sources.test),
    };
    const shares = sharesOf(sources);
    const splits = await readTableSplits(files, shares, options.seed ?? 0, {
      ...tableOptions(options, note),
      checkRows: (rows) => {
        checkShares(rows, sources);
      },
    });
    sayTable(splits, shares, options.seed ?? 0, note);
    return splits;
  } finally {
    for (const raw of opened) await raw.close();
  }
}

/** What was inferred and left out, before hours are spent on it. */
function sayTable(
  { table, train, valid, test, unseen, incomplete }: TableSplits,
  shares: { readonly valid: number; readonly test: number },
  seed: number,
  note: (text: string) => void,
): void {
  const kinds = (['binary', 'categorical', 'ordered'] as const)
    .map((kind) => [kind, table.variables.filter((variable) => variable.kind === kind).length] as const)
    .filter(([, many]) => many > 0);
  note(
    `a table of ${counted(table.variables.length, 'variable')}: ${kinds.map(([kind, many]) => `${String(many)} ${kind}`).join(', ')} (orchard describe shows them)`,
  );
  for (const { name, why } of table.leftOut)
    note(
      `${JSON.stringify(name)} is left out: ${why}${why === 'it has no values' ? '' : ` (--type ${name}=… keeps it)`}`,
    );
  for (const variable of table.variables) {
    const counts = variable.counts.filter((rows) => rows > 0);
    if (counts.length === 1 && variable.holes === 0) note(`warning: ${JSON.stringify(variable.name)} is constant`);
    if (variable.kind === 'categorical' && variable.labels.length > 100)
      note(
        `warning: ${JSON.stringify(variable.name)} has ${String(variable.labels.length)} labels${variable.others > 0 ? `, and ${count(variable.others)} rows of others, now "(other)"` : ''}`,
      );
  }
  const parts = [
    `${count(train.rows)} train`,
    `${count(valid?.rows ?? 0)} validate`,
    ...(test === null ? [] : [`${count(test.rows)} test`]),
  ];
  const drawn = shares.valid > 0 || shares.test > 0 ? `; drawn by seed ${String(seed)}` : '';
  note(`of the rows ${parts.join(', ')}${drawn}`);
  for (const { file, rows, of, columns } of incomplete)
    note(
      `${file}: ${count(rows)} of ${counted(of, 'row')} left out, with holes in ${columns.map((name) => JSON.stringify(name)).join(', ')}, where the training rows have none`,
    );
  const never = Object.entries(unseen);
  if (never.length > 0)
    note(
      `held-out values that training never saw: ${never.map(([name, times]) => `${String(times)} of ${JSON.stringify(name)}`).join(', ')}`,
    );
}

/** Standard input can be read once, and a table is read several times. */
async function spoolStandardInput(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-stdin-'));
  const path = join(folder, 'standard-input');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await pipeline(process.stdin, createWriteStream(path));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

function mixedWords(): UsageError {
  return new UsageError({
    got: 'options of tables beside options of rows of bits',
    expected: 'one of them',
    remedy: 'Leave out --type, --bins and the like, or --threshold, --one-hot, --columns and the like.',
  });
}
