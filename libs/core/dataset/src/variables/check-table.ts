import type {
  Atoms,
  ColumnSum,
  DateFormat,
  DurationFormat,
  Equality,
  KeptRule,
  NumberFormat,
  OrderedVariable,
  Pieces,
  Table,
  TimeFormat,
  ValueGrid,
  Variable,
  WholeNumber,
} from '@orchard/contracts';
import { cellOf } from './cell-values.js';
import { codeOffsets } from './codes.js';
import { isMidnight } from './midnight.js';
import { isOfMonths } from './written-date.js';
import { isZone } from './zone-offset.js';
import { mayBeEqual } from './equal-columns.js';
import { isMorning } from './written-clock.js';

type Json = Readonly<Record<string, unknown>>;

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
  const { table: given, tailNats } = asMap(value, 'the header');
  const table = asMap(given, 'table');
  const variables = asList(table['variables'], 'variables').map(checkVariable);
  const leftOut = asList(table['leftOut'], 'leftOut').map((each) => {
    const { name, why, countsFrom } = asMap(each, 'leftOut');
    const isCounter = countsFrom !== undefined;
    require(!isCounter || Number.isSafeInteger(countsFrom), 'leftOut.countsFrom');
    return {
      name: asText(name, 'leftOut'),
      why: asText(why, 'leftOut'),
      ...(isCounter ? { countsFrom: countsFrom as number } : {}),
    };
  });
  const columns = asList(table['columns'], 'columns').map((name) => asText(name, 'columns'));
  const missing = asText(table['missing'], 'missing');
  const mended =
    table['mended'] === undefined
      ? {}
      : {
          mended: asList(table['mended'], 'mended').map((each) => {
            const { name, how } = asMap(each, 'mended');
            return { name: asText(name, 'mended'), how: asText(how, 'mended') };
          }),
        };
  require(variables.length > 0, 'at least one variable');
  const names = new Set(columns);
  const said = [...variables, ...leftOut].map(({ name }) => name);
  require(names.size === columns.length &&
    names.size === said.length &&
    new Set(said).size === said.length, 'one name a column');
  for (const name of said) require(names.has(name), `the column ${JSON.stringify(name)}`);
  const nats = asList(tailNats, 'tailNats');
  require(nats.length === variables.length && nats.every(isNumber), 'tailNats, one number a variable');
  const end = codeOffsets({ variables })[variables.length];
  require(end === dimensions, `variables of ${String(end)} bits, not ${String(dimensions)}`);
  const equalities =
    table['equalities'] === undefined ? {} : { equalities: checkEqualities(table['equalities'], variables) };
  const sums = table['sums'] === undefined ? {} : { sums: checkSums(table['sums'], variables) };
  const rules = table['rules'] === undefined ? {} : { rules: checkRules(table['rules']) };
  return {
    table: { variables, leftOut, columns, missing, ...mended, ...equalities, ...sums, ...rules },
    tailNats: nats as number[],
  };
}

/** What they say is checked where they are used. */
function checkRules(value: unknown): readonly KeptRule[] {
  const rules = asList(value, 'rules').map((each): KeptRule => {
    const { words, combinations } = asMap(each, 'rules');
    const said = { words: asText(words, 'rules') };
    if (combinations === undefined) return said;
    const codes = asList(combinations, 'combinations').map((row) => {
      const own = asList(row, 'combinations');
      require(own.every((code) => Number.isInteger(code) && (code as number) >= 0), 'combinations, of codes');
      return own as number[];
    });
    return { ...said, combinations: codes };
  });
  require(rules.length > 0, 'rules, at least one');
  return rules;
}

