import type { ColumnSum, Equality, OrderedFormat, OrderedVariable, Table, Variable } from '@orchard/contracts';
import { cellOf } from './cell-values.js';
import { codeOffsets } from './codes.js';
import { mayBeEqual } from './equal-columns.js';
import { isMidnight } from './midnight.js';
import {
  count,
  fields,
  finite,
  flag,
  listOf,
  nullOr,
  oneOf,
  require,
  text,
  twoOf,
  whole,
  type Shape,
} from './shapes.js';
import { isOfMonths } from './written-date.js';
import { isZone } from './zone-offset.js';

/** As people call them. */
const missingValues: Shape<number> = (value, what) => count(value, what.replace(/holes$/, 'missing values'));
const named = { name: text, holes: missingValues };
const wholeNumber = oneOf('digits', 'point');

const binaryShape = fields(
  { kind: oneOf('binary'), ...named, labels: twoOf(text), counts: twoOf(count) },
  { others: oneOf(0) },
);
const categoricalShape = fields(
  { kind: oneOf('categorical'), ...named, labels: listOf(text), counts: listOf(count), others: count },
  { otherLabels: count },
);

const numberShape = fields(
  { type: oneOf('number'), decimals: count, places: count, padded: flag },
  {
    written: fields(
      { prefix: text, suffix: text, thousands: text, point: oneOf('.', ',') },
      { bracketed: oneOf(true) },
    ),
  },
);
const fineShape = { seconds: flag, digits: count };
const clockShape = {
  clock: fields({ padded: flag, morning: oneOf('', 'AM', 'am', ' AM', ' am') }, { whole: wholeNumber }),
  fraction: fields({}, { comma: oneOf(true), zeros: oneOf(1, 2, 3) }),
};
const timeShape = fields({ type: oneOf('time'), ...fineShape }, clockShape);
const durationShape = fields(
  { type: oneOf('duration'), digits: count },
  { clock: fields({ seconds: flag, padded: flag }) },
);
const dateShape = fields(
  {
    type: oneOf('date'),
    time: nullOr(fields({ separator: oneOf('T', ' '), ...fineShape, zone: text }, clockShape)),
  },
  {
    written: fields(
      {
        order: oneOf('dmy', 'mdy', 'ymd', 'my', 'ym'),
        separator: text,
        month: oneOf('number', 'short', 'long'),
        padded: flag,
      },
      { shortYear: oneOf(true), letters: oneOf('upper', 'lower'), whole: wholeNumber },
    ),
    midnight: text,
  },
);

const orderedShape = fields(
  {
    kind: oneOf('ordered'),
    ...named,
    format: (value, what) => formatIn(value, what.replace(/, format$/, '')),
    measure: oneOf('mass', 'density'),
    edges: listOf(finite),
    values: listOf(nullOr(finite)),
    counts: listOf(count),
    tails: nullOr(twoOf(finite)),
    range: twoOf(finite),
    cuts: listOf(whole),
  },
  {
    atoms: fields({ values: listOf(finite), counts: listOf(count) }),
    pieces: fields({ borders: listOf(finite), weights: listOf(finite), beyond: twoOf(finite) }),
    bounds: twoOf(nullOr(finite)),
    grid: fields({ step: count, first: count }),
    beyond: oneOf('geometric'),
  },
);

const tableShape = fields(
  {
    variables: listOf(variableIn),
    leftOut: listOf(fields({ name: text, why: text }, { countsFrom: whole })),
    columns: listOf(text),
    missing: text,
  },
  {
    marks: listOf(text),
    mended: listOf(fields({ name: text, how: text })),
    equalities: listOf(fields({ one: text, other: text, share: finite })),
    sums: listOf(fields({ total: text, parts: twoOf(text) })),
    // what they say is checked where they are used
    rules: listOf(fields({ words: text }, { combinations: listOf(listOf(count)) })),
  },
);
const headerShape = fields({ table: (value) => tableShape(value, 'table'), tailNats: listOf(finite) });

/**
 * Checks what is said of a table's rows by bytes of unknown origin: every field that codes, bits and densities are
 * computed from.
 *
 * @returns the same, its fields in the order in which they are hashed
 * @throws TypeError naming what does not hold
 */
