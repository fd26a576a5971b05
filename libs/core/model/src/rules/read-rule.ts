import { ModelError } from '../errors.js';

export const comparisons = ['<=', '>=', '!=', '<', '>', '='] as const;
export type Comparison = (typeof comparisons)[number];

/** One part of a sum: a column, or a value. */
export interface Term {
  readonly sign: 1 | -1;
  readonly column: string | null;
  readonly value: string | null;
}

/** A rule, taken apart. */
export type SaidRule =
  | {
      readonly kind: 'compare-value';
      readonly column: string;
      readonly comparison: Comparison;
      readonly value: string;
    }
  | {
      readonly kind: 'compare-sums';
      readonly left: readonly Term[];
      readonly comparison: Comparison;
      readonly right: readonly Term[];
    }
  | { readonly kind: 'missing-unless'; readonly column: string; readonly other: string; readonly value: string }
  | { readonly kind: 'combination'; readonly columns: readonly string[] };

/** A name with a blank or a sign in it stands in double quotes, a value in single ones where it is a text. */
const NAME = String.raw`("(?:[^"]|"")+"|[^\s"'<>=!(),]+)`;
const VALUE = String.raw`('(?:[^']|'')*'|[^\s"'<>=!(),]+)`;

const MISSING = new RegExp(`^${NAME}\\s+(?:is\\s+)?missing\\s+unless\\s+${NAME}\\s*=\\s*${VALUE}$`);
const COMBINED = /^combination(?:\s*\((.*)\)|\s+([^(=<>].*))$/;
const TOKEN = new RegExp(`\\s*(<=|>=|!=|<|>|=|'(?:[^']|'')*'|${NAME})`, 'y');

/**
 * Takes the words of a rule apart: `start <= end`, `age >= 0`, `country = 'New Zealand'`, `total = price + tax`, `b is
 * missing unless a = yes`, `combination(country, city)`. In a comparison what is a number, a date or in single quotes
 * is a value, and anything else a column; signs of sums stand between blanks.
 *
 * @throws ModelError `invalid-argument`
 */
export function readRule(words: string): SaidRule {
  const text = words.trim();
  const combined = COMBINED.exec(text);
  if (combined !== null) {
    const columns = ((combined[1] ?? combined[2])!.match(new RegExp(NAME, 'g')) ?? []).map(unquoted);
    if (columns.length >= 2 && new Set(columns).size === columns.length) return { kind: 'combination', columns };
    throw notARule(words);
  }
  const missing = MISSING.exec(text);
  if (missing !== null) {
    const [, column, other, value] = missing as unknown as [string, string, string, string];
    return { kind: 'missing-unless', column: unquoted(column), other: unquoted(other), value: unquoted(value) };
  }
  return comparisonOf(tokensOf(text, words), words);
}

function tokensOf(text: string, words: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) throw notARule(words);
    tokens.push(found[1]!);
  }
  return tokens;
}

function comparisonOf(tokens: readonly string[], words: string): SaidRule {
  const places = tokens.flatMap((token, at) => (isComparison(token) ? [at] : []));
  if (places.length !== 1) throw notARule(words);
  const [at] = places as [number];
  const comparison = tokens[at] as Comparison;
  const left = signedTerms(tokens.slice(0, at), words);
  const right = signedTerms(tokens.slice(at + 1), words);
  const [one, other] = [left[0]!, right[0]!];
  if (left.length === 1 && right.length === 1 && one.sign === 1 && one.column !== null && other.value !== null)
    return { kind: 'compare-value', column: one.column, comparison, value: signed(other) };
  if (![...left, ...right].some(({ column }) => column !== null)) throw notARule(words);
  return { kind: 'compare-sums', left, comparison, right };
}

/** A sum is terms with a sign between each two. */
function signedTerms(tokens: readonly string[], words: string): Term[] {
  const terms: Term[] = [];
  let sign: 1 | -1 | null = 1;
  tokens.forEach((token, at) => {
    if (token === '+' || token === '-') {
      if (sign !== null && at > 0) throw notARule(words);
      sign = token === '-' ? -1 : 1;
      return;
    }
    if (sign === null) throw notARule(words);
    terms.push(
      isValue(token) ? { sign, column: null, value: unquoted(token) } : { sign, column: unquoted(token), value: null },
    );
    sign = null;
  });
  if (terms.length === 0 || sign !== null) throw notARule(words);
  return terms;
}

function signed({ sign, value }: Term): string {
  return sign === -1 ? `-${value!}` : value!;
}

function isComparison(token: string): token is Comparison {
  return (comparisons as readonly string[]).includes(token);
}

/** A text, a number, a date or a time of day: the last three begin with a digit, perhaps behind a sign or a point. */
function isValue(text: string): boolean {
  return text.startsWith("'") || /^[-+]?\.?\d/.test(text);
}

function unquoted(text: string): string {
  const [first] = text;
  if (first !== '"' && first !== "'") return text;
  return text.slice(1, -1).replaceAll(first + first, first);
}

function notARule(words: string): ModelError {
  return new ModelError('invalid-argument', {
    got: JSON.stringify(words),
    expected:
      "start <= end, age >= 0, country = 'New Zealand', total = price + tax, b is missing unless a = yes, or combination(country, city)",
    where: 'rule',
    remedy: 'Write it so; a column with a blank in its name stands in double quotes, and a sign between blanks.',
  });
}
