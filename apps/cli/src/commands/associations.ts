import { groupsFor } from '@orchard/dataset';
import { asTabular } from '@orchard/model';
import { UsageError } from '../output/errors.js';
import { associationsIn } from '@orchard/analysis';
import { loadNetwork, networkArgument } from '../rows/load-network.js';
import { declareCommand } from '../options/add-command.js';
import { seedOption, outOption } from '../options/repeated-options.js';
import { wholeNumber } from '../options/values.js';
import { count, counted, table, withDecimals } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeMatrix } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { option, type Parsed } from '../options/option.js';

/** Pairs that a terminal shows by default. */
const MOST_SHOWN = 20;
/** More columns have a matrix that is too large to hold. */
const MOST_COLUMNS = 8192;

const associationsOptions = () => [
  option('--rows <n>', 'rows to sample', wholeNumber(100, 10_000_000), 10_000),
  seedOption('seed of the samples'),
  option(
    '--show <n>',
    `pairs to print, the strongest (default: all; on a terminal ${String(MOST_SHOWN)})`,
    wholeNumber(1, 1_000_000),
  ),
  outOption(
    '-o, --out <file>',
    'write the whole matrix, with entropies on its diagonal: .parquet, .arrow or .feather, otherwise CSV',
  ),
];

type AssociationsOptions = Parsed<typeof associationsOptions>;

export const addAssociationsCommand = declareCommand(
  {
    name: 'associations',
    description:
      'Print which columns depend on each other: the mutual information of each pair (nats), from samples of the model.',
    places: [['<NETWORK>', networkArgument]],
    options: associationsOptions,
    examples: [
      ['orchard associations run', ''],
      ['orchard associations run --rows 100000 --out associations.csv', 'the whole matrix, more exact'],
    ],
  },
  associations,
);

async function associations(
  path: string,
  { rows, seed, show, out }: AssociationsOptions,
  terminal: Terminal,
): Promise<void> {
  const model = asTabular((await loadNetwork(path)).network);
  const { variables } = model.table;
  if (variables.length > MOST_COLUMNS)
    throw new UsageError({
      got: `a model of ${count(variables.length)} columns`,
      expected: `at most ${count(MOST_COLUMNS)}, whose pairs can be held`,
      where: 'NETWORK',
      remedy: 'orchard importance shows what each column is predicted from, one by one.',
    });
  const { nats, strengths } = associationsIn(model, rows, seed);
  const size = variables.length;
  const pairs = variables
    .flatMap((one, index) =>
      variables.slice(0, index).map((other, at) => ({
        variables: [other.name, one.name] as const,
        nats: nats[index * size + at]!,
        strength: strengths[index * size + at]!,
      })),
    )
    .sort((a, b) => b.strength - a.strength);
  const most = show ?? (terminal.showsResults ? MOST_SHOWN : Infinity);
  const shown = pairs
    .slice(0, most)
    .map(({ variables: [one, other], ...pair }) => [
      one,
      other,
      withDecimals(pair.nats, 4),
      withDecimals(pair.strength, 3),
    ]);
  terminal.result(table(['variable', 'and', 'nats', 'strength'], shown));
  if (pairs.length > most)
    terminal.result(`… and ${counted(pairs.length - most, 'weaker pair')}: --show ${String(pairs.length)} lists all`);
  terminal.result(
    `\nFrom ${counted(rows, 'sampled row')}, values in up to ${String(groupsFor(rows))} groups a variable, less what independent ones would show (Miller and Madow).` +
      '\nStrength: 0 for independent, 1 where one tells the other; of two normal variables it is their correlation.',
  );
  if (out !== undefined) {
    const names = variables.map(({ name }) => name);
    const rowOf = (row: number): Float64Array => nats.subarray(row * size, (row + 1) * size);
    await writeOutput(out, '--out', await encodeMatrix(out, 'variable', names, rowOf));
    terminal.note(`orchard: the matrix in ${out}`);
  }
  terminal.document({ rows, seed, pairs, path: out ?? null });
}
