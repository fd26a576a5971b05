import type { Family, RunDatasets } from '@orchard/pipeline';
import { headings } from './help-places.js';
import { UsageError } from '../output/errors.js';
import { count, nats } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import { option, type Parsed } from './option.js';

const FLAG = '--row-weights';

/** Behind a number of rows: how they were weighed. @param sum of the weights; null where each counts once */
export function weighedBy(column: string | undefined, sum: number | null): string {
  return column === undefined || sum === null
    ? ''
    : `, weighed by ${harmlessLine(column)} (sum ${Number.isInteger(sum) ? count(sum) : nats(sum)})`;
}

export const weightsOption = () =>
  option(
    `${FLAG} <column>`,
    'column that says how much each row counts, numbers above 0; the model does not learn it (default: each row once)',
  ).helpGroup(headings.data);

export type WeightOptions = Parsed<typeof weightsOption>;

/**
 * The words of a run on weighed rows. Members deal rows out in folds, and repeats of one row would train a member and
 * validate it: a run of members by the size of the table alone becomes one model.
 *
 * @throws UsageError where members are asked for
 */
export function weighedWords(
  { resolve }: Pick<Family, 'resolve'>,
  words: Readonly<Record<string, unknown>>,
  datasets: RunDatasets,
): Readonly<Record<string, unknown>> {
  const members = resolve(words, datasets).specification['members'];
  if (typeof members !== 'object' || members === null || !('folds' in members)) return words;
  const said = ['preset', 'members', 'orderings', 'folds', 'committee'].filter((key) => words[key] !== undefined);
  if (said.length === 0) return { ...words, members: 1 };
  throw new UsageError({
    got: `${FLAG} and ${said.map((key) => `--${key}`).join(', ')}`,
    expected: 'one model: members share the rows out in folds, and repeats of a row would be on both sides',
    where: FLAG,
    remedy: 'Use --members 1.',
  });
}
