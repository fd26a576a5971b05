import { Purpose, RandomStream } from '@orchard/numerics';

/** One rental of a made-up bike shop by a lake; null where a cell is empty. */
export interface Rental {
  readonly season: 'spring' | 'summer' | 'autumn';
  /** `YYYY-MM-DD` of 2024, from March to October. */
  readonly date: string;
  /** Not noted for one rental in twenty. */
  readonly weather: 'sunny' | 'cloudy' | 'rain' | null;
  readonly age: number;
  readonly tariff: 'child' | 'standard' | 'senior';
  readonly bike: Bike;
  readonly helmet: 'yes' | 'no';
  readonly hours: number;
  /** Per cent left at the return. */
  readonly battery: number | null;
  readonly price: number;
}

export type Bike = 'city' | 'trekking' | 'cargo' | 'e-bike' | 'kids';

/** An hour's price. */
const RATES: Readonly<Record<Bike, number>> = { kids: 3, city: 4, trekking: 6, cargo: 8, 'e-bike': 9 };

const FIRST_DAY = Date.UTC(2024, 2, 1);
const DAYS = 245;
const MILLISECONDS_A_DAY = 86_400_000;
const YOUNGEST = 6;
const OLDEST = 68;

/** A rule that was planted: whether a row keeps it. */
export interface PlantedRule {
  readonly says: string;
  readonly keeps: (rental: Rental) => boolean;
}

/** What holds for every rental that {@link rentals} makes. */
export const plantedRules: readonly PlantedRule[] = [
  { says: 'the season is that of the date', keeps: ({ season, date }) => season === seasonOf(date) },
  {
    says: 'the tariff is child below 14, senior from 60, standard between',
    keeps: ({ age, tariff }) => tariff === tariffOf(age),
  },
  {
    says: 'no one below 16 rides an e-bike or a cargo bike',
    keeps: ({ age, bike }) => age >= 16 || (bike !== 'e-bike' && bike !== 'cargo'),
  },
  { says: 'bikes for kids are ridden below 12 alone', keeps: ({ age, bike }) => bike !== 'kids' || age < 12 },
  { says: 'below 14 a helmet is worn', keeps: ({ age, helmet }) => age >= 14 || helmet === 'yes' },
  {
    says: 'cargo bikes stay in when it rains',
    keeps: ({ weather, bike }) => weather !== 'rain' || bike !== 'cargo',
  },
  {
    says: 'there is a battery exactly where there is an e-bike',
    keeps: ({ bike, battery }) => (battery !== null) === (bike === 'e-bike'),
  },
  {
    says: `the price is the hours times ${Object.entries(RATES)
      .map(([bike, rate]) => `${String(rate)} (${bike})`)
      .join(', ')}`,
    keeps: ({ bike, hours, price }) => price === hours * RATES[bike],
  },
];

/** The columns, in the order of the file. */
export const rentalColumns = [
  'season',
  'date',
  'weather',
  'age',
  'tariff',
  'bike',
  'helmet',
  'hours',
  'battery',
  'price',
] as const satisfies readonly (keyof Rental)[];

/** Rows of {@link rentalColumns} as CSV; missing values are empty cells. */
export function rentalsCsv(rows: readonly Rental[]): string {
  const lines = rows.map((rental) => rentalColumns.map((column) => rental[column] ?? '').join(','));
  return `${[rentalColumns.join(','), ...lines].join('\n')}\n`;
}

/** A rental of its cells' texts, as they are in a file. */
export function rentalOf(cells: readonly (string | null)[]): Rental {
  const texts = Object.fromEntries(rentalColumns.map((column, at) => [column, cells[at] ?? null]));
  const number = (text: string | null | undefined): number | null =>
    text === null || text === undefined || text === '' ? null : Number(text);
  return {
    ...(texts as unknown as Rental),
    age: number(texts['age'])!,
    hours: number(texts['hours'])!,
    battery: number(texts['battery']),
    price: number(texts['price'])!,
  };
}

/** Rentals with {@link plantedRules}, beside which all is chance: row r is a function of the seed and r. */
export function rentals(count: number, seed: number, first = 0): Rental[] {
  return Array.from({ length: count }, (_, row) => rental(new RandomStream(seed, Purpose.cell, first + row)));
}

function rental(stream: RandomStream): Rental {
  // two draws, the one nearer to the middle of the season of bikes: July is busier than March
  const days = [stream.below(DAYS), stream.below(DAYS)].sort((a, b) => Math.abs(a - 130) - Math.abs(b - 130));
  const date = new Date(FIRST_DAY + days[stream.uniform() < 0.7 ? 0 : 1]! * MILLISECONDS_A_DAY)
    .toISOString()
    .slice(0, 10);
  const season = seasonOf(date);
  const sun = { spring: 0.45, summer: 0.7, autumn: 0.35 }[season];
  const sky = pick(stream, { sunny: sun, cloudy: (1 - sun) * 0.6, rain: (1 - sun) * 0.4 });
  const age = ageOf(stream);
  const bike = bikeOf(stream, age, sky);
  const tariff = tariffOf(age);
  const helmet = stream.uniform() < shareOfHelmets(tariff, bike) ? 'yes' : 'no';
  const longest = sky === 'rain' ? 3 : bike === 'cargo' ? 4 : 8;
  const hours = 1 + Math.min(stream.below(longest), stream.below(longest));
  const battery = bike === 'e-bike' ? 99 - 6 * hours - stream.below(20) - stream.below(20) : null;
  const weather = stream.uniform() < 0.05 ? null : sky;
  return { season, date, weather, age, tariff, bike, helmet, hours, battery, price: hours * RATES[bike] };
}

function shareOfHelmets(tariff: Rental['tariff'], bike: Rental['bike']): number {
  if (tariff === 'child') return 1;
  if (bike === 'e-bike') return 0.8;
  return tariff === 'senior' ? 0.6 : 0.35;
}

/** Children, a hump of adults, a few seniors. */
function ageOf(stream: RandomStream): number {
  if (stream.uniform() < 0.25) return YOUNGEST + stream.below(12);
  const hump = 18 + stream.below(26) + stream.below(26);
  return Math.min(OLDEST, hump);
}

function bikeOf(stream: RandomStream, age: number, sky: string): Bike {
  if (age < 12) return pick(stream, { kids: 0.8, city: 0.2 });
  if (age < 16) return pick(stream, { city: 0.6, trekking: 0.4 });
  const cargo = sky === 'rain' || age > 50 ? 0 : 0.15;
  const electric = age >= 60 ? 0.7 : age >= 45 ? 0.4 : 0.2;
  return pick(stream, { 'e-bike': electric, cargo, trekking: sky === 'sunny' ? 0.35 : 0.15, city: 0.3 });
}

/** One of the names, by weights that need not add up to 1. */
function pick<Name extends string>(stream: RandomStream, weights: Readonly<Record<Name, number>>): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let left = stream.uniform() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries[0]![0];
}

function seasonOf(date: string): Rental['season'] {
  const month = Number(date.slice(5, 7));
  return month < 6 ? 'spring' : month < 9 ? 'summer' : 'autumn';
}

function tariffOf(age: number): Rental['tariff'] {
  return age < 14 ? 'child' : age < 60 ? 'standard' : 'senior';
}
