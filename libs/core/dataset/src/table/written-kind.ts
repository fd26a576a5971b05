import type { OrderedFormat } from '@orchard/contracts';
import { counted } from '@orchard/refusal';
import { DatasetError, quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import type { ColumnProfile } from './column-profile.js';
import { FEW_DISTINCT } from './few-labels.js';
import { formOfColumn } from './form-of-column.js';
import type { Inferred, Judging } from './inferred.js';
import { correctOrSay } from './kind-refusals.js';
import { areLikelyDates } from './likely-dates.js';
import { marksAre, marksIn } from './marks-of-column.js';
import { misfitsAre } from './misfits-of-column.js';

/**
 * Plain numbers of which the few largest have thousands, or the few below 0 brackets: null of any others. They would be
 * missing, and they are the ones that count.
 */
export function withThousands(profile: ColumnProfile, judging: Judging): Inferred | null {
  const format = profile.written.most(judging.dates)?.form.format;
  if (format?.type !== 'number' || format.written === undefined) return null;
  const { prefix, suffix } = format.written;
  return prefix === '' && suffix === '' ? inWrittenForm(profile, judging) : null;
}

/**
 * Numbers and dates as people write them, `$1,046.75`, `4.8%`, `03/04/2025`: null where nine in ten cells are not
 * written in one such way, plain numbers among them, or where only labels fit (few distinct ones, of which some are not
 * numbers).
 *
 * @param isSaid whether the column was said to be ordered: then dates need not be likely
 * @throws DatasetError where it is strict and cells are not written so
 */
export function inWrittenForm(
  profile: ColumnProfile,
  { isStrict, where, wordFor = noWord, dates }: Judging,
  isSaid = false,
): Inferred | null {
  const { labels } = profile;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const distinct = profile.distinct - marks.distinct;
  const found = profile.written.most(dates, ({ format }) => isSaid || areLikelyDates(labels, format));
  if (found === null) return null;
  const { form, isEither } = found;
  const { format, fitting, bare, misfit } = formOfColumn(profile, form);
  const misfits = values - fitting;
  if (misfits > 0 && (fitting * 10 <= values * 9 || distinct <= FEW_DISTINCT)) return null;
  const what = format.type === 'number' ? 'numbers' : 'dates';
  if (misfits > 0 && isStrict === true)
    throw new DatasetError('value', {
      got: `${misfits} of ${values} cells that are not written as ${quote(form.example)}`,
      expected: `${what} written alike, or labels`,
      where,
      remedy: correctOrSay(wordFor),
    });
  const otherOrder = format.type === 'date' && format.written?.order === 'dmy' ? 'mdy' : 'dmy';
  const other = withWord(wordFor, `if day and month are the other way round, say ${otherOrder}`, 'dates');
  const parts = [
    `${what} as ${quote(form.example)} are read as ${form.means}${isEither && dates === undefined ? `; ${other}` : ''}`,
    ...(bare > 0 ? [bareAre(profile, bare, format)] : []),
    ...(misfits > 0 ? [misfitsAre(misfits, what, misfit === null ? '' : `, as ${quote(misfit)}`)] : []),
    ...marksAre(marks),
  ];
  return { kind: 'ordered', format, how: parts.join('; '), ...(misfits + marks.rows > 0 && { hasMissing: true }) };
}

/** Numbers without the signs that others have; where they may be shares of 1 beside per cents, it is said. */
function bareAre({ ofNumbers }: ColumnProfile, bare: number, format: OrderedFormat): string {
  const { prefix, suffix } = (format.type === 'number' ? format.written : undefined) ?? { prefix: '', suffix: '' };
  const sign = `${prefix}${suffix}`.trim();
  const cells = counted(bare, 'cell has', 'cells have');
  const alike = `${cells} no ${quote(sign)} and ${bare === 1 ? 'is' : 'are'} read as if ${bare === 1 ? 'it' : 'they'} had it`;
  const numbers = ofNumbers.byNumber;
  const fraction = [...numbers.keys()].find((number) => !Number.isInteger(number));
  const areShares = fraction !== undefined && [...numbers.keys()].every((number) => Math.abs(number) <= 1);
  if (!(sign === '%' || sign === '‰') || !areShares) return alike;
  const whole = Number((fraction * (sign === '%' ? 100 : 1000)).toPrecision(12));
  return `${alike}: ${fraction} is ${fraction}${suffix}; if it means ${whole}${suffix}, write all cells alike`;
}
