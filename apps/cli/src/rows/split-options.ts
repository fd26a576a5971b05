import { Option, type Command } from 'commander';
import { headings } from '../options/help-places.js';
import type { SplitSources } from './split-sources.js';
import { share, wholeNumber } from '../options/values.js';
import { option, rare } from '../options/option.js';

/** The parsed options that say where the rows of a run come from. */
export interface SplitOptions {
  readonly valid?: string;
  readonly test?: string;
  readonly validFraction?: number;
  readonly testFraction?: number;
  readonly rows?: number;
}

/**
 * Adds the options of `orchard train`, `orchard submit` and `orchard compare-models` about validation and test rows.
 *
 * @param tested the default share of test rows
 */
export function addSplitOptions(command: Command, tested = 'none'): Command {
  const options = [
    new Option('--valid <file>', 'validation rows: they choose how many trees to keep (default: some of the rows)'),
    fraction('--valid-fraction <share>', 'share of the rows to validate with, without --valid (default: 0.1)'),
    new Option('--test <file>', 'test rows: they choose nothing, so their likelihood is honest'),
    rare(
      '--rows <n>',
      'take only so many rows, drawn at random by the seed (default: all)',
      wholeNumber('--rows', 2, Number.MAX_SAFE_INTEGER),
    ),
    fraction('--test-fraction <share>', `share of the rows to test with, without --test (default: ${tested})`),
  ];
  for (const option of options) command.addOption(option.helpGroup(headings.data));
  return command;
}

export function splitSources(train: string, options: SplitOptions): SplitSources {
  const { valid, test, validFraction, testFraction, rows } = options;
  return {
    train,
    ...(valid === undefined ? {} : { valid }),
    ...(test === undefined ? {} : { test }),
    ...(validFraction === undefined ? {} : { validFraction }),
    ...(testFraction === undefined ? {} : { testFraction }),
    ...(rows === undefined ? {} : { rows }),
  };
}

function fraction(flags: string, description: string): Option {
  const name = flags.split(' ')[0]!;
  return option(flags, description, share(name));
}
