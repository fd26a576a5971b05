import { isMostProbable } from '@orchard/model';
import { Option, type Command } from 'commander';
import { drawsFor, points, type Point } from '../fills/fill-options.js';
import { loadMaskedRows, loadNetwork, networkArgument } from '../models/load-network.js';
import { completeByPoints } from '../models/complete-by-points.js';
import { tellExactly } from '../models/tell-exactly.js';
import { addDatasetOptions, type DatasetOptions } from '../options/dataset-options.js';
import { addOutputOptions, examples, outOption } from '../options/output-options.js';
import { seedOption } from '../options/repeated-options.js';
import { addSecondFileOptions, type SecondFileWords } from '../options/table-options.js';
import { number, oneOf, wholeNumber } from '../options/values.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { encodeRows, kindOfFile, shapeFor, valuesOf } from '../output/write-rows.js';
import { completeTableFile } from '../tables/complete-table.js';
import { requireTableModel, tableModelOf } from '../tables/load-table-rows.js';
import { writeOutput } from '../output/write-output.js';

interface CompleteOptions extends DatasetOptions, SecondFileWords {
  readonly seed: number;
  readonly samples?: number;
  readonly out?: string;
  readonly draws?: number;
  readonly probabilities?: true;
  readonly mostProbable?: true;
  readonly point?: Point;
  readonly interval?: number;
}

/** Rows whose effective sample size is below are said to be hardly random. */
const FEW_EFFECTIVE = 10;

export function addCompleteCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('complete')
    .description('Fill in missing values: sample them from their distribution given the known values of the row.')
    .argument('<NETWORK>', networkArgument)
    .argument(
      '<DATA>',
      'rows with the same columns; ?, NaN or an empty cell is a missing value; - reads standard input',
    )
    .addOption(seedOption('seed of the samples'))
    .addOption(
      new Option(
        '--samples <n>',
        'particles per row, if known values do not come first in the ordering: more are slower and more exact (default: 256; tables: 1024)',
      ).argParser(wholeNumber('--samples', 1, 65_536)),
    )
    .addOption(
      outOption(
        '-o, --out <file>',
        'file to write: .csv, .parquet, .arrow or .feather, for 0/1 data .npy or .png too; - is standard output, as CSV (default: -)',
      ),
    );
  command
    .addOption(
      new Option(
        '--point <how>',
        'fill in the mean, median or mode of what a value may be, instead of a sample; of labels and of 0/1 data the most probable value',
      ).argParser(oneOf('--point', points)),
    )
    .addOption(
      new Option(
        '--interval <share>',
        'print, for each missing value, its point and the interval that holds it with this probability, such as 0.9',
      ).argParser(number('--interval', 'a number between 0 and 1', (value) => value > 0 && value < 1)),
    )
    .addOption(
      new Option(
        '--draws <n>',
        'tables: fill in each row this often; the column "draw" numbers the copies; with --point and --interval: samples that they are made of, where the model does not know them exactly (default: 100)',
      ).argParser(wholeNumber('--draws', 1, 1000)),
    )
    .addOption(
      new Option(
        '--probabilities',
        'print how likely each value of a missing cell is, instead of a sample; not with --model lbarn and sparn',
      ).conflicts(['draws', 'mostProbable', 'point', 'interval']),
    )
    .addOption(
      new Option(
        '--most-probable',
        'fill in the most probable values, instead of a sample; with --model marginals, chow-liu and one cutset network',
      ).conflicts(['draws', 'point', 'interval']),
    );
  addOutputOptions(addSecondFileOptions(addDatasetOptions(command)));
  command
    .addHelpText(
      'after',
      examples([
        ['orchard complete run/network.msgpack gaps.csv --out filled.csv', ''],
        ['orchard complete run/network.msgpack gaps.csv --seed 1 --samples 2000', 'another sample, more exact'],
        ["orchard complete run/network.msgpack gaps.csv --missing '-1,?'", 'other marks of missing values'],
        ['orchard complete run table.csv --point median', 'the same value every time'],
        ['orchard complete run table.csv --interval 0.9', 'how sure each value is'],
        ['orchard complete run table.csv --probabilities', 'what each missing cell may be'],
      ]) +
        '\n\nRows whose known values come first in the ordering are filled in exactly, and so are rows with few missing values.' +
        '\nOther rows use sequential Monte Carlo: particles branch at each unknown value and are weighted at each known one.' +
        '\nThe log-likelihood of the known values has a standard error; the effective sample size measures how many' +
        '\nindependent candidates would have the same error.',
    )
    .action(async (path: string, data: string, options: CompleteOptions) => complete(path, data, options, terminal));
}

async function complete(path: string, data: string, options: CompleteOptions, terminal: Terminal): Promise<void> {
  const { seed, samples = 256 } = options;
  const out = options.out === '-' ? undefined : options.out;
  const kind = out === undefined ? '.csv' : kindOfFile(out);
  // too few draws are refused before any work is done
  if (options.interval !== undefined) drawsFor(options.interval, options.draws);
  const loaded = await loadNetwork(path);
  const model = tableModelOf(loaded);
  if (model !== null && (options.mostProbable === undefined || isMostProbable(model)))
    return completeTableFile(model, data, options, terminal);
  const { network } = loaded;
  if (options.point !== undefined || options.interval !== undefined)
    return completeByPoints(loaded, data, options, out, terminal);
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
  const bytes = await encodeRows(matrix, kind);
  if (out === undefined) await terminal.data(bytes);
  else await writeOutput(out, '--out', bytes);
  terminal.note(
    `orchard: ${counted(missing, 'value')} of ${counted(values.rows, 'row')} sampled${out === undefined ? '' : `, in ${out}`}; ${count(exactRows)} rows exactly` +
      (least === null
        ? ''
        : `, the others by ${counted(samples, 'particle')} (smallest effective sample size ${least.toFixed(1)}; ` +
          `log P of what is known ${errorWords(largestError)})`),
  );
  if (least !== null && least < FEW_EFFECTIVE)
    terminal.note('orchard: some known values are unlikely together; more --samples bring the samples closer to exact');
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
