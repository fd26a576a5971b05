import type { Table } from '@orchard/contracts';
import { placeOfColumn } from '@orchard/dataset';
import { Refusal } from '@orchard/refusal';
import { points, type Point } from './fill-options.js';
import { twoMeasurements } from './two-measurements.js';

/**
 * How the missing values of single columns are filled in, by the columns' places.
 *
 * @param asked columns by name, and what each asks for
 * @param where they were asked
 * @throws Refusal for a column that the model has not, words that are not a point, and a mean or median of labels
 */
export function pointsOfColumns(
  { variables }: Table,
  asked: readonly (readonly [name: string, point: string])[],
  where: string,
): ReadonlyMap<number, Point> {
  const names = variables.map(({ name }) => name);
  return new Map(
    asked.map(([name, point]) => {
      const index = placeOfColumn(name, names, { where });
      if (!isPoint(point))
        throw new Refusal('invalid-argument', {
          got: `${JSON.stringify(point.slice(0, 80))} for ${JSON.stringify(name)}`,
          expected: points.join(', '),
          where,
          remedy: 'Choose one of these.',
        });
      const hasIt = point === 'mode' || (point === 'mean' && twoMeasurements(variables[index]!) !== null);
      if (variables[index]!.kind !== 'ordered' && !hasIt)
        throw new Refusal('invalid-argument', {
          got: `the ${point} of ${JSON.stringify(name)}, a column of labels`,
          expected: 'mode, the most probable label',
          where,
          remedy: 'Leave the column out: labels are filled in by the most probable one anyway.',
        });
      return [index, point];
    }),
  );
}

function isPoint(word: string): word is Point {
  return (points as readonly string[]).includes(word);
}
