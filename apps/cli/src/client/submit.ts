import { families } from '@orchard/registry';
import { factsOfRows, type RunDatasets, type Splits } from '@orchard/pipeline';
import { familyOf, featureFractionNote } from '@orchard/contracts';
import { columnsIn, type FoundRule } from '@orchard/dataset';
import { loadOrdering } from '../options/load-ordering.js';
import { datasetOptions } from '../options/dataset-options.js';
import { modelOption, orderingOption } from '../options/repeated-options.js';
import { splitSources, splitOptions } from '../rows/split-options.js';
import { tableOptions } from '../options/table-options.js';
import { fractionFlags, wordsFor, trainingOptions } from '../options/training-flags.js';
import { bytes } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import type { CoordinatorClient } from './coordinator-client.js';
import type { RunStatus } from './documents.js';
import { ServerError } from '../output/server-error.js';
import { loadTrainingRows, rowsFor } from '../rows/load-training-rows.js';
import { declareRowsCommand } from '../options/query-option.js';
import { weighedWords, weightsOption } from '../options/row-weights.js';
import { isInBucket, readByReference } from './read-by-reference.js';
import { labelsOf, nameOfFile, sheetOptions } from './sheet-options.js';
import { startInWords, threadTimeInWords, threadTimeOf } from './run-forecast.js';
import { connectTo, show, watchRun, serverOption } from './commands.js';
import { headings, rarely } from '../options/help-places.js';
import { option, type Parsed } from '../options/option.js';

const submitOptions = () => [
  rarely(weightsOption()),
  modelOption(),
  rarely(orderingOption()),
  option('--watch', 'follow the run to its end').helpGroup(headings.run),
  ...sheetOptions(),
  ...splitOptions(),
  ...trainingOptions(),
  ...tableOptions(),
  ...datasetOptions(),
  serverOption(),
];

type SubmitOptions = Parsed<typeof submitOptions>;

export const addSubmitCommand = declareRowsCommand(
  {
    name: 'submit',
    description: 'Train on a cluster: the options of orchard train, and the same model.',
    rows: ['TRAIN', 'training rows, as for orchard train'],
    options: submitOptions,
    examples: [
      ['orchard submit train.csv --valid valid.csv --test test.csv --watch', ''],
      ['orchard submit s3://lake/sales/ --watch', 'workers read the rows there'],
      ['orchard submit rows.csv --preset paper --leaves 8 --json', 'for programs'],
      ['orchard submit rows.csv --name "rentals, May" --label project=bikes', 'found again by orchard runs'],
    ],
  },
  submit,
);

async function submit(file: string, options: SubmitOptions, terminal: Terminal): Promise<void> {
  const sources = splitSources(file, options);
  const client = await connectTo(options, terminal);
  // a token or an address that is refused is known before gigabytes are read
  await client.caller();
  const named = options.model === undefined ? undefined : rowsFor(families.named(options.model));
  const sayRule = ({ note }: FoundRule): void => terminal.remark(note);
  const { datasets, splits, stored } = isInBucket(file)
    ? referredRows(await readByReference(client, sources, options, named, terminal))
    : sentRows(client, await loadTrainingRows(sources, options, named, terminal, sayRule), terminal);
  const columns = columnsIn(datasets.train);
  const model = options.model ?? families.usualFor(columns.kind).name;
  const ordering =
    options.ordering === undefined
      ? {}
      : { ordering: await loadOrdering(options.ordering, columns.count, columns.names) };
  const asked = wordsFor(families.named(model), options);
  const words = options.rowWeights === undefined ? asked : weighedWords(families.named(model), { ...asked }, datasets);
  // of rows that workers read none is here to be timed
  const threadTime = splits === null ? null : await threadTimeOf(model, { ...words, ...ordering }, splits, datasets);
  const { name = nameOfFile(file), label, priority, notify } = options;
  const sheet = {
    ...(name !== null && { name }),
    ...(label !== undefined && { labels: labelsOf(label) }),
    ...(priority !== undefined && { priority }),
    ...(notify !== undefined && { notify }),
  };
  const uploadAndSubmit = async (): Promise<RunStatus> =>
    client.submit({
      ...(await stored()),
      ...words,
      ...ordering,
      ...sheet,
      // the family that is meant where none is named
      ...(model === familyOf({}) ? {} : { model }),
    });
  // rows that lay there for long, and that no run needed, may be removed by another user between the two requests
  const submitted = await uploadAndSubmit().catch((error: unknown) => {
    if (!(error instanceof ServerError) || error.code !== 'missing-artefact') throw error;
    terminal.note('orchard: another user removed rows of this run; sending them again');
    return uploadAndSubmit();
  });
  const fraction = featureFractionNote(words, submitted.specification, fractionFlags);
  if (fraction !== null) terminal.note(`orchard: ${fraction}`);
  terminal.note(`orchard: run ${submitted.id} at ${client.server}`);
  const start = startInWords(submitted);
  if (threadTime !== null) terminal.note(`orchard: ${threadTimeInWords(threadTime, submitted.starts?.threads ?? 0)}`);
  if (start !== null) terminal.note(`orchard: ${start}`);
  const shown = options.watch === true ? await watchRun(client, submitted.id, terminal) : submitted;
  show(threadTime === null ? shown : { ...shown, expectedThreadTime: threadTime }, terminal);
}

/** Rows of a run, and their ids once the cluster has them. */
interface RowsOfRun {
  readonly datasets: RunDatasets;
  /** Null of rows that did not come to this machine. */
  readonly splits: Splits | null;
  stored(): Promise<{ readonly train: string; readonly valid: string; readonly test: string | null }>;
}

function referredRows(datasets: RunDatasets): RowsOfRun {
  const { train, valid, test } = datasets;
  return {
    datasets,
    splits: null,
    stored: () => Promise.resolve({ train: train.id, valid: valid.id, test: test?.id ?? null }),
  };
}

/** Rows of this machine. */
function sentRows(client: CoordinatorClient, splits: Splits, terminal: Terminal): RowsOfRun {
  const upload = async (split: keyof typeof splits): Promise<string> => {
    const matrix = splits[split]!;
    terminal.status(`sending the ${split} rows (${bytes(matrix.buffer.byteLength)})`);
    return (await client.upload(matrix)).id;
  };
  return {
    splits,
    datasets: factsOfRows(splits),
    stored: async () => ({
      train: await upload('train'),
      valid: await upload('valid'),
      test: splits.test === null ? null : await upload('test'),
    }),
  };
}