export function checkTable(
  value: unknown,
  dimensions: number,
): { readonly table: Table; readonly tailNats: readonly number[] } {
  const { table, tailNats } = headerShape(value, 'the header');
  const { variables, leftOut, columns, equalities, sums, rules } = table;
  require(variables.length > 0, 'at least one variable');
  const names = new Set(columns);
  const said = [...variables, ...leftOut].map(({ name }) => name);
  require(names.size === columns.length &&
    names.size === said.length &&
    new Set(said).size === said.length, 'one name a column');
  for (const name of said) require(names.has(name), `the column ${JSON.stringify(name)}`);
  require(tailNats.length === variables.length, 'tailNats, one number a variable');
  const end = codeOffsets({ variables })[variables.length];
  require(end === dimensions, `variables of ${String(end)} bits, not ${String(dimensions)}`);
  if (equalities !== undefined) checkEqualities(equalities, variables);
  if (sums !== undefined) checkSums(sums, variables);
  require(rules === undefined || rules.length > 0, 'rules, at least one');
  return { table, tailNats };
}

function checkEqualities(equalities: readonly Equality[], variables: readonly Variable[]): void {
  const columns = equalities.flatMap(({ one, other }) => [one, other]);
  require(columns.length > 0 && new Set(columns).size === columns.length, 'equalities, no column in two');
  for (const { one, other, share } of equalities) {
    require(share > 0 && share < 1, 'equalities, share');
    const places = [one, other].map((name) => variables.findIndex((variable) => variable.name === name));
    require(0 <= places[0]! && places[0]! < places[1]!, 'equalities, two variables in their order');
    require(mayBeEqual(variables[places[0]!]!, variables[places[1]!]!), 'equalities, measurements on one grid');
  }
}

function checkSums(sums: readonly ColumnSum[], variables: readonly Variable[]): void {
  require(sums.length > 0, 'sums, at least one');
  for (const { total, parts } of sums) {
    const three = [total, ...parts].map((name) => variables.find((variable) => variable.name === name));
    require(new Set(three).size === 3 && !three.includes(undefined), 'sums, three variables');
    require(three.every((each) => mayBeEqual(three[0]!, each!)), 'sums, measurements on one grid');
  }
}

function variableIn(value: unknown): Variable {
  const { name, kind } = fields({ name: text, kind: (said) => said })(value, 'the name of a variable');
  const where = `variable ${JSON.stringify(name)}`;
  require(name !== '', 'a name for every variable');
  if (kind === 'ordered') return orderedIn(value, where);
  require(kind === 'binary' || kind === 'categorical', `${where}, kind`);
  const variable = kind === 'binary' ? binaryShape(value, where) : categoricalShape(value, where);
  const { labels, counts } = variable;
  const areDistinct = new Set<string>(labels).size === labels.length && counts.length === labels.length;
  require(areDistinct, `${where}, distinct labels with counts`);
  if (variable.kind === 'binary') return variable;
  const { others, otherLabels } = variable;
  require(labels.length > 0 && labels.length < 2 ** 15, `${where}, 1 to 32767 labels`);
  require(otherLabels === undefined || (otherLabels <= others && others > 0), `${where}, otherLabels`);
  return variable;
}

function orderedIn(value: unknown, where: string): OrderedVariable {
  const variable = orderedShape(value, where);
  const { measure, values, edges, counts, cuts, tails } = variable;
  const [least, most] = variable.range;
  const size = values.length;
  require(size > 0 && size < 2 ** 15, `${where}, 1 to 32767 cells`);
  require(edges.length === size - 1 && isAscending(edges), `${where}, ascending edges between the cells`);
  require(counts.length === size, `${where}, a count a cell`);
  // encoding, sampling and writing identify cells by their values and by their edges: both must agree
  require(values.every(
    (each, code) => each === null || cellOf({ edges }, each) === code,
  ), `${where}, a value within its cell`);
  require(cuts.every((cut) => cut >= 1 && cut < size) && isAscending(cuts), `${where}, ascending cuts`);
  require(least <= most, `${where}, range`);
  if (measure === 'mass') {
    require(tails === null && !values.includes(null), `${where}, a value a cell`);
    require(least <= values[0]! && values[size - 1]! <= most, `${where}, range`);
  } else {
    require(size > 1 && tails !== null && tails.every((scale) => scale > 0), `${where}, two tails`);
    require(values[0] === null && values[size - 1] === null, `${where}, tails`);
  }
  checkWithin(variable, where);
  return variable;
}

