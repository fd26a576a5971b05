import type { rentalColumns, Rental } from './rentals.js';

/** A rental that breaks a rule, and the columns that contradict each other or all others. */
export interface OddRental {
  readonly rental: Rental;
  readonly columns: readonly (keyof Rental)[];
  readonly says: string;
}

const ordinary: Rental = {
  season: 'summer',
  date: '2024-07-14',
  weather: 'sunny',
  age: 34,
  tariff: 'standard',
  bike: 'city',
  helmet: 'no',
  hours: 3,
  battery: null,
  price: 12,
};

/** Every value of these is an ordinary one; what is odd is that they come together. */
export const oddRentals: readonly OddRental[] = [
  { rental: { ...ordinary, tariff: 'child' }, columns: ['tariff'], says: 'a tariff for children at the age of 34' },
  { rental: { ...ordinary, price: 48 }, columns: ['price'], says: 'three hours on a city bike for 48' },
  {
    rental: { ...ordinary, season: 'autumn', date: '2024-04-20' },
    // either may be the wrong one: nothing else of a row depends on the season or the date
    columns: ['season', 'date'],
    says: 'an autumn in April',
  },
];

/**
 * A rental of which only the season, tariff, bike and battery are not known: the other cells determine the first three.
 */
export const rentalWithHoles: Readonly<Record<(typeof rentalColumns)[number], string>> = {
  season: '?',
  date: '2024-07-14',
  weather: 'sunny',
  age: '34',
  tariff: '?',
  bike: '?',
  helmet: 'yes',
  hours: '3',
  battery: '?',
  price: '27',
};

/** The rows with each odd one put in at equal distances; `places` are row numbers from 1. */
export function withOddRentals(rows: readonly Rental[]): {
  readonly rows: Rental[];
  readonly places: readonly number[];
} {
  const mixed = [...rows];
  const places = oddRentals.map(({ rental }, at) => {
    const place = Math.floor((rows.length * (at + 1)) / (oddRentals.length + 1)) + at;
    mixed.splice(place, 0, rental);
    return place + 1;
  });
  return { rows: mixed, places };
}
