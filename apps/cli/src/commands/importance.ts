import { nameOfDimension } from '@orchard/dataset';
import { judgePredictors, type HeldOutGains, type JudgedPredictors } from '@orchard/model';
import { Option, type Command } from 'commander';
import { requireExplained, type ExplainedModel } from '../models/explained-model.js';
import { judgeNetwork, type JudgedNetwork } from '../models/judge-network.js';
import { loadNetwork, networkArgument } from '../models/load-network.js';
import { isMarked, predictorsInWords, shareInWords, strongestOf } from '../models/predictors-in-words.js';
import { dimensionDocument, dimensionOf, type DimensionDocument } from '../rows/name-of-dimension.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { addSecondFileOptions, type SecondFileWords } from '../options/table-options.js';
import { wholeNumber } from '../options/values.js';
import { count, counted, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeMatrix } from '../output/table-file.js';
import { importanceOfTable } from '../tables/importance-table.js';
import { tableModelOf } from '../tables/load-table-rows.js';
import { writeOutput } from '../output/write-output.js';

/** Columns that a terminal shows by default. */
const MOST_SHOWN = 20;
/** Models among which validation rows may have chosen: rounds. */
const CHOICES = 10_000;

interface ImportanceOptions extends DatasetOptions, SecondFileWords {
  readonly dimension?: string;
  readonly top: number;
  readonly show?: number;
  readonly out?: string;
}

interface Predictor extends DimensionDocument {
  readonly share: number;
  /** Whether it helps on held-out rows beyond what a column of noise would; null where that was not tested. */
  readonly beyondNoise: boolean | null;
}

interface Explained extends DimensionDocument {
  /** Mean nats per row over the column's own rate, on held-out rows; null where nothing was there to judge by. */
  readonly gain: number | null;
  /** Whether that is beyond noise; only then are there predictors. Null where nothing was there to judge by. */
  readonly beyondNoise: boolean | null;
  readonly predictors: readonly Predictor[];
  /** How many there are, named or not. */
  readonly predictorsInAll: number;
}

export function addImportanceCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('importance')
    .description(
      'Print the feature importance of every column: how much the other columns help to predict it, and which ones.',
    )
    .argument('<NETWORK>', networkArgument)
    .argument(
      '[DATA]',
      'rows that the model was not trained on; - reads standard input (default: test or validation rows of the run)',
    )
    .option('--dimension <column>', 'print only this column, by name or number from 1')
    .addOption(
      new Option('--top <n>', 'predictors to print per column')
        .argParser(wholeNumber('--top', 1, 1_000_000))
        .default(5),
    )
    .addOption(
      new Option(
        '--show <n>',
        `columns to print, those that gain most (default: all; on a terminal ${String(MOST_SHOWN)})`,
      ).argParser(wholeNumber('--show', 1, 1_000_000)),
    )
    .addOption(
      outOption('-o, --out <file>', 'write the whole matrix of shares: .parquet, .arrow or .feather, otherwise CSV'),
    )
    .addOption(seedOption('seed of --binarize'));
  addOutputOptions(addSecondFileOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard importance run/network.msgpack', ''],
        ['orchard importance elsewhere.msgpack fresh.csv', 'by rows of your own'],
        ['orchard importance run/network.msgpack --dimension age=old --top 10', ''],
        ['orchard importance run/network.msgpack --out shares.csv', ''],
      ]) +
        '\n\nA column gains what its trees add to its log-likelihood (nats per row) on held-out rows, compared with its own rate.' +
        '\nHeld-out rows are DATA, else the test rows of the run, else its validation rows with an allowance for choosing rounds.' +
        '\nPredictors are listed for a column beyond noise: if all columns were independent, 1 model in 20 would list one.' +
        '\nThe share of a predictor is its part of the split gain in the trees of the column. It is marked (noise?) where the' +
        "\npredictor's own values predict the column in held-out rows no better than the values of other rows do.",
    )
    .action(async (path: string, data: string | undefined, options: ImportanceOptions) =>
      importance(path, data, options, terminal),
    );
}

