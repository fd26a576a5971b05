import { openTable, type RawTable } from '@orchard/dataset';
import { Option, type Command } from 'commander';
import { UsageError } from '../errors.js';
import { addDatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { modelOption, seedOption, threadsOption } from '../options/repeated-options.js';
import { addTableOptions, tableFileOptions } from '../options/table-options.js';
import { number, wholeNumber } from '../options/values.js';
import type { Terminal } from '../output/terminal.js';
import { explainBitRows, scoreBitRows } from '../outliers/score-bits.js';
import { explainTableRows, scoreTableRows } from '../outliers/score-table.js';
import { flagHighest, highestFirst, showOutliers, writePerRow } from '../outliers/show-outliers.js';
import type { ExplainRows, RowScores } from '../outliers/outlier.js';
import { trainFolds, type FoldModels, type TrainFoldsOptions } from '../outliers/train-folds.js';

interface OutliersOptions extends TrainFoldsOptions {
  readonly count: number;
  readonly top: number;
  readonly flag?: number;
  readonly perRow?: string;
}

const FOLDS = 5;

export function addOutliersCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('outliers')
    .description(
      'Find the unusual rows of a file and the cells that make them unusual: train on folds of the rows, and score each row by the model that did not learn from it.',
    )
    .argument('<DATA>', 'a table, or rows of 0 and 1, in any format of orchard train')
    .addOption(
      new Option('-n, --count <n>', 'unusual rows to show').argParser(wholeNumber('--count', 1, 100_000)).default(10),
    )
    .addOption(
      new Option('--top <n>', 'unusual cells to show of each row').argParser(wholeNumber('--top', 0, 1000)).default(3),
    )
    .addOption(
      new Option('--flag <share>', 'flag this share of the rows, the most unusual').argParser(
        number('--flag', 'a number between 0 and 1', (value) => value > 0 && value < 1),
      ),
    )
    .option('--per-row <file>', 'write a CSV with the score of each row and its most unusual cells')
    .addOption(
      new Option('--folds <n>', 'folds of the rows, and models to train')
        .argParser(wholeNumber('--folds', 2, 100))
        .default(FOLDS),
    )
    .addOption(outOption('-o, --out <dir>', 'keep the models in this folder (default: they are not kept)'))
    .option('--force', 'replace another run in that folder')
    .addOption(modelOption())
    .addOption(seedOption('of the folds and of all training'))
    .addOption(threadsOption());
  addOutputOptions(addTableOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard outliers table.csv', 'the ten most unusual rows, and why'],
        ['orchard outliers table.csv --flag 0.01 --per-row scores.csv', 'a score for every row; 1 % are flagged'],
        ['orchard outliers survey.csv --json', 'for programs'],
      ]) +
        '\n\nThe score sums, over the columns, how far a cell is more surprising than is typical of its column (nats). No row is scored by a model' +
        '\nthat learned from it. For rows that arrive later, train once and use orchard evaluate --worst.',
    )
    .action(async (file: string, options: OutliersOptions) => outliers(file, options, terminal));
}

async function outliers(file: string, options: OutliersOptions, terminal: Terminal): Promise<void> {
  if (file === '-') {
    throw new UsageError({
      got: 'standard input',
      expected: 'a file, which is read more than once',
      where: 'DATA',
      remedy: 'Write the rows to a file first.',
    });
  }
  const folds = await trainFolds(file, options, terminal);
  const raw = folds.bits === null ? await openTable(file, tableFileOptions(options)) : null;
  try {
    const [rows, explain] = await scoresOf(folds, raw);
    const flagged = options.flag === undefined ? null : flagHighest(rows.scores, options.flag);
    if (options.perRow !== undefined)
      await writePerRow(options.perRow, rows, flagged, explain, { top: options.top, terminal });
    const numbers = highestFirst(rows.scores, options.count);
    const cells = await explain(numbers, options.top);
    const shown = numbers.map((row, at) => ({
      row: row + 1,
      score: rows.scores[row]!,
      logLikelihood: rows.logLikelihoods[row]!,
      cells: cells[at]!,
    }));
    showOutliers(shown, { rows: rows.scores.length, folds: options.folds, model: folds.family, flagged }, terminal);
  } finally {
    await raw?.close();
  }
}

async function scoresOf(folds: FoldModels, raw: RawTable | null): Promise<readonly [RowScores, ExplainRows]> {
  const { bits } = folds;
  if (bits !== null) return [scoreBitRows(bits, folds), explainBitRows(bits, folds)];
  return [await scoreTableRows(raw!, folds), explainTableRows(raw!, folds)];
}
