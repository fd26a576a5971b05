import type { OrderedVariable, Table } from '@orchard/contracts';
import {
  codeCount,
  correctColumn,
  Encoder,
  expectedCell,
  holeCode,
  numberOf,
  ownValue,
  readCodes,
  shareIn,
  valueCount,
  type BitMatrix,
} from '@orchard/dataset';
import { ModelError } from '../errors.js';
import { readRule, type Comparison, type SaidRule } from './read-rule.js';
import { shareOfPair } from './share-of-pair.js';

/** What holds of every row, for a table. */
export interface Rule {
  /** As it was said. */
  readonly words: string;
  /** The variables that it is about. */
  readonly variables: readonly number[];
  /** How much of some cells follows the rule, 0 to 1, by the code of each variable. */
  share(codes: readonly number[]): number;
  /** Whether a row in words follows it; null is a missing value. */
  holds(texts: readonly (string | null)[]): boolean;
}

/**
 * Rules of a table, as they are said.
 *
 * @param training the rows that `combination(...)` takes its combinations from; null where there are none at hand
 * @throws ModelError `invalid-argument` for words that are not a rule, for columns that the table has not, and for
 *   combinations without training rows
 */
export function rulesOf(
  table: Table,
  said: readonly string[],
  training: BitMatrix | null,
  offsets: Uint32Array,
): Rule[] {
  return said.map((words) => ruleOf(table, readRule(words), { words, training, offsets }));
}

interface Source {
  readonly words: string;
  readonly training: BitMatrix | null;
  readonly offsets: Uint32Array;
}

function ruleOf(table: Table, said: SaidRule, source: Source): Rule {
  switch (said.kind) {
    case 'compare-columns':
      return columnsRule(table, said.one, said.comparison, said.other, source.words);
    case 'compare-value':
      return valueRule(table, said.column, said.comparison, said.value, source.words);
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

/** Two columns of numbers or dates. A missing value is compared with nothing. */
function columnsRule(table: Table, one: string, comparison: Comparison, other: string, words: string): Rule {
  const [first, second] = [orderedAt(table, one, words), orderedAt(table, other, words)];
  if (first.place === second.place)
    throw refusal(words, 'a column beside itself', 'two columns', 'Name another column.');
  if (first.variable.format.type !== second.variable.format.type)
    throw refusal(words, 'a number beside a date or a time', 'two columns of one kind', 'Compare others.');
  if (comparison === '=' || comparison === '!=')
    throw refusal(words, `${comparison} between two columns`, '<, <=, > or >= between columns', 'Use <= and >=.');
  const holds = comparing(comparison);
  return {
    words,
    variables: [first.place, second.place],
    share: ([a, b]) => shareOfPair(comparison, { ...first, code: a! }, { ...second, code: b! }),
    holds: (texts) => {
      const [a, b] = [texts[first.place]!, texts[second.place]!];
      if (a === null || b === null) return true;
      return holds(numberOf(a, first.variable.format), numberOf(b, second.variable.format));
    },
  };
}

/** A column and a value. */
function valueRule(table: Table, column: string, comparison: Comparison, value: string, words: string): Rule {
  const place = placeOf(table, column, words);
  const variable = table.variables[place]!;
  if (variable.kind !== 'ordered') {
    if (comparison !== '=' && comparison !== '!=') orderedAt(table, column, words);
    const code = labelCode(table, place, value, words);
    const isSaid = comparison === '=';
    return {
      words,
      variables: [place],
      share: ([own]) => Number(own === holeCode(variable) || (own === code) === isSaid),
      holds: (texts) => texts[place] === null || (texts[place] === variable.labels[code]) === isSaid,
    };
  }
  const number = numberOf(value, variable.format);
  if (Number.isNaN(number))
    throw refusal(words, JSON.stringify(value), expectedCell(variable.format), 'Write it as the training file does.');
  const holds = comparing(comparison);
  return {
    words,
    variables: [place],
    share: ([code]) => {
      if (code! >= valueCount(variable)) return 1;
      const own = ownValue(variable, code!);
      if (own !== null) return Number(holds(own, number));
      if (comparison === '=' || comparison === '!=') return Number(comparison === '!=');
      return comparison === '<' || comparison === '<='
        ? shareIn(variable, code!, -Infinity, number)
        : shareIn(variable, code!, number, Infinity);
    },
    holds: (texts) => texts[place] === null || holds(numberOf(texts[place]!, variable.format), number),
  };
}

/** A column that has a value only in rows where another has a certain one, and always there. */
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
  const code = labelCode(table, at, value, words);
  const condition = table.variables[at]!;
  return {
    words,
    variables: [place, at],
    share: ([own, of]) => Number(of === code || own === hole),
    holds: (texts) => texts[place] === null || (condition.kind !== 'ordered' && texts[at] === condition.labels[code]),
  };
}

/** Columns that have together only what training rows had together. */
function combinationRule(table: Table, columns: readonly string[], { words, training, offsets }: Source): Rule {
  const places = columns.map((name) => placeOf(table, name, words));
  const ordered = places.find((place) => table.variables[place]!.kind === 'ordered');
  if (ordered !== undefined)
    throw refusal(
      words,
      `the column ${JSON.stringify(table.variables[ordered]!.name)}, which has numbers`,
      'columns of labels',
      'Name columns of labels, or train with --type NAME=categorical.',
    );
  if (training === null)
    throw refusal(
      words,
      'a model without its training rows',
      'the folder of a run, whose rows say which combinations there are',
      'Name the folder that orchard train wrote.',
    );
  const codes = places.map((place) => readCodes(training, offsets[place]!, offsets[place + 1]!));
  const known = new Set(Array.from({ length: training.rows }, (_, row) => codes.map((own) => own[row]).join()));
  const textOf = (place: number, code: number): string | null => {
    const variable = table.variables[place]!;
    return variable.kind === 'ordered' || code >= variable.labels.length ? null : variable.labels[code]!;
  };
  const texts = new Set(
    [...known].map((key) => JSON.stringify(key.split(',').map((code, at) => textOf(places[at]!, Number(code))))),
  );
  return {
    words,
    variables: places,
    share: (own) => Number(known.has(own.join())),
    holds: (row) => texts.has(JSON.stringify(places.map((place) => row[place]))),
  };
}

function labelCode(table: Table, place: number, value: string, words: string): number {
  const variable = table.variables[place]!;
  if (variable.kind === 'ordered')
    throw refusal(
      words,
      `the column ${JSON.stringify(variable.name)}, which has numbers`,
      'a column of labels',
      'Name another.',
    );
  const code = new Encoder(variable).code(value, NaN);
  if (code !== null && code < valueCount(variable) && code < codeCount(variable)) return code;
  throw refusal(
    words,
    `${JSON.stringify(value)} of ${JSON.stringify(variable.name)}`,
    'a value that training had',
    `It had ${variable.labels.slice(0, 8).join(', ')}${variable.labels.length > 8 ? ', …' : ''}.`,
  );
}

function comparing(comparison: Comparison): (a: number, b: number) => boolean {
  switch (comparison) {
    case '<':
      return (a, b) => a < b;
    case '<=':
      return (a, b) => a <= b;
    case '>':
      return (a, b) => a > b;
    case '>=':
      return (a, b) => a >= b;
    case '=':
      return (a, b) => a === b;
    default:
      return (a, b) => a !== b;
  }
}

function refusal(words: string, got: string, expected: string, remedy: string): ModelError {
  return new ModelError('invalid-argument', { got, expected, where: `the rule ${JSON.stringify(words)}`, remedy });
}
