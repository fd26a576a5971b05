/**
 * What the columns of a table are, and how their values become codes and bits. Plain JSON: it travels in a data set, in
 * what is known of it, and in model files. `@orchard/dataset` checks it and works with it.
 */

/** Two labels, with the codes 0 and 1. */
export interface BinaryVariable {
  readonly kind: 'binary';
  readonly name: string;
  /** Training rows without a value. With any, absence is a value of the variable: its last code. */
  readonly holes: number;
  readonly labels: readonly [string, string];
  /** Training rows of each label. */
  readonly counts: readonly [number, number];
  /**
   * With it, a code behind the labels, "(other)", stands for all that training never saw. Absent of columns of 0 and 1,
   * and of older files.
   */
  readonly others?: 0;
}

/** Labels, the most frequent first, then "(other)" for all that training never saw, or too rarely. */
export interface CategoricalVariable {
  readonly kind: 'categorical';
  readonly name: string;
  readonly holes: number;
  readonly labels: readonly string[];
  readonly counts: readonly number[];
  /** Training rows with labels beyond the most that are distinguished: only with any is "(other)" ever sampled. */
  readonly others: number;
  /**
   * How many labels those rows have, or at most have; absent where there are none, and of older files. Each, and any
   * label that training never saw, has one of as many equal shares of the probability of "(other)", and one more.
   */
  readonly otherLabels?: number;
}

/**
 * How numbers are written: `decimals` digits behind the point; where not padded, zeros at the end are left out. Values
 * need `places` of them: `130.0`, as pandas writes whole numbers of a column with missing values, has one decimal and
 * no place.
 */
export interface NumberFormat {
  readonly type: 'number';
  readonly decimals: number;
  readonly places: number;
  readonly padded: boolean;
  /** What stands around and between the digits, as of `$1,046.75` and `1.046,75 €`. Absent where nothing does. */
  readonly written?: {
    readonly prefix: string;
    readonly suffix: string;
    /** Between thousands; '' for nothing. */
    readonly thousands: string;
    readonly point: '.' | ',';
    /** Numbers below 0 stand in brackets instead of behind a minus, as accounts have them: `($64.49)`. */
    readonly bracketed?: true;
  };
}

/** How clocks are written that are not as `08:30`: `8:30`, `8:30 PM`, `830`. */
export interface WrittenClock {
  /** Whether hours of one digit have a zero before them. */
  readonly padded: boolean;
  /** What stands behind times before noon, as ` AM`: those after noon have a P. '' where hours are counted to 24. */
  readonly morning: '' | 'AM' | 'am' | ' AM' | ' am';
  /** Hours and minutes are one whole number: `930`, or `0930` where padded, and `5` for five past midnight. */
  readonly whole?: WholeNumber;
}

/** As digits alone, or with `.0` behind them, as pandas writes whole numbers of a column with missing values. */
export type WholeNumber = 'digits' | 'point';

/** How parts of seconds are written that are not as `.123`. */
export interface WrittenFraction {
  /** A comma stands before them, as Python's logs have it: `08:30:00,123`. */
  readonly comma?: true;
  /** Zeros behind the digits that count: of nanoseconds, which are read to the microsecond, there are 3. */
  readonly zeros?: number;
}

/**
 * Dates count days since 1970-01-01, or months since 1970-01 where they have no day; times count 10^-digits seconds
 * since then, on the clock that they are written by.
 */
export interface DateFormat {
  readonly type: 'date';
  readonly time: {
    readonly separator: 'T' | ' ';
    readonly seconds: boolean;
    /** Behind the point of the seconds, 0 to 6. */
    readonly digits: number;
    /** `Z`, `+01:00`, ` UTC` or nothing. */
    readonly zone: string;
    readonly clock?: WrittenClock;
    readonly fraction?: WrittenFraction;
  } | null;
  /** How the day is written, as `03/04/2025`, `3 Apr 2025` or `20250403`. Absent where it is as `2025-04-03`. */
  readonly written?: {
    /** Without a day where a date is a month: `Apr 2025`, `2025-04`. */
    readonly order: 'dmy' | 'mdy' | 'ymd' | 'my' | 'ym';
    /** Between day, month and year; '' where they follow each other. */
    readonly separator: string;
    readonly month: 'number' | 'short' | 'long';
    /** Whether days and months of one digit have a zero before them. */
    readonly padded: boolean;
    /** Years have two digits, from 1969 to 2068, as POSIX reads them. Absent where they have four. */
    readonly shortYear?: true;
    /** Months by name are written as `APR` or `apr`. Absent where they are as `Apr`. */
    readonly letters?: 'upper' | 'lower';
    /** The date is one whole number: `20250403`, `202504`. */
    readonly whole?: WholeNumber;
  };
  /**
   * Days are written as their midnights, with this behind each: `T00:00:00`, ` 0:00`. There is no `time` then. Absent
   * where days stand alone.
   */
  readonly midnight?: string;
}

/** Times of day count 10^-digits seconds since midnight; they have no zone. */
export interface TimeFormat {
  readonly type: 'time';
  readonly seconds: boolean;
  /** Behind the point of the seconds, 0 to 6. */
  readonly digits: number;
  readonly clock?: WrittenClock;
  readonly fraction?: WrittenFraction;
}

/** Lengths of time count 10^-digits seconds. */
export interface DurationFormat {
  readonly type: 'duration';
  /** Behind the point of the seconds, 0 to 9. */
  readonly digits: number;
  /** They are written as clocks that go on beyond 24: `31:15:00`. Absent where as pandas does: `1 days 07:15:00`. */
  readonly clock?: {
    readonly seconds: boolean;
    /** Whether hours of one digit have a zero before them. */
    readonly padded: boolean;
  };
}

