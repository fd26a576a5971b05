import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { columnsIn, type Columns, type FoundRule } from '@orchard/dataset';
import { featureFractionNote } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { artefactNames, factsOfRows, type Family, type RunDatasets } from '@orchard/pipeline';
import { rungsOf, type BudgetFacts, type Rung } from '@orchard/analysis';
import { time } from '../../options/times.js';
import { linesOf, trainInBudget, type RungRun } from './train-in-budget.js';
import { headings, rarely } from '../../options/help-places.js';
import { keptOf, type Configured } from '../../options/configured-command.js';
import { refuseTogether, UsageError } from '../../output/errors.js';
import {
  expectedNeeds,
  mayBeLong,
  needsInWords,
  sampleOf,
  soonerInWords,
  type ExpectedNeeds,
} from '../../rows/expected-needs.js';
import { describeSources, nameOfFile, shortName } from '../../rows/split-sources.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { refuseBySize } from '../../rows/refuse-by-size.js';
import { requireRoom, type Planned } from '../../rows/room-for-rows.js';
import { modelWords } from '../../rows/model-words.js';
import { dimensionOf } from '../../options/name-of-dimension.js';
import { trainedDocument, type TrainedDocument } from '../../run-folder/trained-document.js';
import { datasetOptions } from '../../options/dataset-options.js';
import {
  listOfModels,
  modelOption,
  orderingOption,
  reportDimensionOption,
  threadsOption,
  outOption,
} from '../../options/repeated-options.js';
import { splitSources, splitOptions } from '../../rows/split-options.js';
import { tableOptions } from '../../options/table-options.js';
import { fractionFlags, trainingOptions } from '../../options/training-flags.js';
import { showTrainingDetails } from '../../run-folder/training-details.js';
import { showTrainingOutcome } from '../../run-folder/training-outcome.js';
import type { Terminal } from '../../output/terminal.js';
import { RunDirectory } from '../../run-folder/run-directory.js';
import { loadTrainingRows, rowsFor } from '../../rows/load-training-rows.js';
import { ruleOptions, rulesNotSaid, saidRules, sayBrokenRows, withRules } from '../../run-folder/rules.js';
import { weighedWords, weightsOption } from '../../options/row-weights.js';
import { option, type Parsed } from '../../options/option.js';

/** What is trained without a budget: what the options say. */
const AS_SAID: Rung = { name: 'these options', words: {}, work: 0, extendsLast: false };

const TIMED_MILLISECONDS = 1_000;

/** What a run was expected to take, and the most memory that it took; its seconds stand beside. */
interface TakenNeeds {
  readonly expected: ExpectedNeeds | null;
  readonly peakMemoryBytes: number;
}

const trainOptions = () => [
  outOption(
    '-o, --out <dir>',
    'folder to write to (default: run-NAME, by the file); the same command continues a stopped run there',
  ),
  rarely(option('--details', 'print the figures of columns, choices and members too').helpGroup(headings.output)),
  option('--no-report', 'write no report.html: faster for small tables').helpGroup(headings.output),
  option('--force', "replace another run's model in that folder").helpGroup(headings.output),
  rarely(option('--title <text>', 'title of the report (default: name of the file)').helpGroup(headings.output)),
  rarely(reportDimensionOption()),
  rarely(weightsOption()),
  ...ruleOptions().map(rarely),
  modelOption(),
  rarely(orderingOption()),
  option(
    '--budget <time>',
    'train the likeliest model that fits into this time (90s, 5m, 1h): more members of --preset accurate the longer it is',
    time,
  ).helpGroup(headings.run),
  threadsOption(),
  ...splitOptions(),
  ...trainingOptions(),
  ...tableOptions(),
  ...datasetOptions(),
];

/** `--no-report` is parsed as `report`; the seed is among the options of families, which are not typed. */
type TrainOptions = Parsed<typeof trainOptions> & { readonly report?: boolean; readonly seed?: number };

