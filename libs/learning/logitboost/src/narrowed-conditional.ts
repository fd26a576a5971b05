import { BitMatrix } from '@orchard/dataset';
import {
  TrainingData,
  type Conditional,
  type GrowthOptions,
  type GrownTree,
  type Kernel,
  type LeafSums,
  type LogLikelihoods,
  type Target,
  type TreeStructure,
  type WeightedTree,
} from '@orchard/kernel';
import { Refusal } from '@orchard/refusal';
import { exclusiveColumns } from './exclusive-columns.js';
import { likelyPredictors } from './likely-predictors.js';
import { nearestPredictors } from './nearest-predictors.js';
import type { BoostingOptions } from './options.js';

/**
 * The positions that training a target may look at, rising, where options let it look at fewer than there are; null
 * where it may look at all. Columns that predict it by a group, and the nearest where these are asked for, are among
 * them.
 */
export function seenPredictors(
  data: TrainingData,
  target: Target,
  { maxPredictors, near, exclusive }: Pick<BoostingOptions, 'maxPredictors' | 'near' | 'exclusive'>,
): Uint32Array | null {
  if (maxPredictors === undefined || typeof target !== 'number' || target <= maxPredictors) return null;
  const told = exclusive === undefined ? null : exclusiveColumns(data, exclusive).told[target];
  const nearest = near === undefined ? [] : nearestPredictors(target, near);
  const required = Uint32Array.from(new Set([...(told?.by ?? []), ...nearest])).sort();
  const seen = likelyPredictors(data, target, maxPredictors, required);
  return seen.length === target ? null : seen;
}

/**
 * A conditional that looks at some of the columns before it. The kernel is given these alone, arranged as data of their
 * own, so that trees cost what so few predictors cost; trees name positions of the whole data, as all others do.
 */
export class NarrowedConditional implements Conditional {
  /** The columns that are seen, and the target behind them. */
  readonly data: TrainingData;
  readonly target: number;
  readonly #own: Conditional;
  /** By position of the whole data, where the narrowed data have it; -1 where they do not. */
  readonly #places: Int32Array;

  /** @param seen positions before the target, rising */
  constructor(
    kernel: Kernel,
    data: TrainingData,
    position: number,
    private readonly seen: Uint32Array,
    growth: GrowthOptions,
    growing: boolean,
    { rowsPerTree }: Pick<BoostingOptions, 'rowsPerTree'> = {},
  ) {
    this.#places = new Int32Array(position).fill(-1);
    seen.forEach((predictor, place) => {
      this.#places[predictor] = place;
    });
    this.target = seen.length;
    this.data = narrowed(data, Uint32Array.from([...seen, position]), rowsPerTree);
    this.#own = kernel.conditional(this.data, this.target, growth, growing);
  }

  /**
   * @param allowed by place among the predictors that are seen
   * @param rows of `data`
   */
  grow(allowed?: Uint8Array, rows?: Uint32Array): GrownTree {
    const tree = this.#own.grow(allowed, rows);
    return { ...tree, splitPredictor: tree.splitPredictor.map((place) => this.seen[place]!) };
  }

  follow(structure: TreeStructure): LeafSums {
    return this.#own.follow(this.#placed(structure));
  }

  apply(factors: Float64Array): void {
    this.#own.apply(factors);
  }

  applyAll(trees: readonly WeightedTree[]): void {
    this.#own.applyAll(trees.map((tree) => ({ ...this.#placed(tree), leafFactor: tree.leafFactor })));
  }

  replay(trees: readonly WeightedTree[]): void {
    this.#own.replay(trees.map((tree) => ({ ...this.#placed(tree), leafFactor: tree.leafFactor })));
  }

  logLikelihoods(): LogLikelihoods {
    return this.#own.logLikelihoods();
  }

  #placed({ splitLeaf, splitPredictor }: TreeStructure): TreeStructure {
    const stranger = splitPredictor.find((predictor) => (this.#places[predictor] ?? -1) < 0);
    if (stranger !== undefined)
      throw new Refusal('invalid-checkpoint', {
        got: `a split on position ${stranger}`,
        expected: `one of the ${this.seen.length} positions that this conditional looks at`,
        remedy: 'Continue from a checkpoint of the same run and dimension, or start anew.',
      });
    return { splitLeaf, splitPredictor: splitPredictor.map((predictor) => this.#places[predictor]!) };
  }
}

/**
 * The narrowed data that were last made of a data set in this thread: those of the next conditional take their memory.
 */
const last = new WeakMap<WebAssembly.Memory, TrainingData>();

/**
 * These columns of the data, for one thread. What validates and what trains stays as it is. O(rows x columns) and a
 * sort.
 */
function narrowed(data: TrainingData, columns: Uint32Array, rowsPerTree: number | undefined): TrainingData {
  const { memory, leaves } = data.handle;
  const rowsOf: number[][] = [[], [], []];
  for (let row = 0; row < data.rowCount; row++) rowsOf[data.splitOf(row)]!.push(row);
  const [train, valid, test] = rowsOf.map((rows) => (rows.length === 0 ? null : bitsOfColumns(data, rows, columns)));
  const made = TrainingData.arrange(
    { train: train!, valid: valid!, test: test! },
    { threads: 1, leaves, rowsPerTree, into: last.get(memory) },
  );
  last.set(memory, made);
  return made;
}

function bitsOfColumns(data: TrainingData, rows: readonly number[], columns: Uint32Array): BitMatrix {
  const matrix = BitMatrix.create(rows.length, columns.length);
  const { bytes, stride } = matrix;
  const whole = data.rows;
  const wholeStride = data.handle.stride;
  for (let at = 0; at < rows.length; at++) {
    const from = rows[at]! * wholeStride;
    const to = at * stride;
    for (let column = 0; column < columns.length; column++) {
      const position = columns[column]!;
      const bit = (whole[from + (position >> 3)]! >> (7 - (position & 7))) & 1;
      bytes[to + (column >> 3)]! |= bit << (7 - (column & 7));
    }
  }
  return matrix;
}
