import type { DateFormat, OrderedFormat } from '@orchard/contracts';
import { powerOfTen } from '@orchard/numerics';
import { dateFromText } from '../variables/date-format.js';
import { isOfMonths } from '../variables/written-date.js';

/** Half of the dates of a column lie within so many years: part numbers as 12-26-7763 do not. */
const MOST_YEARS_APART = 400;
const FEWEST_DATES = 4;

/** The distinct texts of a column with the rows of each. */
type Labels = ReadonlyMap<string, number>;

/**
 * Whether the texts of a column can be dates that are written so: half of the distinct ones are of years that are not
 * far apart, and where years have two digits behind or before dashes, fewer years than days of the month come up, since
 * either may stand in front. A few years far from the others, as 9999 for no end, are no objection.
 */
export function areLikelyDates(labels: Labels, format: OrderedFormat): boolean {
  if (format.type !== 'date') return true;
  if (yearsFarApart(labels, format) !== null) return false;
  const { written } = format;
  if (written?.shortYear !== true || written.separator !== '-' || written.month !== 'number') return true;
  const days = daysOf(labels, format);
  const distinct = (part: (day: Date) => number): number => new Set(days.map(part)).size;
  return distinct((day) => day.getUTCFullYear()) < distinct((day) => day.getUTCDate());
}

/**
 * The years between which half of the dates lie, a quarter before and a quarter behind them, where these are too far
 * apart; null where they are not.
 */
export function yearsFarApart(labels: Labels, format: OrderedFormat): readonly [number, number] | null {
  if (format.type !== 'date') return null;
  const years = daysOf(labels, format)
    .map((day) => day.getUTCFullYear())
    .sort((one, other) => one - other);
  if (years.length < FEWEST_DATES) return null;
  const middle = [years[Math.floor(years.length / 4)]!, years[Math.ceil((3 * years.length) / 4) - 1]!] as const;
  return middle[1] - middle[0] > MOST_YEARS_APART ? middle : null;
}

function daysOf(labels: Labels, format: DateFormat): readonly Date[] {
  const scale = powerOfTen(format.time?.digits ?? 0);
  return [...labels.keys()].flatMap((text) => {
    const number = dateFromText(text, format);
    if (Number.isNaN(number)) return [];
    if (format.time !== null) return [new Date((number / scale) * 1000)];
    return [isOfMonths(format.written) ? new Date(Date.UTC(1970, number)) : new Date(number * 86_400_000)];
  });
}
