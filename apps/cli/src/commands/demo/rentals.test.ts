import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oddRentals, withOddRentals } from './odd-rentals.js';
import { plantedRules, rentalColumns, rentalOf, rentals, rentalsCsv } from './rentals.js';

describe('the rentals of the demo', () => {
  const rows = rentals(5000, 1);

  it.each(plantedRules)('keep in every row that $says', ({ keeps }) => {
    expect(rows.filter((rental) => !keeps(rental))).toEqual([]);
  });

  it('are the same again, wherever they begin', () => {
    expect(rentals(3, 1, 40)).toEqual(rows.slice(40, 43));
    expect(rentals(3, 2, 40)).not.toEqual(rows.slice(40, 43));
  });

  it('have categories, whole numbers, dates, and holes in two columns', () => {
    const holes = rentalColumns.filter((column) => rows.some((rental) => rental[column] === null));
    expect(holes).toEqual(['weather', 'battery']);
    expect(new Set(rows.map(({ bike }) => bike)).size).toBe(5);
  });

  it('come back from the cells of their file', () => {
    const cells = rentalsCsv(rows)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map((cell) => (cell === '' ? null : cell)));
    expect(cells.map(rentalOf)).toEqual(rows);
  });

  it('are odd where a rule was broken on purpose, one rule a row', () => {
    const { rows: mixed, places } = withOddRentals(rows.slice(0, 100));
    const broken = mixed.flatMap((rental, at) => (plantedRules.every(({ keeps }) => keeps(rental)) ? [] : [at + 1]));
    expect(broken).toEqual(places);
    for (const { rental } of oddRentals) expect(plantedRules.filter(({ keeps }) => !keeps(rental))).toHaveLength(1);
  });

  it('lie in the examples as the script makes them', () => {
    const example = (name: string): string =>
      readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');
    expect(example('rentals.csv')).toBe(rentalsCsv(rentals(1000, 1)));
    expect(example('new-rentals.csv')).toBe(rentalsCsv(withOddRentals(rentals(47, 1, 1000)).rows));
  });
});
