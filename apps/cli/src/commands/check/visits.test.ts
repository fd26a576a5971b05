import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orchard } from '../../run.suite.js';
import type { SuspectCell } from '@orchard/analysis';
import { errorKinds, errorsCsv, visitColumns, visits, visitsCsv, withErrors } from './visits.suite.js';

const at = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

describe('the visits of the tutorial', () => {
  const right = visits(900, 1);
  const { rows, errors } = withErrors(right, 2);

  it('have one wrong cell in each row that was chosen, and are right elsewhere', () => {
    const wrong = rows.flatMap((each, at) =>
      visitColumns.filter((column) => each[column] !== right[at]![column]).map((column) => [at + 1, column]),
    );
    expect(wrong).toEqual(errors.map(({ row, column }) => [row, column]));
    expect(errors).toHaveLength(2 * errorKinds.length);
  });

  // vitest -u writes the files anew
  it('lie in the examples', async () => {
    const fresh = withErrors(visits(150, 1, 900), 1);
    await expect(visitsCsv(rows)).toMatchFileSnapshot(at('visits.csv'));
    await expect(errorsCsv(errors)).toMatchFileSnapshot(at('visits-errors.csv'));
    await expect(visitsCsv(fresh.rows)).toMatchFileSnapshot(at('new-visits.csv'));
  });

  it('have their errors found by orchard check', async () => {
    const { document } = await orchard('check', at('visits.csv'), '--json', '--quiet');
    const found = (document['cells'] as SuspectCell[]).map(({ row, column }) => `${String(row)} ${column}`);
    const missed = errors.filter(({ row, column }) => !found.includes(`${String(row)} ${column}`));
    expect(missed.map(({ column }) => column)).toEqual([]);
  });
});
