import { availableParallelism } from 'node:os';
import {
  givenColumns,
  givenFirst,
  scoreByFolds,
  trainFolds,
  type FoldModels,
  type FoldScores,
} from '@orchard/analysis';
import { bitTable, type Columns, type RawTable } from '@orchard/dataset';
import { asTabular, flagHighest, type DensityModel, type GivenColumns } from '@orchard/model';
import type { Family } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import type { Command } from 'commander';
import { rarely } from '../../options/help-places.js';
import { refuseStandardInput, refuseTogether, UsageError } from '../../output/errors.js';
import { datasetOptions } from '../../options/dataset-options.js';
import {
  givenColumnsOption,
  modelOption,
  seedOption,
  threadsOption,
  outOption,
  perRowOption,
} from '../../options/repeated-options.js';
import { readingOfColumns, tableOptions } from '../../options/table-options.js';
import { trainingWords, trainingOptions } from '../../options/training-flags.js';
import { number, share, wholeNumber } from '../../options/values.js';
import { counted } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import { StageDisplay } from '../../output/stage-display.js';
import type { Terminal } from '../../output/terminal.js';
import { alarmOptions } from './alarms.js';
import { findAndList, flaggedRows, showOutliers } from './show-outliers.js';
import { loadFoldRows, type FoldRows } from '../../run-folder/load-fold-rows.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { trainInFolders } from '../../run-folder/train-in-folders.js';
import { useTable } from '../../rows/load-table-rows.js';
import { evaluate } from './evaluate.js';
import { option, type Parsed, type TypedOption } from '../../options/option.js';

const FOLDS = 5;

/**
 * The kind of model of tables: about as good as boosted trees on sets of ADBench, and much faster
 * (test/benchmarks/public/measured.md).
 */
const USUAL_OF_TABLES = 'chow-liu';

/** The kind of model of tables where columns are given: what is usual of a group depends on all of them together. */
const USUAL_GIVEN = 'tables';

/** The share of the rows that the second pass leaves out. */
const CONTAMINATION = 0;

/** Options of training that the folds decide, or that this command has itself. */
const decidedByFolds = new Set(['members', 'orderings', 'folds', 'committee', 'refit', 'retrain', 'seed']);

const outliersOptions = () => [
  option('-n, --count <n>', 'unusual rows to show', wholeNumber(1, 100_000), 10),
  option('--top <n>', 'unusual cells to show of each row', wholeNumber(0, 1000), 3),
  option('--flag <share>', 'flag this share of the rows, the most unusual', share),
  perRowOption('write the score of each row and its most unusual cells: .parquet, .arrow or .feather, otherwise CSV'),
  option('--folds <n>', 'folds of the rows, and models to train', wholeNumber(2, 100), FOLDS),
  option(
    '--contamination <share>',
    'train once more without this share of the rows, those with the highest scores; 0 trains once',
    number('a number from 0 to 0.5', (value) => value >= 0 && value <= 0.5),
    CONTAMINATION,
  ),
  option(
    '--small-models',
    'score rows of a table by models of few rows too (default: where nothing is said of the model)',
  ) as TypedOption<{ readonly smallModels?: boolean }>,
  option('--no-small-models', 'score by the models of the folds alone'),
  givenColumnsOption(),
  option('--baseline <NETWORK>', 'score by a model of earlier rows, as orchard evaluate --worst, and train none'),
  outOption('-o, --out <dir>', 'keep the models of the folds in this folder (default: they are not kept)'),
  option('--force', 'replace another run in that folder'),
  modelOption(USUAL_OF_TABLES),
  seedOption('of the folds and of all training'),
  threadsOption(),
  ...datasetOptions(),
  ...tableOptions(),
  ...alarmOptions(),
  ...trainingOptions()
    .filter((one) => !decidedByFolds.has(one.attributeName()))
    .map(rarely),
];

type OutliersOptions = Parsed<typeof outliersOptions>;

