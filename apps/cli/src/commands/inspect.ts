import type { Variable } from '@orchard/contracts';
import { gridWords, nameOfDimension } from '@orchard/dataset';
import { hashOf, type DensityModel, type Network } from '@orchard/model';
import { inspectDocument } from './inspect-document.js';
import { loadNetwork, networkArgument, treesIn } from '../rows/load-network.js';
import { declareCommand } from '../options/add-command.js';
import { outOption } from '../options/repeated-options.js';
import { oneOf } from '../options/values.js';
import { bytes as sizeOf, count, nats, table } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../output/write-output.js';
import { option, type Parsed } from '../options/option.js';

const directions = ['increasing', 'decreasing'] as const;

const inspectOptions = () => [
  option('--dimensions', 'print every column with its trees and predictors'),
  option(
    '--entropy-ordering <direction>',
    'print the columns ordered by their uncertainty instead, one per line: increasing or decreasing',
    oneOf(directions),
  ),
  outOption('-o, --out <file>', 'write that ordering to a file, for orchard train --ordering'),
];

type InspectOptions = Parsed<typeof inspectOptions>;

export const addInspectCommand = declareCommand(
  {
    name: 'inspect',
    description: 'Print what a model is: its columns, ordering, trees, likelihoods and the run that made it.',
    places: [['<NETWORK>', networkArgument]],
    options: inspectOptions,
    examples: [
      ['orchard inspect run', ''],
      ['orchard inspect run/network.msgpack', ''],
      ['orchard inspect run/network.msgpack --dimensions', ''],
      [
        'orchard inspect run/network.msgpack --entropy-ordering decreasing --out order.txt',
        'for orchard train --ordering order.txt',
      ],
    ],
  },
  inspect,
);

async function inspect(given: string, options: InspectOptions, terminal: Terminal): Promise<void> {
  const loaded = await loadNetwork(given);
  const asksTrees = options.dimensions === true || options.entropyOrdering !== undefined || options.out !== undefined;
  const trees = treesIn(loaded, asksTrees);
  if (trees !== null && options.entropyOrdering !== undefined)
    return writeOrdering(trees, options.entropyOrdering, options.out, terminal);
  const { network, bytes, path } = loaded;
  const { names, likelihoods, likelihoodIs } = network;
  const sha256 = hashOf(bytes).digest('hex');
  const figure = (value: number | null): string => (value === null ? '-' : nats(value));
  const least = likelihoodIs === undefined ? '' : ', at least (lower bounds)';
  const lines: (readonly [string, string])[] = [
    ['file', `${path}, ${sizeOf(bytes.length)}`],
    ['sha256', sha256],
    ...linesOf(network, trees),
    [
      'likelihoods',
      `train ${figure(likelihoods.train)}, valid ${figure(likelihoods.valid)}, test ${figure(likelihoods.test)} nats per row${least}`,
    ],
    ...(trees === null ? [] : settingsOf(trees)),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  terminal.result(lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n'));
  const conditionals = trees === null || options.dimensions !== true ? null : trees.summary().conditionals;
  if (conditionals !== null) {
    const rows = conditionals.map((each) => [
      nameOfDimension(each.column, names),
      ...[each.trees, each.leaves, each.depth, each.predictors].map(count),
    ]);
    terminal.result(`\n${table(['column', 'trees', 'leaves', 'depth', 'predictors'], rows)}`);
  }
  const asked = conditionals?.map((own) => ({ ...own, column: own.column + 1 })) ?? null;
  terminal.document(inspectDocument({ network, path, sha256, bytes: bytes.length, conditionals: asked }));
}

/** The columns by their uncertainty, one a line. */
async function writeOrdering(
  network: Network,
  direction: (typeof directions)[number],
  out: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const order = Array.from(network.entropyOrdering(direction));
  const text = `${order.map((dim) => nameOfDimension(dim, network.names)).join('\n')}\n`;
  if (out === undefined) await terminal.data([new TextEncoder().encode(text)]);
  else await writeOutput(out, '--out', text);
  terminal.document({ ordering: order.map((dim) => dim + 1), path: out ?? null });
}

/** A model of any family, in the words of its own. */
function linesOf(model: DensityModel, trees: Network | null): (readonly [string, string])[] {
  const { family, dimensions, names, shape, table } = model;
  const images = shape === null ? '' : ` (images of ${String(shape[0])} x ${String(shape[1])})`;
  return [
    ...(trees === null ? [['family', family] as const] : []),
    table === undefined
      ? ['dimensions', `${count(dimensions)}${images}${names === null ? '' : `, named ${firstOf(names)}`}`]
      : ['columns', firstOf(table.variables.map(({ name, kind }) => `${name} (${kind})`))],
    ...(trees === null ? [] : [['ordering', orderingOf(trees)] as const]),
    ...stepsIn(table?.variables ?? []),
    ...model.summary().facts,
  ];
}

function orderingOf({ ordering, names }: Network): string {
  const isNatural = ordering.every((dim, position) => dim === position);
  return isNatural ? 'as stored' : firstOf(Array.from(ordering, (dim) => nameOfDimension(dim, names)));
}

function stepsIn(variables: readonly Variable[]): (readonly [string, string])[] {
  const said = variables.flatMap((variable) => {
    const words = variable.kind === 'ordered' ? gridWords(variable) : null;
    return words === null ? [] : [`${variable.name} ${words}`];
  });
  return said.length === 0 ? [] : [['steps', firstOf(said)]];
}

function settingsOf({ specification }: Network): (readonly [string, string])[] {
  const isObject = typeof specification === 'object' && specification !== null && !Array.isArray(specification);
  const settings = isObject ? Object.entries(specification).filter(([key]) => key !== 'ordering') : [];
  return settings.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]);
}

function firstOf(items: readonly string[]): string {
  return items.slice(0, 6).join(', ') + (items.length > 6 ? ', …' : '');
}
