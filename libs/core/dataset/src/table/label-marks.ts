import type { ColumnProfile } from './column-profile.js';

/** How codes of countries, states and languages are written, of which NA is one. */
const TWO_LETTERS = /^[A-Z]{2}$/;
const FEWEST_ALIKE = 3;

/** A text that is a missing value elsewhere and a label of a column. */
export interface LabelMark {
  readonly text: string;
  readonly rows: number;
  /** Cells that are missing all the same. */
  readonly missing: number;
}

/**
 * What of a column of labels is a label though it marks a missing value elsewhere: `NA` and `None` beside cells that
 * are empty, since one file hardly marks them in two ways, and `NA` where all labels are two letters as it is.
 */
export function labelMarksOf({ marked, holes, labels }: ColumnProfile): readonly LabelMark[] {
  if (labels.size < 2) return [];
  const all = [...marked.values()].reduce((sum, rows) => sum + rows, 0);
  const texts = [...labels.keys()];
  const areAlike = texts.length >= FEWEST_ALIKE && texts.every((text) => TWO_LETTERS.test(text));
  return [...marked].flatMap(([text, rows]) => {
    // beside NA, None says something else
    const missing = text === 'NA' ? holes - all : holes - rows;
    return missing > 0 || (text === 'NA' && areAlike) ? [{ text, rows, missing }] : [];
  });
}