async function importance(
  path: string,
  data: string | undefined,
  options: ImportanceOptions,
  terminal: Terminal,
): Promise<void> {
  const { dimension, top, show, out } = options;
  const loaded = await loadNetwork(path);
  const model = tableModelOf(loaded);
  if (model !== null) return importanceOfTable(loaded, model, data, options, terminal);
  const network = requireExplained(loaded);
  const { names, dimensions, ordering } = network;
  const wanted =
    dimension === undefined ? Array.from(ordering) : [dimensionOf(dimension, '--dimension', dimensions, names)];
  const judged = await judgeNetwork(path, data, network, options, terminal);
  if (out !== undefined) await writeOutput(out, '--out', await matrixOf(out, network, judged));
  const { explained, predictorsJudged } = explain(network, judged, wanted, top);
  const irrelevant = irrelevantOf(network, judged).map((dim) => dimensionDocument(dim, names));
  if (dimension === undefined) {
    const most = show ?? (terminal.showsResults ? MOST_SHOWN : Infinity);
    showColumns(explained, most, names, terminal);
    terminal.result('');
    terminal.result(judgementOf(judged, network));
    terminal.result(predictorsInWords(predictorsJudged));
    const unused = irrelevant.slice(0, most).map(({ column }) => nameOfDimension(column - 1, names));
    if (irrelevant.length > most) unused.push(`… and ${count(irrelevant.length - most)} more`);
    terminal.result(
      `${counted(irrelevant.length, 'column')} that nothing is predicted from${irrelevant.length === 0 ? '' : `: ${unused.join(', ')}`}`,
    );
  } else {
    showColumn(explained[0]!, names, terminal);
    terminal.result('');
    terminal.result(judgementOf(judged, network));
    terminal.result(predictorsInWords(predictorsJudged));
  }
  if (out !== undefined) terminal.note(`orchard: all shares in ${out}`);
  terminal.document({
    dimensions: explained,
    irrelevant,
    path: out ?? null,
    judgedBy: judged?.judgedBy ?? null,
    predictorsJudged:
      predictorsJudged === null ? null : { rows: predictorsJudged.rows, neededEvidence: predictorsJudged.needed },
  });
}

/**
 * What gains most first, and grey what is no better than noise; where nothing was judged, in the order of the network.
 */
function showColumns(
  explained: readonly Explained[],
  most: number,
  names: readonly string[] | null,
  terminal: Terminal,
): void {
  const ranked = explained.toSorted(
    (left, right) =>
      Number(right.beyondNoise ?? 0) - Number(left.beyondNoise ?? 0) || (right.gain ?? 0) - (left.gain ?? 0),
  );
  const shown = ranked.slice(0, most);
  const width = shown.reduce((most, { column }) => Math.max(most, nameOfDimension(column - 1, names).length), 0);
  for (const each of shown) {
    const { column, gain, beyondNoise, predictors, predictorsInAll } = each;
    const cells = predictors.map((one) => shareInWords(nameOfDimension(one.column - 1, names), one));
    if (predictorsInAll > predictors.length) cells.push(`${count(predictorsInAll - predictors.length)} more`);
    const told = beyondNoise === false ? 'no better than noise' : cells.length === 0 ? '-' : cells.join(', ');
    const name = nameOfDimension(column - 1, names).padEnd(width);
    const line = [name, ...(gain === null ? [] : [gain.toFixed(4).padStart(8)]), told].join('  ');
    if (beyondNoise === false) terminal.faint(line);
    else terminal.result(line);
  }
  if (shown.length < ranked.length) {
    const missing = counted(ranked.length - shown.length, 'more column');
    terminal.result(`… and ${missing}: --show ${String(ranked.length)} lists all, and so does a pipe`);
  }
}

function showColumn(
  { column, gain, beyondNoise, predictors, predictorsInAll }: Explained,
  names: readonly string[] | null,
  terminal: Terminal,
): void {
  if (gain !== null) {
    const name = nameOfDimension(column - 1, names);
    terminal.result(
      `${name} gains ${gain.toFixed(4)} nats per row over its own rate: ${beyondNoise ? 'beyond noise' : 'no better than noise, so there is nothing to share out'}`,
    );
  }
  if (beyondNoise === false) return;
  const lines = predictors.map((each) => [
    nameOfDimension(each.column - 1, names),
    `${percent(each.share)}${each.beyondNoise === false ? ' (noise?)' : ''}`,
  ]);
  terminal.result(
    lines.length === 0 ? 'no tree of this column has a split' : table(['predictor', 'share of the gain'], lines),
  );
  if (predictorsInAll > predictors.length) {
    terminal.result(
      `… and ${counted(predictorsInAll - predictors.length, 'more predictor')}: --top ${String(predictorsInAll)} names all`,
    );
  }
}

