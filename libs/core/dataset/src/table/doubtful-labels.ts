import { count } from '@orchard/refusal';
import { quote } from '../errors.js';
import { noWord, withWord } from '../reading/option-words.js';
import { isBeyondNumbers, numberFromText } from '../variables/number-format.js';
import type { ColumnProfile } from './column-profile.js';
import { datesByWeek } from './dates-by-week.js';
import { FEW_DISTINCT } from './few-labels.js';
import type { Judging } from './inferred.js';
import { datesOfLabels, unitOfLabels } from './why-left-out.js';

/** What is said of labels that may be meant otherwise than as they stand: of numbers, or as one value; '' of others. */
export function doubtsOfLabels(profile: ColumnProfile, judging: Judging): string {
  const { labels } = profile;
  return [
    byWeek(labels),
    datesOfLabels(labels),
    unitOfLabels(labels),
    numbersAmong(profile, judging),
    spelledAlike(labels),
  ]
    .filter((doubt) => doubt !== null)
    .join('; ');
}

/** Labels have no order, and a week that training never saw is none of them. */
function byWeek(labels: ReadonlyMap<string, number>): string | null {
  const dates = datesByWeek(labels);
  if (dates === null) return null;
  return `texts as ${quote(dates.example)} are labels; if they are ${dates.what}, write them as ${dates.means}`;
}

/** Most cells are numbers, as of a laboratory that writes `<0.6` of what it cannot measure. */
function numbersAmong({ labels, numbers, values, ofNumbers, codes }: ColumnProfile, judging: Judging): string | null {
  if (codes > 0 || numbers * 2 <= values) return null;
  const words = [...labels.keys()].filter((text) => Number.isNaN(numberFromText(text)));
  // few numbers beside a word may be answers; beside a number that is too great they are numbers
  const word = ofNumbers.byNumber.size <= FEW_DISTINCT ? words.find(isBeyondNumbers) : words[0];
  if (word === undefined) return null;
  const remedy = withWord(judging.wordFor ?? noWord, 'say that it is ordered', 'types');
  return `${count(numbers)} of ${count(values)} cells are numbers, the others not, as ${quote(word)}: all are labels; if the column is of numbers, ${remedy}, and the others are missing`;
}

/** Two labels that differ in case or in blanks around them alone. */
function spelledAlike(labels: ReadonlyMap<string, number>): string | null {
  const known = new Map<string, string>();
  for (const text of labels.keys()) {
    const key = text.normalize('NFKC').trim().toLowerCase();
    const first = known.get(key);
    if (first !== undefined)
      return `${quote(first)} and ${quote(text)} are different labels; if they are one value, write them alike`;
    known.set(key, text);
  }
  return null;
}
