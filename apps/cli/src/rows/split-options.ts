import { headings } from '../options/help-places.js';
import type { SplitSources } from './split-sources.js';
import { share, wholeNumber } from '../options/values.js';
import { option, rare, under, type Parsed } from '../options/option.js';

/**
 * The options of `orchard train`, `orchard submit` and `orchard compare-models` about validation and test rows.
 *
 * @param tested the default share of test rows
 */
export const splitOptions = (tested = 'none') =>
  under(headings.data, [
    option('--valid <file>', 'validation rows: they choose how many trees to keep (default: some of the rows)'),
    option('--valid-fraction <share>', 'share of the rows to validate with, without --valid (default: 0.1)', share),
    option('--test <file>', 'test rows: they choose nothing, so their likelihood is honest'),
    rare(
      '--rows <n>',
      'take only so many rows, drawn at random by the seed (default: all)',
      wholeNumber(2, Number.MAX_SAFE_INTEGER),
    ),
    option('--test-fraction <share>', `share of the rows to test with, without --test (default: ${tested})`, share),
  ]);

export type SplitOptions = Parsed<typeof splitOptions>;

export function splitSources(train: string, options: SplitOptions): SplitSources {
  const { valid, test, validFraction, testFraction, rows } = options;
  return { train, valid, test, validFraction, testFraction, rows };
}