function checkEqualities(value: unknown, variables: readonly Variable[]): readonly Equality[] {
  const equalities = asList(value, 'equalities').map((each): Equality => {
    const { one, other, share } = asMap(each, 'equalities');
    require(isNumber(share) && share > 0 && share < 1, 'equalities, share');
    return { one: asText(one, 'equalities'), other: asText(other, 'equalities'), share };
  });
  const named = equalities.flatMap(({ one, other }) => [one, other]);
  require(named.length > 0 && new Set(named).size === named.length, 'equalities, no column in two');
  for (const { one, other } of equalities) {
    const places = [one, other].map((name) => variables.findIndex((variable) => variable.name === name));
    require(0 <= places[0]! && places[0]! < places[1]!, 'equalities, two variables in their order');
    require(mayBeEqual(variables[places[0]!]!, variables[places[1]!]!), 'equalities, measurements on one grid');
  }
  return equalities;
}

function checkSums(value: unknown, variables: readonly Variable[]): readonly ColumnSum[] {
  const sums = asList(value, 'sums').map((each): ColumnSum => {
    const { total, parts } = asMap(each, 'sums');
    const names = asList(parts, 'sums, parts').map((part) => asText(part, 'sums, parts'));
    require(names.length === 2, 'sums, two parts');
    return { total: asText(total, 'sums'), parts: names as [string, string] };
  });
  require(sums.length > 0, 'sums, at least one');
  for (const { total, parts } of sums) {
    const three = [total, ...parts].map((name) => variables.find((variable) => variable.name === name));
    require(new Set(three).size === 3 && !three.includes(undefined), 'sums, three variables');
    require(three.every((each) => mayBeEqual(three[0]!, each!)), 'sums, measurements on one grid');
  }
  return sums;
}

function checkVariable(value: unknown): Variable {
  const variable = asMap(value, 'variable');
  const { kind, labels, holes: missing } = variable;
  const name = asText(variable['name'], 'the name of a variable');
  const where = `variable ${JSON.stringify(name)}`;
  require(name !== '', 'a name for every variable');
  const holes = asCount(missing, `${where}, missing values`);
  if (kind === 'ordered') return checkOrdered(variable, name, holes, where);
  require(kind === 'binary' || kind === 'categorical', `${where}, kind`);
  const texts = asList(labels, `${where}, labels`).map((label) => asText(label, `${where}, labels`));
  const counts = asList(variable['counts'], `${where}, counts`).map((count) => asCount(count, `${where}, counts`));
  require(new Set(texts).size === texts.length &&
    counts.length === texts.length, `${where}, distinct labels with counts`);
  if (kind === 'binary') {
    require(texts.length === 2, `${where}, two labels`);
    const { others } = variable;
    require(others === undefined || others === 0, `${where}, others`);
    const two = { labels: texts as [string, string], counts: counts as [number, number] };
    return { kind, name, holes, ...two, ...(others === 0 && { others }) };
  }
  require(texts.length > 0 && texts.length < 2 ** 15, `${where}, 1 to 32767 labels`);
  const others = asCount(variable['others'], `${where}, others`);
  const { otherLabels } = variable;
  if (otherLabels === undefined) return { kind: 'categorical', name, holes, labels: texts, counts, others };
  require(asCount(otherLabels, `${where}, otherLabels`) <= others && others > 0, `${where}, otherLabels`);
  return { kind: 'categorical', name, holes, labels: texts, counts, others, otherLabels: otherLabels as number };
}

