import { DatasetError, quote } from '../errors.js';
import { noWord, withWord, type OptionWord } from '../reading/option-words.js';
import type { TableOptionName } from '../table-files/table-options.js';
import { momentFormatOf, momentPattern } from '../variables/moment-format.js';
import type { ColumnProfile } from './column-profile.js';
import type { Judging } from './inferred.js';
import { isLong } from './moment-profile.js';
import { TIMES_READ } from './times-read.js';

type Word = OptionWord<TableOptionName>;

export function correctOrSay(wordFor: Word): string {
  const hole = withWord(wordFor, 'say that it marks a missing value', 'missing');
  return `Correct the cell, ${hole}, or ${withWord(wordFor, 'that the column is categorical', 'types')}.`;
}

export function wordAmongNumbers(
  { firstWord, numbers, values }: ColumnProfile,
  name: string,
  { where, wordFor = noWord }: Judging,
): DatasetError {
  const { row, text } = firstWord!;
  if (text === name)
    return new DatasetError('header', {
      got: `the name of the column as its value in row ${row}`,
      expected: 'names on line 1 alone',
      where: `${where}, column ${quote(name)}`,
      remedy: 'Remove the lines on which the names come again.',
    });
  return new DatasetError('value', {
    got: `${quote(text)} in row ${row} and ${numbers} numbers in ${values} cells`,
    expected: 'numbers or labels',
    where: `${where}, column ${quote(name)}`,
    remedy: correctOrSay(wordFor),
  });
}

export function oddMoment(profile: ColumnProfile, name: string, { where, wordFor = noWord }: Judging): DatasetError {
  const { firstOther, firstOtherZone, ofAnyFormat, firstFormat } = profile.ofMoments;
  const { row, text } = (firstOther ?? firstOtherZone)!;
  const written = momentFormatOf(text);
  // 24:00 is not a time of day
  const format = written !== null && isLong(written) ? null : written;
  const column = `${where}, column ${quote(name)}`;
  const { type } = firstFormat!;
  const what = `${type}s`;
  const alike = {
    date: 'dates in one format and one zone',
    time: 'times of day in one format',
    duration: 'durations',
  }[type];
  if (format !== null)
    return new DatasetError('value', {
      got: `${quote(text)} in row ${row}, written as ${momentPattern(format)}`,
      expected: `${alike}: those before it are written as ${momentPattern(firstFormat!)}`,
      where: column,
      remedy: `Write all alike, or ${withWord(wordFor, 'say that the column is categorical or excluded', 'types')}.`,
    });
  return new DatasetError('value', {
    got: `${quote(text)} in row ${row} and ${ofAnyFormat} ${what} in ${profile.values} cells`,
    expected: type === 'time' ? `${TIMES_READ}, or labels` : `${what} or labels`,
    where: column,
    remedy: correctOrSay(wordFor),
  });
}
