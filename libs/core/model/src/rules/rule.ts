import type { KeptRule, OrderedVariable, Table } from '@orchard/contracts';
import {
  correctColumn,
  Encoder,
  expectedCell,
  holeCode,
  numberOf,
  ownValue,
  readCodes,
  valueCount,
  type BitMatrix,
} from '@orchard/dataset';
import { ModelError } from '../errors.js';
import { readRule, type SaidRule, type Term } from './read-rule.js';
import { Sum, type SumTerm } from './sum.js';

/** What holds of every row, for a table. */
export interface Rule {
  /** As it was said. */
  readonly words: string;
  /** The variables that it is about. */
  readonly variables: readonly number[];
  /** A rule about numbers; null of any other. */
  readonly sum: Sum | null;
  /** Of a rule that is not about numbers: whether codes follow it, one for each of its variables. */
  allows(codes: readonly number[]): boolean;
  /** Whether a row in words follows it; null is a missing value. */
  holds(texts: readonly (string | null)[]): boolean;
  /** The rule as a model's file keeps it. */
  readonly kept: KeptRule;
}

/**
 * Rules of a table, as they are said.
 *
 * @param training the rows that `combination(...)` takes its combinations from, where the rule has none with it; null
 *   where there are none at hand
 * @throws ModelError `invalid-argument` for words that are not a rule, for columns that the table has not, and for
 *   combinations without training rows
 */
export function rulesOf(
  table: Table,
  said: readonly (string | KeptRule)[],
  training: BitMatrix | null,
  offsets: Uint32Array,
): Rule[] {
  return said.map((one) => {
    const { words, combinations = null } = typeof one === 'string' ? { words: one } : one;
    return ruleOf(table, readRule(words), { words, combinations, training, offsets });
  });
}

interface Source {
  readonly words: string;
  readonly combinations: readonly (readonly number[])[] | null;
  readonly training: BitMatrix | null;
  readonly offsets: Uint32Array;
}

function ruleOf(table: Table, said: SaidRule, source: Source): Rule {
  switch (said.kind) {
    case 'compare-sums':
      return sumRule(table, said, source.words);
    case 'compare-value':
      return valueRule(table, said, source.words);
    case 'missing-unless':
      return missingRule(table, said, source.words);
    default:
      return combinationRule(table, said.columns, source);
  }
}

function placeOf({ variables }: Table, name: string, words: string): number {
  const names = variables.map((variable) => variable.name);
  const place = names.indexOf(name);
  if (place >= 0) return place;
  throw refusal(words, `the column ${JSON.stringify(name)}`, 'columns of the model', correctColumn(name, names));
}

function orderedAt(table: Table, name: string, words: string): { place: number; variable: OrderedVariable } {
  const place = placeOf(table, name, words);
  const variable = table.variables[place]!;
  if (variable.kind === 'ordered') return { place, variable };
  throw refusal(
    words,
    `the column ${JSON.stringify(name)}, which has labels`,
    'columns of numbers or dates',
    'Labels are compared with = and != alone, and with each other by combination(a, b).',
  );
}

/** Sums of columns, or two columns, or one and a value. A missing value is compared with nothing. */
function sumRule(
  table: Table,
  { left, comparison, right }: Omit<Extract<SaidRule, { kind: 'compare-sums' }>, 'kind'>,
  words: string,
): Rule {
  const all = [...left, ...right.map((term): Term => ({ ...term, sign: term.sign === 1 ? -1 : 1 }))];
  const terms = all.flatMap(({ sign, column }): SumTerm[] =>
    column === null ? [] : [{ sign, ...orderedAt(table, column, words) }],
  );
  if (new Set(terms.map(({ place }) => place)).size < terms.length)
    throw refusal(words, 'a column beside itself', 'each column once', 'Name another column.');
  const { format } = terms[0]!.variable;
  if (terms.some(({ variable }) => variable.format.type !== format.type))
    throw refusal(words, 'a number beside a date or a time', 'columns of one kind', 'Compare others.');
  const isSum = terms.length > 2 || (terms.length === 2 && terms.length < all.length) || isOneSided(terms);
  if (isSum && format.type !== 'number' && format.type !== 'duration')
    throw refusal(words, 'a sum of dates or of times of day', 'a sum of numbers or of durations', 'Compare two alone.');
  const constant = all.reduce((sum, { sign, value }) => {
    if (value === null) return sum;
    const number = numberOf(value, format);
    if (!Number.isNaN(number)) return sum + sign * number;
    throw refusal(words, JSON.stringify(value), expectedCell(format), 'Write it as the training file does.');
  }, 0);
  const sum = new Sum(words, terms, constant, comparison, preferredOf(left, right, terms));
  const variableAt = new Map(terms.map(({ place, variable }) => [place, variable]));
  return {
    words,
    variables: sum.places,
    sum,
    allows: () => true,
    holds: (texts) =>
      sum.holds((place) => {
        const text = texts[place]!;
        return text === null ? NaN : numberOf(text, variableAt.get(place)!.format);
      }),
    kept: { words },
  };
}

/** Whether two columns are added, not compared. */
function isOneSided(terms: readonly SumTerm[]): boolean {
  return terms.length === 2 && terms[0]!.sign === terms[1]!.sign;
}