function checkOrdered(variable: Json, name: string, holes: number, where: string): OrderedVariable {
  const { measure, tails } = variable;
  require(measure === 'mass' || measure === 'density', `${where}, measure`);
  const values = asList(variable['values'], `${where}, values`);
  const edges = asList(variable['edges'], `${where}, edges`) as number[];
  const counts = asList(variable['counts'], `${where}, counts`).map((count) => asCount(count, `${where}, counts`));
  const cuts = asList(variable['cuts'], `${where}, cuts`) as number[];
  const range = asList(variable['range'], `${where}, range`) as number[];
  const size = values.length;
  require(size > 0 && size < 2 ** 15, `${where}, 1 to 32767 cells`);
  require(edges.length === size - 1 && isAscending(edges), `${where}, ascending edges between the cells`);
  require(counts.length === size, `${where}, a count a cell`);
  require(values.every((each) => each === null || isNumber(each)), `${where}, values`);
  // encoding, sampling and writing identify cells by their values and by their edges: both must agree
  require(values.every(
    (each, code) => each === null || cellOf({ edges }, each as number) === code,
  ), `${where}, a value within its cell`);
  require(cuts.every((cut) => Number.isInteger(cut) && cut >= 1 && cut < size) &&
    isAscending(cuts), `${where}, ascending cuts`);
  require(range.length === 2 && range.every(isNumber) && range[0]! <= range[1]!, `${where}, range`);
  if (measure === 'mass') {
    require(tails === null && !values.includes(null), `${where}, a value a cell`);
    require(range[0]! <= (values[0] as number) && (values[size - 1] as number) <= range[1]!, `${where}, range`);
  } else {
    const scales = asList(tails, `${where}, tails`);
    require(size > 1 && scales.length === 2, `${where}, two tails`);
    require(scales.every((scale) => isNumber(scale) && scale > 0) &&
      values[0] === null &&
      values[size - 1] === null, `${where}, tails`);
  }
  return {
    kind: 'ordered',
    name,
    holes,
    format: checkFormat(variable['format'], where),
    measure,
    edges,
    values: values as (number | null)[],
    counts,
    tails: tails as [number, number] | null,
    range: range as [number, number],
    cuts,
    ...checkDensityWithin(variable, measure, edges, where),
  };
}

/** What files of today say of a density, or of masses, beside its cells. */
function checkDensityWithin(
  { atoms, pieces, bounds, grid, beyond }: Json,
  measure: 'mass' | 'density',
  edges: readonly number[],
  where: string,
): Pick<OrderedVariable, 'atoms' | 'pieces' | 'bounds' | 'grid' | 'beyond'> {
  const isDensity = measure === 'density';
  require(isDensity ||
    [atoms, pieces, bounds, grid].every((each) => each === undefined), `${where}, masses without cells`);
  require(beyond === undefined || (!isDensity && beyond === 'geometric'), `${where}, beyond`);
  return {
    ...(atoms !== undefined && { atoms: checkAtoms(atoms, edges, where) }),
    ...(pieces !== undefined && { pieces: checkPieces(pieces, edges, where) }),
    ...(bounds !== undefined && { bounds: checkBounds(bounds, where) }),
    ...(grid !== undefined && { grid: checkGrid(grid, where) }),
    ...(beyond === 'geometric' && { beyond }),
  };
}

function checkAtoms(value: unknown, edges: readonly number[], where: string): Atoms {
  const atoms = asMap(value, `${where}, atoms`);
  const values = asList(atoms['values'], `${where}, atoms`) as number[];
  const counts = asList(atoms['counts'], `${where}, atoms`).map((count) => asCount(count, `${where}, atoms`));
  require(values.length > 0 &&
    values.length === counts.length &&
    values.length + edges.length < 2 ** 15 - 1 &&
    isAscending(values), `${where}, ascending atoms with counts`);
  return { values, counts };
}

function checkPieces(value: unknown, edges: readonly number[], where: string): Pieces {
  const pieces = asMap(value, `${where}, pieces`);
  const borders = asList(pieces['borders'], `${where}, borders`) as number[];
  const weights = asList(pieces['weights'], `${where}, weights`) as number[];
  const beyond = asList(pieces['beyond'], `${where}, beyond`) as number[];
  require(isAscending(borders) && borders.length === weights.length + 1, `${where}, ascending borders of pieces`);
  require([...weights, ...beyond].every((weight) => isNumber(weight) && weight > 0) &&
    beyond.length === 2, `${where}, a weight a piece`);
  const inner = new Set(borders.slice(1, -1));
  require(edges.every((edge) => inner.has(edge)), `${where}, borders at all edges`);
  return { borders, weights, beyond: beyond as [number, number] };
}

