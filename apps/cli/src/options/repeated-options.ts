import { familyOf, pairOrderingKinds } from '@orchard/contracts';
import { Option } from 'commander';
import { families } from '@orchard/registry';
import { headings } from './help-places.js';
import { orderingNames } from './load-ordering.js';
import { columnLists, knowing, oneOf, wholeNumber } from './values.js';
import { option } from './option.js';

/** More threads than any machine has use for. */
const MOST_THREADS = 1024;

export function threadsOption(description = 'threads to use'): Option {
  return option(
    '--threads <n>',
    `${description} (default: all cores)`,
    wholeNumber('--threads', 1, MOST_THREADS),
  ).helpGroup(headings.run);
}

/** @param most where a command needs seeds after the one that is given */
export function seedOption(description: string, most = Number.MAX_SAFE_INTEGER): Option {
  return option('--seed <seed>', description, wholeNumber('--seed', 0, most)).default(0);
}

export function reportDimensionOption(): Option {
  return new Option(
    '--report-dimension <column>',
    'the column whose feature importances the report draws, by name or number from 1',
  ).helpGroup(headings.output);
}

/** The order of the columns: a word, or a file, which is read when the columns are known. */
export function orderingOption(): Option {
  return option(
    '--ordering <order>',
    `order in which columns are predicted: natural, reversed, random, ${pairOrderingKinds.join(', ')} (by dependence), auto (by validation rows), first:a,b (these first), or a file with one column per line (default: natural)`,
    knowing(orderingNames, (text) => text),
  ).helpGroup(headings.model);
}

/** The kind of model to train. @param ofTables where none is named and the rows are not rows of 0 and 1 */
export function modelOption(ofTables = families.usualFor('table').name): Option {
  const known = oneOf(
    '--model',
    families.all.map(({ name }) => name),
  );
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
    knowing(known.words, read, known.schema),
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

export function givenColumnsOption(): Option {
  return option(
    '--given-columns <list>',
    'columns that name the group of a row, region,type: the rest is judged within it',
    columnLists,
  );
}
