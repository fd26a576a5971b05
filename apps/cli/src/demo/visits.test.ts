import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orchard } from '../run.suite.js';
import type { SuspectCell } from '@orchard/analysis';
import { errorKinds, errorsCsv, visitColumns, visits, visitsCsv, withErrors } from './visits.js';

const example = (name: string): URL => new URL(`../../examples/${name}`, import.meta.url);

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

  it('lie in the examples as the script makes them', () => {
    expect(readFileSync(example('visits.csv'), 'utf8')).toBe(visitsCsv(rows));
    expect(readFileSync(example('visits-errors.csv'), 'utf8')).toBe(errorsCsv(errors));
    expect(readFileSync(example('new-visits.csv'), 'utf8')).toBe(visitsCsv(withErrors(visits(150, 1, 900), 1).rows));
  });

  it('have their errors found by orchard check', async () => {
    const { document } = await orchard('check', fileURLToPath(example('visits.csv')), '--json', '--quiet');
    const found = (document['cells'] as SuspectCell[]).map(({ row, column }) => `${String(row)} ${column}`);
    const missed = errors.filter(({ row, column }) => !found.includes(`${String(row)} ${column}`));
    expect(missed.map(({ column }) => column)).toEqual([]);
  });
});
