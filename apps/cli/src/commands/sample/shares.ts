import { notNamed, type SaidShares, type SharesSampler } from '@orchard/analysis';
import type { TabularModel } from '@orchard/model';
import { UsageError } from '../../output/errors.js';
import { count as figure } from '../../output/figures.js';
import { partsOf, unquoted } from '../../options/given-words.js';
import { rangeOf } from './given.js';

/**
 * What `--shares` says, a column each: `sex=female:.6,male:.4`, `age=..39:.5,40..:.5`. Labels with a comma or a colon
 * stand in double quotes; an empty one means a missing value.
 *
 * @throws UsageError for text of another form
 */
export function saidShares({ table }: TabularModel, texts: readonly string[]): SaidShares[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    const column = unquoted(text.slice(0, at));
    if (at < 1) throw malformed(text);
    const isOrdered = table.variables.some(({ name, kind }) => name === column && kind === 'ordered');
    const parts = partsOf(text.slice(at + 1), ',').map((item) => {
      const part = item.trim();
      const [, value = '', share = ''] = /^(.*):([^:]*)$/s.exec(part) ?? [];
      if (share.trim() === '') throw malformed(part);
      const words = unquoted(value);
      return { words, value: words === '' ? null : isOrdered ? rangeOf(words) : words, share: shareIn(share, text) };
    });
    return { column, parts };
  });
}

function shareIn(share: string, text: string): number {
  const number = Number(share);
  if (number >= 0 && number <= 1) return number;
  throw new UsageError({
    got: `the share ${JSON.stringify(share.trim())} in ${JSON.stringify(text)}`,
    expected: 'a number from 0 to 1',
    where: '--shares',
    remedy: 'Write 60 % as .6.',
  });
}

function malformed(text: string): UsageError {
  return new UsageError({
    got: JSON.stringify(text),
    expected: 'a column and the shares of its values, as sex=female:.6,male:.4',
    where: '--shares',
    remedy: 'Write it so, and in double quotes what has a comma or a colon: city="Kiel, west":.5.',
  });
}

/** What is said of rows that have shares. @param count rows that were asked for */
export function sharesRemarks(
  { pool, effectiveRows, columns }: SharesSampler,
  model: TabularModel,
  count: number,
): string[] {
  const lost = columns.flatMap((column) => {
    const names = notNamed(model, column);
    return names.length === 0 ? [] : [`no row has another value of ${column.name}: ${names.join(', ')}`];
  });
  if (pool === null) return ['each part is sampled by itself, exactly', ...lost];
  const worth = `taken from ${figure(pool)} sampled rows by their weights, which are worth ${figure(Math.floor(effectiveRows))} independent ones`;
  return [effectiveRows < count ? `${worth}: rows repeat` : worth, ...lost];
}