/** What files of today say of a density, or of masses, beside its cells. */
function checkWithin(variable: OrderedVariable, where: string): void {
  const { measure, edges, atoms, pieces, bounds, grid, beyond } = variable;
  const isDensity = measure === 'density';
  require(isDensity ||
    [atoms, pieces, bounds, grid].every((each) => each === undefined), `${where}, masses without cells`);
  require(beyond === undefined || !isDensity, `${where}, beyond`);
  if (atoms !== undefined) {
    const { values, counts } = atoms;
    require(values.length > 0 &&
      values.length === counts.length &&
      values.length + edges.length < 2 ** 15 - 1 &&
      isAscending(values), `${where}, ascending atoms with counts`);
  }
  if (pieces !== undefined) {
    const { borders, weights, beyond: ends } = pieces;
    require(isAscending(borders) && borders.length === weights.length + 1, `${where}, ascending borders of pieces`);
    require([...weights, ...ends].every((weight) => weight > 0), `${where}, a weight a piece`);
    const inner = new Set(borders.slice(1, -1));
    require(edges.every((edge) => inner.has(edge)), `${where}, borders at all edges`);
  }
  const [low, high] = bounds ?? [null, null];
  require(low === null || high === null || low < high, `${where}, bounds`);
  require(grid === undefined || (grid.step >= 2 && grid.first < grid.step), `${where}, grid`);
}

function formatIn(value: unknown, where: string): OrderedFormat {
  const { type } = fields({ type: (said) => said })(value, `${where}, format`);
  if (type === 'number') {
    const format = numberShape(value, where);
    require(format.places <= format.decimals && format.decimals <= 20, `${where}, format`);
    return format;
  }
  if (type === 'time') {
    const format = timeShape(value, where);
    checkClock(format, where);
    return format;
  }
  if (type === 'duration') {
    const format = durationShape(value, where);
    require(format.digits <= 9, `${where}, digits`);
    require(format.clock === undefined || format.clock.seconds || format.digits === 0, `${where}, clock`);
    return format;
  }
  require(type === 'date', `${where}, format`);
  const format = dateShape(value, where);
  const { time, written, midnight } = format;
  require(midnight === undefined ||
    (isMidnight(midnight) && time === null && !isOfMonths(written)), `${where}, midnight`);
  if (written !== undefined) checkWritten(written, time !== null, where);
  if (time !== null) {
    require(isZone(time.zone), `${where}, zone`);
    require(time.clock?.whole === undefined, `${where}, clock`);
    checkClock(time, where);
  }
  return format;
}

type Format<Type extends OrderedFormat['type']> = Extract<OrderedFormat, { readonly type: Type }>;

function checkWritten(written: NonNullable<Format<'date'>['written']>, hasTime: boolean, where: string): void {
  const { order, separator, month, padded, shortYear, letters, whole: asWhole } = written;
  const isByName = month !== 'number';
  require(letters === undefined || isByName, `${where}, letters`);
  const isWholeDate = !isByName && padded && shortYear === undefined && separator === '' && order.startsWith('ym');
  require(asWhole === undefined || isWholeDate, `${where}, whole`);
  require(order.includes('d') || (!hasTime && shortYear === undefined), `${where}, months`);
}

function checkClock({ seconds, digits, clock, fraction }: Omit<Format<'time'>, 'type'>, where: string): void {
  require(digits <= 6 && (seconds || digits === 0), `${where}, digits`);
  if (clock !== undefined) {
    const { padded, morning, whole: asWhole } = clock;
    const isUnusual = asWhole === undefined ? !padded || morning !== '' : morning === '' && !seconds;
    require(isUnusual, `${where}, clock`);
  }
  if (fraction !== undefined) {
    const { comma, zeros } = fraction;
    require(digits > 0 && (comma !== undefined || zeros !== undefined), `${where}, fraction`);
    require(zeros === undefined || digits === 6, `${where}, zeros`);
  }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((value, at) => at === 0 || value > numbers[at - 1]!);
}
