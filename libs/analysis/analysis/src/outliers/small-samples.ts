import { profileTable, tablesOfRows, type RawTable, type TableOptions, type TableProfile } from '@orchard/dataset';
import { drawSome, Purpose, RandomStream } from '@orchard/numerics';

/**
 * Rows that a small model learns from. Outliers that are many, or alike, are learned by a model of all rows and look
 * usual to it; of 32 rows few are outliers. 256 rows show more of what goes together. Chosen on nine sets of ADBench
 * (test/benchmarks/public/measured.md).
 */
const SIZES = [32, 256];

/** Models of each size. */
const MODELS = 16;
const FEWEST_MODELS = 4;
/** Cells of all rows that models of one size look at together: of large files there are fewer models. */
const MOST_CELLS = 2e7;

/** Fewer rows are no sample of a file. */
const FEWEST_ROWS = 16;
/** The most of a file's rows that a small model learns from, so that others are left for it to score. */
const MOST_OF_ROWS = 0.8;
/** Rows that a small model learns from. */
export interface SmallSample {
  /** Their numbers in the file, in the order in which they were drawn. */
  readonly rows: Uint32Array;
  /** They alone, in the order of the file. */
  readonly table: RawTable;
}

export interface SmallSamples {
  /** Of the whole file. */
  readonly profile: TableProfile;
  /** Of each size, from the smallest; fewer sizes, or none, where there are few rows. */
  readonly bySize: readonly (readonly SmallSample[])[];
}

/** How many models of one size a table of so many cells has. */
function smallModelsOf(cells: number): number {
  return Math.max(FEWEST_MODELS, Math.min(MODELS, Math.floor(MOST_CELLS / Math.max(1, cells))));
}

/**
 * Draws the rows of small models of a table.
 *
 * @param candidates the rows that models may learn from
 */
export async function drawSmallSamples(
  raw: RawTable,
  candidates: readonly number[],
  { seed, ...options }: TableOptions & { readonly seed: number },
): Promise<SmallSamples> {
  const profile = await profileTable(raw, options, false);
  const most = Math.floor(MOST_OF_ROWS * candidates.length);
  const sizes = [...new Set(SIZES.map((size) => Math.min(size, most)))].filter((size) => size >= FEWEST_ROWS);
  const count = smallModelsOf(profile.rows * raw.columns.length);
  const drawn = sizes.map((size) =>
    Array.from({ length: count }, (_, number) =>
      drawSome(candidates, size, new RandomStream(seed, Purpose.smallSample, size * MODELS + number)),
    ),
  );
  // of each model only its own rows are read and encoded again and again
  const tables = await tablesOfRows(
    raw,
    drawn.flat().map((rows) => rows.toSorted()),
  );
  return {
    profile,
    bySize: drawn.map((own, at) => own.map((rows, number) => ({ rows, table: tables[at * count + number]! }))),
  };
}
