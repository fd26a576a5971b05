import {
  findingsOf,
  judgedColumns,
  judgeSamples,
  membershipOf,
  readRows,
  type ReadRows,
  type RowAtRisk,
} from '@orchard/analysis';
import { readAsTrained, type RawTable } from '@orchard/dataset';
import { asTabular, scoreFile } from '@orchard/model';
import { ExitCode, refuseStandardInput, UsageError } from '../../output/errors.js';
import { showJudgement } from './show-judgement.js';
import { loadNetwork } from '../../rows/load-network.js';
import { datasetOptions } from '../../options/dataset-options.js';
import { seedOption, perRowOption } from '../../options/repeated-options.js';
import { readingOfColumns, tableOptions } from '../../options/table-options.js';
import { wholeNumber } from '../../options/values.js';
import { counted } from '../../output/figures.js';
import { StageDisplay } from '../../output/stage-display.js';
import type { Terminal } from '../../output/terminal.js';
import { columnsOf, encodeTable, listingEnding } from '../../output/table-file.js';
import { writeOutput } from '../../output/write-output.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { leftOutNotes } from '../../rows/left-out-notes.js';
import { openTableFile, reportNewCells, useRowsOf } from '../../rows/load-table-rows.js';
import { option, needed, type Parsed } from '../../options/option.js';

const judgeOptions = () => [
  needed(option('--train <file>', 'the rows that the generator learned from')),
  needed(option('--test <file>', 'rows of the same kind that it did not learn from')),
  option('--model <NETWORK>', 'a model of Orchard that made the samples: what its likelihood gives away'),
  perRowOption(
    'with --model: write how much likelier each training row is than the held-out rows most like it: .parquet, .arrow or .feather, otherwise CSV',
  ),
  option('--rows <n>', 'most rows of each file to look at, drawn at random', wholeNumber(100, 10_000_000), 20_000),
  option('--top <n>', 'nearest rows, and rows at risk, to name', wholeNumber(0, 1000), 3),
  seedOption('of the folds, and of the rows that are drawn'),
  ...datasetOptions(),
  ...tableOptions(),
];

type JudgeOptions = Parsed<typeof judgeOptions>;

export const addJudgeCommand = declareRowsCommand(
  {
    name: 'judge',
    description:
      'Judge sampled rows, of any generator: how real they are, and whether they give away the rows that it learned from.',
    rows: ['DATA', 'sampled rows, in any format of orchard train'],
    options: judgeOptions,
    examples: [
      ['orchard judge new.csv --train train.csv --test test.csv', ''],
      ['orchard judge new.parquet --train train.parquet --test test.parquet --model run', 'with the likelihood'],
      ['orchard judge new.csv --train train.csv --test test.csv --model run --per-row risks.csv', 'row by row'],
      ['orchard judge new.csv --train train.csv --test test.csv --json', 'for programs'],
    ],
    notes: [
      'Shape, Trend, DCR and C2ST (detection) are defined as by SDMetrics; its classifier is XGBoost, this one is the boosting that',
      'Orchard trains its models with, so that figures agree closely but not exactly. Of Trend the older formula is used.',
      'Exit code 3: the samples are nearer to the training rows, or equal them more often, than held-out rows explain.',
    ],
  },
  judge,
);

