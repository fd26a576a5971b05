import { parseContract } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import {
  asTabular,
  explainTableRows,
  fillBlanks,
  knownBits,
  scoreTableRows,
  type Outlier,
  type TabularModel,
} from '@orchard/model';
import { families } from '@orchard/registry';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { count, counted, duration, nats } from '../../output/figures.js';
import { folded, foldedTable, widthFor } from '../../output/folded.js';
import type { Terminal } from '../../output/terminal.js';
import { noLabels } from '../../run-folder/report-labels.js';
import { trainedDocument, type TrainedDocument } from '../../run-folder/trained-document.js';
import { RunDirectory, type ProducedModel } from '../../run-folder/run-directory.js';
import type { Configured } from '../../options/configured-command.js';
import { loadTableRows, useTable } from '../../rows/load-table-rows.js';
import { loadTrainingRows, rowsFor } from '../../rows/load-training-rows.js';
import { findAndList, wordsOfOutlier } from '../evaluate/show-outliers.js';
import { ownCommand } from '../../output/version.js';
import { writeOutput } from '../../output/write-output.js';
import { oddRentals, rentalWithHoles, withOddRentals } from './odd-rentals.js';
import { plantedRules, rentalColumns, rentalOf, rentals, rentalsCsv } from './rentals.js';

export interface TableDemoOptions {
  readonly out: string;
  /** Of the training file; a tenth of them validates. */
  readonly rows: number;
  readonly seed: number;
  readonly threads?: number | undefined;
  /** Another run in `out` is replaced. */
  readonly mayReplace: boolean;
  /** What a file of options said. */
  readonly configured: Configured | undefined;
}

/** The table is the same whatever the seed of the demo: that one draws. */
const TABLE_SEED = 1;
/** Rentals that nothing is trained on, among which the odd ones are hidden. */
const FRESH_ROWS = 1000;
const DRAWS = 1000;
const SHOWN_DRAWS = 5;
const PARTICLES = 1000;

/**
 * One model of small trees without a floor under their leaves: what no row does gets as near to never as the rounds
 * allow, and a rule is seen from one side, on which all its rows agree.
 */
const words = { members: 1, leaves: 8, minLeafWeight: 0 } as const;

const demoFiles = {
  train: 'rentals.csv',
  fresh: 'fresh.csv',
  odd: 'fresh-with-odd-rows.csv',
  holes: 'missing.csv',
} as const;

/** Trains on a made-up table with planted rules and shows what the model can be asked. */
export async function demoTable(options: TableDemoOptions, terminal: Terminal): Promise<void> {
  const { out, rows, seed } = options;
  say(
    terminal,
    `A made-up shop rents bikes by a lake: ${count(rows)} rentals, drawn by a program with these rules in every row:`,
  );
  for (const { says } of plantedRules) say(terminal, `  - ${says}`);
  say(terminal, 'Weather is not noted for one rental in twenty, and all else is chance.');
  const odd = withOddRentals(rentals(FRESH_ROWS, TABLE_SEED, rows));
  const trained = await train(
    options,
    {
      [demoFiles.train]: rentalsCsv(rentals(rows, TABLE_SEED)),
      [demoFiles.fresh]: rentalsCsv(rentals(FRESH_ROWS, TABLE_SEED, rows)),
      [demoFiles.odd]: rentalsCsv(odd.rows),
      [demoFiles.holes]: `${rentalColumns.join(',')}\n${rentalColumns.map((column) => rentalWithHoles[column]).join(',')}\n`,
    },
    terminal,
  );
  const document = trainedDocument(trained);
  const model = asTabular(trained.local.model);
  terminal.result('');
  say(
    terminal,
    `Trained in ${duration(document.seconds.train)} (--members 1 --leaves 8 --min-leaf-weight 0); on ${count(FRESH_ROWS)} rentals that it never saw ` +
      `${nats(document.network.testLogLikelihood!)} nats per row.`,
  );
  const drawn = showDraws(model, seed, terminal);
  const found = await showOddRows(model, join(out, demoFiles.odd), odd.places, terminal);
  const filled = await fillHoles(model, join(out, demoFiles.holes), seed, terminal);
  showWhatIsNext(out, document.network.path, terminal);
  const seen = { options: words, rules: drawn, odd: found, filled };
  // said, since the type of a spread has no place for what a family adds
  const shown: TrainedDocument & typeof seen = { ...document, ...seen };
  terminal.document(shown);
}