function checkBounds(value: unknown, where: string): readonly [number | null, number | null] {
  const [low, high, ...more] = asList(value, `${where}, bounds`);
  const isBound = (bound: unknown): bound is number | null => bound === null || isNumber(bound);
  require(isBound(low) && isBound(high) && more.length === 0, `${where}, bounds`);
  require(low === null || high === null || low < high, `${where}, bounds`);
  return [low, high];
}

function checkGrid(value: unknown, where: string): ValueGrid {
  const grid = asMap(value, `${where}, grid`);
  const step = asCount(grid['step'], `${where}, grid`);
  const first = asCount(grid['first'], `${where}, grid`);
  require(step >= 2 && first < step, `${where}, grid`);
  return { step, first };
}

function checkFormat(value: unknown, where: string): OrderedVariable['format'] {
  const format = asMap(value, `${where}, format`);
  if (format['type'] === 'number') {
    const decimals = asCount(format['decimals'], `${where}, decimals`);
    const places = asCount(format['places'], `${where}, places`);
    require(places <= decimals && decimals <= 20 && typeof format['padded'] === 'boolean', `${where}, format`);
    const number = { type: 'number', decimals, places, padded: format['padded'] as boolean } as const;
    return format['written'] === undefined ? number : { ...number, written: checkWrittenNumbers(format, where) };
  }
  if (format['type'] === 'time') {
    return { type: 'time', ...checkClock(format, where) };
  }
  if (format['type'] === 'duration') {
    const digits = asCount(format['digits'], `${where}, digits`);
    require(digits <= 9, `${where}, digits`);
    const clock = format['clock'] === undefined ? {} : { clock: checkClockOfDuration(format, digits, where) };
    return { type: 'duration', digits, ...clock };
  }
  require(format['type'] === 'date', `${where}, format`);
  const written = format['written'] === undefined ? {} : { written: checkWrittenDates(format, where) };
  const { midnight } = format;
  require(midnight === undefined || isMidnight(midnight), `${where}, midnight`);
  if (format['time'] === null) {
    require(midnight === undefined || !isOfMonths(written.written), `${where}, midnight`);
    return { type: 'date', time: null, ...written, ...(midnight !== undefined && { midnight }) };
  }
  require(midnight === undefined, `${where}, midnight beside a time`);
  const time = asMap(format['time'], `${where}, time`);
  const { separator, zone } = time;
  require(separator === 'T' || separator === ' ', `${where}, time`);
  const { seconds, digits, clock, fraction } = checkClock(time, where);
  require(typeof zone === 'string' && isZone(zone), `${where}, zone`);
  require(clock?.whole === undefined, `${where}, clock`);
  return {
    type: 'date',
    time: {
      separator: separator as 'T' | ' ',
      seconds,
      digits,
      zone,
      ...(clock && { clock }),
      ...(fraction && { fraction }),
    },
    ...written,
  };
}

function checkClockOfDuration(format: Json, digits: number, where: string): NonNullable<DurationFormat['clock']> {
  const { seconds, padded } = asMap(format['clock'], `${where}, clock`);
  require(typeof seconds === 'boolean' && (seconds || digits === 0), `${where}, clock`);
  require(typeof padded === 'boolean', `${where}, clock`);
  return { seconds, padded };
}

function checkWrittenNumbers(format: Json, where: string): NonNullable<NumberFormat['written']> {
  const { prefix, suffix, thousands, point, bracketed } = asMap(format['written'], `${where}, written`);
  require(point === '.' || point === ',', `${where}, point`);
  require(bracketed === undefined || bracketed === true, `${where}, bracketed`);
  const [before, behind, between] = [prefix, suffix, thousands].map((text) => asText(text, `${where}, written`));
  return { prefix: before!, suffix: behind!, thousands: between!, point, ...(bracketed && { bracketed }) };
}

