import { codeCount, codeOffsets } from '@orchard/dataset';
import { ForestMixture, ForestMixtureModel } from '@orchard/mixture';
import { forestOf, PairCounts, SmoothedPairs } from '@orchard/forests';
import {
  ModelError,
  NumberArray,
  readModelFile,
  untold,
  writeModelFile,
  type DensityModel,
  type JsonValue,
  type ModelHead,
} from '@orchard/model';
import { JEFFREYS } from './bit-pairs.js';
import { countsOf } from './code-pairs.js';
import { OnlineForest, type OnlineOptions, type OnlineState } from './online-forest.js';
import { forestParents } from './rooted-tree.js';

/** In the specification of a stream's model, which is a mixture as any other. */
const ofStream = 'online-forest';
/** The family in the head of a state's file: no model, and refused as one. */
const stateFamily = 'online-forest-state';

/** A stream of rows that can be continued. */
export interface OnlineStream {
  readonly names: readonly string[] | null;
  /** Of columns of categories: their values. Absent of 0 and 1. */
  readonly table?: ModelHead['table'];
  readonly options: OnlineOptions;
  readonly forest: OnlineForest;
}

/** A stream of categories before its first row. @throws RangeError where there are too many pairs of values */
export function streamOfTable(table: NonNullable<ModelHead['table']>, options: OnlineOptions): OnlineStream {
  const sizes = table.variables.map(codeCount);
  return { names: null, table, options, forest: new OnlineForest(sizes.length, options, null, sizes) };
}

/**
 * The model of what was seen of columns of 0 and 1: a mixture of forests, each pair's probabilities by Jeffreys' rule
 * from all rows.
 */
export function modelOfStream(stream: OnlineStream): ForestMixtureModel {
  const { names, forest } = stream;
  const { dimensions } = forest;
  const { rows, counts, trees } = forest.state;
  const lower = new Uint32Array(dimensions ** 2);
  for (let a = 0, at = 0; a < dimensions; a++)
    for (let b = 0; b <= a; b++, at++) lower[a * dimensions + b] = counts[at]!;
  const pairs = new SmoothedPairs(new PairCounts(dimensions, rows, lower), JEFFREYS);
  const columns = Uint32Array.from({ length: dimensions }, (_, column) => column);
  const mixture = new ForestMixture(
    sharesOf(stream),
    trees.map(({ tree }) => forestOf(pairs, columns, forestParents(tree))),
  );
  const specification = specificationOf(stream);
  return new ForestMixtureModel({ dimensions, names, shape: null, specification, likelihoods: untold }, mixture);
}

/** Of each forest of a stream, 1 in all: weights without what rounding of many steps leaves of their sum. */
export function sharesOf({ forest }: OnlineStream): Float64Array {
  const { trees } = forest.state;
  const sum = trees.reduce((total, { weight }) => total + weight, 0);
  return Float64Array.from(trees, ({ weight }) => weight / sum);
}

/** What a stream's model says of how it was made. */
export function specificationOf({ options, forest }: OnlineStream): JsonValue {
  const { rows, loss } = forest.state;
  return { family: ofStream, ...writtenOptions(options), rows, runningLoss: rows === 0 ? null : loss / rows };
}

/** Files of forests say nothing of it, as before there were trees. */
function writtenOptions({ seed, perturbation, structure }: OnlineOptions): Readonly<Record<string, number | string>> {
  return structure === undefined ? { seed, perturbation } : { seed, perturbation, structure };
}

export function isModelOfStream({ specification }: DensityModel): boolean {
  return (specification as { readonly family?: unknown } | null)?.family === ofStream;
}

/** All that a stream goes on from, in a file of its own that says where it is damaged. */
export function stateBytes({ names, table, options, forest }: OnlineStream): Uint8Array {
  const { rows, loss, counts, losses, trees } = forest.state;
  const specification = { ...writtenOptions(options), rows, loss };
  const dimensions = table === undefined ? forest.dimensions : codeOffsets(table).at(-1)!;
  const head = { family: stateFamily, dimensions, names, shape: null, table, specification, likelihoods: untold };
  return writeModelFile(head, {
    counts: NumberArray.ofIntegers([counts]),
    losses: NumberArray.ofFloats([losses]),
    weights: NumberArray.ofFloats([Float64Array.from(trees, ({ weight }) => weight)]),
    parents: NumberArray.ofIntegers(trees.map(({ tree }) => Uint32Array.from(tree))),
  });
}

/** @throws ModelError where the bytes are not a state, or damaged */
export function streamFrom(bytes: Uint8Array): OnlineStream {
  const { head, body } = readModelFile(bytes);
  if (head.family !== stateFamily)
    throw new ModelError('unknown-family', {
      got: `a file of the family ${JSON.stringify(head.family)}`,
      expected: 'the state of a stream of rows',
      where: 'family',
      remedy: 'Give the folder that orchard online wrote, or another one to begin anew.',
    });
  body.requireOnly(['counts', 'losses', 'weights', 'parents']);
  const { names, table } = head;
  const sizes = table?.variables.map(codeCount) ?? null;
  const dimensions = sizes?.length ?? head.dimensions;
  const pairs = (dimensions * (dimensions + 1)) / 2;
  const weights = body.floats('weights', body.bytes('weights').length / 8);
  const parents = body.integers('parents', weights.length * dimensions);
  const { rows, loss, ...options } = progressOf(head.specification);
  const trees = Array.from(weights, (weight, k) => ({
    weight,
    tree: Int32Array.from(parents.subarray(k * dimensions, (k + 1) * dimensions)),
  }));
  const state: OnlineState = {
    rows,
    loss,
    trees,
    counts: body.integers('counts', sizes === null ? pairs : countsOf(sizes)),
    losses: body.floats('losses', pairs),
  };
  const forest = new OnlineForest(dimensions, options, state, sizes);
  return { names, table, options, forest };
}

/**
 * How far a stream is, and by which options: the other half of what `stateBytes` writes.
 *
 * @throws ModelError where something else stands there
 */
function progressOf(specification: JsonValue): OnlineOptions & { readonly rows: number; readonly loss: number } {
  const { rows, loss, seed, perturbation, structure } = (specification ?? {}) as Readonly<Record<string, unknown>>;
  const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  const isAmount = (value: unknown): value is number => Number.isFinite(value);
  if (!isWhole(rows) || !isAmount(loss) || !isWhole(seed) || !isAmount(perturbation))
    throw damaged(specification, 'rows, loss, seed and perturbation, which are numbers');
  if (structure !== undefined && structure !== 'trees') throw damaged(specification, "the structure 'trees', or none");
  return { rows, loss, seed, perturbation, ...(structure === undefined ? {} : { structure }) };
}

function damaged(specification: JsonValue, expected: string): ModelError {
  return new ModelError('damaged-file', {
    got: JSON.stringify(specification),
    expected,
    where: 'specification',
    remedy: 'Give another folder to begin anew.',
  });
}
