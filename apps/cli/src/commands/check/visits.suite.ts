import { Purpose, RandomStream } from '@orchard/numerics';

/** One stay of a patient in a made-up group of hospitals, every cell as its file has it. */
export type Visit = Readonly<Record<(typeof visitColumns)[number], string>>;

export const visitColumns = [
  'visit',
  'hospital',
  'city',
  'state',
  'zip',
  'ward',
  'diagnosis',
  'treatment',
  'admitted',
  'age',
  'weight',
  'height',
  'temperature',
] as const;

/** Hospital, city, state and zip go together. */
const PLACES = [
  ['Lakeview Medical Center', 'Birmingham', 'AL', '35233'],
  ['Marshall Medical Center', 'Huntsville', 'AL', '35801'],
  ['Flowers Hospital', 'Dothan', 'AL', '36305'],
  ['Alaska Regional Hospital', 'Anchorage', 'AK', '99508'],
  ['Denali Community Hospital', 'Fairbanks', 'AK', '99701'],
  ['Cedar Valley Hospital', 'Waterloo', 'IA', '50703'],
  ['Riverside General Hospital', 'Davenport', 'IA', '52803'],
] as const;

/** A diagnosis belongs to a ward; the first treatment is the usual one. */
const DIAGNOSES = [
  { ward: 'cardiology', diagnosis: 'heart failure', treatments: ['diuretics', 'beta blockers'], fever: 0 },
  { ward: 'cardiology', diagnosis: 'heart attack', treatments: ['aspirin', 'catheter'], fever: 0 },
  { ward: 'pneumology', diagnosis: 'pneumonia', treatments: ['antibiotics', 'oxygen'], fever: 1.6 },
  { ward: 'pneumology', diagnosis: 'asthma', treatments: ['inhaler', 'oxygen'], fever: 0 },
  { ward: 'surgery', diagnosis: 'appendicitis', treatments: ['operation', 'antibiotics'], fever: 1.2 },
  { ward: 'surgery', diagnosis: 'fracture', treatments: ['operation', 'plaster'], fever: 0 },
] as const;

const FIRST_DAY = Date.UTC(2026, 0, 5);
const MILLISECONDS_A_DAY = 86_400_000;
const A_DAY = 9;

/** Visits without an error: row r is a function of the seed and r. */
export function visits(count: number, seed: number, first = 0): Visit[] {
  return Array.from({ length: count }, (_, row) =>
    visit(new RandomStream(seed, Purpose.cell, first + row), first + row),
  );
}

function visit(stream: RandomStream, row: number): Visit {
  const [hospital, city, state, zip] = PLACES[Math.min(stream.below(9), PLACES.length - 1)]!;
  const { ward, diagnosis, treatments, fever } = DIAGNOSES[stream.below(DIAGNOSES.length)]!;
  const age = 18 + stream.below(40) + stream.below(30);
  const height = 152 + stream.below(20) + stream.below(20);
  const weight = Math.round((height - 100) * (0.85 + 0.3 * stream.uniform()) * 10) / 10;
  const warmth = 36.4 + 0.5 * stream.uniform() + fever * (0.7 + 0.6 * stream.uniform());
  const day = new Date(FIRST_DAY + Math.floor(row / A_DAY) * MILLISECONDS_A_DAY);
  return {
    visit: `V-${String(10_000 + ((row * 7919) % 89_989))}`,
    hospital,
    city,
    state,
    zip,
    ward,
    diagnosis,
    treatment: treatments[stream.uniform() < 0.75 ? 0 : 1],
    admitted: day.toISOString().slice(0, 10),
    age: String(age),
    weight: weight.toFixed(1),
    height: String(height),
    temperature: warmth.toFixed(1),
  };
}

/** A cell that was made wrong, by its row from 1. */
export interface PlantedError {
  readonly row: number;
  readonly column: keyof Visit;
  readonly was: string;
  readonly kind: (typeof errorKinds)[number]['kind'];
}

/** Ways in which people and programs get a cell wrong. */
export const errorKinds = [
  { kind: 'typo', column: 'hospital', wrong: ({ hospital }: Visit) => misspelt(hospital, 4) },
  { kind: 'typo', column: 'diagnosis', wrong: ({ diagnosis }: Visit) => misspelt(diagnosis, 5) },
  { kind: 'unit', column: 'weight', wrong: ({ weight }: Visit) => (Number(weight) * 2.2046).toFixed(1) },
  { kind: 'unit', column: 'height', wrong: ({ height }: Visit) => (Number(height) / 100).toFixed(2) },
  {
    kind: 'unit',
    column: 'temperature',
    wrong: ({ temperature }: Visit) => (Number(temperature) * 1.8 + 32).toFixed(1),
  },
  { kind: 'combination', column: 'state', wrong: ({ state }: Visit) => (state === 'AL' ? 'AK' : 'AL') },
  { kind: 'combination', column: 'ward', wrong: ({ ward }: Visit) => (ward === 'surgery' ? 'cardiology' : 'surgery') },
  { kind: 'form', column: 'admitted', wrong: ({ admitted }: Visit) => admitted.split('-').reverse().join('.') },
  { kind: 'form', column: 'zip', wrong: ({ zip }: Visit) => `${zip.slice(0, 3)}x${zip.slice(4)}` },
  { kind: 'form', column: 'visit', wrong: ({ visit: number }: Visit) => number.replace('-', '') },
] as const satisfies readonly { kind: string; column: keyof Visit; wrong: (visit: Visit) => string }[];

/** The letter at a place and the one after it change places. */
function misspelt(text: string, at: number): string {
  return `${text.slice(0, at)}${text[at + 1]!}${text[at]!}${text.slice(at + 2)}`;
}

/** The rows with errors planted at equal distances, one in a row, every kind so many times. */
export function withErrors(
  rows: readonly Visit[],
  times: number,
): { readonly rows: Visit[]; readonly errors: readonly PlantedError[] } {
  const spoilt = [...rows];
  const all = times * errorKinds.length;
  const errors = Array.from({ length: all }, (_, at): PlantedError => {
    const place = Math.floor((rows.length * (at + 0.5)) / all);
    const { kind, column, wrong } = errorKinds[at % errorKinds.length]!;
    const right = rows[place]!;
    spoilt[place] = { ...right, [column]: wrong(right) };
    return { row: place + 1, column, was: right[column], kind };
  });
  return { rows: spoilt, errors };
}

/** Rows of {@link visitColumns} as CSV. */
export function visitsCsv(rows: readonly Visit[]): string {
  const lines = rows.map((each) => visitColumns.map((column) => each[column]).join(','));
  return `${[visitColumns.join(','), ...lines].join('\n')}\n`;
}

export function errorsCsv(errors: readonly PlantedError[]): string {
  const lines = errors.map(({ row, column, was, kind }) => [row, column, was, kind].join(','));
  return `${['row,column,was,kind', ...lines].join('\n')}\n`;
}
