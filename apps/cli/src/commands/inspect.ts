import { nameOfDimension } from '@orchard/dataset';
import { hashOf, Network } from '@orchard/model';
import { Option, type Command } from 'commander';
import { inspectDocument } from '../documents/inspect-document.js';
import { loadNetwork, networkArgument, requireNetwork, type LoadedNetwork } from '../models/load-network.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { oneOf } from '../options/values.js';
import { bytes as sizeOf, count, counted, nats, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../output/write-output.js';

const directions = ['increasing', 'decreasing'] as const;

interface InspectOptions {
  readonly dimensions?: true;
  readonly entropyOrdering?: (typeof directions)[number];
  readonly out?: string;
}

export function addInspectCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('inspect')
    .description('Print what a model is: its columns, ordering, trees, likelihoods and the run that made it.')
    .argument('<NETWORK>', networkArgument)
    .option('--dimensions', 'print every column with its trees and predictors')
    .addOption(
      new Option(
        '--entropy-ordering <direction>',
        'print the columns ordered by their uncertainty instead, one per line: increasing or decreasing',
      ).argParser(oneOf('--entropy-ordering', directions)),
    )
    .addOption(outOption('-o, --out <file>', 'write that ordering to a file, for orchard train --ordering'));
  addOutputOptions(command);
  command
    .addHelpText(
      'after',
      examples([
        ['orchard inspect run', ''],
        ['orchard inspect run/network.msgpack', ''],
        ['orchard inspect run/network.msgpack --dimensions', ''],
        [
          'orchard inspect run/network.msgpack --entropy-ordering decreasing --out order.txt',
          'for orchard train --ordering order.txt',
        ],
      ]),
    )
    .action(async (path: string, options: InspectOptions) => inspect(path, options, terminal));
}

async function inspect(given: string, options: InspectOptions, terminal: Terminal): Promise<void> {
  const loaded = await loadNetwork(given);
  const asksTrees = options.dimensions === true || options.entropyOrdering !== undefined || options.out !== undefined;
  if (!(loaded.network instanceof Network) && !asksTrees) {
    inspectModel(loaded, terminal);
    return;
  }
  const { network, bytes, path } = requireNetwork(loaded);
  if (options.entropyOrdering !== undefined) {
    const order = Array.from(network.entropyOrdering(options.entropyOrdering));
    const lines = order.map((dim) => nameOfDimension(dim, network.names));
    if (options.out === undefined) await terminal.data([new TextEncoder().encode(`${lines.join('\n')}\n`)]);
    else await writeOutput(options.out, '--out', `${lines.join('\n')}\n`);
    terminal.document({ ordering: order.map((dim) => dim + 1), path: options.out ?? null });
    return;
  }
  const { dimensions, trees, leaves, depth, conditionals } = network.summary();
  const { names, shape, likelihoods, specification } = network;
  const sha256 = hashOf(bytes).digest('hex');
  const natural = network.ordering.every((dim, position) => dim === position);
  const figure = (value: number | null): string => (value === null ? '-' : nats(value));
  const isObject = typeof specification === 'object' && specification !== null && !Array.isArray(specification);
  const settings = isObject ? Object.entries(specification).filter(([key]) => key !== 'ordering') : [];
  const lines: (readonly [string, string])[] = [
    ['file', `${path}, ${sizeOf(bytes.length)}`],
    ['sha256', sha256],
    [
      'dimensions',
      `${count(dimensions)}${shape === null ? '' : ` (images of ${String(shape[0])} x ${String(shape[1])})`}${names === null ? '' : `, named ${firstOf(names)}`}`,
    ],
    ['ordering', natural ? 'as stored' : firstOf(Array.from(network.ordering, (dim) => nameOfDimension(dim, names)))],
    [
      'trees',
      `${count(trees)} of ${counted(leaves, 'leaf', 'leaves')} in all, at most ${counted(depth, 'split')} deep`,
    ],
    [
      'likelihoods',
      `train ${figure(likelihoods.train)}, valid ${figure(likelihoods.valid)}, test ${figure(likelihoods.test)} nats per row`,
    ],
    ...settings.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  terminal.result(lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n'));
  if (options.dimensions) {
    const rows = conditionals.map((each) => [
      nameOfDimension(each.column, names),
      ...[each.trees, each.leaves, each.depth, each.predictors].map(count),
    ]);
    terminal.result(`\n${table(['column', 'trees', 'leaves', 'depth', 'predictors'], rows)}`);
  }
  const asked = options.dimensions === true ? conditionals.map((own) => ({ ...own, column: own.column + 1 })) : null;
  terminal.document(inspectDocument({ network, path, sha256, bytes: bytes.length, conditionals: asked }));
}

/** A model of any family, in the words of its own. */
function inspectModel({ network, bytes, path }: LoadedNetwork, terminal: Terminal): void {
  const { family, dimensions, names, table, likelihoods, likelihoodIs } = network;
  const { facts } = network.summary();
  const sha256 = hashOf(bytes).digest('hex');
  const figure = (value: number | null): string => (value === null ? '-' : nats(value));
  const least = likelihoodIs === undefined ? '' : ', at least (lower bounds)';
  const lines: (readonly [string, string])[] = [
    ['file', `${path}, ${sizeOf(bytes.length)}`],
    ['sha256', sha256],
    ['family', family],
    ...(table === undefined
      ? [['dimensions', `${count(dimensions)}${names === null ? '' : `, named ${firstOf(names)}`}`] as const]
      : [['columns', firstOf(table.variables.map(({ name, kind }) => `${name} (${kind})`))] as const]),
    ...facts,
    [
      'likelihoods',
      `train ${figure(likelihoods.train)}, valid ${figure(likelihoods.valid)}, test ${figure(likelihoods.test)} nats per row${least}`,
    ],
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  terminal.result(lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n'));
  terminal.document(inspectDocument({ network, path, sha256, bytes: bytes.length, conditionals: null }));
}

function firstOf(items: readonly string[]): string {
  return items.slice(0, 6).join(', ') + (items.length > 6 ? ', …' : '');
}
