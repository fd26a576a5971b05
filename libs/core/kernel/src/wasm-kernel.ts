import { gridOffset } from '@orchard/numerics';
import { KernelError } from './errors.js';
import { kernelOn, StateView, type KernelModule } from './kernel-module.js';
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
import { place } from './layout.js';
import { checkTarget, predictorsOf, type Decision, type Target } from './target.js';
import type { TrainingData } from './training-data.js';

/** Instead of a row: a pattern of padding. */
const NO_ROW = 0xffffffff;

/** Trees grown by the WASM kernel on the memory of the data. */
export const wasmKernel: Kernel = {
  kind: 'wasm',
  conditional: (data, target, options, growing) =>
    new WasmConditional(kernelOn(data.handle.memory), data, target, options, growing),
};

class WasmConditional implements Conditional {
  readonly #state: StateView;
  readonly #address: number;
  readonly #predictors: number;
  readonly #logLikelihoods: Float64Array;
  /** Views on what a tree is passed in and out by, for as many leaves as a tree may have. */
  readonly #splitLeaves: Uint32Array;
  readonly #splitPredictors: Uint32Array;
  readonly #splitGains: Float64Array;
  readonly #leafCount: Uint32Array;
  readonly #leafSums: Float64Array;
  /** Of each number of leaves that a tree had: views on its splits, and room for its sums. */
  readonly #grown: (GrownTree | undefined)[] = [];
  readonly #leafFactors: Float64Array;
  /** A byte a predictor, as the host says it. */
  readonly #choices: Uint8Array;
  /** Rows that a tree is grown on. */
  readonly #sample: Uint32Array;
  #restricted = false;
  /**
   * Whether the kernel may put off what follows a given tree: not with test rows, whose likelihoods have the digits of
   * the order in which they were always summed.
   */
  readonly #isDeferring: boolean;

