import type { Network } from '@orchard/model';
import { Option, type Command } from 'commander';
import { loadNetwork, networkArgument } from '../load-network.js';
import { dimensionDocument, dimensionOf, nameOfDimension, type DimensionDocument } from '../name-of-dimension.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { wholeNumber } from '../options/values.js';
import { counted, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { csvField } from '../output/write-rows.js';
import { writeOutput } from '../write-output.js';

interface ImportanceOptions {
  readonly dimension?: string;
  readonly top: number;
  readonly out?: string;
}

interface Explained extends DimensionDocument {
  readonly predictors: readonly (DimensionDocument & { readonly share: number })[];
}

export function addImportanceCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('importance')
    .description("Say what every column is predicted from: the predictors' shares of the split gain in its trees.")
    .argument('<NETWORK>', networkArgument)
    .option('--dimension <column>', 'only this column, by name or number from 1')
    .addOption(
      new Option('--top <n>', 'predictors named a column').argParser(wholeNumber('--top', 1, 1_000_000)).default(5),
    )
    .option(
      '--out <file>',
      'write the whole matrix of shares as CSV, a line for each column in the order of the network',
    );
  addOutputOptions(command);
  command
    .addHelpText(
      'after',
      examples([
        ['orchard importance run/network.msgpack', ''],
        ['orchard importance run/network.msgpack --dimension age=old --top 10', ''],
        ['orchard importance run/network.msgpack --out shares.csv', ''],
      ]),
    )
    .action(async (path: string, options: ImportanceOptions) => importance(path, options, terminal));
}

async function importance(path: string, { dimension, top, out }: ImportanceOptions, terminal: Terminal): Promise<void> {
  const { network } = await loadNetwork(path);
  const { names, dimensions, ordering } = network;
  const wanted =
    dimension === undefined ? Array.from(ordering) : [dimensionOf(dimension, '--dimension', dimensions, names)];
  if (out !== undefined) await writeOutput(out, '--out', matrixOf(network));
  const explained = wanted.map((dim) => explain(network, dim, top));
  const irrelevant = Array.from(network.irrelevantVariables(), (dim) => dimensionDocument(dim, names));
  if (dimension === undefined) {
    const lines = explained.map(({ column, predictors }) => [
      nameOfDimension(column - 1, names),
      predictors.length === 0
        ? '-'
        : predictors.map((each) => `${nameOfDimension(each.column - 1, names)} ${percent(each.share)}`).join(', '),
    ]);
    const width = Math.max(...lines.map(([name]) => name!.length));
    terminal.result(lines.map(([name, predictors]) => `${name!.padEnd(width)}  ${predictors!}`).join('\n'));
    const unused = irrelevant.map(({ column }) => nameOfDimension(column - 1, names)).join(', ');
    terminal.result(
      `\n${counted(irrelevant.length, 'column')} that nothing is predicted from${irrelevant.length === 0 ? '' : `: ${unused}`}`,
    );
  } else {
    const { predictors } = explained[0]!;
    const lines = predictors.map((each) => [nameOfDimension(each.column - 1, names), percent(each.share)]);
    terminal.result(
      lines.length === 0 ? 'no tree of this column has a split' : table(['predictor', 'share of the gain'], lines),
    );
  }
  if (out !== undefined) terminal.note(`orchard: all shares in ${out}`);
  terminal.document({ dimensions: explained, irrelevant, path: out ?? null });
}

function explain(network: Network, dim: number, top: number): Explained {
  const predictors = Array.from(network.importanceOf(dim), (share, predictor) => ({
    ...dimensionDocument(predictor, network.names),
    share,
  }))
    .filter(({ share }) => share > 0)
    .sort((left, right) => right.share - left.share || left.column - right.column)
    .slice(0, top);
  return { ...dimensionDocument(dim, network.names), predictors };
}

/** Lines and columns in the order of the network, so that the matrix is lower triangular. */
function matrixOf(network: Network): string {
  const { names, ordering, dimensions } = network;
  const heads = Array.from(ordering, (dim) => csvField(nameOfDimension(dim, names)));
  const lines = [['column', ...heads].join(',')];
  for (let position = 0; position < dimensions; position++) {
    const shares = network.importanceOf(ordering[position]!);
    lines.push([heads[position]!, ...Array.from(ordering, (dim) => String(shares[dim]!))].join(','));
  }
  return `${lines.join('\n')}\n`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
