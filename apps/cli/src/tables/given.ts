import { DatasetError, type Restriction } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/tables';
import { UsageError } from '../errors.js';

/**
 * What `--given` says: `smoker=yes,age=30..40`. A label, `a|b` for one of several, a number, a date, a range with either end
 * open, or nothing for an absent value.
 *
 * @returns what is allowed, by variable
 * @throws UsageError for a column, label or range that the model has not
 */
export function givenOf({ table }: TabularModel, texts: readonly string[]): Map<number, Restriction> {
  const ordered = new Set(table.variables.filter(({ kind }) => kind === 'ordered').map(({ name }) => name));
  try {
    return restrictionsOf(
      table,
      texts.map((text): [string, Given[]] => {
        const at = text.indexOf('=');
        const [name, value] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
        if (name === '') throw withoutColumn(text);
        return [
          name,
          value === '' ? [null] : value.split('|').map((part) => (ordered.has(name) ? rangeOf(part) : part)),
        ];
      }),
    );
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const { got, expected, remedy } = error;
    throw new UsageError({ got, expected, where: '--given', remedy }, { cause: error });
  }
}

/** `30..40`, `30..`, `..40`, or a single value. */
function rangeOf(text: string): Given {
  const [, from, to] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return text;
  return { ...(from === '' ? {} : { from }), ...(to === '' ? {} : { to }) };
}

function withoutColumn(text: string): UsageError {
  return new UsageError({
    got: JSON.stringify(text),
    expected: 'a column of the model, =, and its value, as smoker=yes',
    where: '--given',
    remedy: 'Write it so.',
  });
}