  constructor(
    private readonly kernel: KernelModule,
    data: TrainingData,
    target: Target,
    private readonly options: GrowthOptions,
    growing: boolean,
  ) {
    checkTarget(data, target);
    const { memory, layout, leaves, pooled, rowCounts, sampled } = data.handle;
    if (options.leaves > leaves && leaves < rowCounts[0] + rowCounts[1])
      throw new KernelError('The trees would have more leaves than the data was arranged for', {
        code: 'other-layout',
        got: `${options.leaves} leaves`,
        expected: `at most ${leaves}`,
        remedy: 'Arrange the data with that many leaves.',
      });
    const address = layout.workspaces[data.thread]!;
    const leafLimit = Math.min(options.leaves, leaves);
    const { minLeafWeight, l2 } = options;
    this.#address = address;
    this.#predictors = predictorsOf(target);
    this.#run(() => {
      place(kernel, address, data.handle);
      kernel.setGrowth(address, leafLimit, minLeafWeight, l2, gridOffset(data.trainingRows));
    });
    const { buffer } = memory;
    const state = new StateView(memory, address, kernel.layout);
    this.#state = state;
    this.#splitLeaves = new Uint32Array(buffer, state.get('SPLIT_LEAVES'), leafLimit);
    this.#splitPredictors = new Uint32Array(buffer, state.get('SPLIT_PREDICTORS'), leafLimit);
    this.#splitGains = new Float64Array(buffer, state.get('SPLIT_GAINS'), leafLimit);
    this.#leafCount = new Uint32Array(buffer, address + kernel.layout.LEAF_COUNT, 1);
    this.#leafSums = new Float64Array(buffer, state.get('LEAF_SUMS'), leafLimit * 2);
    this.#leafFactors = new Float64Array(buffer, state.get('LEAF_FACTORS'), leafLimit);
    this.#logLikelihoods = new Float64Array(buffer, state.get('NUMBERS') + kernel.layout.LOG_LIKELIHOODS, 3);
    this.#choices = new Uint8Array(buffer, state.get('SCORES'), this.#predictors);
    this.#sample = new Uint32Array(buffer, state.get('SAMPLED_ROWS'), sampled);
    if (typeof target === 'number') this.#run(() => kernel.labelByColumn(address, target));
    else this.#reach(target, data.rowCount, memory);
    const startOdds = typeof target === 'number' ? undefined : target.startOdds;
    const alike = startOdds === undefined ? 1 : 0;
    this.#isDeferring = !growing && data.testRows === 0;
    const deferring = this.#isDeferring ? 1 : 0;
    this.#run(() => {
      kernel.prepare(address, this.#predictors, pooled ? 1 : 0, growing ? 1 : 0, alike, deferring, options.startOdds);
    });
    if (startOdds !== undefined) this.#startFrom(startOdds, memory);
  }

  /** Tells the kernel which rows reach a decision, and their labels. */
  #reach({ rows, labels }: Decision, rowCount: number, { buffer }: WebAssembly.Memory): void {
    new Uint32Array(buffer, this.#state.get('REACHED_ROWS'), rows.length).set(rows);
    const labelOfRow = new Uint8Array(buffer, this.#state.get('LABELS'), rowCount);
    for (let place = 0; place < rows.length; place++) labelOfRow[rows[place]!] = labels[place]!;
    this.#run(() => this.kernel.reach(this.#address, rows.length));
  }

  /** Gives each pattern the odds of its rows. */
  #startFrom(startOdds: (row: number) => number, { buffer }: WebAssembly.Memory): void {
    const patterns = this.#state.get('PATTERN_END');
    const rows = new Uint32Array(buffer, this.#state.get('PATTERN_ROW'), patterns);
    const odds = new Float64Array(buffer, this.#state.get('ODDS'), patterns);
    for (let pattern = 0; pattern < patterns; pattern++)
      if (rows[pattern] !== NO_ROW) odds[pattern] = startOdds(rows[pattern]!);
    this.#run(() => {
      this.kernel.restart(this.#address);
    });
  }

  grow(allowed?: Uint8Array, rows?: Uint32Array): GrownTree {
    this.#settle();
    if (rows !== undefined) {
      this.#checkSample(rows);
      this.#sample.set(rows);
    }
    if (allowed !== undefined)
      this.#choices.set(allowed.length === this.#predictors ? allowed : allowed.subarray(0, this.#predictors));
    try {
      if (allowed !== undefined) this.kernel.allow(this.#address);
      else if (this.#restricted) this.kernel.allowAll(this.#address);
      this.#restricted = allowed !== undefined;
      const isFirstOrder = this.options.gradients === 'first';
      if (rows !== undefined) this.kernel.growOn(this.#address, rows.length, isFirstOrder ? 1 : 0);
      else if (isFirstOrder) this.kernel.growFirstOrder(this.#address);
      else this.kernel.grow(this.#address);
    } catch (cause) {
      throw aborted(cause);
    }
    return this.#present();
  }

  follow(structure: TreeStructure): LeafSums {
    this.#pass(structure);
    try {
      this.kernel.follow(this.#address, structure.splitLeaf.length + 1);
    } catch (cause) {
      throw aborted(cause);
    }
    const { residual, weight } = this.#present();
    return { residual, weight };
  }

  applyAll(trees: readonly WeightedTree[]): void {
    this.#settle();
    this.#applyEach(trees, this.kernel.applyOnly);
  }

  replay(trees: readonly WeightedTree[]): void {
    if (!this.#isDeferring) {
      this.#applyEach(trees, this.kernel.applyAgain);
      return;
    }
    // given trees whose gradients may wait are fast enough as they are
    for (const tree of trees) {
      this.follow(tree);
      this.apply(tree.leafFactor);
    }
  }

  /** @param applyTo what applies all trees but the last, after which gradients and likelihoods are computed */
  #applyEach(trees: readonly WeightedTree[], applyTo: KernelModule['applyOnly']): void {
    trees.forEach((tree, at) => {
      const leaves = tree.splitLeaf.length + 1;
      this.#pass(tree);
      this.#leafFactors.set(tree.leafFactor);
      const isLast = at === trees.length - 1;
      this.#run(() => {
        if (!isLast) applyTo(this.#address, leaves);
        else {
          this.kernel.sortInto(this.#address, leaves);
          this.kernel.apply(this.#address);
        }
      });
    });
  }

  #checkSample({ length }: Uint32Array): void {
    if (length <= this.#sample.length) return;
    throw new KernelError('The tree is to grow on more rows than the data was arranged for', {
      code: 'other-layout',
      got: `${length} rows`,
      expected: `at most ${this.#sample.length}`,
      remedy: 'Arrange the data with that many rowsPerTree.',
    });
  }

  /** Puts the splits of a tree where the kernel reads them. */
  #pass({ splitLeaf, splitPredictor }: TreeStructure): void {
    const splits = splitLeaf.length;
    if (splits >= this.#splitLeaves.length)
      throw new KernelError('The tree has more leaves than the data was arranged for', {
        code: 'bad-tree',
        got: `${splits + 1} leaves`,
        expected: `at most ${this.#splitLeaves.length}`,
        remedy: 'Arrange the data with as many leaves as the trees have.',
      });
    for (let split = 0; split < splits; split++)
      if (splitLeaf[split]! > split || splitPredictor[split]! >= this.#predictors)
        throw new KernelError(`Split ${split} of the tree is out of range`, {
          code: 'bad-tree',
          got: `leaf ${splitLeaf[split]}, predictor ${splitPredictor[split]}`,
          expected: `a leaf up to ${split} and a predictor before ${this.#predictors}`,
          remedy: 'Use trees that were grown for this conditional.',
        });
    this.#splitLeaves.set(splitLeaf);
    this.#splitPredictors.set(splitPredictor);
  }

  apply(factors: Float64Array): void {
    for (let leaf = 0; leaf < factors.length; leaf++) this.#leafFactors[leaf] = factors[leaf]!;
    try {
      this.kernel.apply(this.#address);
    } catch (cause) {
      throw aborted(cause);
    }
  }

  logLikelihoods(): LogLikelihoods {
    this.#settle();
    const logLikelihoods = this.#logLikelihoods;
    return { train: logLikelihoods[0]!, valid: logLikelihoods[1]!, test: logLikelihoods[2]! };
  }

  /** Has gradients and likelihoods computed that were put off. */
  #settle(): void {
    if (!this.#isDeferring) return;
    try {
      this.kernel.settle(this.#address);
    } catch (cause) {
      throw aborted(cause);
    }
  }

  /** The last tree. */
  #present(): GrownTree {
    const leaves = this.#leafCount[0]!;
    this.#grown[leaves] ??= this.#viewsOf(leaves);
    const tree = this.#grown[leaves];
    const { residual, weight } = tree;
    for (let leaf = 0; leaf < leaves; leaf++) {
      residual[leaf] = this.#leafSums[2 * leaf]!;
      weight[leaf] = this.#leafSums[2 * leaf + 1]!;
    }
    return tree;
  }

  #viewsOf(leaves: number): GrownTree {
    return {
      splitLeaf: this.#splitLeaves.subarray(0, leaves - 1),
      splitPredictor: this.#splitPredictors.subarray(0, leaves - 1),
      splitGain: this.#splitGains.subarray(0, leaves - 1),
      residual: new Float64Array(leaves),
      weight: new Float64Array(leaves),
    };
  }

  /** What a conditional takes once; rounds have a `try` of their own, since small trees take less than callbacks. */
  #run(step: () => void): void {
    try {
      step();
    } catch (cause) {
      throw aborted(cause);
    }
  }
}

function aborted(cause: unknown): KernelError {
  return new KernelError('The kernel was aborted', {
    code: 'aborted',
    got: String(cause),
    expected: 'a finished step',
    remedy: 'This is a defect of the kernel: please report it with the data set and options.',
    cause,
  });
}
