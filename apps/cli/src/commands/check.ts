import { openTable } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { Option, type Command } from 'commander';
import { findDrift, type ColumnDrift } from '../check/drift.js';
import { findCells, thresholdFor, type Scored, type SuspectCell } from '../check/find-cells.js';
import { ExitCode, UsageError } from '../errors.js';
import { loadNetwork } from '../models/load-network.js';
import { addDatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { modelOption, seedOption, threadsOption } from '../options/repeated-options.js';
import { addTableOptions, tableFileOptions } from '../options/table-options.js';
import { number, wholeNumber } from '../options/values.js';
import { counted, percent } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import { loadFoldRows, trainFolds, type TrainFoldsOptions } from '../outliers/train-folds.js';
import type { Terminal } from '../output/terminal.js';
import { requireTableModel } from '../tables/load-table-rows.js';

interface CheckOptions extends TrainFoldsOptions {
  readonly baseline?: string;
  readonly count: number;
  readonly falseAlarms: number;
}

/** The family whose probabilities of a cell given all others are cheapest, and best on the tables with known errors that were tried. */
const USUAL_MODEL = 'chow-liu';

export function addCheckCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('check')
    .description(
      'Find the cells of a table that are probably wrong, and say what is expected there: each cell is compared with all others of its row, by a model that did not learn from that row.',
    )
    .argument('<DATA>', 'a table in any format of orchard train')
    .option(
      '--baseline <NETWORK>',
      'compare with a model of earlier rows, and report columns that have drifted from it',
    )
    .addOption(
      new Option('-n, --count <n>', 'cells to show, the most unusual first')
        .argParser(wholeNumber('--count', 1, 100_000))
        .default(20),
    )
    .addOption(
      new Option('--false-alarms <share>', 'share of right cells that may be reported')
        .argParser(number('--false-alarms', 'a number between 0 and 1', (value) => value > 0 && value < 1))
        .default(0.005),
    )
    .addOption(
      new Option('--folds <n>', 'folds of the rows, and models to train')
        .argParser(wholeNumber('--folds', 2, 100))
        .default(5),
    )
    .addOption(modelOption(USUAL_MODEL))
    .addOption(seedOption('of the folds, of all training and of the rows that set the threshold'))
    .addOption(threadsOption());
  addOutputOptions(addTableOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard check week.csv', 'the cells that do not fit the rest of their rows'],
        ['orchard check week.csv --baseline run --false-alarms 0.0001', 'against a model of earlier weeks'],
        ['orchard check week.csv --json', 'for programs'],
      ]) + '\n\nExit code 3: something was found.',
    )
    .action(async (file: string, options: CheckOptions) => check(file, options, terminal));
}

async function check(file: string, options: CheckOptions, terminal: Terminal): Promise<void> {
  if (file === '-') {
    throw new UsageError({
      got: 'standard input',
      expected: 'a file, which is read more than once',
      where: 'DATA',
      remedy: 'Write the rows to a file first.',
    });
  }
  const baseline = options.baseline === undefined ? null : requireTableModel(await loadNetwork(options.baseline));
  const scored = baseline === null ? await scoredByFolds(file, options, terminal) : scoredBy(baseline);
  const threshold = thresholdFor(scored.models[0]!, options.falseAlarms, options.seed);
  const raw = await openTable(file, tableFileOptions(options));
  try {
    const { cells, rows } = await findCells(raw, scored, threshold);
    const drift = baseline === null ? null : await findDrift(raw, baseline, options.seed);
    show({ cells, rows, drift, columns: scored.models[0]!.variables }, options, terminal);
    if (cells.length > 0 || (drift?.length ?? 0) > 0) terminal.exitCode = ExitCode.found;
  } finally {
    await raw.close();
  }
}

function scoredBy(model: TabularModel): Scored {
  return { models: [model], modelOf: () => 0 };
}

async function scoredByFolds(file: string, options: CheckOptions, terminal: Terminal): Promise<Scored> {
  const rows = await loadFoldRows(file, { ...options, model: options.model ?? USUAL_MODEL }, terminal);
  if (!rows.isTable) {
    throw new UsageError({
      got: 'rows of 0 and 1 alone',
      expected: 'a table',
      where: 'DATA',
      remedy: 'orchard outliers shows the unusual bits of unusual rows.',
    });
  }
  const { models, foldOf } = await trainFolds(rows, options, terminal);
  return { models: models as readonly TabularModel[], modelOf: (row) => foldOf[row]! };
}

interface Found {
  readonly cells: readonly SuspectCell[];
  readonly rows: number;
  readonly columns: number;
  /** Null where nothing was compared with. */
  readonly drift: readonly ColumnDrift[] | null;
}

function show({ cells, rows, columns, drift }: Found, { count, falseAlarms }: CheckOptions, terminal: Terminal): void {
  const byChance = Math.round(falseAlarms * rows * columns);
  terminal.result(
    `${counted(cells.length, 'unusual cell')} of ${counted(rows * columns, 'cell')}; about ${String(byChance)} would be reported if every cell were right`,
  );
  for (const cell of cells.slice(0, count)) terminal.result(wordsOfCell(cell));
  if (cells.length > count) terminal.result(`… and ${counted(cells.length - count, 'more cell')} (--count)`);
  for (const { column, distance, byChance: usual } of drift ?? [])
    terminal.result(
      harmlessLine(
        `column ${column} has drifted: distance ${distance.toPrecision(2)}, by chance ${usual.toPrecision(2)}`,
      ),
    );
  terminal.document({ rows, falseAlarms, cells, ...(drift !== null && { drift }) });
}

function wordsOfCell({ row, column, value, probability, expected, typoOf }: SuspectCell): string {
  const why = typoOf === null ? `expected ${expected}` : `typo of ${typoOf}?`;
  return harmlessLine(`row ${String(row)}: ${column} is ${value ?? 'missing'} (${percent(probability)}; ${why})`);
}
