import { families } from '@orchard/registry';
import { factsOf } from '@orchard/pipeline';
import type { Command } from 'commander';
import { basename } from 'node:path';
import { keptOf, type Configured } from '../configuration/configured-command.js';
import { UsageError } from '../errors.js';
import { describeSources } from '../rows/load-splits.js';
import { featureFractionNote } from '../models/feature-fraction-note.js';
import { modelWords } from '../models/model-words.js';
import { dimensionOf } from '../rows/name-of-dimension.js';
import { refuseOtherRun } from '../run-folder/other-run.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { modelOption, orderingOption, reportDimensionOption, threadsOption } from '../options/repeated-options.js';
import { addSplitOptions, splitSources, type SplitOptions } from '../options/split-options.js';
import { addTableOptions, type TableWords } from '../options/table-options.js';
import { addTrainingOptions } from '../options/training-options.js';
import { showTrainingResult } from '../output/training-result.js';
import type { Terminal } from '../output/terminal.js';
import { RunDirectory } from '../run-folder/run-directory.js';
import { columnsOf } from '../tables/columns.js';
import { loadTrainingRows, rowsFor } from '../tables/load-table-splits.js';

interface TrainOptions extends DatasetOptions, TableWords, SplitOptions {
  readonly out: string;
  readonly force?: true;
  readonly title?: string;
  readonly ordering?: string;
  readonly model?: string;
  readonly seed?: number;
  readonly threads?: number;
  readonly reportDimension?: string;
  readonly report: boolean;
}

export function addTrainCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('train')
    .description(
      'Train a model on the rows of a table, or on rows of bits, and write it, its figures and its report to a folder.',
    )
    .argument(
      '<TRAIN>',
      'the training rows: a table (CSV with any delimiter, Parquet, …), or rows of 0 and 1 (CSV, TSV, .data, libsvm, NPY, IDX); - is standard input',
    )
    .requiredOption('-o, --out <dir>', 'the folder to write to; the same run there is gone on with, another is kept')
    .option('--force', 'replace the network, summary and report of another run in that folder')
    .option('--title <text>', "of the report (default: the data file's name)")
    .option(
      '--no-report',
      'make no page about the model, which takes longer than small runs; one that is there is removed',
    )
    .addOption(orderingOption())
    .addOption(modelOption())
    .addOption(threadsOption())
    .addOption(reportDimensionOption());
  addOutputOptions(addTableOptions(addDatasetOptions(addTrainingOptions(addSplitOptions(command)))));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard train table.csv --out run', 'numbers, labels, dates, holes; a tenth of the rows validates'],
        [
          'orchard train table.csv --type zip=categorical --exclude id --out run',
          'where columns are not what they look like',
        ],
        ['orchard train train.csv --valid valid.csv --test test.csv --out run', ''],
        ['orchard train rows.csv --valid-fraction 0.1 --test-fraction 0.2 --out run', 'a fifth tests'],
        [
          'orchard train train.data.gz --valid valid.data.gz --out run --preset paper --leaves 8',
          'exactly as the paper trains',
        ],
        ['orchard train survey.csv --one-hot region,job --threshold 0.5 --out run', ''],
        [
          'orchard train rows.csv --test test.csv --members 8 --out run',
          'eight networks, mixed: more likely, eight times the work',
        ],
        ['orchard train images-idx3-ubyte --binarize bernoulli --seed 7 --out run', 'pixels as probabilities'],
        ['zcat rows.csv.gz | orchard train - --out run --json', 'for programs'],
      ]) +
        '\n\nIn DIR afterwards: network.msgpack, summary.json, report.html, labels.json (what the report is called), timings.json, and store/ with\nall artefacts of the run.' +
        '\nCtrl-C keeps what is done; the same command goes on from there and ends in the same bytes.',
    )
    .action(async (file: string, options: TrainOptions, own: Command) => train(file, options, keptOf(own), terminal));
}

async function train(
  file: string,
  options: TrainOptions,
  configured: Configured | undefined,
  terminal: Terminal,
): Promise<void> {
  const { out, threads, reportDimension, report } = options;
  if (!report && reportDimension !== undefined) {
    const [got, expected] = ['--report-dimension and --no-report', 'one of the two'];
    throw new UsageError({ got, expected, where: 'orchard train', remedy: 'Leave one of the two out.' });
  }
  const sources = splitSources(file, options);
  const named = options.model === undefined ? null : families.named(options.model);
  const { splits, kind } = await loadTrainingRows(
    sources,
    options,
    named === null ? undefined : rowsFor(named),
    terminal,
  );
  const { dimensions, names } = columnsOf(splits.train);
  const family = named ?? families.usualFor(kind);
  const words = await modelWords(family, options as unknown as Record<string, unknown>, { dimensions, names });
  // all that can be refused is refused before anything is written
  const dimension =
    reportDimension === undefined ? undefined : dimensionOf(reportDimension, '--report-dimension', dimensions, names);
  const datasets = {
    train: factsOf(splits.train),
    valid: factsOf(splits.valid),
    test: splits.test === null ? null : factsOf(splits.test),
  };
  const { runId, specification, choice } = family.resolve(words, datasets);
  const fraction = featureFractionNote(words, specification);
  if (fraction !== null) terminal.note(`orchard: ${fraction}`);
  await refuseOtherRun(out, { runId, specification, datasets }, { force: options.force === true, terminal });
  const directory = await RunDirectory.create(out);
  for (const split of [splits.train, splits.valid, splits.test]) {
    if (split !== null) await directory.register(split);
  }
  const again = 'the same command';
  const labels = {
    title: options.title ?? (file === '-' ? null : basename(file)),
    sources: describeSources(sources, options.seed ?? 0),
    configured,
  };
  const document = await directory.produce(
    { family, specification, choice, splits, threads, reportDimension: dimension, labels, again, withReport: report },
    terminal,
  );
  showTrainingResult(document, directory.path, terminal, { withReport: report });
  terminal.document(document);
}
