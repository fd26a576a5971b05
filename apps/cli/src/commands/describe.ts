import { describeTable, type RawTable, type TableDescription, type TableSample } from '@orchard/dataset';
import { factsOf } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { families } from '@orchard/registry';
import { UsageError } from '../output/errors.js';
import { loadNetwork } from '../rows/load-network.js';
import { datasetOptions } from '../options/dataset-options.js';
import { refuseWordsOfBits, readingOfColumns, tableOptions } from '../options/table-options.js';
import { count, counted, table as columnsTable } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { expectedNeeds, needsInWords, soonerInWords, type ExpectedNeeds } from '../rows/expected-needs.js';
import { declareRowsCommand } from '../options/query-option.js';
import { refusalFor, withRows } from '../rows/room-for-rows.js';
import { openTableFile } from '../rows/load-table-rows.js';
import { rulesOfFile, showOfferedRules } from './offer-rules.js';
import { ownCommand } from '../output/version.js';
import { option, type Parsed } from '../options/option.js';

/** Rows of which decisions are timed, and for how long: those of many rows take seconds each. */
const SAMPLE_ROWS = 16_000;
const TIMED_MILLISECONDS = 2_000;

const describeOptions = () => [
  option(
    '--rules',
    'offer rules that all rows follow: columns in order, sums of three, labels that go together, missing unless',
  ),
  ...tableOptions(),
  ...datasetOptions(),
];

type DescribeWords = Parsed<typeof describeOptions>;

export const addDescribeCommand = declareRowsCommand(
  {
    name: 'describe',
    description:
      'Show how the columns of a table would be read, and what training on it would take of memory and time.',
    rows: ['FILE', 'a table; - reads standard input'],
    options: describeOptions,
    examples: [
      ['orchard describe table.csv', ''],
      ['orchard describe table.csv --type zip=categorical', 'with another type'],
      ['orchard describe table.csv --rules', 'with rules that all rows follow'],
      [`orchard describe --query "SELECT * FROM 'sales/*.csv' WHERE year > 2024"`, 'what DuckDB answers'],
    ],
  },
  describe,
);

async function describe(file: string, options: DescribeWords, terminal: Terminal): Promise<void> {
  refuseWordsOfBits(options);
  const raw = await openTableFile(file, options, terminal).catch(async (error: unknown) => {
    await refuseModel(file);
    throw error;
  });
  try {
    const said = readingOfColumns(options, (note) => terminal.note(`orchard: ${note}`));
    const { sample, ...description } = await describeTable(raw, { ...said, sampleRows: SAMPLE_ROWS });
    show(raw, description, terminal);
    const training = sample === null ? null : await trainingOf(sample, description.rows);
    if (training !== null) terminal.result(training.words);
    const asksRules = options.rules === true && sample !== null;
    const rules = asksRules ? await rulesOfFile(raw, sample.train.columns.codes.table) : null;
    if (rules !== null) showOfferedRules(rules, terminal);
    terminal.document({
      file: raw.name,
      format: raw.format,
      ...description,
      training: training?.document ?? null,
      ...(rules !== null && { rules }),
    });
  } finally {
    await raw.close();
  }
}

/** Why `orchard train` would not take these rows. */
interface RefusedTraining {
  readonly refused: string;
  readonly remedy: string;
}

/** What `orchard train` would take with its defaults. */
async function trainingOf(
  { train, valid }: TableSample,
  rows: number,
): Promise<{ readonly words: string; readonly document: ExpectedNeeds | RefusedTraining } | null> {
  const family = families.usualFor('table');
  const datasets = { train: factsOf(train), valid: factsOf(valid), test: null };
  const sampled = { ...family.resolve({}, datasets), datasets };
  // how many rows there are decides what the defaults are
  const scaled = withRows(sampled, rows).datasets;
  const planned = { ...family.resolve({}, scaled), datasets: scaled };
  try {
    const needs = await expectedNeeds(family, planned, { train, valid }, { milliseconds: TIMED_MILLISECONDS });
    if (needs === null) return null;
    return { words: `orchard train would take ${needsInWords(needs)}${soonerInWords(needs)}`, document: needs };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { got, remedy } = error.code === 'too-large' ? refusalFor(family, planned) : error;
    return { words: `orchard train would refuse it: ${got}. ${remedy}`, document: { refused: got, remedy } };
  }
}

/** @throws UsageError for a model or its folder, which other commands describe */
async function refuseModel(file: string): Promise<void> {
  const loaded = file === '-' ? null : await loadNetwork(file).catch(() => null);
  if (loaded === null) return;
  throw new UsageError({
    got: `${file}, a model of the family ${loaded.network.family}`,
    expected: 'a table, as CSV or Parquet',
    where: 'FILE',
    remedy: `${ownCommand} inspect ${file} says what it is; sample, evaluate and complete ask it.`,
  });
}

function show(
  raw: RawTable,
  { rows, notes, variables, leftOut }: Omit<TableDescription, 'sample'>,
  terminal: Terminal,
): void {
  terminal.result(`${raw.name}: ${raw.format}, ${counted(rows, 'row')}`);
  notes.forEach((note) => terminal.result(note));
  terminal.result(
    columnsTable(
      ['column', 'kind', 'missing', 'values', ''],
      variables.map(({ name, kind, holes, values, warnings }) => [
        name,
        kind,
        holes === 0 ? '' : count(holes),
        values,
        warnings.join(', '),
      ]),
    ),
  );
  for (const { name, why } of leftOut) terminal.result(`${harmlessLine(name)} is left out: ${why}`);
}
