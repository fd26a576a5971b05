import type { Restriction } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/registry';
import { asUsageOf, UsageError } from '../../output/errors.js';
import { givenWords } from '../../options/given-words.js';

/**
 * What `--given` says: `smoker=yes,age=30..40`. A label, `a|b` for one of several, a number, a date, a range with
 * either end open, or nothing for an absent value. Columns and labels with a comma, = or | in them stand in double
 * quotes.
 *
 * @param lists of what holds, as they were given
 * @returns what is allowed, by variable
 * @throws UsageError for a column, label or range that the model has not
 */
export function givenOf({ table }: TabularModel, lists: readonly string[]): Map<number, Restriction> {
  const names = table.variables.map(({ name }) => name);
  const ordered = new Set(table.variables.filter(({ kind }) => kind === 'ordered').map(({ name }) => name));
  try {
    return restrictionsOf(
      table,
      namedOnce(names, givenWords(lists)).map(([name, values]): [string, Given[]] => [
        name,
        values.join('') === '' && values.length === 1
          ? [null]
          : values.map((part) => (ordered.has(name) ? rangeOf(part) : part)),
      ]),
    );
  } catch (error) {
    throw asUsageOf('--given', error);
  }
}

type Words = ReturnType<typeof givenWords>;

/** Columns by name, which may be said by number from 1. @throws UsageError for one that is said both ways */
function namedOnce(names: readonly string[], words: Words): Words {
  const named = words.map(([said, values]): Words[number] => {
    const number = /^\d{1,8}$/.test(said) && !names.includes(said) ? Number(said) : 0;
    return [names[number - 1] ?? said, values];
  });
  const twice = named.findIndex(([name], at) => named.findIndex(([other]) => other === name) < at);
  if (twice === -1) return named;
  throw new UsageError({
    got: `the column ${JSON.stringify(named[twice]![0])} twice`,
    expected: 'every column once',
    where: '--given',
    remedy: 'Leave one of them out; several values are named as a|b.',
  });
}

/** `30..40`, `30..`, `..40`, or a single value. */
export function rangeOf(text: string): Given {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return text;
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}