/** How it was judged, for people. */
function judgementOf(judged: JudgedNetwork | null, { dimensions, networks }: ExplainedModel): string {
  if (judged === null) {
    return (
      'Not judged: there are no held-out rows here. Trees split on noise too, so shares of noise are among these. ' +
      'Give rows that the network was not trained on: orchard importance NETWORK DATA' +
      (networks.length === 1 ? '' : ' (all rows of its run but test rows have trained some member).')
    );
  }
  const { gains, judgedBy } = judged;
  const { split, rows, beforeRefit, rates, neededEvidence } = judgedBy;
  const found = gains.whole.beyondNoise.filter((flag) => flag === 1).length;
  const which = split === 'data' ? 'of DATA' : split === 'test' ? 'of the test split' : 'of validation';
  const chose = split === 'validation' ? ' (they chose the rounds, which is allowed for)' : '';
  return (
    `Gains are nats per row on ${counted(rows, 'row')} ${which}${chose}, over each column's rate in ${rates === 'training rows' ? 'the training rows' : rates === 'the held-out rows' ? 'these very rows' : 'the training rows, as the network starts from it'}` +
    `${beforeRefit ? '; of the network before its refit or second training, which has seen these rows' : ''}.\n` +
    `${count(found)} of ${counted(dimensions, 'column')} ${found === 1 ? 'is' : 'are'} predicted beyond noise: by ${neededEvidence.toFixed(1)} nats in all rows together over the best single rate, which even one of ${count(dimensions)} ` +
    `independent columns would reach in at most one of ${String(Math.round(1 / judgedBy.chance))} networks. A small share within a column is not evidence of its own.` +
    (networks.length === 1
      ? ''
      : ` Gains and shares are means over ${counted(networks.length, 'member')}, whose orderings differ.`)
  );
}

function explain(
  network: ExplainedModel,
  judged: JudgedNetwork | null,
  wanted: readonly number[],
  top: number,
): { readonly explained: readonly Explained[]; readonly predictorsJudged: JudgedPredictors | null } {
  const { names } = network;
  const strongest = wanted.map((dim) => {
    const shares = network.importanceOf(dim, judged?.gains);
    return { first: strongestOf(shares, top), inAll: shares.reduce((all, share) => all + (share > 0 ? 1 : 0), 0) };
  });
  const pairs = wanted.flatMap((column, at) => strongest[at]!.first.map((one) => ({ column, predictor: one.column })));
  const rows = judged?.unseen ?? null;
  const chosenOf = judged?.judgedBy.split === 'validation' ? CHOICES : 1;
  const predictorsJudged = rows === null ? null : judgePredictors(network.model, rows, pairs, chosenOf);
  let pair = 0;
  const explained = wanted.map((dim, at): Explained => ({
    ...dimensionDocument(dim, names),
    gain: judged?.gains.whole.gain[dim] ?? null,
    beyondNoise: judged === null ? null : judged.gains.whole.beyondNoise[dim] === 1,
    predictors: strongest[at]!.first.map(({ column, share }) => ({
      ...dimensionDocument(column, names),
      share,
      beyondNoise: isMarked(predictorsJudged, pair++),
    })),
    predictorsInAll: strongest[at]!.inAll,
  }));
  return { explained, predictorsJudged };
}

/**
 * Stored columns that no conditional splits on; where the conditional was judged, also those that predict no better
 * than noise.
 */
function irrelevantOf(network: ExplainedModel, judged: JudgedNetwork | null): number[] {
  const used = new Set<number>();
  network.networks.forEach(({ ensembles, ordering }, m) => {
    ensembles.forEach(({ splitPredictor }, position) => {
      const isNoise = (gains: HeldOutGains | undefined): boolean => gains?.beyondNoise[ordering[position]!] === 0;
      if (isNoise(judged?.gains.whole) || isNoise(judged?.gains.members[m])) return;
      for (const predictor of splitPredictor) used.add(ordering[predictor]!);
    });
  });
  return Array.from({ length: network.dimensions }, (_, dim) => dim).filter((dim) => !used.has(dim));
}

/** Lines and columns in the order of the network, so that the matrix is lower triangular. */
function matrixOf(out: string, network: ExplainedModel, judged: JudgedNetwork | null): Promise<Uint8Array[]> {
  const { names, ordering } = network;
  const heads = Array.from(ordering, (dim) => nameOfDimension(dim, names));
  return encodeMatrix(out, 'column', heads, (position) => {
    const shares = network.importanceOf(ordering[position]!, judged?.gains);
    return Array.from(ordering, (dim) => shares[dim]!);
  });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
