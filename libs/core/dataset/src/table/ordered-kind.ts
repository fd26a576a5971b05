import type { MomentFormat } from '@orchard/contracts';
import { quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import { isMarkAmongNumbers } from '../variables/marks-among-numbers.js';
import { clocksAre, momentFormatOfColumn } from './clocks-of-column.js';
import type { ColumnProfile } from './column-profile.js';
import type { Inferred, Judging } from './inferred.js';
import { oddMoment, wordAmongNumbers } from './kind-refusals.js';
import { mergedInForce } from './labels-of-numbers.js';
import { marksAre, marksIn, type Marks } from './marks-of-column.js';
import { misfitsAre, momentWord } from './misfits-of-column.js';
import type { WholeDates } from './whole-dates.js';

/** Whole numbers that are all dates or times of day. */
export function wholeDates(whole: WholeDates, marks: Marks, { wordFor = noWord }: Judging): Inferred {
  const { format, many, example, means } = whole;
  const otherwise = withWord(wordFor, 'if they are plain numbers, say that the column is ordered', 'types');
  const how = [`${many} as ${quote(example)} are read as ${means}; ${otherwise}`, ...marksAre(marks)].join('; ');
  return { kind: 'ordered', format, how, ...(marks.rows > 0 && { hasMissing: true }) };
}

/**
 * Numbers, dates or times, of which some cells may be none.
 *
 * @throws DatasetError where it is strict, and where the name of the column is one of them
 */
export function ordered(profile: ColumnProfile, name: string, judging: Judging): Inferred {
  const { numbers, moments, firstWord } = profile;
  const { firstOther, firstOtherZone } = profile.ofMoments;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const areMoments = moments > numbers;
  const misfits = values - (areMoments ? moments : numbers);
  const isOdd = misfits > 0 || (areMoments && firstOtherZone !== null);
  if (isOdd && (firstWord?.text === name || judging.isStrict === true))
    throw areMoments ? oddMoment(profile, name, judging) : wordAmongNumbers(profile, name, judging);
  const first = areMoments ? firstOther : firstWord;
  const such = first === null || isMarkAmongNumbers(first.text) ? '' : `, as ${quote(first.text)} in row ${first.row}`;
  const merged = areMoments ? null : mergedInForce(profile, judging);
  const parts = [
    ...(merged === null ? [] : [merged]),
    ...(misfits > 0 ? [misfitsAre(misfits, areMoments ? momentWord(profile) : 'numbers', such)] : []),
    ...marksAre(marks),
    ...(areMoments && firstOtherZone !== null ? ['times in several zones are read, and written, as UTC'] : []),
    ...(areMoments && hasNanoseconds(profile.ofMoments.format) ? [TO_THE_MICROSECOND] : []),
    ...(areMoments ? clocksAre(profile, name) : []),
  ];
  const format = areMoments ? momentFormatOfColumn(profile, name) : null;
  const hasMissing = misfits + marks.rows > 0;
  return {
    kind: 'ordered',
    ...(format !== null && { format }),
    ...(parts.length > 0 && { how: parts.join('; ') }),
    ...(hasMissing && { hasMissing }),
  };
}

const TO_THE_MICROSECOND = 'nanoseconds are read, and written, to the microsecond';

function hasNanoseconds(format: MomentFormat | null): boolean {
  if (format === null || format.type === 'duration') return false;
  return ((format.type === 'date' ? format.time : format)?.fraction?.zeros ?? 0) > 0;
}
