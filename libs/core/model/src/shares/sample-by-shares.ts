import { readCodes, type BitMatrix, type Restriction } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { count } from '@orchard/refusal';
import { ModelError } from '../errors.js';
import type { Completion } from '../port/completion.js';
import type { TabularModel } from '../tables/tabular-model.js';
import { rake, type Margin } from './rake.js';
import { countsOf, resample } from './resample.js';

/** A part of a column's values, and the share of the rows that are to have one of them. */
export interface Part {
  /** As it was asked for, for messages. */
  readonly words: string;
  readonly allowed: Restriction;
  readonly share: number;
}

/** The shares of a column's values; rows with other values are not sampled. */
export interface ColumnShares {
  readonly index: number;
  readonly name: string;
  /** Together 1, and none of them with values of another. */
  readonly parts: readonly Part[];
}

/** Rows that have the shares that were asked for. */
export interface RowsByShares {
  readonly codes: BitMatrix;
  /** What the values of a row lie in, by variable, where its part allows a part of its cell alone. */
  allowedIn(row: number): ReadonlyMap<number, Restriction>;
  /** How many rows were sampled, of which these were taken by weights; null where each was sampled in its part. */
  readonly pool: number | null;
  /** So many independent rows are as good as the pool by its weights; that of the rows themselves without a pool. */
  readonly effectiveRows: number;
}

const PARTICLES_A_ROW = 64;
/** Rows in the pool for each that is taken, at first and at most. */
const POOLED_FIRST = 10;
const POOLED_MOST = 160;
const LEAST_POOL = 10_000;
const MOST_POOLED = 4_000_000;
/** A pool is large enough when it is worth so many times the rows that are taken. */
const ENOUGH = 2;
/** Margins that are farther from what was asked for cannot be had. */
const MOST_ERROR = 1e-6;

/**
 * Samples rows with shares. Of one column that the model samples by exactly, each part has its own number of rows. Else
 * a pool of rows is sampled and weighed by raking, and rows are taken from it by their weights.
 *
 * @throws ModelError `invalid-argument` for shares that no rows, or no weights of rows, can have
 */
export function sampleByShares(
  model: TabularModel,
  columns: readonly ColumnShares[],
  { count, seed }: { readonly count: number; readonly seed: number },
): RowsByShares {
  const [only] = columns;
  const byParts = columns.length === 1 ? sampleParts(model, only!, count, seed) : null;
  return byParts ?? takeFromPool(model, columns, count, seed);
}

/** Null where the model cannot sample exactly by this column. */
function sampleParts(
  model: TabularModel,
  { index, parts }: ColumnShares,
  count: number,
  seed: number,
): RowsByShares | null {
  const counts = countsOf(
    parts.map(({ share }) => share),
    count,
  );
  const sample = (part: number, rows: number, firstRow: number): Completion => {
    const nothing = model.emptyRows(rows);
    const given = new Map([[index, parts[part]!.allowed]]);
    return model.completions(nothing, nothing, {
      seed,
      samples: PARTICLES_A_ROW,
      draws: 1,
      blanksAs: 'drawn',
      firstRow,
      given,
    })[0]!;
  };
  const isExact = parts.every((_, part) => counts[part] === 0 || sample(part, 1, 0).exact[0] === 1);
  if (!isExact) return null;
  const order = shuffled(count, seed);
  const codes = model.emptyRows(count);
  const partOf = new Int32Array(count);
  let first = 0;
  for (const [part, rows] of counts.entries()) {
    if (rows === 0) continue;
    const { matrix } = sample(part, rows, first);
    for (let row = 0; row < rows; row++) {
      const to = order[first + row]!;
      partOf[to] = part;
      codes.bytes.set(matrix.bytes.subarray(row * matrix.stride, (row + 1) * matrix.stride), to * codes.stride);
    }
    first += rows;
  }
  const allowedIn = (row: number): ReadonlyMap<number, Restriction> =>
    cutIn(model, codes, row, [[index, parts[partOf[row]!]!.allowed]]);
  return { codes, allowedIn, pool: null, effectiveRows: count };
}

