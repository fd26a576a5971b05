import { featureFractionNote } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { factsOf } from '@orchard/pipeline';
import { Option, type Command } from 'commander';
import { basename } from 'node:path';
import { headings, rarely } from '../command-line/help-places.js';
import { keptOf, type Configured } from '../configuration/configured-command.js';
import { UsageError } from '../errors.js';
import { describeSources } from '../rows/split-sources.js';
import { modelWords } from '../models/model-words.js';
import { dimensionOf } from '../rows/name-of-dimension.js';
import { refuseOtherRun } from '../run-folder/other-run.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import {
  listOfModels,
  modelOption,
  orderingOption,
  reportDimensionOption,
  threadsOption,
} from '../options/repeated-options.js';
import { addSplitOptions, splitSources, type SplitOptions } from '../options/split-options.js';
import { addTableOptions, type TableWords } from '../options/table-options.js';
import { addTrainingOptions, fractionFlags } from '../options/training-options.js';
import { showTrainingResult } from '../output/training-result.js';
import type { Terminal } from '../output/terminal.js';
import { RunDirectory } from '../run-folder/run-directory.js';
import { columnsOf } from '../tables/columns.js';
import { loadTrainingRows, rowsFor } from '../rows/load-training-rows.js';

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
      'Train a model on a table, or on rows of 0 and 1, and write the model, its figures and a report to a folder.',
    )
    .argument(
      '<TRAIN>',
      'training rows: a table (CSV, TSV, Parquet, Arrow, JSON lines, NPZ), or rows of 0 and 1 (those, .data, libsvm, NPY, IDX); - reads standard input',
    )
    .addOption(
      outOption(
        '-o, --out <dir>',
        'folder to write to (required); the same command continues a stopped run there',
      ).makeOptionMandatory(),
    )
    .addOption(new Option('--no-report', 'write no report.html: faster for small tables').helpGroup(headings.output))
    .addOption(new Option('--force', "replace another run's model in that folder").helpGroup(headings.output))
    .addOption(
      rarely(
        new Option('--title <text>', 'title of the report (default: name of the file)').helpGroup(headings.output),
      ),
    )
    .addOption(rarely(reportDimensionOption()))
    .addOption(modelOption())
    .addOption(rarely(orderingOption()))
    .addOption(threadsOption());
  addOutputOptions(addDatasetOptions(addTableOptions(addTrainingOptions(addSplitOptions(command)))));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard train table.csv --out run', ''],
        ['orchard train table.csv --type zip=categorical --exclude id --out run', ''],
        ['orchard train train.csv --valid valid.csv --test test.csv --out run', ''],
        ['orchard train train.data.gz --valid valid.data.gz --preset paper --out run', 'as in the paper'],
        ['orchard train rows.csv --members 8 --out run', 'likelier, 8 times the work'],
        ['orchard train images-idx3-ubyte --binarize bernoulli --out run', 'grey values as probabilities'],
        ['zcat rows.csv.gz | orchard train - --out run --json', 'for programs'],
      ]) +
        '\n\nWrites network.msgpack (the model), summary.json, report.html, labels.json, timings.json and store/ (all results).' +
        '\nCtrl-C keeps what is done; the same command continues and ends in the same bytes.' +
        `\n\n${listOfModels()}`,
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
  const words = await modelWords(family, options, { dimensions, names });
  // all that can be refused is refused before anything is written
  const dimension =
    reportDimension === undefined ? undefined : dimensionOf(reportDimension, '--report-dimension', dimensions, names);
  const datasets = {
    train: factsOf(splits.train),
    valid: factsOf(splits.valid),
    test: splits.test === null ? null : factsOf(splits.test),
  };
  const { runId, specification, choice } = family.resolve(words, datasets);
  const fraction = featureFractionNote(words, specification, fractionFlags);
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
