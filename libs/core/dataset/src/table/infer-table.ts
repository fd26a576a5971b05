import type { LeftOut, MendedColumn, OrderedFormat, OrderedVariable, Table, Variable } from '@orchard/contracts';
import { count, counted } from '@orchard/refusal';
import { DatasetError, quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import { placeOfColumn } from '../reading/place-of-column.js';
import { listNames } from '../rows/columns.js';
import { requireRows } from '../rows/require-rows.js';
import type { RawTable } from '../table-files/raw-table.js';
import { writeValue } from '../variables/cell-values.js';
import { ColumnProfile, type Wanted } from './column-profile.js';
import { comparedColumns } from './compared-columns.js';
import { datesNotRead } from './dates-not-read.js';
import { farValueOf } from './far-value.js';
import { findEqualities } from './find-equalities.js';
import { findSums } from './find-sums.js';
import { EXCLUDED, type Inferred, type Kind } from './inferred.js';
import { inferKind, kindAsSaid } from './kinds.js';
import { labelMarksOf, type LabelMark } from './label-marks.js';
import { wholeDatesOf } from './whole-dates.js';
import type { DayOrder } from './written-forms.js';
import { emptyColumn, makeVariable, type VariableOptions } from './make-variable.js';
import { areBits } from './rows-of-bits.js';
import { foundSums, type FoundRule } from './sum-of-all-rows.js';

type Optional<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

/** What can be said of columns instead of having it inferred. */
export interface TableOptions extends Optional<VariableOptions> {
  /** Kinds by column name. */
  readonly types?: Readonly<Record<string, Kind>> | undefined;
  /**
   * The column that says how much each row weighs, and is not learned. Of those who read splits alone.
   *
   * @default each row counts once
   */
  readonly weights?: string | undefined;
  /** Which of day and month comes first in dates as 03/04/2025. @default inferred from the column */
  readonly dates?: DayOrder | undefined;
  readonly onNote?: ((note: string) => void) | undefined;
  /** Called for what holds of all rows, and may be kept as a rule: `total = net + tax`. */
  readonly onRule?: ((found: FoundRule) => void) | undefined;
  /** Called for a column of numbers whose bins and counts come from a sample of its rows. */
  readonly onSampled?: ((column: string) => void) | undefined;
  /**
   * Called for a column of numbers that may mean something else than what is read: numbers of more digits than numbers
   * hold, of which several may be read as one, or a value that may mark a missing one.
   */
  readonly onDoubt?: ((column: string, warning: string) => void) | undefined;
  /**
   * Called with how many rows the training file has, before they are split, and as how many they stand where they are
   * weighed.
   */
  readonly checkRows?: ((rows: number, repeated: number) => void) | undefined;
}

/**
 * As many cut points as there are borders of bins: a number that follows another closely can be given only as finely as
 * it is cut (libs/families/tables/measured.md: 64 of them lose up to a nat a row).
 */
export const tableDefaults = { maxCategories: 255, bins: 256, cutPoints: 255 } as const satisfies VariableOptions;

/** A table that was looked through. */
export interface TableProfile {
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
  readonly kinds: readonly Inferred[];
}

/**
 * One pass over all rows: what kind each column is of.
 *
 * @param isWhole whether all rows train, so that nothing more has to be known of most columns
 * @throws DatasetError `column` for kinds of columns that are not there
 */
export async function profileTable(
  raw: RawTable,
  { types = {}, dates }: TableOptions,
  isWhole = true,
): Promise<TableProfile> {
  const ofFile = { where: raw.name, expected: 'a column of the file' };
  for (const name of Object.keys(types)) placeOfColumn(name, raw.columns, ofFile);
  // a column may be called "constructor"
  const said = raw.columns.map((name) => (Object.hasOwn(types, name) ? types[name] : undefined));
  const columns = said.map((kind, index) => {
    const labels = kind === 'categorical' || kind === 'binary' || 'unlessMany';
    const wanted: Wanted = { labels, numbers: true, sample: isWhole };
    return new ColumnProfile(raw.columns.length, index, null, wanted, raw.marks);
  });
  const isRead = (index: number): boolean => said[index] !== 'excluded' && raw.unreadable?.has(index) !== true;
  const rows = await fillProfiles(
    raw,
    columns.map((column, index) => (isRead(index) ? column : null)),
    null,
  );
  for (const column of columns) column.settleClocks();
  requireRows(rows, raw.name);
  const isTyped = raw.format !== 'csv' && raw.format !== 'libsvm';
  const judging = { where: raw.name, isStrict: raw.isStrict, isTyped, wordFor: raw.wordFor, dates };
  const kinds = columns.map((profile, index): Inferred => {
    const name = raw.columns[index]!;
    const kind = said[index];
    if (kind === 'excluded') return { kind, why: EXCLUDED };
    const unreadable = raw.unreadable?.get(index);
    if (unreadable !== undefined && raw.isStrict === true)
      throw new DatasetError('format', {
        got: unreadable,
        expected: 'one number, text, truth value or date in a cell',
        where: `${raw.name}, column ${quote(name)}`,
        remedy: 'Leave the column out when the file is written, or make columns of what is in it.',
      });
    if (unreadable !== undefined) return { kind: 'excluded', why: `its cells are ${unreadable}` };
    const judge = (): Inferred =>
      kind === undefined ? inferKind(profile, name, judging) : kindAsSaid(kind, profile, name, judging);
    const inferred = judge();
    const mayTakeLabels = kind !== 'binary' && (inferred.kind === 'binary' || inferred.kind === 'categorical');
    const marks = mayTakeLabels ? labelMarksOf(profile) : [];
    if (marks.length === 0) return inferred;
    for (const { text } of marks) profile.takeAsLabel(text);
    return withLabelMarks(judge(), marks, raw.wordFor);
  });
  return { rows, columns, kinds };
}

/** The same, which says what of it is a label and marks a missing value elsewhere. */
function withLabelMarks(inferred: Inferred, marks: readonly LabelMark[], wordFor: RawTable['wordFor']): Inferred {
  if (inferred.kind === 'excluded') return inferred;
  const otherwise = withWord(
    wordFor ?? noWord,
    'if they mark missing values, say so beside the other marks',
    'missing',
  );
  const said = marks.map(({ text, rows, missing }) => {
    const beside = missing === 0 ? '' : ` beside ${count(missing)} missing`;
    return `${counted(rows, 'cell')} ${quote(text)} ${rows === 1 ? 'is' : 'are'} a label${beside}`;
  });
  return { ...inferred, how: [...(inferred.how === undefined ? [] : [inferred.how]), ...said, otherwise].join('; ') };
}

/**
 * The variables of a table, from its training rows.
 *
 * @param splitOf 0 for each row that trains; null where all do, which spares a pass
 * @throws DatasetError `column` where nothing is left to learn
 */
export async function tableOf(
  raw: RawTable,
  profile: TableProfile,
  splitOf: Uint8Array | null,
  { onNote, onRule, onSampled, onDoubt, maxCategories, bins, cutPoints }: TableOptions,
): Promise<Table> {
  const hasFractions = (index: number): boolean => raw.fractions?.has(index) === true;
  const formats = profile.columns.map((column, index) => {
    const inferred = profile.kinds[index]!;
    const said = inferred.kind === 'excluded' ? undefined : inferred.format;
    return said ?? formatOf(column, hasFractions(index));
  });
  // numbers, dates and times in a form of the whole column are reported once it is known
  const forms = formats.map((format, index) =>
    (format.type !== 'number' || format.written !== undefined) && profile.kinds[index]!.kind === 'ordered'
      ? format
      : null,
  );
  const training = profile.columns.map((column, index) => {
    const { kind } = profile.kinds[index]!;
    if (kind === 'excluded' || (splitOf === null && forms[index] === null)) return column;
    // of few distinct numbers all are counted, and of few distinct labels there are few numbers
    const isFew = forms[index] === null ? column.ofNumbers.areAllCounted : !column.isBeyondCounting;
    const wanted = { labels: kind !== 'ordered', numbers: kind === 'ordered', sample: !isFew };
    return new ColumnProfile(raw.columns.length, index, forms[index], wanted, column.missingMarks);
  });
  const again = training.map((column, index) => (column === profile.columns[index] ? null : column));
  if (again.some((column) => column !== null)) await fillProfiles(raw, again, splitOf);
  const variables: Variable[] = [];
  const leftOut: LeftOut[] = [];
  const mended: MendedColumn[] = [];
  const sampled: string[] = [];
  const fineness: VariableOptions = { ...tableDefaults, ...definedOf({ maxCategories, bins, cutPoints }) };
  profile.kinds.forEach((inferred, index) => {
    const name = raw.columns[index]!;
    const column = training[index]!;
    if (inferred.kind === 'excluded') {
      const countsFrom =
        inferred.why === 'it counts the rows' ? [...profile.columns[index]!.ofNumbers.byNumber.keys()][0] : undefined;
      leftOut.push({ name, why: inferred.why, ...(countsFrom === undefined ? {} : { countsFrom }) });
    } else if (column.values === 0) leftOut.push(emptyColumn(name));
    else {
      const made = makeVariable(name, inferred.kind, column, formats[index]!, fineness, hasFractions(index));
      // where the file has missing values the split must not decide whether absence is a value
      const ofFile = profile.columns[index]!;
      const isMissing = ofFile.holes > 0 || inferred.hasMissing === true;
      variables.push({ ...made, holes: Math.max(made.holes, isMissing ? 1 : 0) });
      if (inferred.how !== undefined) {
        mended.push({ name, how: inferred.how });
        onNote?.(`of ${quote(name)} ${inferred.how}`);
      }
      for (const doubt of doubtsOf(made, ofFile, column.ofNumbers, raw)) {
        onDoubt?.(name, doubt);
        onNote?.(`of ${quote(name)} ${doubt}`);
      }
      if (column.ofNumbers.isSampled && !column.ofNumbers.areAllCounted && inferred.kind === 'ordered') {
        onSampled?.(name);
        sampled.push(name);
      }
    }
  });
  if (sampled.length > 0) onNote?.(`the bins of ${listNames(sampled)} are those of a sample of the rows`);
  if (variables.length === 0)
    throw new DatasetError('column', {
      got: leftOut.map(({ name, why }) => `${quote(name)}: ${why}`).join('; '),
      expected: 'a column to learn',
      where: raw.name,
      remedy: `${withWord(raw.wordFor ?? noWord, 'Say what a column is', 'types')}, or give another file.`,
    });
  // rows of bits have no room for a third value
  const known = areBits(variables) ? variables : variables.map(withOther);
  const remarks = mended.length === 0 ? {} : { mended };
  const compared = await comparedColumns(raw, known, { rows: profile.rows, splitOf });
  const equalities = findEqualities(compared);
  const sums = findSums(compared);
  for (const found of foundSums(compared, sums)) onRule?.(found);
  return {
    variables: known,
    leftOut,
    columns: [...raw.columns],
    missing: '',
    ...(raw.saidMarks && { marks: raw.saidMarks }),
    ...remarks,
    ...(equalities.length > 0 && { equalities }),
    ...(sums.length > 0 && { sums }),
  };
}

/** Two labels with a code for all that training never saw. */
function withOther(variable: Variable): Variable {
  return variable.kind === 'binary' ? { ...variable, others: 0 } : variable;
}

/** One pass, in which those columns are looked through that have a profile to fill. @returns the rows of the file */
async function fillProfiles(
  raw: RawTable,
  profiles: readonly (ColumnProfile | null)[],
  splitOf: Uint8Array | null,
): Promise<number> {
  const needed = new Set(profiles.flatMap((profile, index) => (profile === null ? [] : [index])));
  let first = 0;
  for await (const { rows, columns } of raw.batches(needed)) {
    profiles.forEach((profile, index) => {
      if (profile === null) return;
      profile.addColumn(columns[index]!, rows, splitOf, first);
    });
    first += rows;
  }
  for (const profile of profiles) profile?.end();
  return first;
}

/** @param hasFractions by the type of the column, of which whole numbers are written as 3.0 too */
function formatOf(profile: ColumnProfile, hasFractions: boolean): OrderedFormat {
  const { ofMoments, ofNumbers } = profile;
  if (ofMoments.format !== null && ofMoments.rows > ofNumbers.rows) return ofMoments.formatOfColumn!;
  const { mostDecimals, leastDecimals, places } = ofNumbers;
  const decimals = hasFractions ? Math.max(1, mostDecimals) : mostDecimals;
  return { type: 'number', decimals, places, padded: leastDecimals === mostDecimals };
}

/** What may be meant otherwise than it is read. */
function doubtsOf(
  variable: Variable,
  ofFile: ColumnProfile,
  numbers: ColumnProfile['ofNumbers'],
  raw: RawTable,
): string[] {
  if (variable.kind !== 'ordered') return [];
  const { wordFor = noWord } = raw;
  const written = (value: number): string => writeValue(value, variable.format);
  const doubts: string[] = [];
  const rounded = ofFile.firstRounded;
  if (rounded !== null) {
    const remedy = withWord(wordFor, 'say that the column is categorical', 'types');
    const example = `${rounded.text} to ${written(rounded.number)}`;
    const cells = counted(ofFile.rounded, 'cell has', 'cells have');
    doubts.push(
      `${cells} more digits than numbers hold and ${ofFile.rounded === 1 ? 'is' : 'are'} rounded, as ${example}; if they are names, ${remedy}`,
    );
  }
  const whole = variable.format.type === 'number' ? wholeDatesOf(ofFile, variable.name) : null;
  if (whole !== null && whole.misfits > 0) {
    const remedy = withWord(wordFor, 'if it marks a missing value, say so beside the other marks', 'missing');
    const are = counted(whole.misfits, 'cell is', 'cells are');
    const misfit = `${are} no ${whole.one} as ${whole.example} is, as ${whole.misfit}`;
    doubts.push(`${misfit}: numbers, and no ${whole.many}, are read; ${remedy}`);
  }
  const notRead = variable.format.type === 'number' ? datesNotRead(ofFile, variable.name) : null;
  if (notRead !== null) {
    const { example, what, means } = notRead;
    doubts.push(`whole numbers as ${example} are read as numbers; if they are ${what}, write them as ${means}`);
  }
  if (mayBeThousands(variable, raw)) {
    const [example] = ofFile.labels.keys();
    const remedy = withWord(wordFor, 'say that the decimal mark is a comma', 'decimal');
    doubts.push(`${example} is read with a decimal point; if it stands between thousands, ${remedy}`);
  }
  const far = farValueOf(numbers, variable.format);
  if (far !== null) {
    const others = far.others.map(written).join(' to ');
    const remedy = withWord(wordFor, 'say so beside the other marks', 'missing');
    doubts.push(`${written(far.value)} is far from all others, ${others}; if it marks a missing value, ${remedy}`);
  }
  return doubts;
}

/**
 * Whether every number is as 9.845 is, in a text between whose cells semicolons stand: where they do, commas are mostly
 * before decimals, and points between thousands.
 */
function mayBeThousands({ format, range }: OrderedVariable, { written }: RawTable): boolean {
  if (written?.delimiter !== ';' || format.type !== 'number' || format.written !== undefined) return false;
  const [least, most] = range;
  const sizes = least >= 1 || most <= -1;
  return format.decimals === 3 && format.padded && sizes && least > -1000 && most < 1000;
}

/** Without what is undefined, which would replace defaults. */
function definedOf(options: Optional<VariableOptions>): Partial<VariableOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
