import { UsageError } from '../output/errors.js';

/** What stands between double quotes, these doubled, from where a column or a value begins to where it ends. */
const QUOTED = /^\s*"(?:[^"]|"")*"\s*(?=[,=|:]|$)/;

/**
 * What lists as `smoker=yes,city=Kiel|Lund` say: of each item the column, and each of the values that it names, one of
 * them '' where nothing is named. What has a comma, = or | in it stands in double quotes.
 *
 * @param where the option that has the lists
 * @throws UsageError for an item without a column or without =, and for a column that is named twice
 */
export function givenWords(
  lists: readonly string[],
  where = '--given',
): (readonly [column: string, values: readonly string[]])[] {
  const said = new Set<string>();
  return lists.flatMap(itemsOf).map((text) => {
    const [column = '', ...rest] = partsOf(text, '=');
    const name = unquoted(column);
    if (name === '' || rest.length === 0)
      throw new UsageError({
        got: JSON.stringify(text),
        expected: `a column of the model, =, and ${where === '--given' ? 'its value, as smoker=yes' : 'what is asked of it, as wage=mean'}`,
        where,
        remedy: 'Write it so, and in double quotes what has a comma, = or | in it: cut="(0, 1]".',
      });
    if (said.has(name))
      throw new UsageError({
        got: `the column ${JSON.stringify(name)} twice`,
        expected: 'each column once',
        where,
        remedy:
          where === '--given'
            ? `Say all values that it may have at once: ${name}=a|b, or a range ${name}=1..5.`
            : 'Name it once.',
      });
    said.add(name);
    return [name, partsOf(rest.join('=').trim(), '|').map(unquoted)];
  });
}

function itemsOf(list: string): readonly string[] {
  return list.trim() === '' ? [] : partsOf(list, ',').map((item) => item.trim());
}

/** What lies between marks that stand in no quotes; quotes are kept. */
export function partsOf(text: string, mark: ',' | '=' | '|'): readonly string[] {
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

/** A word without the quotes that it may stand in. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  return QUOTED.exec(trimmed)?.[0] === trimmed ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
}

/** The columns of a list as `region,"a,b"`. */
export function columnsIn(list: string): readonly string[] {
  return itemsOf(list).map(unquoted);
}