/** An equality determines the column that stands alone on its side; else the last one that it names. */
function preferredOf(left: readonly Term[], right: readonly Term[], terms: readonly SumTerm[]): number[] {
  const names = terms.map(({ variable, place }) => ({ name: variable.name, place }));
  const alone = [left, right].flatMap((side) =>
    side.length === 1 && side[0]!.column !== null ? [side[0]!.column] : [],
  );
  const first = names.filter(({ name }) => alone.includes(name));
  const rest = names.filter((one) => !first.includes(one)).reverse();
  return [...first, ...rest].map(({ place }) => place);
}

/** A column and a value. */
function valueRule(
  table: Table,
  { column, comparison, value }: Extract<SaidRule, { kind: 'compare-value' }>,
  words: string,
): Rule {
  const place = placeOf(table, column, words);
  const variable = table.variables[place]!;
  if (variable.kind === 'ordered') {
    const side = (one: Partial<Term>): Term[] => [{ sign: 1, column: null, value: null, ...one }];
    return sumRule(table, { left: side({ column }), comparison, right: side({ value }) }, words);
  }
  if (comparison !== '=' && comparison !== '!=') orderedAt(table, column, words);
  const code = codeOfWords(table, place, value, words);
  const isSaid = comparison === '=';
  return {
    words,
    variables: [place],
    sum: null,
    allows: ([own]) => own === holeCode(variable) || (own === code) === isSaid,
    holds: (texts) => texts[place] === null || (texts[place] === variable.labels[code]) === isSaid,
    kept: { words },
  };
}

/** A column that has a value only in rows where another has a certain one. */
function missingRule(
  table: Table,
  { column, other, value }: Extract<SaidRule, { kind: 'missing-unless' }>,
  words: string,
): Rule {
  const [place, at] = [placeOf(table, column, words), placeOf(table, other, words)];
  const variable = table.variables[place]!;
  const hole = holeCode(variable);
  if (hole === null)
    throw refusal(
      words,
      `the column ${JSON.stringify(column)}, which had no missing values in training`,
      'a column with missing values',
      'Name another column.',
    );
  const code = codeOfWords(table, at, value, words);
  const condition = table.variables[at]!;
  const isCondition = (text: string): boolean =>
    condition.kind === 'ordered'
      ? numberOf(text, condition.format) === ownValue(condition, code)
      : text === condition.labels[code];
  return {
    words,
    variables: [place, at],
    sum: null,
    allows: ([own, of]) => of === code || own === hole,
    holds: (texts) => texts[place] === null || (texts[at] !== null && isCondition(texts[at]!)),
    kept: { words },
  };
}

/** Columns that have together only what training rows had together. */
function combinationRule(table: Table, columns: readonly string[], source: Source): Rule {
  const { words } = source;
  const places = columns.map((name) => placeOf(table, name, words));
  const ordered = places.find((place) => table.variables[place]!.kind === 'ordered');
  if (ordered !== undefined)
    throw refusal(
      words,
      `the column ${JSON.stringify(table.variables[ordered]!.name)}, which has numbers`,
      'columns of labels',
      'Name columns of labels, or train with --type NAME=categorical.',
    );
  const combinations = source.combinations ?? combinationsIn(places, source);
  const known = new Set(combinations.map((codes) => codes.join()));
  const textOf = (place: number, code: number): string | null => {
    const variable = table.variables[place]!;
    return variable.kind === 'ordered' || code >= variable.labels.length ? null : variable.labels[code]!;
  };
  const texts = new Set(
    combinations.map((codes) => JSON.stringify(codes.map((code, at) => textOf(places[at]!, code)))),
  );
  return {
    words,
    variables: places,
    sum: null,
    allows: (own) => known.has(own.join()),
    holds: (row) => texts.has(JSON.stringify(places.map((place) => row[place]))),
    kept: { words, combinations },
  };
}

/** What columns have together in the training rows, in ascending order. */
function combinationsIn(places: readonly number[], { words, training, offsets }: Source): number[][] {
  if (training === null)
    throw refusal(
      words,
      'a model without its training rows',
      'the folder of a run, whose rows say which combinations there are',
      'Name the folder that orchard train wrote, or give the rule when you train.',
    );
  const codes = places.map((place) => readCodes(training, offsets[place]!, offsets[place + 1]!));
  const found = new Map<string, number[]>();
  for (let row = 0; row < training.rows; row++) {
    const own = codes.map((column) => column[row]!);
    found.set(own.join(), own);
  }
  return [...found.values()].sort((a, b) => a.map((code, at) => code - b[at]!).find((less) => less !== 0) ?? 0);
}

/** The code of a value that a rule names: a label, or a number that has a code of its own. */
function codeOfWords(table: Table, place: number, value: string, words: string): number {
  const variable = table.variables[place]!;
  if (variable.kind === 'ordered') {
    const number = numberOf(value, variable.format);
    for (let code = 0; code < valueCount(variable); code++) if (ownValue(variable, code) === number) return code;
    throw refusal(
      words,
      `${JSON.stringify(value)} of the column ${JSON.stringify(variable.name)}, which has numbers`,
      'a label, or a number that many training rows have',
      'Name another.',
    );
  }
  const code = new Encoder(variable).code(value, NaN);
  if (code !== null && code < valueCount(variable)) return code;
  throw refusal(
    words,
    `${JSON.stringify(value)} of ${JSON.stringify(variable.name)}`,
    'a value that training had',
    `It had ${variable.labels.slice(0, 8).join(', ')}${variable.labels.length > 8 ? ', …' : ''}.`,
  );
}

function refusal(words: string, got: string, expected: string, remedy: string): ModelError {
  return new ModelError('invalid-argument', { got, expected, where: `the rule ${JSON.stringify(words)}`, remedy });
}
