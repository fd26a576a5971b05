import type { MomentFormat, WholeNumber } from '@orchard/contracts';
import { log } from '@orchard/numerics';
import { isMarkAmongNumbers } from '../variables/marks-among-numbers.js';
import { momentFromText, writeMoment } from '../variables/moment-format.js';
import type { ColumnProfile } from './column-profile.js';

/** Numbers of a column that are dates or times of day: 20250403, 202504, 1745. */
export interface WholeDates {
  readonly format: MomentFormat;
  /** What they are, one and many: `day`, `dates`. */
  readonly one: string;
  readonly many: string;
  /** A number, and what it means. */
  readonly example: string;
  readonly means: string;
  /** Cells that are none, and the first of them; null where every one is a date. */
  readonly misfits: number;
  readonly misfit: string | null;
}

/** Distinct numbers, and how often each is there. */
type Counts = readonly (readonly [text: string, rows: number])[];

interface Kind {
  readonly one: string;
  readonly many: string;
  formatOf(whole: WholeNumber, isPadded: boolean): MomentFormat;
  /** Whether a text of digits alone is of the kind. */
  has(digits: string): boolean;
  /** Whether so many that are of the kind are so by no accident. */
  isSure(digits: readonly string[], name: string): boolean;
}

/** Numbers of which some are no dates are reported where so many are. */
const MOSTLY = 0.9;
const LEAST_DAY = 17_000_101;
const WHOLE = /^(\d{1,8})(\.0)?$/;

/**
 * What the numbers of a column are where nearly all are days as YYYYMMDD, months as YYYYMM or times of day as HHMM, by
 * what hardly any other numbers keep to: the calendar, and minutes below 60. Null of any others.
 */
export function wholeDatesOf(profile: ColumnProfile, name: string): WholeDates | null {
  const counts = countsOf(profile);
  if (counts === null) return null;
  const rows = counts.reduce((sum, [, count]) => sum + count, 0);
  const isPoint = counts.every(([text]) => text.endsWith('.0'));
  const cells = counts.map(([text, count]) => ({ text, digits: WHOLE.exec(text)?.[1] ?? '', count }));
  for (const kind of KINDS) {
    const own = cells.filter(({ digits, text }) => kind.has(digits) && text.endsWith('.0') === isPoint);
    const fitting = own.reduce((sum, { count }) => sum + count, 0);
    if (
      fitting < MOSTLY * rows ||
      !kind.isSure(
        own.map(({ digits }) => digits),
        name,
      )
    )
      continue;
    const isPadded = own.some(({ digits }) => digits.length > 1 && digits.startsWith('0'));
    if (isPadded && own.some(({ digits }) => digits.length !== own[0]!.digits.length)) continue;
    const format = kind.formatOf(isPoint ? 'point' : 'digits', isPadded);
    const { one, many } = kind;
    const example = own[0]!.text;
    const misfit = cells.find((cell) => !own.includes(cell))?.text ?? null;
    return { format, one, many, example, means: meaningOf(example, format), misfits: rows - fitting, misfit };
  }
  return null;
}

function countsOf(profile: ColumnProfile): Counts | null {
  const { ofNumbers, values, numbers, codes } = profile;
  if (ofNumbers.places > 0) return null;
  if (!profile.isBeyondCounting) {
    const counts = [...profile.labels].filter(([text]) => !isMarkAmongNumbers(text));
    return counts.reduce((sum, [, rows]) => sum + rows, 0) === numbers + codes ? counts : null;
  }
  if (numbers !== values) return null;
  // of so many only days are as many, and numbers are kept of all of them or of a sample
  if (codes > 0 || ofNumbers.mostDecimals > 1) return null;
  const sorted = ofNumbers.sorted();
  if (!(sorted[0]! >= LEAST_DAY)) return null;
  const suffix = ofNumbers.leastDecimals === 1 ? '.0' : '';
  return Array.from(sorted, (number) => [`${number}${suffix}`, 1]);
}

