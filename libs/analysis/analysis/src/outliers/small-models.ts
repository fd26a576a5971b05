import {
  encodeTable,
  profileTable,
  tableOf,
  tablesOfRows,
  trainingCounts,
  type RawTable,
  type TableOptions,
  type TableProfile,
} from '@orchard/dataset';
import { setLearnedCounts, type TabularModel } from '@orchard/model';
import { drawSome, Purpose, RandomStream } from '@orchard/numerics';
import { treeOfRows } from '@orchard/registry';

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
/** The share of its rows that choose a model's size. */
const VALID_SHARE = 0.1;

/** A model of a few rows, and which these are: it scores all others. */
export interface SmallModel {
  readonly model: TabularModel;
  readonly learned: ReadonlySet<number>;
}

/** Models of one size. */
export type SmallModels = readonly SmallModel[];

/** How many models of one size a table of so many cells has. */
function smallModelsOf(cells: number): number {
  return Math.max(FEWEST_MODELS, Math.min(MODELS, Math.floor(MOST_CELLS / Math.max(1, cells))));
}

/**
 * Trains small models of a table, each on rows of its own drawing; what columns are made of, as bins, is learned from
 * these rows alone, what kinds they are from all.
 *
 * @param candidates the rows that models may learn from
 * @returns of each size, from the smallest; fewer sizes, or none, where there are few rows
 */
export async function trainSmallModels(
  raw: RawTable,
  candidates: readonly number[],
  { seed, ...options }: TableOptions & { readonly seed: number },
): Promise<SmallModels[]> {
  const most = Math.floor(MOST_OF_ROWS * candidates.length);
  const sizes = [...new Set(SIZES.map((size) => Math.min(size, most)))].filter((size) => size >= FEWEST_ROWS);
  if (sizes.length === 0) return [];
  const profile = await profileTable(raw, options, false);
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
  const bySize: SmallModels[] = [];
  for (const [at, own] of drawn.entries()) {
    const models: SmallModel[] = [];
    for (const [number, rows] of own.entries())
      models.push(await smallModel(tables[at * count + number]!, rows, profile, options));
    bySize.push(models);
  }
  return bySize;
}

/** @param rows of the file, in the order in which they were drawn: the first ones choose the model's size */
async function smallModel(
  raw: RawTable,
  rows: Uint32Array,
  profile: TableProfile,
  options: TableOptions,
): Promise<SmallModel> {
  const valid = Math.max(1, Math.round(VALID_SHARE * rows.length));
  const validRows = new Set(rows.subarray(0, valid));
  const splitOf = Uint8Array.from(rows.toSorted(), (row) => (validRows.has(row) ? 1 : 0));
  // validation rows too say what columns are made of
  const table = await tableOf(raw, profile, new Uint8Array(rows.length), options);
  const sides = await encodeTable(raw, table, [rows.length - valid, valid], { splitOf });
  const [train, valids] = sides.map(({ matrix }) => matrix);
  const model = treeOfRows({ train: train!, valid: valids!, test: null });
  setLearnedCounts(model, table.variables.map(trainingCounts));
  return { model, learned: new Set(rows) };
}
