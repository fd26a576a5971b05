import { ModelError } from '../errors.js';

export const comparisons = ['<=', '>=', '!=', '<', '>', '='] as const;
export type Comparison = (typeof comparisons)[number];

/** A rule, taken apart. */
export type SaidRule =
  | {
      readonly kind: 'compare-columns';
      readonly one: string;
      readonly comparison: Comparison;
      readonly other: string;
    }
  | {
      readonly kind: 'compare-value';
      readonly column: string;
      readonly comparison: Comparison;
      readonly value: string;
    }
  | { readonly kind: 'missing-unless'; readonly column: string; readonly other: string; readonly value: string }
  | { readonly kind: 'combination'; readonly columns: readonly string[] };

/** A name with a blank or a sign in it stands in double quotes, a value in single ones where it is a text. */
const NAME = String.raw`("(?:[^"]|"")+"|[^\s"'<>=!(),]+)`;
const VALUE = String.raw`('(?:[^']|'')*'|[^\s"'<>=!(),]+)`;

const COMPARED = new RegExp(`^${NAME}\\s*(<=|>=|!=|<|>|=)\\s*(?:${NAME}|('(?:[^']|'')*'))$`);
const MISSING = new RegExp(`^${NAME}\\s+is\\s+missing\\s+unless\\s+${NAME}\\s*=\\s*${VALUE}$`);
const COMBINED = /^combination\s*\((.*)\)$/;

/**
 * Takes the words of a rule apart: `start <= end`, `age >= 0`, `country = 'New Zealand'`, `b is missing unless a =
 * yes`, `combination(country, city)`. What stands at the right of a comparison is a value where it is a number, a date
 * or in single quotes, and a column otherwise.
 *
 * @throws ModelError `invalid-argument`
 */
export function readRule(words: string): SaidRule {
  const text = words.trim();
  const combined = COMBINED.exec(text);
  if (combined !== null) {
    const columns = (combined[1]!.match(new RegExp(NAME, 'g')) ?? []).map(unquoted);
    if (columns.length >= 2 && new Set(columns).size === columns.length) return { kind: 'combination', columns };
    throw notARule(words);
  }
  const missing = MISSING.exec(text);
  if (missing !== null) {
    const [, column, other, value] = missing as unknown as [string, string, string, string];
    return { kind: 'missing-unless', column: unquoted(column), other: unquoted(other), value: unquoted(value) };
  }
  const compared = COMPARED.exec(text);
  if (compared === null) throw notARule(words);
  const [, one, comparison, name, value] = compared;
  const sides = { comparison: comparison as Comparison };
  if (value !== undefined || isValue(name!))
    return { kind: 'compare-value', column: unquoted(one!), ...sides, value: unquoted(value ?? name!) };
  return { kind: 'compare-columns', one: unquoted(one!), ...sides, other: unquoted(name!) };
}

/** A number, a date or a time of day: it begins with a digit, perhaps behind a sign or a point. */
function isValue(text: string): boolean {
  return /^[-+]?\.?\d/.test(text);
}

function unquoted(text: string): string {
  const [first] = text;
  if (first !== '"' && first !== "'") return text;
  return text.slice(1, -1).replaceAll(first + first, first);
}

function notARule(words: string): ModelError {
  const isSum = /[+*/]|\s-\s/.test(words);
  return new ModelError('invalid-argument', {
    got: JSON.stringify(words),
    expected: isSum
      ? 'a comparison without sums: rules about sums are not known yet'
      : "start <= end, age >= 0, country = 'New Zealand', b is missing unless a = yes, or combination(country, city)",
    where: 'rule',
    remedy: 'Write it so; a column with a blank in its name stands in double quotes.',
  });
}
