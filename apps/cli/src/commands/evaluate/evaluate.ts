import { askedAsTable, asTabular } from '@orchard/model';
import { askCluster, refuseBesideServer } from '../../client/answers.js';
import { answeringServerOption } from '../../client/commands.js';
import { UsageError } from '../../output/errors.js';
import { loadNetwork, networkArgument } from '../../rows/load-network.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { firstSaid } from '../../options/flag-of-word.js';
import { givenColumnsOption, seedOption, threadsOption, perRowOption } from '../../options/repeated-options.js';
import { secondFileOptions } from '../../options/table-options.js';
import { oneOf, share, wholeNumber } from '../../options/values.js';
import type { Terminal } from '../../output/terminal.js';
import { checkAlarmOptions, alarmOptions } from './alarms.js';
import { useRows, queryOption, rowsArgument } from '../../options/query-option.js';
import { weightsOption } from '../../options/row-weights.js';
import { ruleOptionsOfModel } from '../../run-folder/rules.js';
import { evaluateRows, type EvaluateRowsOptions } from './evaluate-rows.js';
import { showEvaluation } from './show-evaluation.js';
import { option, type Parsed } from '../../options/option.js';
import { declareCommand } from '../../options/add-command.js';

const evaluateOptions = () => [
  queryOption('DATA'),
  perRowOption(
    'write the anomaly score and the log-likelihood of each row, and the cells that make the most unusual ones so: .parquet, .arrow or .feather, otherwise CSV',
  ),
  option('--top <n>', 'unusual cells that --per-row and --worst name of each row', wholeNumber(0, 1000), 3),
  option(
    '--worst <n>',
    'print the rows with the highest anomaly scores, and the cells that make them unusual',
    wholeNumber(1, 100_000),
  ),
  option(
    '--flag <share>',
    'count this share of the rows, those with the highest anomaly scores, as outliers; --per-row marks them',
    share,
  ),
  option(
    '--target <column>',
    'measure too how well this column is predicted given all others: log score, CRPS and intervals of numbers, log loss, Brier score and accuracy of labels',
  ),
  givenColumnsOption(),
  weightsOption(),
  option(
    '--missing-means <what>',
    'value (missing is a value of its own, if training had it) or unknown (any value is possible)',
    oneOf(['value', 'unknown']),
  ),
  seedOption('seed of --binarize and of the samples for unknown values'),
  threadsOption(),
  answeringServerOption('have the workers of this coordinator read DATA, s3://bucket/…, and score it by parts'),
  ...datasetOptions(),
  ...secondFileOptions(),
  ...ruleOptionsOfModel(),
  ...alarmOptions(),
];

export type EvaluateOptions = Parsed<typeof evaluateOptions>;

export const addEvaluateCommand = declareCommand(
  {
    name: 'evaluate',
    description:
      'Print how likely rows are under a model: the mean log-likelihood per row, its standard error, and outliers on request.',
    places: [
      ['<NETWORK>', networkArgument],
      rowsArgument('DATA', 'rows with the same columns; - reads standard input'),
    ],
    options: evaluateOptions,
    examples: [
      ['orchard evaluate run/network.msgpack test.csv', ''],
      ['orchard evaluate run/network.msgpack test.csv --per-row scores.csv', 'a score for every row'],
      ['orchard evaluate run table.csv --worst 20', 'find outliers'],
      ['orchard evaluate run test.csv --target price', 'how well one column is predicted'],
      ['orchard evaluate run/network.msgpack - --json < test.csv', ''],
      ["orchard evaluate 3fa2c1 's3://lake/test/*.parquet' --server http://host:8080", 'on a cluster'],
    ],
    notes: [
      'The anomaly score sums, over the columns, how far a cell is more surprising than is typical of its column (nats). Rows count from 1, the',
      'header not among them. Rows that trained the model score too low: orchard outliers scores each row of a file by a model that did not learn from it.',
    ],
  },
  (path, data, options, terminal) =>
    options.server === undefined
      ? useRows(data, options, 'DATA', terminal, (rows) => evaluate(path, rows, options, terminal))
      : evaluateOnCluster(path, options.server, data, options, terminal),
);

/** Options that a cluster follows; all others need the rows here. */
const ofClusters = new Set(['server', 'missingMeans', 'seed', 'top', 'json', 'quiet']);

/** @param run the id of a run of the coordinator, or its beginning */
async function evaluateOnCluster(
  run: string,
  server: string,
  data: string | undefined,
  options: EvaluateOptions,
  terminal: Terminal,
): Promise<void> {
  const { missingMeans: missing = 'value', seed = 0 } = options;
  const names = Object.keys(options) as (keyof EvaluateOptions & string)[];
  refuseBesideServer(
    firstSaid(
      options,
      names.filter((name) => !ofClusters.has(name)),
    ),
  );
  if (data === undefined || !data.startsWith('s3://'))
    throw new UsageError({
      got: data ?? 'no rows',
      expected: 'rows that the workers can read: s3://bucket/folder/*.parquet',
      where: 'DATA',
      remedy: 'Put them into a bucket, or fetch the model (orchard fetch) and leave --server out.',
    });
  const answered = await askCluster(
    run,
    server,
    (client, id) => client.beginEvaluation(id, { source: data, missing, seed }),
    terminal,
  );
  showEvaluation(answered.model, await answered.client.evaluation(answered.status.id), terminal);
}

/** @param path of a model or the folder of its run */
export async function evaluate(
  path: string,
  data: string,
  options: EvaluateRowsOptions,
  terminal: Terminal,
): Promise<void> {
  checkAlarmOptions(options);
  const loaded = await loadNetwork(path);
  const { missingMeans, givenColumns, rowWeights, rule, rules, alarms, target } = options;
  const asTable = [missingMeans, givenColumns, rowWeights, rule, rules, alarms, target].some(
    (asked) => asked !== undefined,
  );
  const model = asTable ? askedAsTable(loaded.network, loaded.path) : asTabular(loaded.network);
  await evaluateRows({ ...loaded, model }, data, { ...options, asTable }, terminal);
}
