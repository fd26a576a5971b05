import { gridOffset, log1p } from '@orchard/numerics';
import type {
  Conditional,
  GrowthOptions,
  GrownTree,
  Kernel,
  LeafSums,
  LogLikelihoods,
  TreeStructure,
  WeightedTree,
} from './kernel.js';
import { checkTarget, labelsOf, predictorsOf, UNREACHED, type Target } from './target.js';
import { Split } from './training-data.js';
import type { TrainingData } from './training-data.js';

/** Gains up to this share of the node's own objective are the rounding of the divisions (how-it-works.md, step 2). */
const ROUNDING = 2 ** -40;
const MOST_ODDS = 2 ** 900;

interface Leaf {
  rows: number[];
  residual: number;
  weight: number;
  best: { predictor: number; gain: number } | null;
}

/**
 * What a round computes (how-it-works.md), written down as plainly as possible: the measure of what the fast kernel
 * must compute, bit for bit.
 */
export const referenceKernel: Kernel = {
  kind: 'reference',
  conditional: (data, target, options) => new ReferenceConditional(data, target, options),
};

class ReferenceConditional implements Conditional {
  readonly #odds: Float64Array;
  readonly #residuals: Float64Array;
  readonly #weights: Float64Array;
  readonly #predictors: number;
  readonly #labels: Uint8Array;
  readonly #training: number[] = [];
  #leaves: Leaf[] = [];
  #leafOfRow: Uint32Array;

  constructor(
    private readonly data: TrainingData,
    target: Target,
    private readonly options: GrowthOptions,
  ) {
    checkTarget(data, target);
    this.#predictors = predictorsOf(target);
    this.#labels = labelsOf(data, target);
    const own = typeof target === 'number' ? undefined : target.startOdds;
    this.#odds = Float64Array.from(this.#labels, (label, row) =>
      label === UNREACHED ? 1 : (own?.(row) ?? options.startOdds),
    );
    this.#residuals = new Float64Array(data.rowCount);
    this.#weights = new Float64Array(data.rowCount);
    this.#leafOfRow = new Uint32Array(data.rowCount);
    for (let row = 0; row < data.rowCount; row++)
      if (data.splitOf(row) === Split.train && this.#labels[row] !== UNREACHED) this.#training.push(row);
  }