/** How something of time is written: when it is, or how long it takes. */
export type MomentFormat = DateFormat | TimeFormat | DurationFormat;

/** How the values of an ordered variable are written. */
export type OrderedFormat = NumberFormat | MomentFormat;

/** Values that are much heavier than their neighbours, ascending, with masses of their own. */
export interface Atoms {
  readonly values: readonly number[];
  /** Training rows of each. */
  readonly counts: readonly number[];
}

/**
 * How values lie within the cells of a density: uniformly in each piece. `borders` are ascending and hold all edges
 * between cells; piece i lies between `borders[i]` and `borders[i + 1]` and has its weight's share of its cell. Of an
 * outermost cell, what lies beyond its last border is an exponential tail of `beyond` training rows' weight.
 */
export interface Pieces {
  readonly borders: readonly number[];
  readonly weights: readonly number[];
  readonly beyond: readonly [number, number];
}

/**
 * What values of a column keep to that is coarser than how they are written: all are `first` plus a multiple of `step`.
 * Both are whole numbers of the last digit that values need, `places` behind the point; of dates, times and durations
 * as values count them.
 */
export interface ValueGrid {
  /** At least 2. */
  readonly step: number;
  /** From 0 to below `step`. */
  readonly first: number;
}

/**
 * Numbers, dates, times of day or durations in their order, in cells: cell i lies between `edges[i - 1]` and
 * `edges[i]`; the first and the last have no end. A cell that stands for one value alone has it in `values`, the
 * others null.
 *
 * With measure `mass` every cell is one value. Numbers between and beyond them are read as the nearest value; in older
 * files, and in data sets that older releases stored, a code behind them, "other", stands for all of these.
 * With `density` the cells cover the line: inner ones are uniform, the outermost fall off exponentially, where no
 * pieces say otherwise. Atoms are points beside the cells: their codes stand behind those of the cells, and their rows
 * are in no cell.
 */
export interface OrderedVariable {
  readonly kind: 'ordered';
  readonly name: string;
  readonly holes: number;
  readonly format: OrderedFormat;
  readonly measure: 'mass' | 'density';
  readonly edges: readonly number[];
  readonly values: readonly (number | null)[];
  /** Training rows of each cell. */
  readonly counts: readonly number[];
  /** Scales of the outermost cells; null with masses. */
  readonly tails: readonly [number, number] | null;
  /** The least and the greatest value of the training rows. */
  readonly range: readonly [number, number];
  /** Ascending codes from 1 on: other variables may split on "the code is at least this". */
  readonly cuts: readonly number[];
  /** Of a density; absent where no value is an atom, and of older files. */
  readonly atoms?: Atoms;
  /** Of a density; absent of older files. */
  readonly pieces?: Pieces;
  /**
   * Of a density with pieces: values are not drawn below the first nor above the second; null where nothing is known.
   * Absent where neither is.
   */
  readonly bounds?: readonly [number | null, number | null];
  /** Of a density: what values that are drawn keep to. Absent where nothing is known, and of older files. */
  readonly grid?: ValueGrid;
  /**
   * Of masses, how likely values between and beyond them are among all that training never had; absent of older files,
   * which have them all alike.
   */
  readonly beyond?: 'geometric';
}

export type Variable = BinaryVariable | CategoricalVariable | OrderedVariable;

/** A column of the file that is not part of the model. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
  /** Where the column counts the rows, its first number: sampled rows are counted alike. */
  readonly countsFrom?: number;
}

/** A column of which not every cell is read as it stands: what was made of it. */
export interface MendedColumn {
  readonly name: string;
  readonly how: string;
}

/**
 * Two measurements that have one value in more rows than chance explains. Where their cells overlap, they are one
 * value with the probability `share`, which lies in the overlap as values of `one` do; otherwise each lies in its cell
 * by itself. Both have densities with pieces and the same format; no column is in two equalities.
 */
export interface Equality {
  /** The variable that stands first. */
  readonly one: string;
  readonly other: string;
  /** Above 0, below 1. */
  readonly share: number;
}

/**
 * A measurement that is near the sum of two others in many rows: a bill before, what was paid, the next bill. Of an
 * ordering, whichever of the three comes last may be split on what the other two say of it: the sum of the parts, or
 * the total less the other part. All three have densities with pieces and the same format.
 */
export interface ColumnSum {
  readonly total: string;
  readonly parts: readonly [string, string];
}

/** A rule that holds of every row, as it was said at training. */
export interface KeptRule {
  /** `start <= end`, as `--rule` takes it. */
  readonly words: string;
  /** Of `combination(...)`: the codes that its columns have together, in the order in which they are named. */
  readonly combinations?: readonly (readonly number[])[];
}

/** What the bits of a table's rows mean. */
export interface Table {
  /** In stored order: the codes of a row stand in this order, each in as few bits as it takes. */
  readonly variables: readonly Variable[];
  /** In the order of the file. */
  readonly leftOut: readonly LeftOut[];
  /** All columns of the file by name, in its order: those of variables and those that were left out. */
  readonly columns: readonly string[];
  /** What marks a missing value where a row is written. */
  readonly missing: string;
  /** Cells that were said to mark a missing value: those of later files do so too. Absent where nothing was said. */
  readonly marks?: readonly string[];
  /** Absent where every cell of every column is read as it stands. */
  readonly mended?: readonly MendedColumn[];
  /** Absent where no two columns are equal more often than by chance, and of older files. */
  readonly equalities?: readonly Equality[];
  /** Absent where no column follows two others by a sum, and of older files. */
  readonly sums?: readonly ColumnSum[];
  /** Absent where training was given none. */
  readonly rules?: readonly KeptRule[];
}