export const addTrainCommand = declareRowsCommand(
  {
    name: 'train',
    description:
      'Train a model on a table, or on rows of 0 and 1, and write the model, its figures and a report to a folder.',
    rows: [
      'TRAIN',
      'a file, folder or glob: a table (CSV, TSV, Parquet, Arrow, JSON lines, NPZ), or rows of 0 and 1 (those, .data, libsvm, NPY, IDX); - reads standard input',
    ],
    options: trainOptions,
    examples: [
      ['orchard train table.csv', 'writes to run-table'],
      ['orchard train table.csv --type zip=categorical --exclude id --out run', ''],
      ['orchard train train.csv --valid valid.csv --test test.csv --out run', ''],
      ['orchard train train.data.gz --valid valid.data.gz --preset paper --out run', 'as in the paper'],
      ['orchard train rows.csv --budget 5m --out run', 'the best that fits into five minutes'],
      ['orchard train images-idx3-ubyte --binarize bernoulli --out run', 'grey values as probabilities'],
      ["orchard train --query \"FROM postgres_scan('dbname=shop', 'public', 'orders')\" --out run", 'by DuckDB'],
      ['zcat rows.csv.gz | orchard train - --out run --json', 'for programs'],
    ],
    notes: [
      'Writes network.msgpack (the model), summary.json, report.html, labels.json, timings.json and store/ (all results).',
      'Ctrl-C keeps what is done; the same command continues and ends in the same bytes.',
      `\n${listOfModels()}`,
    ],
  },
  (rows, options, terminal, own) => train(rows, options, keptOf(own), terminal),
);

