import { correctColumn, DatasetError } from '@orchard/dataset';

/** The place of a column that is predicted. @throws DatasetError `column` */
export function placeOf(target: string, names: readonly string[]): number {
  const place = names.indexOf(target);
  if (place >= 0) return place;
  throw new DatasetError('column', {
    got: JSON.stringify(target.slice(0, 80)),
    expected: 'a column of the model',
    where: 'target',
    remedy: correctColumn(target, names),
  });
}
