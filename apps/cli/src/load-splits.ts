import { matchSplits, readDataset, splitRows, type BitMatrix } from '@orchard/dataset';
import { UsageError } from './errors.js';
import { readOptions, type DatasetOptions } from './options/dataset-options.js';
import { count, counted } from './output/figures.js';
import type { Terminal } from './output/terminal.js';

/** Share of the rows that validate where nobody says. */
const DEFAULT_VALID_FRACTION = 0.1;

/** Where the rows of a run come from; `-` is standard input. */
export interface SplitSources {
  readonly train: string;
  readonly valid?: string;
  readonly test?: string;
  readonly validFraction?: number;
}

export interface LoadedSplits {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
  readonly test: BitMatrix | null;
}

/** Reads the splits, checks them against each other, and splits off validation rows where there is no file of them. */
export async function loadSplits(
  sources: SplitSources,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<LoadedSplits> {
  const { valid: validFile, test: testFile, validFraction } = sources;
  if (validFile !== undefined && validFraction !== undefined) {
    throw new UsageError({
      got: '--valid and --valid-fraction',
      expected: 'one of them',
      remedy: 'Give the validation rows as a file, or have them split off.',
    });
  }
  if ([sources.train, validFile, testFile].filter((file) => file === '-').length > 1) {
    throw new UsageError({
      got: 'standard input for two splits',
      expected: 'one',
      remedy: 'Give the other as a file.',
    });
  }
  const note = (text: string): void => terminal.note(`orchard: ${text}`);
  const read = (file: string, place: number, training: BitMatrix | null): Promise<BitMatrix> => {
    const forFile = readOptions(options, place, note);
    const like =
      training === null ? {} : { categoriesOf: training.names, dimensions: forFile.dimensions ?? training.dimensions };
    return readDataset(file, { ...forFile, ...like, shared: true });
  };
  let train = await read(sources.train, 0, null);
  const { dimensions = train.dimensions } = options;
  if (dimensions !== train.dimensions) {
    throw new UsageError({
      got: `${count(train.dimensions)} dimensions in ${nameOfFile(sources.train)}`,
      expected: `${count(dimensions)}, as --dimensions says`,
      where: '--dimensions',
      remedy: 'Only libsvm files need it, whose last columns may be empty: leave it out.',
    });
  }
  let valid = validFile === undefined ? null : await read(validFile, 1, train);
  const test = testFile === undefined ? null : await read(testFile, 2, train);
  if (valid === null) {
    const fraction = validFraction ?? DEFAULT_VALID_FRACTION;
    const sides = splitRows(train, fraction, options.seed ?? 0);
    ({ train, valid } = sides);
    if (validFraction === undefined) {
      note(
        `no --valid: ${counted(valid.rows, 'row')} of ${count(train.rows + valid.rows)} validate (--valid-fraction ${String(fraction)})`,
      );
    }
  }
  const labels = {
    train: nameOfFile(sources.train),
    valid: validFile === undefined ? 'validation rows' : nameOfFile(validFile),
    ...(testFile === undefined ? {} : { test: nameOfFile(testFile) }),
  };
  const splits = matchSplits({ train, valid, test }, labels);
  return { train: splits.train, valid: splits.valid!, test: splits.test };
}

/** A file as messages call it. */
export function nameOfFile(file: string): string {
  return file === '-' ? 'standard input' : file;
}
