import { Option, type Command } from 'commander';
import type { SplitSources } from '../rows/load-splits.js';
import { number } from './values.js';

/** The parsed options that say where the rows of a run come from. */
export interface SplitOptions {
  readonly valid?: string;
  readonly test?: string;
  readonly validFraction?: number;
  readonly testFraction?: number;
}

/**
 * Adds the options of `orchard train`, `orchard submit` and `orchard compare-models` about validation and test rows.
 *
 * @param tested share of the rows that test where nobody says
 */
export function addSplitOptions(command: Command, tested = 'none do'): Command {
  return command
    .option('--valid <file>', 'the validation rows, which choose how many trees are kept')
    .addOption(
      fraction('--valid-fraction <share>', 'without --valid: the share of the rows that validate (default: 0.1)'),
    )
    .option('--test <file>', 'rows that nothing is chosen by, for the figures')
    .addOption(
      fraction('--test-fraction <share>', `without --test: the share of the rows that test (default: ${tested})`),
    );
}

export function splitSources(train: string, { valid, test, validFraction, testFraction }: SplitOptions): SplitSources {
  return {
    train,
    ...(valid === undefined ? {} : { valid }),
    ...(test === undefined ? {} : { test }),
    ...(validFraction === undefined ? {} : { validFraction }),
    ...(testFraction === undefined ? {} : { testFraction }),
  };
}

function fraction(flags: string, description: string): Option {
  const name = flags.split(' ')[0]!;
  return new Option(flags, description).argParser(
    number(name, 'a number between 0 and 1', (value) => value > 0 && value < 1),
  );
}