async function judge(file: string, options: JudgeOptions, terminal: Terminal): Promise<void> {
  const paths = { samples: file, train: options.train, test: options.test };
  for (const [name, path] of Object.entries(paths))
    if (path === '-') refuseStandardInput(name === 'samples' ? 'DATA' : `--${name}`);
  if (options.perRow !== undefined && options.model === undefined)
    throw new UsageError({
      got: '--per-row without --model',
      expected: 'a model, whose likelihood gives training rows away',
      where: '--per-row',
      remedy: 'Name the model that made the samples by --model, or leave --per-row out.',
    });
  const display = new StageDisplay(terminal);
  const onProgress = (stage: string, share: number): void => display.show(stage, share);
  const { samples, train, test } = await readAll(paths, options, terminal);
  const judged = await judgeSamples({ samples, train, test }, { ...options, onProgress });
  const byRow =
    options.model === undefined
      ? null
      : membershipOf(train, test, await scoresUnder(options.model, paths, options, terminal), {
          ...options,
          onProgress,
        });
  const membership = byRow?.membership ?? null;
  if (byRow !== null && options.perRow !== undefined) await writePerRow(options.perRow, byRow.rows, terminal);
  const findings = findingsOf(judged);
  const rows = { samples: samples.of, train: train.of, test: test.of };
  terminal.result(
    `${counted(rows.samples, 'sample')}, ${counted(rows.train, 'training row')}, ${counted(rows.test, 'held-out row')}`,
  );
  for (const [name, { count, of }] of Object.entries({ samples, train, test }))
    if (count < of)
      terminal.note(`orchard: ${counted(count, 'row')} of ${name}, drawn at random, are looked at (--rows)`);
  showJudgement(judged, membership, terminal);
  for (const finding of findings) terminal.result(`found: ${finding}`);
  const { rows: looked, ...figures } = judged;
  terminal.document({ rows, looked, ...figures, membership, findings });
  if (findings.length > 0) terminal.exitCode = ExitCode.found;
}

/** log P of each row of two files under a model. */
async function scoresUnder(
  path: string,
  { train, test }: { readonly train: string; readonly test: string },
  options: JudgeOptions,
  terminal: Terminal,
): Promise<{ readonly train: Float64Array; readonly test: Float64Array }> {
  const model = asTabular((await loadNetwork(path)).network);
  const asked = { missing: 'value', seed: options.seed, withAnomalies: false, withMeans: false } as const;
  const scoresOf = async (file: string): Promise<Float64Array> => {
    const { nats, newCells } = await useRowsOf(file, model, options, terminal, ({ table: raw }) =>
      scoreFile(model, raw, asked),
    );
    reportNewCells(newCells, terminal);
    return nats;
  };
  return { train: await scoresOf(train), test: await scoresOf(test) };
}

async function readAll(
  paths: { readonly samples: string; readonly train: string; readonly test: string },
  options: JudgeOptions,
  terminal: Terminal,
): Promise<{ readonly samples: ReadRows; readonly train: ReadRows; readonly test: ReadRows }> {
  const open = (path: string): Promise<RawTable> => openTableFile(path, options, terminal);
  const raw = { samples: await open(paths.samples), train: await open(paths.train), test: await open(paths.test) };
  try {
    const said = readingOfColumns(options, (note) => terminal.remark(note));
    const columns = await judgedColumns(raw.train, said);
    for (const note of leftOutNotes(columns.table.leftOut)) terminal.remark(note);
    const read = async (one: RawTable): Promise<ReadRows> => {
      const { table, remarks } = await readAsTrained(one, columns.table, { dates: options.dates });
      for (const remark of remarks) terminal.remark(`${one.name}: ${remark}`);
      return readRows(table, columns, { most: options.rows, seed: options.seed });
    };
    const rows = { samples: await read(raw.samples), train: await read(raw.train), test: await read(raw.test) };
    for (const [name, { count }] of Object.entries(rows))
      if (count < FEWEST_ROWS)
        throw new UsageError({
          got: counted(count, 'row'),
          expected: `at least ${String(FEWEST_ROWS)}`,
          where: name === 'samples' ? 'DATA' : `--${name}`,
          remedy: 'Give more rows: of fewer, chance alone decides every figure.',
        });
    return rows;
  } finally {
    for (const one of Object.values(raw)) await one.close();
  }
}

/** A classifier is trained on two thirds of them. */
const FEWEST_ROWS = 20;

/** Writes `row,log_likelihood,excess`. */
async function writePerRow(file: string, rows: readonly RowAtRisk[], terminal: Terminal): Promise<void> {
  const columns = columnsOf(rows, {
    row: ({ row }) => row,
    log_likelihood: ({ logLikelihood }) => logLikelihood,
    excess: ({ excess }) => excess,
  });
  await writeOutput(file, '--per-row', await encodeTable(listingEnding(file), columns));
  terminal.note(`orchard: ${counted(rows.length, 'training row')}, with nats above those of similar rows, in ${file}`);
}
