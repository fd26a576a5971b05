import { checkTable, givenColumns, givenFirst, givenOf, trainFolds, type Scored } from '@orchard/analysis';
import { countRows, type RawTable } from '@orchard/dataset';
import { askedAsTable, type TabularModel } from '@orchard/model';
import { headings } from '../../options/help-places.js';
import { cellsMarkdown, cellsText, endingOf, writeCells, writeRowsOfCells } from './show-cells.js';
import { ExitCode, refuseStandardInput, UsageError } from '../../output/errors.js';
import { loadNetwork } from '../../rows/load-network.js';
import { datasetOptions } from '../../options/dataset-options.js';
import {
  givenColumnsOption,
  modelOption,
  seedOption,
  threadsOption,
  outOption,
} from '../../options/repeated-options.js';
import { tableOptions } from '../../options/table-options.js';
import { share, wholeNumber } from '../../options/values.js';
import { StageDisplay } from '../../output/stage-display.js';
import { loadFoldRows } from '../../run-folder/load-fold-rows.js';
import type { Terminal } from '../../output/terminal.js';
import { declareRowsCommand } from '../../options/query-option.js';
import { trainInFolders } from '../../run-folder/train-in-folders.js';
import { useSecondFile, useTable } from '../../rows/load-table-rows.js';
import { option, type Parsed } from '../../options/option.js';

/**
 * The family whose probabilities of a cell given all others are cheapest, and best on the tables with known errors that
 * were tried.
 */
const USUAL_MODEL = 'chow-liu';

/** Where columns are given: what is right of a group depends on all of them together. */
const USUAL_GIVEN = 'tables';

const checkOptions = () => [
  option('--baseline <NETWORK>', 'compare with a model of earlier rows, and report columns that have drifted from it'),
  option('-n, --count <n>', 'cells to show, the most unusual first', wholeNumber(1, 100_000), 20),
  option('--false-alarms <share>', 'share of right cells that may be reported', share, 0.005),
  option('--folds <n>', 'folds of the rows, and models to train', wholeNumber(2, 100), 5),
  option(
    '--per-row <file>',
    'write a line for each row: its unusual cells and the worst of them; the ending of the name says the format',
  ),
  givenColumnsOption(),
  outOption('-o, --out <file>', 'write the cells: .csv, .json, .parquet, .arrow or .feather'),
  option('--markdown', 'print Markdown tables').helpGroup(headings.output),
  modelOption(USUAL_MODEL),
  seedOption('of the folds, of all training and of the rows that set the threshold'),
  threadsOption(),
  ...datasetOptions(),
  ...tableOptions(),
];

type CheckOptions = Parsed<typeof checkOptions>;

export const addCheckCommand = declareRowsCommand(
  {
    name: 'check',
    description:
      'Find the cells of a table that are probably wrong, and say what is expected there: each cell is compared with all others of its row, by a model that did not learn from that row.',
    rows: ['DATA', 'a table in any format of orchard train'],
    options: checkOptions,
    examples: [
      ['orchard check week.csv', 'the cells that do not fit the rest of their rows'],
      ['orchard check week.csv --baseline run --false-alarms 0.0001', 'against a model of earlier weeks'],
      ['orchard check week.csv --markdown >> "$GITHUB_STEP_SUMMARY"', 'for the page of a pipeline'],
      ['orchard check sales.csv --given-columns region,type', 'what does not fit its region and type'],
      ['orchard check week.csv --out cells.parquet', 'every cell that was found, as a table'],
      ['orchard check week.csv --json', 'for programs'],
    ],
    notes: ['Exit code 3: something was found.'],
  },
  check,
);

async function check(file: string, options: CheckOptions, terminal: Terminal): Promise<void> {
  if (file === '-') refuseStandardInput('DATA');
  const { out, perRow, baseline: from } = options;
  // refused before anything is trained
  for (const [path, option] of [
    [out, '--out'],
    [perRow, '--per-row'],
  ] as const)
    if (path !== undefined) endingOf(path, option);
  const baseline = from === undefined ? null : askedAsTable((await loadNetwork(from)).network, from);
  const scored = baseline === null ? await scoredByFolds(file, options, terminal) : scoredBy(baseline, options);
  const use = async (raw: RawTable): Promise<void> => {
    const display = new StageDisplay(terminal);
    const rows = await countRows(raw);
    let done = 0;
    const onRows = (more: number): void => {
      done += more;
      display.show('comparing each cell with its row', done / rows);
    };
    const { falseAlarms, seed } = options;
    const found = await checkTable(raw, scored, { falseAlarms, seed, baseline, onRows });
    if (out !== undefined) await writeCells(out, found.cells, terminal);
    if (perRow !== undefined) await writeRowsOfCells(perRow, found, terminal);
    terminal.result((options.markdown === true ? cellsMarkdown : cellsText)(found, options));
    const { cells, drift } = found;
    const { givenColumns: said } = options;
    terminal.document({
      rows,
      falseAlarms,
      cells,
      ...(drift !== null && { drift }),
      ...(said !== undefined && { givenColumns: said }),
    });
    if (cells.length > 0 || (drift?.length ?? 0) > 0) terminal.exitCode = ExitCode.found;
  };
  if (baseline === null) await useTable(file, options, use, terminal);
  else await useSecondFile(file, baseline, options, terminal, ({ table }) => use(table));
}

/** Each cell is compared with all others of its row, so that any model knows it given any columns. */
function scoredBy(model: TabularModel, { givenColumns: said }: CheckOptions): Scored {
  return {
    models: [model],
    modelOf: () => 0,
    given: said === undefined ? null : givenOf(model, said, '--given-columns'),
  };
}

async function scoredByFolds(file: string, options: CheckOptions, terminal: Terminal): Promise<Scored> {
  const { givenColumns: said, model = said === undefined ? USUAL_MODEL : USUAL_GIVEN } = options;
  const rows = await loadFoldRows(file, { ...options, model, asTable: true }, terminal);
  if (rows.rows.columns.kind !== 'table') {
    throw new UsageError({
      got: `--model ${String(options.model)}, which learns rows of 0 and 1 alone`,
      expected: 'a kind of model that learns tables too',
      where: '--model',
      remedy: `Leave it out: ${USUAL_MODEL} is used then.`,
    });
  }
  const { names, count } = rows.rows.columns;
  const given = said === undefined ? null : givenColumns(said, names ?? [], '--given-columns');
  const isOrdered = given !== null && 'ordering' in rows.family.words.shape;
  const places = isOrdered ? givenFirst(given, count) : undefined;
  const { folds, seed } = options;
  // `--out` names the file of cells: models are not kept
  const { models, foldOf } = await trainInFolders(
    file,
    { ...options, places, out: undefined },
    terminal,
    (train, onNote) => trainFolds(rows, { folds, seed, isOrdered }, train, onNote),
  );
  const { isOfTable } = rows;
  return { models: models as readonly TabularModel[], modelOf: (row) => foldOf[row]!, isOfTable, given };
}