function checkWrittenDates(format: Json, where: string): NonNullable<DateFormat['written']> {
  const { order, separator, month, padded, shortYear, letters, whole } = asMap(format['written'], `${where}, written`);
  require(isOrder(order), `${where}, order`);
  require(month === 'number' || month === 'short' || month === 'long', `${where}, month`);
  require(typeof padded === 'boolean', `${where}, padded`);
  require(shortYear === undefined || shortYear === true, `${where}, shortYear`);
  const between = asText(separator, `${where}, separator`);
  const isByName = month !== 'number';
  require(letters === undefined || (isByName && (letters === 'upper' || letters === 'lower')), `${where}, letters`);
  const isWholeDate = !isByName && padded && shortYear === undefined && between === '' && order.startsWith('ym');
  require(whole === undefined || (isWhole(whole) && isWholeDate), `${where}, whole`);
  require(order.includes('d') || (format['time'] === null && shortYear === undefined), `${where}, months`);
  return {
    order,
    separator: between,
    month,
    padded,
    ...(shortYear && { shortYear }),
    ...(letters && { letters }),
    ...(isWhole(whole) && { whole }),
  };
}

function isOrder(value: unknown): value is NonNullable<DateFormat['written']>['order'] {
  return ['dmy', 'mdy', 'ymd', 'my', 'ym'].includes(value as string);
}

function isWhole(value: unknown): value is WholeNumber {
  return value === 'digits' || value === 'point';
}

function checkClock({ seconds, digits, clock: given, fraction }: Json, where: string): Omit<TimeFormat, 'type'> {
  require(typeof seconds === 'boolean', `${where}, time`);
  const behindPoint = asCount(digits, `${where}, digits`);
  require(behindPoint <= 6 && (seconds || behindPoint === 0), `${where}, digits`);
  const fine = { seconds, digits: behindPoint };
  const parts = checkFraction(fraction, behindPoint, where);
  if (given === undefined) return { ...fine, ...parts };
  const { padded, morning, whole } = asMap(given, `${where}, clock`);
  const isPlain = whole === undefined;
  require(typeof padded === 'boolean' && isMorning(morning), `${where}, clock`);
  const isUnusual = isPlain ? !padded || morning !== '' : isWhole(whole) && morning === '' && !seconds;
  require(isUnusual, `${where}, clock`);
  return { ...fine, clock: { padded, morning, ...(isPlain ? {} : { whole: whole as WholeNumber }) }, ...parts };
}

function checkFraction(given: unknown, digits: number, where: string): Pick<TimeFormat, 'fraction'> {
  if (given === undefined) return {};
  const { comma, zeros } = asMap(given, `${where}, fraction`);
  require(digits > 0 && (comma === undefined || comma === true), `${where}, comma`);
  require(zeros === undefined || (digits === 6 && (zeros === 1 || zeros === 2 || zeros === 3)), `${where}, zeros`);
  require(comma !== undefined || zeros !== undefined, `${where}, fraction`);
  return { fraction: { ...(comma && { comma }), ...(zeros !== undefined && { zeros }) } };
}

function isAscending(numbers: readonly unknown[]): boolean {
  return numbers.every((value, at) => isNumber(value) && (at === 0 || value > (numbers[at - 1] as number)));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function asMap(value: unknown, what: string): Json {
  require(typeof value === 'object' && value !== null && !Array.isArray(value), what);
  return value as Json;
}

function asList(value: unknown, what: string): readonly unknown[] {
  require(Array.isArray(value), `a list of ${what}`);
  return value as readonly unknown[];
}

function asText(value: unknown, what: string): string {
  require(typeof value === 'string' && value.isWellFormed(), `text in ${what}`);
  return value as string;
}

function asCount(value: unknown, what: string): number {
  require(Number.isSafeInteger(value) && (value as number) >= 0, `whole numbers in ${what}`);
  return value as number;
}

function require(holds: boolean, what: string): asserts holds {
  if (!holds) throw new TypeError(`expected ${what}`);
}