async function train(
  file: string,
  options: TrainOptions,
  configured: Configured | undefined,
  terminal: Terminal,
): Promise<void> {
  const { threads, reportDimension, report = true, budget, details } = options;
  const out = options.out ?? folderFor(file);
  const begun = performance.now();
  if (!report && reportDimension !== undefined)
    refuseTogether('--report-dimension', '--no-report', { where: 'orchard train' });
  const sources = splitSources(file, options);
  const named = options.model === undefined ? null : families.named(options.model);
  const plan = async (own: Family, of: RunDatasets, said: object = options): Promise<Planned> => {
    return { ...own.resolve(await modelWords(own, said, columnsIn(of.train)), of), datasets: of };
  };
  await refuseBySize(file, options, { named, plan, rows: options.rows });
  const found: FoundRule[] = [];
  const said = named === null ? undefined : rowsFor(named);
  const read = await loadTrainingRows(sources, options, said, terminal, (rule) => found.push(rule));
  const rules = saidRules(options);
  const ruled = rules.length === 0 ? null : withRules(read, rules);
  for (const { note } of rulesNotSaid(found, read, ruled?.rules ?? [])) terminal.remark(note);
  const splits = ruled?.splits ?? read;
  if (ruled !== null && sources.train !== '-')
    await sayBrokenRows(sources.train, splits.train.columns.codes.table, ruled.rules, options, terminal);
  const { columns } = splits.train;
  const family = named ?? families.usualFor(columns.kind);
  const rungs =
    budget === undefined ? [AS_SAID] : rungsFor(options, family, columns, splits.train.rows + splits.valid.rows);
  // all that can be refused is refused before anything is written
  const dimension =
    reportDimension === undefined
      ? undefined
      : dimensionOf(reportDimension, '--report-dimension', columns.count, columns.names);
  const datasets = factsOfRows(splits);
  const runs: (RungRun & { readonly runId: string })[] = [];
  for (const rung of rungs) {
    const own = rung.model === undefined ? family : families.named(rung.model);
    const said = rung.model === undefined ? { ...options, ...rung.words } : {};
    const asked = await modelWords(own, said, columns);
    const words = options.rowWeights === undefined ? asked : weighedWords(own, asked, datasets);
    const resolved = own.resolve(words, datasets);
    const fraction = featureFractionNote(words, resolved.specification, fractionFlags);
    if (fraction !== null && runs.length === 0) terminal.note(`orchard: ${fraction}`);
    runs.push({ ...resolved, family: own, rung });
  }
  const run = runs.at(-1)!;
  requireRoom(run.family, { ...run, datasets }, { file: nameOfFile(file) });
  const isContinued = existsSync(join(out, 'store', artefactNames.specification(run.runId)));
  if (isContinued) terminal.note(`orchard: continues the run of ${out}: what is done is not done again`);
  // at most a report is left to be drawn
  const isTrained = existsSync(join(out, 'store', artefactNames.network(run.runId, run.family.wantedName(run.choice))));
  const isPrinted = !terminal.quiet || terminal.json;
  // timing takes up to a thirtieth of the run
  const isTimed = !isTrained && mayBeLong(splits) && isPrinted;
  const expected = await expectedNeeds(run.family, { ...run, datasets }, isTimed ? sampleOf(splits) : null, {
    milliseconds: TIMED_MILLISECONDS,
    threads,
  });
  if (isTimed && expected !== null) {
    const sooner = budget === undefined ? soonerInWords(expected) : '';
    terminal.note(`orchard: takes ${needsInWords(expected)}${isContinued ? ', from its beginning' : ''}${sooner}`);
  }
  const coming = { ...run, datasets, splits, replaces: runs.map(({ runId }) => runId) };
  const directory = await RunDirectory.begin(out, coming, { force: options.force === true, terminal });
  if (options.out === undefined) terminal.note(`orchard: writing to ${out}; --out names another folder`);
  const labels = {
    title: options.title ?? shortName(file),
    sources: describeSources(sources, options.seed ?? 0),
    configured,
  };
  const shared = { splits, threads, reportDimension: dimension, labels, withReport: report };
  const { trained, facts } =
    budget === undefined
      ? { trained: await directory.produce({ ...run, ...shared }, terminal), facts: undefined }
      : await trainInBudget(directory, runs, shared, { begun, seconds: budget }, terminal);
  if (details === true) showTrainingDetails(trained, terminal);
  showTrainingOutcome(trained, splits, directory.path, terminal, { withReport: report });
  if (facts !== undefined) terminal.result(linesOf(facts).join('\n'));
  // named, so that its schema stays open to what models of each kind add
  const answer: TrainedDocument & { readonly budget?: BudgetFacts; readonly needs: TakenNeeds } = {
    ...trainedDocument(trained),
    needs: { expected, peakMemoryBytes: 1024 * process.resourceUsage().maxRSS },
    ...(facts !== undefined && { budget: facts }),
  };
  terminal.document(answer);
}

/**
 * `run-rentals` for `data/rentals.csv.gz`, in the current folder.
 *
 * @throws UsageError for standard input, which has no name
 */
function folderFor(file: string): string {
  const name = shortName(file);
  if (name === null) {
    throw new UsageError({
      got: 'standard input, which has no name, and no folder',
      expected: 'a folder to write to',
      where: '--out',
      remedy: 'Name one: --out run.',
    });
  }
  return `run-${name.replace(/(?<=.)(\.[A-Za-z]\w*)+$/, '')}`;
}

/** @throws UsageError for options that the budget chooses, or a kind of model that has none */
function rungsFor(
  { model, ...options }: TrainOptions,
  family: Family,
  { kind, count }: Columns,
  rows: number,
): readonly Rung[] {
  const said = { preset: '--preset', members: '--members', rowWeights: '--row-weights' };
  const chosen = Object.entries(said).flatMap(([key, flag]) => (key in options ? [flag] : []));
  const isUsual = family === families.usualFor(kind);
  if (isUsual && chosen.length === 0) return rungsOf(kind, rows, count);
  refuseTogether('--budget', isUsual ? chosen.join(', ') : `--model ${String(model)}`, {
    expected: 'a budget, which chooses them, or these options',
    where: 'orchard train',
  });
}