export const addOutliersCommand = declareRowsCommand(
  {
    name: 'outliers',
    description:
      'Find the unusual rows of a file and the cells that make them unusual: train on folds of the rows, and score each row by the model that did not learn from it.',
    rows: ['DATA', 'a table, or rows of 0 and 1, in any format of orchard train'],
    options: outliersOptions,
    examples: [
      ['orchard outliers table.csv', 'the ten most unusual rows, and why'],
      ['orchard outliers table.csv --flag 0.01 --per-row scores.csv', 'a score for every row; 1 % are flagged'],
      ['orchard outliers sales.csv --given-columns region,type', 'what is unusual for its region and type'],
      ['orchard outliers new.csv --baseline run --alarms 1/1000 --usual usual.csv', 'alarms that keep their rate'],
      ['orchard outliers survey.csv --json', 'for programs'],
    ],
    notes: [
      'The score sums, over the columns, how far a cell is more surprising than is typical of its column (nats). No row is scored by a model',
      'that learned from it. Of tables, small models of 32 and of 256 rows score beside those of the folds, since outliers that are many or',
      'alike look usual to a model of all rows. Rows count from 1, the header not among them. For rows that arrive later, train once and use orchard evaluate --worst.',
    ],
  },
  (rows, options, terminal, command) =>
    options.baseline === undefined
      ? outliers(rows, options, terminal)
      : outliersBy(options.baseline, rows, { options, command }, terminal),
);

/** Options about models that are trained here, beside those of training. */
const ofTraining = [
  ...['folds', 'contamination', 'smallModels', 'out', 'force', 'model', 'threads'],
  ...['exclude', 'bins', 'cutPoints', 'maxCategories'],
];

