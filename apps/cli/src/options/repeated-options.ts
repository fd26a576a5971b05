import { Option } from 'commander';
import { families } from '@orchard/registry';
import { knowing, oneOf, wholeNumber } from './values.js';

/** More threads than any machine has use for. */
const MOST_THREADS = 1024;

export function threadsOption(description = 'threads'): Option {
  return new Option('--threads <n>', `${description} (default: all cores)`).argParser(
    wholeNumber('--threads', 1, MOST_THREADS),
  );
}

/** @param most where a command needs seeds after the one that is given */
export function seedOption(description: string, most = Number.MAX_SAFE_INTEGER): Option {
  return new Option('--seed <seed>', description).argParser(wholeNumber('--seed', 0, most)).default(0);
}

export function reportDimensionOption(): Option {
  return new Option(
    '--report-dimension <column>',
    'the column whose importances the report draws, by name or number from 1',
  );
}

/** The order of the columns: a word, or a file, which is read when the columns are known. */
export function orderingOption(): Option {
  return new Option(
    '--ordering <order>',
    'natural (default), random, auto (screened on the validation rows), or a file of all columns in order, by name or number',
  ).argParser(knowing(['natural', 'random', 'auto'], (text) => text));
}

/** The kind of model to train. */
export function modelOption(): Option {
  const known = families.all.map(({ name, description }) => `${name}: ${description}`).join('; ');
  return new Option(
    '--model <name>',
    `the kind of model (default: by the rows, ${families.usualFor('bits').name} for 0 and 1 alone, else ${families.usualFor('table').name}; ${known})`,
  ).argParser(
    oneOf(
      '--model',
      families.all.map(({ name }) => name),
    ),
  );
}