  grow(allowed?: Uint8Array, rows: ArrayLike<number> = this.#training): GrownTree {
    this.#computeGradients();
    const isFirstOrder = this.options.gradients === 'first';
    // every row weighs the same: gains are those of least squares
    if (isFirstOrder) this.#weights.fill(1);
    const splits: { leaf: number; predictor: number; gain: number }[] = [];
    this.#leaves = [this.#openLeaf(Array.from(rows), allowed)];
    while (this.#leaves.length < this.options.leaves) {
      let chosen = -1;
      this.#leaves.forEach(({ best }, leaf) => {
        if (best !== null && (chosen < 0 || best.gain > this.#leaves[chosen]!.best!.gain)) chosen = leaf;
      });
      if (chosen < 0) break;
      const { rows, best } = this.#leaves[chosen]!;
      const { predictor, gain } = best!;
      splits.push({ leaf: chosen, predictor, gain });
      this.#leaves[chosen] = this.#openLeaf(
        rows.filter((row) => this.data.bit(row, predictor) === 0),
        allowed,
      );
      this.#leaves.push(
        this.#openLeaf(
          rows.filter((row) => this.data.bit(row, predictor) === 1),
          allowed,
        ),
      );
    }
    const structure = {
      splitLeaf: Uint32Array.from(splits, ({ leaf }) => leaf),
      splitPredictor: Uint32Array.from(splits, ({ predictor }) => predictor),
    };
    this.#sortRows(structure);
    const sums = isFirstOrder ? this.#follow(structure, rows) : this.#sums();
    return { ...structure, ...sums, splitGain: Float64Array.from(splits, ({ gain }) => gain) };
  }

  follow(structure: TreeStructure): LeafSums {
    return this.#follow(structure, this.#training);
  }

  #follow(structure: TreeStructure, rows: ArrayLike<number>): LeafSums {
    this.#computeGradients();
    this.#sortRows(structure);
    this.#leaves = Array.from({ length: structure.splitLeaf.length + 1 }, (_, leaf) =>
      this.#sum(Array.from(rows).filter((row) => this.#leafOfRow[row] === leaf)),
    );
    return this.#sums();
  }

  apply(factors: Float64Array): void {
    this.#odds.forEach((odds, row) => {
      this.#odds[row] = Math.min(Math.max(odds * factors[this.#leafOfRow[row]!]!, 1 / MOST_ODDS), MOST_ODDS);
    });
  }

  applyAll(trees: readonly WeightedTree[]): void {
    for (const tree of trees) {
      this.#sortRows(tree);
      this.apply(tree.leafFactor);
    }
  }

  replay(trees: readonly WeightedTree[]): void {
    this.applyAll(trees);
  }

  logLikelihoods(): LogLikelihoods {
    // compensated (Kahan), so that the reference adds no error of its own to sums over many rows
    const sums = [0, 0, 0];
    const lost = [0, 0, 0];
    this.#odds.forEach((odds, row) => {
      if (this.#labels[row] === UNREACHED) return;
      const one = this.#labels[row] === 1;
      const split = this.data.splitOf(row);
      const term = -log1p(one ? 1 / odds : odds) - lost[split]!;
      const sum = sums[split]! + term;
      lost[split] = sum - sums[split]! - term;
      sums[split] = sum;
    });
    return { train: sums[0]!, valid: sums[1]!, test: sums[2]! };
  }

  /** Step 1: `q = 1/(1+o)`, `p = oq`, `r = y - grid(p)`, `w = grid(pq)`. */
  #computeGradients(): void {
    const offset = gridOffset(this.data.trainingRows);
    for (const row of this.#training) {
      const q = 1 / (1 + this.#odds[row]!);
      const p = this.#odds[row]! * q;
      this.#residuals[row] = this.#labels[row]! - (p + offset - offset);
      this.#weights[row] = p * q + offset - offset;
    }
  }

  #sum(rows: number[]): Leaf {
    let residual = 0;
    let weight = 0;
    for (const row of rows) {
      residual += this.#residuals[row]!;
      weight += this.#weights[row]!;
    }
    return { rows, residual, weight, best: null };
  }

  #objective({ residual, weight }: { residual: number; weight: number }): number {
    return weight > 0 ? (residual * residual) / (weight + this.options.l2) : 0;
  }

  /** Step 2: the split of largest gain (paper eq. 3), the earliest predictor among equals. */
  #openLeaf(rows: number[], allowed?: Uint8Array): Leaf {
    const leaf = this.#sum(rows);
    const own = this.#objective(leaf);
    for (let predictor = 0; predictor < this.#predictors; predictor++) {
      if (allowed?.[predictor] === 0) continue;
      const one = this.#sum(rows.filter((row) => this.data.bit(row, predictor) === 1));
      const zero = { residual: leaf.residual - one.residual, weight: leaf.weight - one.weight };
      const lighter = Math.min(zero.weight, one.weight);
      if (!(lighter > 0 && lighter >= this.options.minLeafWeight)) continue;
      const gain = this.#objective(zero) + this.#objective(one) - own;
      if (gain > (leaf.best?.gain ?? ROUNDING * own)) {
        leaf.best = { predictor, gain };
      }
    }
    return leaf;
  }

  #sortRows({ splitLeaf, splitPredictor }: TreeStructure): void {
    this.#leafOfRow.fill(0);
    splitLeaf.forEach((leaf, split) => {
      this.#leafOfRow.forEach((current, row) => {
        if (current === leaf && this.data.bit(row, splitPredictor[split]!) === 1) this.#leafOfRow[row] = split + 1;
      });
    });
  }

  #sums(): LeafSums {
    return {
      residual: Float64Array.from(this.#leaves, ({ residual }) => residual),
      weight: Float64Array.from(this.#leaves, ({ weight }) => weight),
    };
  }
}