/** Scores rows by a model of earlier ones. @throws UsageError for options of training */
async function outliersBy(
  path: string,
  file: string,
  { options, command }: { readonly options: OutliersOptions; readonly command: Command },
  terminal: Terminal,
): Promise<void> {
  const own = new Set([...ofTraining, ...Object.keys(trainingWords(options))]);
  const training = command.options.find(
    (option) => own.has(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (training !== undefined)
    refuseTogether(training.long!, '--baseline', { expected: 'one of the two: a baseline is trained already' });
  await evaluate(path, file, { ...options, worst: options.count }, terminal);
}

async function outliers(file: string, options: OutliersOptions, terminal: Terminal): Promise<void> {
  if (file === '-') refuseStandardInput('DATA');
  if (options.alarms !== undefined || options.usual !== undefined || options.window !== undefined)
    throw new UsageError({
      got: '--alarms, --usual or --window without --baseline',
      expected: 'a model of earlier rows, which scores usual rows and new ones',
      where: '--alarms',
      remedy: 'Add --baseline RUN: orchard train makes one.',
    });
  const asTable = options.givenColumns !== undefined;
  const rows = await loadFoldRows(file, { ...options, asTable }, terminal, (kind) => usualFamily(kind, options));
  const given = options.givenColumns === undefined ? null : givenOfRows(rows, options, options.givenColumns);
  const show = async (raw: RawTable): Promise<void> => {
    const { scores, explain, model, smallModels } = await crossFitted(rows, raw, { ...options, given }, terminal);
    const found = await findAndList(scores, explain, { ...options, model: asTabular(model) }, terminal);
    const { outliers: shown, flagged } = found;
    const count = rows.rows.rows;
    terminal.result(
      `${counted(count, 'row')}, each scored ${given === null ? '' : `given ${options.givenColumns!.map(harmlessLine).join(', ')} `}by a model that did not learn from it (${rows.family.name}, ${String(options.folds)} folds${smallModels > 0 ? `, ${String(smallModels)} small models` : ''})`,
    );
    showOutliers(found, options, terminal);
    showNext(options, terminal);
    terminal.document({
      rows: count,
      model: rows.family.name,
      folds: options.folds,
      smallModels,
      outliers: shown,
      ...(flagged !== null && { flagged: flaggedRows(flagged) }),
      ...(given !== null && { givenColumns: options.givenColumns }),
    });
  };
  await (rows.rows.columns.kind === 'table' ? useTable(file, options, show) : show(bitTable(rows.rows, file)));
}

/** Where the models are, and how rows that arrive later are scored. */
function showNext({ out, folds }: OutliersOptions, terminal: Terminal): void {
  const kept =
    out === undefined
      ? 'its models were not kept; --out DIR keeps them'
      : `its models are kept in ${out}/fold-1 to fold-${String(folds)}`;
  terminal.note(`orchard: ${kept}. For rows that arrive later, use orchard train and orchard evaluate --worst.`);
}

/** The kind of model where none is named; options of boosted trees ask for them. */
function usualFamily({ kind }: Columns, options: OutliersOptions): Family {
  if (kind !== 'table' || !isPlain(options)) return families.usualFor(kind);
  return families.named(options.givenColumns === undefined ? USUAL_OF_TABLES : USUAL_GIVEN);
}

/** @throws UsageError where scores cannot be given columns */
function givenOfRows({ rows, family }: FoldRows, options: OutliersOptions, said: readonly string[]): GivenColumns {
  const refuse = (got: string, remedy: string): never => {
    throw new UsageError({
      got,
      expected: 'a table, and a model that predicts by any columns first',
      where: '--given-columns',
      remedy,
    });
  };
  const { names, table } = rows.columns;
  if (table === undefined || names === null)
    return refuse('rows of 0 and 1 for a model of these alone', `Use --model ${USUAL_GIVEN}.`);
  if (!('ordering' in family.words.shape))
    return refuse(`--model ${family.name}, whose columns have an order of its own`, `Use --model ${USUAL_GIVEN}.`);
  if (options.smallModels === true)
    return refuse('--small-models, which are of too few rows to know groups', 'Leave one of the two out.');
  return givenColumns(said, names, '--given-columns');
}

/** Whether nothing is said of the model. */
function isPlain(options: OutliersOptions): boolean {
  return options.model === undefined && Object.keys(trainingWords(options)).every((key) => decidedByFolds.has(key));
}

interface CrossFitted extends FoldScores {
  readonly model: DensityModel;
}

/**
 * Scores each row by a model that did not learn from it; with a contamination by models that did not learn from the
 * rows that look worst either.
 */
async function crossFitted(
  rows: FoldRows,
  raw: RawTable,
  asked: OutliersOptions & { readonly given: GivenColumns | null },
  terminal: Terminal,
): Promise<CrossFitted> {
  const { given } = asked;
  const places = given === null ? undefined : givenFirst(given, rows.rows.columns.count);
  const smallModels = rows.rows.columns.kind === 'table' && (asked.smallModels ?? (given === null && isPlain(asked)));
  const options = { ...asked, smallModels };
  const { contamination, folds, seed } = options;
  const trained = (out: string | undefined, leftOut: Uint8Array | null): Promise<FoldModels> =>
    trainInFolders(rows.file, { ...options, places, out }, terminal, (train, onNote) =>
      trainFolds(rows, { folds, seed, isOrdered: places !== undefined, leftOut }, train, onNote),
    );
  if (contamination === 0) return scored(await trained(options.out, null), rows, raw, options, terminal);
  // the models of the first pass are not kept
  const first = await scored(await trained(undefined, null), rows, raw, options, terminal);
  const worst = flagHighest(first.scores.scores, contamination);
  terminal.note(`orchard: training again without the ${counted(flaggedRows(worst).length, 'row')} that look worst`);
  return scored(await trained(options.out, worst), rows, raw, options, terminal, worst);
}

/** @param leftOut 1 for each row that no model learned from */
async function scored(
  folds: FoldModels,
  { rows }: FoldRows,
  raw: RawTable,
  options: OutliersOptions & { readonly given: GivenColumns | null },
  terminal: Terminal,
  leftOut: Uint8Array | null = null,
): Promise<CrossFitted> {
  const model = folds.models[0]!;
  const { given, seed, threads = availableParallelism() } = options;
  const display = new StageDisplay(terminal);
  const onProgress = (share: number): void => display.show('training small models', share);
  const how = { ...readingOfColumns(options, () => undefined), seed, threads, onProgress };
  const smallModels = options.smallModels === true ? how : null;
  return { ...(await scoreByFolds(raw, rows.rows, folds, { given, smallModels, leftOut })), model };
}
