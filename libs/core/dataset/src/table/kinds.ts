import { DatasetError, quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import type { ColumnProfile } from './column-profile.js';
import { doubtsOfLabels } from './doubtful-labels.js';
import { ALWAYS_LABELS, FEW_DISTINCT } from './few-labels.js';
import type { Inferred, Judging, Kind } from './inferred.js';
import { correctOrSay, oddMoment } from './kind-refusals.js';
import { labelsOfNumbers } from './labels-of-numbers.js';
import { areLikelyDates } from './likely-dates.js';
import { marksIn } from './marks-of-column.js';
import { ordered, wholeDates } from './ordered-kind.js';
import { wholeDatesOf } from './whole-dates.js';
import { whyDistinct, whyUnlikely } from './why-left-out.js';
import { inWrittenForm, withThousands } from './written-kind.js';

/** Fewer rows may count up by chance. */
const COUNTING_ROWS = 3;
/** Fewer rows may rise by chance. */
const RISING_ROWS = 10;
/** How columns are called that number rows. */
const IDENTIFIERS = [/(?:^|[^a-z])(?:id|key|index|idx|no|nr|number|row)$/i, /[a-z]I[dD]$/, /^id(?:[^a-z]|$)/i];

/**
 * The kind of a column from all that is in it:
 *
 * | the cells are                                          | kind        |
 * |--------------------------------------------------------|-------------|
 * | missing values alone                                   | excluded    |
 * | whole numbers that are all days, months or times of day | ordered    |
 * | whole numbers that count the rows                      | excluded    |
 * | whole numbers that rise from row to row, called an id  | excluded    |
 * | two distinct values                                    | binary      |
 * | numbers, dates in one format, times of day in one format, or durations | ordered |
 * | ... in more than nine of ten of more than 20 distinct  | ordered, the others missing |
 * | digits, some of which begin with a zero                | categorical |
 * | texts of which more than half are distinct             | excluded    |
 * | other texts                                            | categorical |
 *
 * @throws DatasetError `header` where the names of the columns come again; where it is strict, `value` for cells that
 *   do not fit
 */
export function inferKind(profile: ColumnProfile, name: string, judging: Judging): Inferred {
  if (profile.values === 0) return { kind: 'excluded', why: 'it has no values' };
  const { numbers, isBeyondCounting } = profile;
  const marks = marksIn(profile);
  const values = profile.values - marks.rows;
  const distinct = profile.distinct - marks.distinct;
  const isNumeric = numbers === values && values > 0;
  const { format } = profile.ofMoments;
  const moments = format !== null && areLikelyDates(profile.labels, format) ? profile.moments : 0;
  const areMoments = moments === values && values > 0;
  if (isNumeric && distinct > 2) {
    const asLabels = labelsOfNumbers(profile, judging);
    if (asLabels !== null) return asLabels;
  }
  const whole = areMoments ? null : wholeDatesOf(profile, name);
  if (whole !== null && whole.misfits === 0 && distinct > 2) return wholeDates(whole, marks, judging);
  const areDistinct = profile.holes + marks.rows === 0 && (isBeyondCounting || distinct === values);
  if (isNumeric && !areMoments && profile.ofNumbers.isCounting && areDistinct && values >= COUNTING_ROWS)
    return { kind: 'excluded', why: 'it counts the rows' };
  if (
    isNumeric &&
    profile.ofNumbers.isRising &&
    areDistinct &&
    values >= RISING_ROWS &&
    IDENTIFIERS.some((pattern) => pattern.test(name))
  )
    return { kind: 'excluded', why: 'it numbers the rows: its numbers rise, and none comes twice' };
  if (profile.distinct === 2 && !isBeyondCounting) return { kind: 'binary', ...withDoubts(profile, judging) };
  if (isNumeric || areMoments) return ordered(profile, name, judging);
  const areCodes = profile.codes > 0 && numbers + profile.codes === values;
  const areMostlyNumbers = numbers * 10 > values * 9 && profile.ofNumbers.byNumber.size > FEW_DISTINCT;
  const areMostlyMoments = moments * 10 > values * 9 && distinct > FEW_DISTINCT;
  if (!areCodes && (areMostlyNumbers || areMostlyMoments))
    return withThousands(profile, judging) ?? ordered(profile, name, judging);
  const inForm = distinct > 2 && !areCodes ? inWrittenForm(profile, judging) : null;
  if (inForm !== null) return inForm;
  const areOddMoments = moments > 0 && profile.ofMoments.ofAnyFormat * 10 > values * 9 && distinct > FEW_DISTINCT;
  if (judging.isStrict === true && areOddMoments) throw oddMoment(profile, name, judging);
  if (profile.areMostlyDistinct && profile.distinct > ALWAYS_LABELS)
    return { kind: 'excluded', why: whyUnlikely(profile) ?? whyDistinct(profile, judging.wordFor ?? noWord) };
  return { kind: 'categorical', ...withDoubts(profile, judging) };
}

function withDoubts(profile: ColumnProfile, judging: Judging): { readonly how?: string } {
  const how = doubtsOfLabels(profile, judging);
  return how === '' ? {} : { how };
}

/**
 * What becomes of a column that is said to be of a kind.
 *
 * @throws DatasetError `value` where no cell is a number, a date or a time that should be, and for more than two labels
 * where there may be two; where it is strict, for cells that do not fit
 */
export function kindAsSaid(
  kind: Exclude<Kind, 'excluded'>,
  profile: ColumnProfile,
  name: string,
  judging: Judging,
): Inferred {
  const { numbers, moments, labels, distinct, firstWord, values } = profile;
  const { where, wordFor = noWord } = judging;
  const column = `${where}, column ${quote(name)}`;
  if (kind === 'ordered' && values > 0) {
    const inForm = numbers < values && moments < values ? inWrittenForm(profile, judging, true) : null;
    if (inForm !== null) return inForm;
    if (numbers > 0 || moments > 0) return ordered(profile, name, judging);
    throw new DatasetError('value', {
      got: `${quote(firstWord?.text ?? '')} in row ${firstWord?.row ?? 1}`,
      expected: 'a number, or a date or time in the format of the others',
      where: column,
      remedy: correctOrSay(wordFor),
    });
  }
  if (kind === 'binary' && distinct > 2)
    throw new DatasetError('value', {
      got: `${[...labels.keys()].slice(0, 3).map(quote).join(', ')}${distinct > 3 ? ' and more' : ''}`,
      expected: 'two labels',
      where: column,
      remedy: `Correct the cells, or ${withWord(wordFor, 'say that the column is categorical or ordered', 'types')}.`,
    });
  return { kind };
}