function takeFromPool(
  model: TabularModel,
  columns: readonly ColumnShares[],
  count: number,
  seed: number,
): RowsByShares {
  const most = Math.max(LEAST_POOL, Math.min(POOLED_MOST * count, Math.max(MOST_POOLED, POOLED_FIRST * count)));
  const sampler = model.sampler(seed);
  let pool: BitMatrix | null = null;
  for (let rows = Math.min(most, Math.max(LEAST_POOL, POOLED_FIRST * count)); ; rows = Math.min(most, 2 * rows)) {
    const sampled = sampler.next(rows - (pool?.rows ?? 0));
    pool = pool === null ? sampled : joined(model, pool, sampled);
    const margins = columns.map((column) => marginOf(model, pool!, column, seed));
    const raked = rake(rows, margins);
    const isEnough = raked.error <= MOST_ERROR && raked.effectiveRows >= ENOUGH * count;
    if (!isEnough && rows < most) continue;
    refuseWhatNoRowHas(columns, margins, rows);
    refuseMargins(columns, raked.error, rows);
    const byParts = sortedByParts(margins, rows);
    const weights = Float64Array.from(byParts, (row) => raked.weights[row]!);
    const taken = resample(weights, count, new RandomStream(seed, Purpose.shuffle, 1).uniform());
    const places = Uint32Array.from(shuffled(count, seed), (at) => byParts[taken[at]!]!);
    const codes = pool.selectRows(places);
    const partsOf = columns.map(({ index, parts }, at) => ({ index, parts, partOf: margins[at]!.partOf }));
    const allowedIn = (row: number): ReadonlyMap<number, Restriction> =>
      cutIn(
        model,
        codes,
        row,
        partsOf.map(({ index, parts, partOf }) => [index, parts[partOf[places[row]!]!]!.allowed]),
      );
    return { codes, allowedIn, pool: rows, effectiveRows: raked.effectiveRows };
  }
}

/** The restrictions that allow only a part of the cell that a row is in. */
function cutIn(
  { offsets }: TabularModel,
  codes: BitMatrix,
  row: number,
  restrictions: readonly (readonly [index: number, allowed: Restriction])[],
): ReadonlyMap<number, Restriction> {
  const one = codes.selectRows([row]);
  return new Map(
    restrictions.filter(([index, { weights }]) => {
      const [code] = readCodes(one, offsets[index]!, offsets[index + 1]!);
      return weights[code!]! < 1;
    }),
  );
}

/** Rows with the same parts together, so that each such group is taken as often as it weighs, but for one row. */
function sortedByParts(margins: readonly Margin[], rows: number): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row).sort((one, other) => {
    for (const { partOf } of margins) if (partOf[one] !== partOf[other]) return partOf[one]! - partOf[other]!;
    return one - other;
  });
}

/** The part of each row. A cell that lies in several parts is in each with the chance that its share of the cell is. */
function marginOf(
  { offsets, table }: TabularModel,
  pool: BitMatrix,
  { index, parts }: ColumnShares,
  seed: number,
): Margin {
  const codes = readCodes(pool, offsets[index]!, offsets[index + 1]!);
  const variables = table.variables.length;
  const partOf = Int32Array.from(codes, (code, row) => {
    const whole = parts.findIndex(({ allowed }) => allowed.weights[code] === 1);
    if (whole >= 0) return whole;
    const chance = new RandomStream(seed, Purpose.someRows, row * variables + index).uniform();
    let sum = 0;
    return parts.findIndex(({ allowed }) => {
      sum += allowed.weights[code]!;
      return chance < sum;
    });
  });
  return { partOf, shares: parts.map(({ share }) => share) };
}

function refuseWhatNoRowHas(columns: readonly ColumnShares[], margins: readonly Margin[], pool: number): void {
  columns.forEach(({ name, parts }, at) => {
    const { partOf } = margins[at]!;
    const seen = new Set(partOf);
    const lacking = parts.find(({ share }, part) => share > 0 && !seen.has(part));
    if (lacking === undefined) return;
    throw refusal(
      `${name}=${lacking.words}, which none of ${count(pool)} sampled rows has`,
      'parts that the model samples',
      `Leave it out, or sample it alone by --given ${name}=${lacking.words}.`,
    );
  });
}

function refuseMargins(columns: readonly ColumnShares[], error: number, pool: number): void {
  if (error <= MOST_ERROR) return;
  throw refusal(
    `shares of ${columns.map(({ name }) => name).join(', ')} that rows do not have together: weights of ${count(pool)} sampled rows miss one by ${(100 * error).toPrecision(2)} %`,
    'shares that some rows could have',
    'Bring them nearer to those of the training rows, or give fewer columns.',
  );
}

function refusal(got: string, expected: string, remedy: string): ModelError {
  return new ModelError('invalid-argument', { got, expected, where: 'shares', remedy });
}

function joined(model: TabularModel, one: BitMatrix, other: BitMatrix): BitMatrix {
  const all = model.emptyRows(one.rows + other.rows);
  all.bytes.set(one.bytes);
  all.bytes.set(other.bytes, one.bytes.length);
  return all;
}

/** The numbers below `count` in a random order: rows of one part, and repeats of one row, are not neighbours. */
function shuffled(count: number, seed: number): Uint32Array {
  const stream = new RandomStream(seed, Purpose.shuffle);
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  for (let last = count - 1; last > 0; last--) {
    const other = stream.below(last + 1);
    const swapped = order[last]!;
    order[last] = order[other]!;
    order[other] = swapped;
  }
  return order;
}
