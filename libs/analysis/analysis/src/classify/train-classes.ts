import { ModelError } from '@orchard/model';
import { counted } from '@orchard/refusal';
import { splitsOf } from '../training/rows-of-file.js';
import { type OnNote, type RowsToLearn, type TrainModel } from '../training/train-model.js';
import type { ClassModel } from './classify-rows.js';

/** Fewer rows of a class are refused: a model of them, and the choice of its size, would be chance. */
const FEWEST_ROWS = 10;

export interface RowsByClass {
  /** Numbers of rows by label, in the order of the labels. */
  readonly classes: ReadonlyMap<string, readonly number[]>;
  /** Rows without a label. */
  readonly without: number;
}

/**
 * The numbers of each class's rows.
 *
 * @param labels of each row its class; null where it has none
 * @param by the column of classes
 * @throws ModelError `invalid-argument` for fewer than two classes, and for a class of fewer than ten rows
 */
export function rowsByClass(labels: readonly (string | null)[], by: string): RowsByClass {
  const found = new Map<string, number[]>();
  labels.forEach((label, row) => {
    if (label === null) return;
    const rows = found.get(label);
    if (rows === undefined) found.set(label, [row]);
    else rows.push(row);
  });
  if (found.size < 2)
    throw new ModelError('invalid-argument', {
      got: `${JSON.stringify(by)}, which has ${counted(found.size, 'value')}`,
      expected: 'two classes or more',
      where: '--by',
      remedy: 'Name the column that the classes are in.',
    });
  for (const [label, { length }] of found)
    if (length < FEWEST_ROWS)
      throw new ModelError('invalid-argument', {
        got: `${counted(length, 'row')} of the class ${label}`,
        expected: `${String(FEWEST_ROWS)} rows of each class at least`,
        where: '--by',
        remedy: 'Leave the rows of that class out, or give it and other small ones one name.',
      });
  const classes = new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { classes, without: labels.filter((label) => label === null).length };
}

/** The name of a class's model: labels may be no names of files. */
export function nameOfClass(index: number): string {
  return `class-${String(index + 1)}`;
}

/**
 * Trains a model of each class's rows; all are models of the same columns, so that their likelihoods can be compared.
 *
 * @param rows without the column of classes
 * @param by the column of classes
 */
export async function trainClasses(
  { family, rows }: RowsToLearn,
  classes: RowsByClass['classes'],
  { by, seed }: { readonly by: string; readonly seed: number },
  train: TrainModel,
  onNote: OnNote,
): Promise<ClassModel[]> {
  const models: ClassModel[] = [];
  for (const [label, numbers] of classes) {
    const title = `${by} ${label}`;
    onNote(`${title}: ${counted(numbers.length, 'row')}`);
    const model = await train({
      family,
      name: nameOfClass(models.length),
      title,
      words: { by: undefined, folds: undefined },
      splits: splitsOf(rows, numbers, seed),
    });
    models.push({ label, rows: numbers.length, model });
  }
  return models;
}
