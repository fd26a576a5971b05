import { isBound, moments, scoreTable } from '@orchard/model';
import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { loadNetwork, loadRows, networkArgument, type LoadedNetwork } from '../models/load-network.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { addSecondFileOptions, type SecondFileWords } from '../options/table-options.js';
import { seedOption } from '../options/repeated-options.js';
import { counted, nats, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { loadTableRows, tableModelOf } from '../tables/load-table-rows.js';
import { matchedColumns, refuseOtherMeasures, sayOtherLabels } from '../tables/comparable.js';

type CompareOptions = DatasetOptions & SecondFileWords;

/** Columns shown on a terminal; `--json` has all. */
const MOST_SHOWN = 30;

export function addCompareCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('compare')
    .description(
      'Print which of two models finds rows likelier: the difference per row with its standard error, by column.',
    )
    .argument('<A>', networkArgument)
    .argument('<B>', 'another model of the same columns')
    .argument('<DATA>', 'rows that neither model was trained on; - reads standard input')
    .addOption(seedOption('seed of --binarize'));
  addOutputOptions(addSecondFileOptions(addDatasetOptions(command)));
  command
    .addHelpText('after', examples([['orchard compare run1 run2 test.csv', '']]))
    .action(async (a: string, b: string, data: string, options: CompareOptions) =>
      compare(a, b, data, options, terminal),
    );
}

/** What a model says of rows: nats of each row, and of each column in it. */
interface Said {
  readonly nats: Float64Array;
  readonly cells: Float64Array;
  /** Whether its nats are lower bounds; it has no cells then. */
  readonly isBound: boolean;
}

async function compare(a: string, b: string, data: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const [first, second] = [await loadNetwork(a, 'A'), await loadNetwork(b, 'B')];
  if (data === '-')
    throw new UsageError({
      got: '-',
      expected: 'a file: it is read for both models',
      where: 'DATA',
      remedy: 'Write it to a file first.',
    });
  const [names, places] = matchedColumns(first, second);
  refuseOtherMeasures(first, second);
  const one = await saidBy(first, data, options, terminal);
  const other = await saidBy(second, data, options, terminal);
  sayOtherLabels(first, second, terminal);
  const difference = moments(one.nats.map((value, row) => value - other.nats[row]!));
  const width = names.length;
  const rows = one.nats.length;
  const columns = names.map((name, index) => {
    const each = Float64Array.from(
      { length: rows },
      (_, row) => one.cells[row * width + index]! - other.cells[row * width + places[index]!]!,
    );
    const known = each.filter((value) => !Number.isNaN(value));
    const { mean, standardError } = known.length === 0 ? { mean: null, standardError: null } : moments(known);
    return { name, difference: mean, standardError };
  });
  const error = difference.standardError;
  const isBeyondNoise = error !== null && Math.abs(difference.mean) > 2 * error;
  terminal.result(
    `${counted(rows, 'row')}: A ${leastOf(one)}${nats(moments(one.nats).mean)}, B ${leastOf(other)}${nats(moments(other.nats).mean)} nats per row; A - B ${nats(difference.mean)}${error === null ? '' : ` ± ${nats(error)}`}` +
      (isBeyondNoise && !(difference.mean > 0 ? other : one).isBound
        ? `: ${difference.mean > 0 ? 'A' : 'B'} is better`
        : isBeyondNoise
          ? `: that tells nothing, as ${difference.mean > 0 ? 'B' : 'A'} may be likelier than its lower bound`
          : ': within two standard errors of none'),
  );
  const shown = [...columns]
    .sort((x, y) => Math.abs(y.difference ?? 0) - Math.abs(x.difference ?? 0))
    .slice(0, MOST_SHOWN);
  terminal.result(
    table(
      ['column', 'A - B, nats', '±'],
      shown.map(({ name, difference: mean, standardError }) => [
        name,
        mean === null ? '-' : nats(mean),
        standardError === null ? '' : nats(standardError),
      ]),
    ),
  );
  if (shown.length < columns.length)
    terminal.result(`… and ${counted(columns.length - shown.length, 'column')} that differ less`);
  terminal.document({ rows, difference: difference.mean, standardError: error, columns });
}

async function saidBy(loaded: LoadedNetwork, data: string, options: CompareOptions, terminal: Terminal): Promise<Said> {
  const model = tableModelOf(loaded);
  if (model === null) {
    const { network } = loaded;
    const rows = await loadRows(data, network, options, terminal);
    const { logLikelihood, surprise } = network.score(rows, { top: 0 });
    return { nats: logLikelihood, cells: surprise.map((value) => -value), isBound: isBound(network) };
  }
  const rows = await loadTableRows(data, model, options, 'value', terminal);
  const { nats: each, cells } = scoreTable(model, rows, 0);
  return { nats: each, cells, isBound: false };
}

function leastOf(said: Said): string {
  return said.isBound ? 'at least ' : '';
}
