import { quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import { areNamesWithAnE, mergedTexts } from '../variables/merged-texts.js';
import { isRounded, numberFromText } from '../variables/number-format.js';
import type { ColumnProfile } from './column-profile.js';
import { ALWAYS_LABELS, FEW_DISTINCT } from './few-labels.js';
import type { Inferred, Judging } from './inferred.js';

/**
 * Numbers that are names: all of digits, an E and digits; or several texts that are one number, where the file says
 * that they are text, as long as they are not too many for labels. Null of any others.
 */
export function labelsOfNumbers(profile: ColumnProfile, { isTyped, wordFor = noWord }: Judging): Inferred | null {
  const { labels } = profile;
  const areTooMany = profile.areMostlyDistinct && profile.distinct > ALWAYS_LABELS;
  const [example = ''] = labels.keys();
  const otherwise = withWord(wordFor, 'if they are numbers, say that the column is ordered', 'types');
  if (areNamesWithAnE(labels.keys())) {
    if (areTooMany) return { kind: 'excluded', why: `its texts are mostly distinct: names, as ${quote(example)}` };
    return { kind: 'categorical', how: `texts as ${quote(example)} are labels; ${otherwise}` };
  }
  const merged = isTyped === true && !areTooMany ? mergedTexts(labels.keys()) : null;
  if (merged === null) return null;
  const texts = merged.map(quote).join(' and ');
  return {
    kind: 'categorical',
    how: `${texts} are one number, and stay labels since the file keeps them apart; ${otherwise}`,
  };
}

/** Of more distinct numbers, several texts of one are how a program writes it rather than names. */
const MOST_MERGED = 100;
const WHOLE_WITH_POINT = /^[-+]?\d+\.0+$/;

/** What is said where several texts become one number. */
export function mergedInForce(
  { labels, isBeyondCounting }: ColumnProfile,
  { wordFor = noWord }: Judging,
): string | null {
  if (isBeyondCounting || labels.size > MOST_MERGED) return null;
  // 0 beside 0.0, and of many numbers 1 beside 1.0, are a program's ways to write them
  const mayBeName = (text: string): boolean =>
    numberFromText(text) !== 0 &&
    (labels.size <= FEW_DISTINCT || !WHOLE_WITH_POINT.test(text)) &&
    // of digits that numbers do not hold it is reported elsewhere, with their count
    !isRounded(text);
  const texts = mergedTexts([...labels.keys()].filter(mayBeName));
  if (texts === null) return null;
  const otherwise = withWord(wordFor, 'if they are names, say that the column is categorical', 'types');
  return `${texts.map(quote).join(' and ')} are read as one number; ${otherwise}`;
}
