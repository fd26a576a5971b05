import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isGlob, rowsOfShare, type SplitFractions } from '@orchard/dataset';
import { isRemote, withoutSecret } from '@orchard/storage';
import { UsageError } from '../output/errors.js';
import { count, counted } from '../output/figures.js';

/** Share of the rows that validate unless it is given. */
const DEFAULT_VALID_FRACTION = 0.1;

/** Where the rows of a run come from; `-` is standard input. */
export interface SplitSources {
  readonly train: string;
  readonly valid?: string | undefined;
  readonly test?: string | undefined;
  readonly validFraction?: number | undefined;
  readonly testFraction?: number | undefined;
  /** How many rows of the training file are taken, drawn by the seed; all without it. */
  readonly rows?: number | undefined;
  /** Folds that the rows go to instead of splits: each row is scored by a model of the others. */
  readonly folds?: number;
}

/** A file as messages call it. */
export function nameOfFile(file: string): string {
  if (file === '-') return 'standard input';
  return isRemote(file) ? withoutSecret(file).replace(/#.*$/, '') : file;
}

/** The last name of what was given: of a file its own, of a folder or a glob that of the folder; null of none. */
export function shortName(given: string): string | null {
  if (given === '-') return null;
  const names = (isRemote(given) ? nameOfFile(given) : given)
    .split(/[/\\]/)
    .filter((name) => name !== '' && name !== '.' && name !== '..');
  const plain = names.filter((name) => !isGlob(name));
  // a file may have such a name
  const last = existsSync(given)
    ? names.at(-1)
    : isGlob(names.at(-1) ?? '')
      ? (plain.at(-1) ?? names.at(-1))
      : names.at(-1);
  return last ?? basename(resolve(given));
}

/** Where the rows of each split come from, in words for a report: by the files' names alone, wherever they lie. */
export function describeSources(sources: SplitSources, seed: number): [split: string, source: string][] {
  const name = (file: string): string => shortName(file) ?? nameOfFile(file);
  const { train, valid, test, testFraction } = sources;
  const { valid: validShare } = sharesOf(sources);
  const whole = sources.rows === undefined ? name(train) : `${count(sources.rows)} rows of ${name(train)}`;
  const drawn = (share: number): string => `${whole}, a share of ${share} drawn by seed ${seed}`;
  const isShared = validShare > 0 || testFraction !== undefined;
  const rest = sources.rows === undefined ? whole : `${whole} drawn by seed ${seed}`;
  return [
    ['training', isShared ? `${whole}, the rows that were not drawn` : rest],
    ['validation', valid === undefined ? drawn(validShare) : name(valid)],
    ...(test === undefined ? [] : [['test', name(test)] as [string, string]]),
    ...(testFraction === undefined ? [] : [['test', drawn(testFraction)] as [string, string]]),
  ];
}

/** The shares of the training file's rows that go to other splits; 0 where a split has a file, or is not wanted. */
export function sharesOf({ valid, validFraction, testFraction }: SplitSources): { valid: number; test: number } {
  return {
    valid: valid === undefined ? (validFraction ?? DEFAULT_VALID_FRACTION) : 0,
    test: testFraction ?? 0,
  };
}

/** The same shares, and how many rows they are shares of. */
export function fractionsOf(sources: SplitSources): SplitFractions {
  return { ...sharesOf(sources), ...(sources.rows !== undefined && { rows: sources.rows }) };
}

/** @throws UsageError where a share is not a row, or all of them are taken */
export function checkShares(all: number, sources: SplitSources): void {
  const rows = Math.min(all, sources.rows ?? all);
  const shares = sharesOf(sources);
  const wanted = [
    { flag: '--valid-fraction', file: '--valid', share: shares.valid },
    { flag: '--test-fraction', file: '--test', share: shares.test },
  ].filter(({ share }) => share > 0);
  const name = nameOfFile(sources.train);
  for (const { flag, file, share } of wanted) {
    if (rowsOfShare(rows, share) > 0) continue;
    // commands that train on folds have no option of shares
    if (sources.folds !== undefined)
      throw new UsageError({
        got: counted(rows, 'row'),
        expected: `at least ${count(Math.ceil(0.5 / share))}, of which a share of ${share} validates`,
        where: name,
        remedy: 'Give more rows.',
      });
    throw new UsageError({
      got: `a share of ${share} of ${counted(rows, 'row')} in ${name}, which is less than half a row`,
      expected: 'at least one row',
      where: flag,
      remedy: `Give a larger ${flag}, or these rows as a file with ${file}.`,
    });
  }
  const taken = wanted.reduce((sum, { share }) => sum + rowsOfShare(rows, share), 0);
  if (taken < rows) return;
  throw new UsageError({
    got: `shares of ${wanted.map(({ share }) => share).join(' and ')}, which are ${count(taken)} of ${counted(rows, 'row')} in ${name}`,
    expected: 'at least one row to train on',
    where: wanted.map(({ flag }) => flag).join(' and '),
    remedy: 'Give smaller shares, or more rows.',
  });
}

/** @throws UsageError on a split given twice over, and on standard input for several */
export function checkSources({ train, valid, test, validFraction, testFraction }: SplitSources): void {
  for (const [file, fraction, what] of [
    [valid, validFraction, 'valid'],
    [test, testFraction, 'test'],
  ] as const) {
    if (file === undefined || fraction === undefined) continue;
    throw new UsageError({
      got: `--${what} and --${what}-fraction`,
      expected: 'one of them',
      remedy: `Give the ${what === 'valid' ? 'validation' : 'test'} rows as a file, or have them split off.`,
    });
  }
  if ([train, valid, test].filter((file) => file === '-').length > 1) {
    throw new UsageError({
      got: 'standard input for two splits',
      expected: 'one',
      remedy: 'Give the other as a file.',
    });
  }
}
