import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import {
  placeOfColumn,
  DatasetError,
  Encoder,
  expectedCell,
  holeCode,
  isHole,
  numberOf,
  Restriction,
  valueCount,
  writeValue,
  type RawCell,
} from '@orchard/dataset';

/** From one number, date or time of day to another, both included; without an end it is open. */
export interface GivenRange {
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
}

/** What a column may be, as people say it: a value in the table's words, a range, or null for an absent value. */
export type Given = RawCell | GivenRange;

/**
 * What codes are allowed, by variable.
 *
 * @param given columns and what they may be: any of a list
 * @throws DatasetError `column` for a column that the model has not, `value` for what none of its rows can have
 */
export function restrictionsOf(
  { variables }: Table,
  given: Iterable<readonly [name: string, any: readonly Given[]]>,
): Map<number, Restriction> {
  const names = variables.map(({ name }) => name);
  const restrictions = new Map<number, Restriction>();
  for (const [name, any] of given) {
    const index = placeOfColumn(name, names, { where: 'given' });
    const restriction = new Restriction(variables[index]!);
    for (const each of any) {
      const own = new Restriction(variables[index]!);
      allow(own, each);
      if (own.isEmpty || isBeyondTraining(own))
        throw impossible(
          variables[index]!,
          wordsOf(each),
          'values that it can have',
          remedyFor(variables[index]!, each),
        );
      allow(restriction, each);
    }
    restrictions.set(index, restriction);
  }
  return restrictions;
}

/**
 * Whether all that is allowed of a measurement lies beyond what the training rows had: its tails go on for ever, so
 * that a percentage of 500 would be sampled, however unlikely it is.
 */
function isBeyondTraining({ variable, ranges }: Restriction): boolean {
  if (variable.kind !== 'ordered' || ranges.length === 0) return false;
  const [least, greatest] = variable.range;
  return ranges.every(([low, high]) => low > greatest || high < least);
}

function allow(restriction: Restriction, given: Given): void {
  const { variable } = restriction;
  if (isHole(given as RawCell)) {
    const hole = holeCode(variable);
    if (hole === null) throw impossible(variable, 'no value', 'one: training had no missing values there');
    restriction.allowCode(hole);
  } else if (variable.kind !== 'ordered') restriction.allowCode(labelCode(variable, given));
  else if (typeof given === 'object') {
    const { from, to } = given!;
    restriction.allowRange(
      from === undefined ? -Infinity : orderedValue(variable, from),
      to === undefined ? Infinity : orderedValue(variable, to),
    );
  } else restriction.allowValue(orderedValue(variable, given));
}

/** What to do about a value or a range that no row can have; undefined for what is nothing special. */
function remedyFor(variable: Variable, given: Given): string | undefined {
  if (variable.kind !== 'ordered') return undefined;
  const wider = `Give a value that training had, or a wider range. Training had values ${rangeWords(variable)}.`;
  if (typeof given !== 'object' || given?.from === undefined || given.to === undefined) return wider;
  const { from, to } = given;
  if (variable.format.type !== 'time' || orderedValue(variable, from) <= orderedValue(variable, to)) return wider;
  return `Over midnight give two ranges, one from ${String(from)} on and one up to ${String(to)} (${String(from)}..|..${String(to)}).`;
}

function labelCode(variable: Exclude<Variable, OrderedVariable>, given: Given): number {
  const isRange = typeof given === 'object';
  const code = isRange ? null : new Encoder(variable).code(given!, NaN);
  if (code !== null && code < valueCount(variable)) return code;
  const { labels } = variable;
  throw impossible(
    variable,
    wordsOf(given),
    isRange ? 'labels, of which there are no ranges' : 'a value that training had',
    `It had ${labels.slice(0, 8).join(', ')}${labels.length > 8 ? ', …' : ''}.`,
  );
}

function orderedValue(variable: OrderedVariable, given: Exclude<RawCell, null>): number {
  const value = numberOf(typeof given === 'string' ? given.trim() : given, variable.format);
  if (!Number.isNaN(value)) return value;
  throw impossible(
    variable,
    wordsOf(given),
    expectedCell(variable.format),
    `Write it as the training file does: ${rangeWords(variable)}.${isRangeInText(given) ? wayOfRanges : ''}`,
  );
}

/** The command line makes a range of `60..` itself: such a text comes from a program. */
function isRangeInText(given: RawCell): boolean {
  return typeof given === 'string' && given.includes('..');
}

const wayOfRanges = ' In JSON a range is {"from": …, "to": …}, without one of them where it has no end.';

function impossible(
  { name }: Variable,
  got: string,
  expected: string,
  remedy = 'Give a value that training had.',
): DatasetError {
  return new DatasetError('value', { got: `${got} for ${name}`, expected, where: `given.${name}`, remedy });
}

function rangeWords({ range, format }: OrderedVariable): string {
  const [least, greatest] = range.map((end) => writeValue(end, format));
  return `from ${least} to ${greatest}`;
}

function wordsOf(given: Given): string {
  if (typeof given !== 'object' || given === null) return shown(String(given));
  return `a range from ${String(given.from ?? 'the least')} to ${String(given.to ?? 'the greatest')}`;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
