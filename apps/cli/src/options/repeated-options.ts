import { familyOf, pairOrderingKinds } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { headings } from './help-places.js';
import { orderingNames } from './load-ordering.js';
import { columnLists, knowing, oneOf, ofForm, wholeNumber } from './values.js';
import { option } from './option.js';

/** More threads than any machine has use for. */
const MOST_THREADS = 1024;

export const threadsOption = (description = 'threads to use') =>
  option('--threads <n>', `${description} (default: all cores)`, wholeNumber(1, MOST_THREADS)).helpGroup(headings.run);

/** @param most where a command needs seeds after the one that is given */
export const seedOption = (description: string, most = Number.MAX_SAFE_INTEGER) =>
  option('--seed <seed>', description, wholeNumber(0, most), 0);

export const reportDimensionOption = () =>
  option(
    '--report-dimension <column>',
    'the column whose feature importances the report draws, by name or number from 1',
  ).helpGroup(headings.output);

/** The order of the columns: a word, or a file, which is read when the columns are known. */
export const orderingOption = () =>
  option(
    '--ordering <order>',
    `order in which columns are predicted: natural, reversed, random, ${pairOrderingKinds.join(', ')} (by dependence), auto (by validation rows), first:a,b (these first), or a file with one column per line (default: natural)`,
    () => knowing(orderingNames, (text) => text),
  ).helpGroup(headings.model);

/** The kind of model to train. @param ofTables where none is named and the rows are not rows of 0 and 1 */
export function modelOption(ofTables = families.usualFor('table').name) {
  const known = oneOf(families.all.map(({ name }) => name))('--model');
  const [usual, experimental] = [false, true].map((is) =>
    families.all
      .filter((family) => families.isExperimental(family) === is)
      .map(({ name }) => name)
      .join(', '),
  );
  const others = experimental === '' ? '' : `; experimental: ${experimental!}`;
  const absent = families.absent.map((from) => `; from ${from.name}: ${from.families.join(', ')}`).join('');
  const read = (name: string): string => {
    families.requireInstalled(name);
    return known(name);
  };
  return option(
    '--model <name>',
    `kind of model: ${usual!}${others}${absent}; with --help after it, prints its options (default: ${familyOf({})} for rows of 0 and 1, ${ofTables} for other tables)`,
    () => knowing(known.words, read, known.schema),
  ).helpGroup(headings.model);
}

/** What each kind of model is, for the end of a help text. */
export function listOfModels(): string {
  const width = Math.max(...families.all.map(({ name }) => name.length));
  const lines = families.all.map((family) => {
    const ofTables = families.isExperimental(family, 'table') ? ' (of tables experimental)' : '';
    const mark = families.isExperimental(family) ? ' (experimental)' : ofTables;
    return `  ${family.name.padEnd(width)}  ${family.description}${mark}`;
  });
  const absent = families.absent.flatMap((from) => [
    `  of the package ${from.name}, which is not installed: ${from.families.join(', ')} (experimental)`,
  ]);
  return ['Models:', ...lines, ...absent].join('\n');
}

export const givenColumnsOption = () =>
  option(
    '--given-columns <list>',
    'columns that name the group of a row, region,type: the rest is judged within it',
    columnLists,
  );

/** The file or folder that a command writes. */
export const outOption = (flags: '-o, --out <dir>' | '-o, --out <file>', description: string) =>
  option(flags, description).helpGroup(headings.output);

/** Names of no listing: those of workbooks, whatever is written there, and of standard output, which has the answer. */
const NO_LISTING = /\.(xlsx?|ods|numbers)$|^-?$/i;

/** The file with a line for each row: refused before the work where its name is none for it. */
export function perRowOption(description: string) {
  const expected = 'a name that ends in .csv, .tsv, .json, .parquet, .arrow or .feather, or /dev/stdout';
  const read = (path: string): string | undefined => (NO_LISTING.test(path) ? undefined : path);
  return option(
    '--per-row <file>',
    description,
    ofForm(expected, read, () => ({ type: 'string' })),
  );
}
