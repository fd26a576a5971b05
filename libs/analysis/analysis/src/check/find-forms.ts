import { isHole, labelOf, type RawTable } from '@orchard/dataset';
import { percent } from '@orchard/model';
import { log } from '@orchard/numerics';
import { classesOf, FINENESSES, formOf, type Fineness } from './forms.js';
import { unusualness, type SuspectCell } from './suspect-cell.js';

/** Common forms have to cover so much of a column, or its texts have no form. */
const COVERED = 0.95;

/** Distinct forms of a column that are counted. */
const MOST_FORMS = 4096;

/**
 * Common forms that a column may have: codes are few, whose every character counts, and words around numbers; words of
 * many lengths are looked at more coarsely.
 */
const MOST_COMMON: Readonly<Record<Fineness, number>> = { characters: 3, words: 3, digits: 10, runs: 10, classes: 10 };

/**
 * Finds the cells that are not written as their column's others: in each column by the finest form of which few kinds
 * cover nearly all cells. Columns without such a form, as free text, have none to find. Two passes over the file.
 *
 * @param columns by number: those of text, which no format of numbers or dates says how to write
 * @param share of right cells that may be reported
 */
export async function findForms(raw: RawTable, columns: ReadonlySet<number>, share: number): Promise<SuspectCell[]> {
  if (columns.size === 0) return [];
  const counts = new Map([...columns].map((column) => [column, new FormCounts()]));
  for await (const text of textsOf(raw, columns)) counts.get(text.column)!.add(text.value);
  const usual = new Map([...counts].map(([column, of]) => [column, of.usual(share)]));
  const cells: SuspectCell[] = [];
  const formed = new Set([...columns].filter((column) => usual.get(column)!.length > 0));
  if (formed.size === 0) return [];
  for await (const { row, column, value } of textsOf(raw, formed)) {
    const classes = classesOf(value);
    const formIn = ({ fineness }: UsualForms): string => formOf(value, classes, fineness);
    const forms = usual.get(column)!.find((each) => !each.isCommon(formIn(each)));
    if (forms === undefined) continue;
    const form = formIn(forms);
    const probability = forms.shareOf(form);
    cells.push({
      row,
      column: raw.columns[column]!,
      value,
      probability,
      form,
      typoOf: null,
      expected: `${forms.likeliest} (${percent(forms.shareOf(forms.likeliest))})`,
      expectedLow: null,
      expectedHigh: null,
      expectedLabel: null,
      score: unusualness(-log(probability), forms.meanSurprise),
    });
  }
  return cells;
}

/** The texts of some columns, row by row, missing values left out. @returns rows from 1 */
async function* textsOf(
  raw: RawTable,
  columns: ReadonlySet<number>,
): AsyncGenerator<{ readonly row: number; readonly column: number; readonly value: string }, void> {
  let first = 1;
  for await (const batch of raw.batches(columns)) {
    for (const column of columns)
      for (let row = 0; row < batch.rows; row++) {
        const cell = batch.columns[column]!.at(row);
        if (!isHole(cell)) yield { row: first + row, column, value: labelOf(cell) };
      }
    first += batch.rows;
  }
}

/** The forms that are common in a column, at the fineness at which they cover nearly all of it. */
interface UsualForms {
  readonly fineness: Fineness;
  readonly likeliest: string;
  /** The mean of `-log share`, nats. */
  readonly meanSurprise: number;
  shareOf(form: string): number;
  isCommon(form: string): boolean;
}

/** Whether a text is a number of any length, not a code as 00501. */
function isPlainNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
}

/** The forms of a column's texts, counted at every fineness. */
class FormCounts {
  #values = 0;
  #areNumbers = true;
  readonly #byFineness = FINENESSES.map((fineness) => ({ fineness, rows: new Map<string, number>() }));

  add(text: string): void {
    this.#values++;
    if (!isPlainNumber(text)) this.#areNumbers = false;
    const classes = classesOf(text);
    for (const { fineness, rows } of this.#byFineness) {
      const form = formOf(text, classes, fineness);
      const known = rows.get(form);
      // what is not counted is covered by no common form
      if (known !== undefined || rows.size < MOST_FORMS) rows.set(form, (known ?? 0) + 1);
    }
  }

  /**
   * Every character and the words, where either has few kinds; otherwise the finest form that has.
   *
   * @param share of the cells up to which a form is rare; one cell is in every column
   */
  usual(share: number): UsualForms[] {
    const values = this.#values;
    const rare = Math.max(1, share * values);
    const found: UsualForms[] = [];
    for (const { fineness, rows } of this.#areNumbers ? [] : this.#byFineness) {
      if (found.length > 0 && fineness !== 'words') break;
      const common = [...rows].filter(([, count]) => count > rare);
      const covered = common.reduce((sum, [, count]) => sum + count, 0);
      if (common.length === 0 || common.length > MOST_COMMON[fineness] || covered < COVERED * values) continue;
      // words have letters in any number, codes have capitals, digits or signs
      if (fineness === 'characters' && common.every(([form]) => /^[Aa ]*a[Aa ]*$/.test(form))) continue;
      // words without numbers are labels, of which any may be rare
      if (fineness === 'words' && !common.some(([form, count]) => form.includes('9+') && count > values / 2)) continue;
      // a form that came when there was no more room was not counted
      const rowsOf = (form: string): number => rows.get(form) ?? 1;
      const shareOf = (form: string): number => rowsOf(form) / values;
      found.push({
        fineness,
        shareOf,
        likeliest: common.reduce((best, each) => (each[1] > best[1] ? each : best))[0],
        isCommon: (form) => rowsOf(form) > rare,
        meanSurprise: [...rows].reduce((sum, [form, count]) => sum - (count / values) * log(shareOf(form)), 0),
      });
    }
    return found;
  }
}