/** As people read it: 2025-04-03, 2025-04, 17:45. */
function meaningOf(text: string, format: MomentFormat): string {
  const value = momentFromText(text, format);
  if (format.type === 'time') return writeMoment(value, { type: 'time', seconds: false, digits: 0 });
  const { order } = (format.type === 'date' ? format.written : undefined) ?? { order: 'ymd' };
  const written = { order, separator: '-', month: 'number', padded: true } as const;
  return writeMoment(value, { type: 'date', time: null, ...(order === 'ym' && { written }) });
}

/** The usual mark of a date that is not to come. */
const NO_END = '99991231';
const isDay = (digits: string): boolean => {
  const year = Number(digits.slice(0, 4));
  const isNear = digits.length === 8 && ((year >= 1700 && year < 2200) || digits === NO_END);
  return isNear && !Number.isNaN(momentFromText(digits, DAYS.formatOf('digits', true)));
};

const DAYS: Kind = {
  one: 'day',
  many: 'dates',
  formatOf: (whole) => dates('ymd', whole),
  has: isDay,
  // one in 30 numbers of eight digits is a day of these years
  isSure: (digits) => new Set(digits).size >= 3 && new Set(digits.map((day) => day.slice(0, 6))).size >= 2,
};

const MONTHS: Kind = {
  one: 'month',
  many: 'months',
  formatOf: (whole) => dates('ym', whole),
  has: (digits) => {
    const [year, month] = [Number(digits.slice(0, 4)), Number(digits.slice(4))];
    return digits.length === 6 && year >= 1800 && year < 2100 && month >= 1 && month <= 12;
  },
  // one in eight numbers is a month of some year: of few they may be, and of one year alone numbers are as good
  isSure: (digits) => new Set(digits).size >= 5 && new Set(digits.map((month) => month.slice(0, 4))).size >= 2,
};

function dates(order: 'ymd' | 'ym', whole: WholeNumber): MomentFormat {
  return { type: 'date', time: null, written: { order, separator: '', month: 'number', padded: true, whole } };
}

/** How columns of times are called. */
const NAMES_OF_TIMES = /time|hour|hhmm|hrmn|clock|uhr|zeit|heure|hora|dep|arr|start|end|open|clos|sched/i;
const LEAST_LIKELY = 1e-4;
const LEAST_HOURS = 5;

const TIMES: Kind = {
  one: 'time of day',
  many: 'times of day',
  formatOf: (whole, isPadded) => ({
    type: 'time',
    seconds: false,
    digits: 0,
    clock: { padded: isPadded, morning: '', whole },
  }),
  has: (digits) => digits.length > 0 && digits.length <= 4 && Number(digits) < 2400 && Number(digits) % 100 < 60,
  isSure: (digits, name) => {
    const numbers = [...new Set(digits.map(Number))];
    const latest = numbers.reduce((most, number) => Math.max(most, number), 0);
    const lastHour = Math.floor(latest / 100);
    const minutes = numbers.map((number) => number % 100);
    // below the last hour, numbers of any other kind would come between 60 and 99 too, on their own grid
    const below = numbers.filter((number) => Math.floor(number / 100) < lastHour);
    const grid = numbers.reduce(greatestCommonDivisor, 100);
    const shareBelow60 = Math.ceil(60 / grid) / (100 / grid);
    const isHardlyChance = below.length * log(shareBelow60) < log(LEAST_LIKELY);
    const hours = new Set(below.map((number) => Math.floor(number / 100))).size;
    // rooms 101 to 130 of each floor, and dozens of codes, keep to few numbers of a hundred
    const isUpToTheHour = minutes.some((minute) => minute >= 55) || NAMES_OF_TIMES.test(name);
    return latest >= 1000 && hours >= LEAST_HOURS && isHardlyChance && isUpToTheHour;
  },
};

const KINDS: readonly Kind[] = [DAYS, MONTHS, TIMES];

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
