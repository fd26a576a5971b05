import { parseContract } from '@orchard/contracts';
import type { Columns } from '@orchard/dataset';
import type { Family } from '@orchard/pipeline';
import { loadOrdering } from '../options/load-ordering.js';
import { checkWords, wordsFor } from '../options/training-flags.js';

/**
 * What the options of a command say of a model, in the words of its family.
 *
 * @param options as parsed; `ordering` may name a file
 * @param columns of the training rows
 * @throws UsageError for a word that the family does not know, or an ordering that is none of these columns
 */
export async function modelWords(
  family: Family,
  options: object,
  { count, names }: Pick<Columns, 'count' | 'names'>,
): Promise<Readonly<Record<string, unknown>>> {
  const said = wordsFor(family, options);
  checkWords(family, said);
  const { ordering } = options as { readonly ordering?: string };
  return parseContract(
    family.words,
    { ...said, ...(ordering === undefined ? {} : { ordering: await loadOrdering(ordering, count, names) }) },
    `options of --model ${family.name}`,
  );
}
