import { DatasetError, type Restriction } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/tables';
import { UsageError } from '../errors.js';

/** What stands between double quotes, these doubled, from where a column or a value begins to where it ends. */
const QUOTED = /^\s*"(?:[^"]|"")*"\s*(?=[,=|]|$)/;

/**
 * What `--given` says: `smoker=yes,age=30..40`. A label, `a|b` for one of several, a number, a date, a range with either end
 * open, or nothing for an absent value. Columns and labels with a comma, = or | in them stand in double quotes.
 *
 * @param lists of what holds, as they were given
 * @returns what is allowed, by variable
 * @throws UsageError for a column, label or range that the model has not
 */
export function givenOf({ table }: TabularModel, lists: readonly string[]): Map<number, Restriction> {
  const ordered = new Set(table.variables.filter(({ kind }) => kind === 'ordered').map(({ name }) => name));
  try {
    return restrictionsOf(
      table,
      lists.flatMap(itemsOf).map((text): [string, Given[]] => {
        const [column = '', ...rest] = partsOf(text, '=');
        const name = unquoted(column);
        if (name === '' || rest.length === 0) throw withoutColumn(text);
        const value = rest.join('=').trim();
        const parts = partsOf(value, '|').map(unquoted);
        return [name, value === '' ? [null] : parts.map((part) => (ordered.has(name) ? rangeOf(part) : part))];
      }),
    );
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    const { got, expected, remedy } = error;
    throw new UsageError({ got, expected, where: '--given', remedy }, { cause: error });
  }
}

function itemsOf(list: string): readonly string[] {
  return list.trim() === '' ? [] : partsOf(list, ',').map((item) => item.trim());
}

/** What lies between marks that stand in no quotes; quotes are kept. */
function partsOf(text: string, mark: ',' | '=' | '|'): readonly string[] {
  const parts = [''];
  let isBeginning = true;
  for (let at = 0; at < text.length;) {
    const quoted: RegExpExecArray | null = isBeginning ? QUOTED.exec(text.slice(at)) : null;
    const next: string = quoted?.[0] ?? text[at]!;
    at += next.length;
    if (next === mark) parts.push('');
    else parts[parts.length - 1] += next;
    isBeginning = next === ',' || next === '=' || next === '|';
  }
  return parts;
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return QUOTED.exec(trimmed)?.[0] === trimmed ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
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
    remedy: 'Write it so, and in double quotes what has a comma, = or | in it: cut="(0, 1]".',
  });
}