/** Trains on the first of the files, and tests on the second. */
async function train(
  { out, seed, threads, mayReplace, configured }: TableDemoOptions,
  files: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<ProducedModel> {
  // read before anything is written to --out, as what is there may belong to the user
  const folder = await mkdtemp(join(tmpdir(), 'orchard-demo-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const sources = { train: join(folder, demoFiles.train), test: join(folder, demoFiles.fresh) };
    const family = families.usualFor('table');
    const splits = await loadTrainingRows(sources, { seed }, rowsFor(family), terminal);
    const said = parseContract(family.words, { ...words, seed }, 'options of the demo');
    const labels = { ...noLabels, configured };
    const trained = await RunDirectory.train(
      out,
      { family, words: said, splits, threads, labels, mayReplace },
      terminal,
    );
    for (const [name, text] of Object.entries(files)) await writeOutput(join(out, name), '--out', text);
    return trained;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rentals that the model draws, and how many of them keep each rule. */
function showDraws(
  model: TabularModel,
  seed: number,
  terminal: Terminal,
): { rule: string; kept: number; of: number }[] {
  const columns = valuesOf(model.sample(DRAWS, seed), model.table, seed);
  const cells = Array.from({ length: DRAWS }, (_, row) => columns.map((column) => column[row]!));
  terminal.result('');
  say(terminal, `Sampled rows, which are no one's rentals, in the table's own words:`);
  terminal.result('');
  terminal.result(
    foldedTable(
      rentalColumns,
      cells.slice(0, SHOWN_DRAWS).map((row) => row.map((cell) => cell ?? '')),
      widthFor(terminal),
    ),
  );
  const drawn = cells.map(rentalOf);
  const kept = plantedRules.map(({ says, keeps }) => ({ rule: says, kept: drawn.filter(keeps).length, of: DRAWS }));
  const all = drawn.filter((rental) => plantedRules.every(({ keeps }) => keeps(rental))).length;
  terminal.result('');
  say(terminal, `Of ${count(DRAWS)} samples keep the rule that`);
  for (const { rule, kept: many } of kept) say(terminal, `  ${count(many).padStart(5)}  ${rule}`);
  say(terminal, `  ${count(all).padStart(5)}  (all of them)`);
  return [...kept, { rule: 'all', kept: all, of: DRAWS }];
}

/** Looks for the planted rows among those with the highest anomaly scores. */
async function showOddRows(
  model: TabularModel,
  file: string,
  places: readonly number[],
  terminal: Terminal,
): Promise<{ worst: readonly Outlier[]; planted: { row: number; columns: readonly string[]; isFound: boolean }[] }> {
  const scorers = { models: [model], modelOf: () => 0 };
  const asked = { top: 1, count: places.length, model };
  const { outliers: worst } = await useTable(file, {}, async (raw) => {
    const rows = await scoreTableRows(raw, scorers, FRESH_ROWS);
    return findAndList(rows, explainTableRows(raw, scorers), asked, terminal);
  });
  const planted = places.map((row, at) => {
    const { columns } = oddRentals[at]!;
    const isOne = (name: string | undefined): boolean => columns.some((column) => column === name);
    return { row, columns, isFound: worst.some((odd) => odd.row === row && isOne(odd.cells[0]?.column)) };
  });
  terminal.result('');
  say(
    terminal,
    `Hidden among ${count(FRESH_ROWS)} fresh rentals: ${oddRentals.map(({ says }, at) => `${says} (row ${String(places[at]!)})`).join(', ')}.`,
  );
  say(
    terminal,
    `The ${String(places.length)} rows with the highest anomaly scores, and the most unusual cell of each:`,
  );
  for (const odd of worst) say(terminal, `  ${wordsOfOutlier(odd)}`);
  const found = planted.filter(({ isFound }) => isFound).length;
  say(terminal, `${String(found)} of ${counted(places.length, 'hidden row')} found, with a cell that breaks its rule.`);
  return { worst, planted };
}

async function fillHoles(
  model: TabularModel,
  file: string,
  seed: number,
  terminal: Terminal,
): Promise<Record<string, string | null>> {
  const rows = await loadTableRows(file, model, {}, 'unknown', terminal);
  const [completion] = fillBlanks(model, rows.matrix, knownBits(rows, model), { seed, samples: PARTICLES, draws: 1 });
  const texts = valuesOf(completion!.matrix, model.table, seed);
  const filled = Object.fromEntries(rentalColumns.map((column, at) => [column, texts[at]![0]!]));
  terminal.result('');
  say(terminal, 'A rental of which some is not known, and how the model fills it:');
  terminal.result('');
  terminal.result(
    foldedTable(
      rentalColumns,
      [rentalColumns.map((column) => rentalWithHoles[column]), rentalColumns.map((column) => filled[column] ?? '')],
      widthFor(terminal),
    ),
  );
  return filled;
}

function showWhatIsNext(out: string, network: string, terminal: Terminal): void {
  terminal.result('');
  terminal.result(`  report    ${join(out, 'report.html')}`);
  terminal.result(`  model     ${network}`);
  say(
    terminal,
    `  tables    ${Object.values(demoFiles)
      .map((name) => join(out, name))
      .join(', ')}`,
  );
  terminal.result('');
  terminal.result('What to try next:');
  for (const [command, what] of [
    [`${ownCommand} describe ${join(out, demoFiles.train)}`, 'what was learned of'],
    [`${ownCommand} sample ${out} --given weather=rain,age=60.. --count 5`, 'what if'],
    [`${ownCommand} evaluate ${out} ${join(out, demoFiles.odd)} --worst 20`, 'more outliers'],
    [`${ownCommand} complete ${out} ${join(out, demoFiles.holes)} --probabilities`, 'what each blank may be'],
    [`${ownCommand} train YOUR.csv --out run`, 'a model of your own table'],
  ] as const) {
    const line = `  ${command.padEnd(65 + ownCommand.length)}  ${what}`;
    // a command is not broken: it is to be copied
    terminal.result(line.length <= widthFor(terminal) ? line : `  ${command}\n      ${what}`);
  }
}

/** Prose, broken between words where the terminal is narrow. */
function say(terminal: Terminal, text: string): void {
  terminal.result(folded(text, widthFor(terminal)));
}
