import { isMostProbable } from '@orchard/model';
import { Option, type Command } from 'commander';
import { loadMaskedRows, loadNetwork, networkArgument } from '../models/load-network.js';
import { tellExactly } from '../models/tell-exactly.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { addTableFileOptions, type TableFileWords } from '../options/table-options.js';
import { wholeNumber } from '../options/values.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { completeTableFile } from '../tables/complete-table.js';
import { requireTableModel, tableModelOf } from '../tables/load-table-rows.js';
import { writeOutput } from '../output/write-output.js';

interface CompleteOptions extends DatasetOptions, TableFileWords {
  readonly seed: number;
  readonly samples?: number;
  readonly out?: string;
  readonly draws?: number;
  readonly probabilities?: true;
  readonly mostProbable?: true;
}

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

export function addCompleteCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('complete')
    .description('Fill in missing values: draws from what the network holds possible, given the values that are known.')
    .argument('<NETWORK>', networkArgument)
    .argument(
      '<DATA>',
      'rows of the same columns, with ?, nothing or NaN where a value is missing; - is standard input',
    )
    .addOption(seedOption('which draw'))
    .addOption(
      new Option(
        '--samples <n>',
        'particles a row, where the known values do not come first in the ordering: cost and accuracy grow with them ' +
          '(default: 256; 1,024 of a table)',
      ).argParser(wholeNumber('--samples', 1, 65_536)),
    )
    .option('-o, --out <file>', 'x.csv, x.npy or x.png; - is standard output, as CSV (default: -)');
  command
    .addOption(
      new Option('--draws <n>', 'of a table: so many completions of each row, numbered in a column "draw"').argParser(
        wholeNumber('--draws', 1, 1000),
      ),
    )
    .addOption(
      new Option(
        '--probabilities',
        'what each blank may be and how likely, instead of a draw: of a table, or exactly of a model that tells (marginals, chow-liu, cutset, mixture, boosted, compositional, partition of few experts)',
      ).conflicts(['draws', 'mostProbable']),
    )
    .addOption(
      new Option(
        '--most-probable',
        'the most probable values together, instead of a draw: of a model that tells (marginals and chow-liu, of tables too; one cutset network)',
      ).conflicts('draws'),
    );
  addOutputOptions(addTableFileOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard complete run/network.msgpack holes.csv --out whole.csv', ''],
        ['orchard complete run/network.msgpack holes.csv --seed 1 --samples 2000', 'another draw, closer to exact'],
        ["orchard complete run/network.msgpack holes.csv --missing '-1,?'", 'other marks'],
        ['orchard complete run table.csv --probabilities', 'of a table: what each blank may be'],
      ]) +
        '\n\nA row whose known values come first in the ordering is completed exactly, and so is one with few unknown values before the last known' +
        '\none. For others particles go through the ordering, branch where a value is unknown and are weighed where it is known (sequential Monte' +
        '\nCarlo), and one is taken. log P of the known values comes with its standard error in nats; the effective sample size says how many' +
        '\nindependent candidates would err as much.',
    )
    .action(async (path: string, data: string, options: CompleteOptions) => complete(path, data, options, terminal));
}

async function complete(path: string, data: string, options: CompleteOptions, terminal: Terminal): Promise<void> {
  const { seed, samples = 256 } = options;
  const out = options.out === '-' ? undefined : options.out;
  const kind = out === undefined ? '.csv' : kindOfFile(out);
  const loaded = await loadNetwork(path);
  const model = tableModelOf(loaded);
  if (model !== null && (options.mostProbable === undefined || isMostProbable(model)))
    return completeTableFile(model, data, options, terminal);
  const { network } = loaded;
  if (options.draws !== undefined) requireTableModel(loaded);
  if (options.probabilities === true || options.mostProbable === true)
    return tellExactly(loaded, data, options, out, terminal);
  if (kind === '.png') shapeFor(network);
  const { values, known } = await loadMaskedRows(data, network, options, terminal);
  const completion = network.complete(values, known, { seed, samples });
  const { matrix, effectiveSampleSize, exact, logEvidence, logEvidenceError } = completion;
  const knownCells = known.columnCounts().reduce((sum, cells) => sum + cells, 0);
  const missing = values.rows * values.dimensions - knownCells;
  const exactRows = exact.reduce((sum, isExact) => sum + isExact, 0);
  const drawn = Array.from(effectiveSampleSize).filter((_, row) => exact[row] === 0);
  const largestError = logEvidenceError.reduce((most, error) => Math.max(most, error), 0);
  const least = drawn.length === 0 ? null : drawn.reduce((low, size) => Math.min(low, size), Infinity);
  if (out === undefined) await terminal.data(encodeRows(matrix, kind));
  else await writeOutput(out, '--out', encodeRows(matrix, kind));
  terminal.note(
    `orchard: ${counted(missing, 'value')} of ${counted(values.rows, 'row')} drawn${out === undefined ? '' : `, in ${out}`}; ${count(exactRows)} rows exactly` +
      (least === null
        ? ''
        : `, the others by ${counted(samples, 'particle')} (smallest effective sample size ${least.toFixed(1)}; ` +
          `log P of what is known ${errorWords(largestError)})`),
  );
  if (least !== null && least < FEW_EFFECTIVE)
    terminal.note('orchard: some known values are unlikely together; more --samples bring the draws closer to exact');
  terminal.document({
    rows: values.rows,
    missing,
    exactRows,
    seed,
    samples,
    effectiveSampleSize:
      least === null ? null : { least, mean: drawn.reduce((sum, size) => sum + size, 0) / drawn.length },
    logEvidence: [...logEvidence],
    // null: one particle says nothing about its error
    logEvidenceError: Array.from(logEvidenceError, (error) => (error === Infinity ? null : error)),
    path: out ?? null,
    ...(out === undefined ? { values: valuesOf(matrix) } : {}),
  });
}

function errorWords(largest: number): string {
  return largest === Infinity
    ? 'within an error that one particle cannot tell'
    : `within ±${largest.toFixed(2)} nats at worst`;
}
