import { gridOffset } from '@orchard/numerics';
import { KernelError } from './errors.js';
import { kernelBytes } from './generated/kernel-bytes.js';
import type {
  Conditional,
  GrowthOptions,
  GrownTree,
  Kernel,
  LeafSums,
  LogLikelihoods,
  TreeStructure,
} from './kernel.js';
import { stateFields } from './layout.js';
import type { StateField } from './layout.js';
import type { TrainingData } from './training-data.js';

interface KernelExports {
  prepare(state: number, position: number, pooled: number, growing: number, odds: number): void;
  grow(state: number): void;
  follow(state: number, leaves: number): void;
  apply(state: number): void;
}

const indexOfField = Object.fromEntries(stateFields.map((field, index) => [field, index])) as Record<
  StateField,
  number
>;

/** Compiles the WASM kernel once; every thread instantiates it on the memory of the data it trains on. */
export async function loadWasmKernel(): Promise<Kernel> {
  const module = await WebAssembly.compile(Buffer.from(kernelBytes, 'base64'));
  const instances = new WeakMap<WebAssembly.Memory, KernelExports>();
  return {
    kind: 'wasm',
    conditional(data, position, options, growing) {
      const { memory } = data.handle;
      let instance = instances.get(memory);
      if (instance === undefined) {
        const { exports } = new WebAssembly.Instance(module, { env: { memory, abort: () => undefined } });
        instance = exports as unknown as KernelExports;
        instances.set(memory, instance);
      }
      return new WasmConditional(instance, data, position, options, growing);
    },
  };
}

class WasmConditional implements Conditional {
  readonly #state: Uint32Array;
  readonly #address: number;
  readonly #memory: ArrayBufferLike;
  readonly #allowed: BigInt64Array;
  readonly #logLikelihoods: Float64Array;
  #restricted = false;

  constructor(
    private readonly kernel: KernelExports,
    data: TrainingData,
    position: number,
    options: GrowthOptions,
    growing: boolean,
  ) {
    const { memory, layout, stride, leaves, pooled } = data.handle;
    if (options.leaves > leaves && leaves < data.handle.rowCounts[0] + data.handle.rowCounts[1])
      throw new KernelError('The trees would have more leaves than the data was arranged for', {
        code: 'unsupported',
        got: `${options.leaves} leaves`,
        expected: `at most ${leaves}`,
        remedy: 'Arrange the data with that many leaves.',
      });
    this.#memory = memory.buffer;
    this.#address = layout.workspaces[data.thread]!;
    this.#state = new Uint32Array(memory.buffer, this.#address, stateFields.length);
    for (const [field, offset] of Object.entries(layout.regions))
      this.#set(field as StateField, this.#address + offset);
    this.#set('rows', layout.rows);
    this.#set('rowStride', stride);
    this.#set('rowCount', data.rowCount);
    this.#set('sharedBits', layout.sharedBits);
    this.#set('splits', layout.splits);
    this.#set('leafLimit', Math.min(options.leaves, leaves));
    const numbers = this.#floats('numbers', 6);
    numbers.set([gridOffset(data.trainingRows), options.l2, options.minLeafWeight]);
    this.#logLikelihoods = numbers.subarray(3);
    this.#allowed = new BigInt64Array(memory.buffer, this.#get('allowed'), Math.ceil(data.dimensions / 8) * 8);
    this.#allow(position);
    // tables are kept zero between uses; a thread that stopped in the middle of a tree may have left something there
    new Uint8Array(memory.buffer, this.#get('tables'), this.#get('histograms') - this.#get('tables')).fill(0);
    this.#run(() => kernel.prepare(this.#address, position, pooled ? 1 : 0, growing ? 1 : 0, options.startOdds));
  }

  grow(allowed?: Uint8Array): GrownTree {
    if (allowed !== undefined) {
      for (let predictor = 0; predictor < this.#get('position'); predictor++)
        this.#allowed[predictor] = allowed[predictor] === 0 ? 0n : -1n;
      this.#restricted = true;
    } else if (this.#restricted) {
      this.#allow(this.#get('position'));
      this.#restricted = false;
    }
    this.#run(() => this.kernel.grow(this.#address));
    const splits = this.#get('leafCount') - 1;
    return {
      splitLeaf: this.#integers('splitLeaves', splits).slice(),
      splitPredictor: this.#integers('splitPredictors', splits).slice(),
      splitGain: this.#floats('splitGains', splits).slice(),
      ...this.#leafSums(),
    };
  }

  follow({ splitLeaf, splitPredictor }: TreeStructure): LeafSums {
    const splits = splitLeaf.length;
    if (splits + 1 > this.#get('leafLimit'))
      throw new KernelError('The tree has more leaves than the data was arranged for', {
        code: 'bad-tree',
        got: `${splits + 1} leaves`,
        expected: `at most ${this.#get('leafLimit')}`,
        remedy: 'Arrange the data with as many leaves as the trees have.',
      });
    for (let split = 0; split < splits; split++)
      if (splitLeaf[split]! > split || splitPredictor[split]! >= this.#get('position'))
        throw new KernelError(`Split ${split} of the tree is out of range`, {
          code: 'bad-tree',
          got: `leaf ${splitLeaf[split]}, predictor ${splitPredictor[split]}`,
          expected: `a leaf up to ${split} and a predictor before ${this.#get('position')}`,
          remedy: 'Use trees that were grown for this conditional.',
        });
    this.#integers('splitLeaves', splits).set(splitLeaf);
    this.#integers('splitPredictors', splits).set(splitPredictor);
    this.#run(() => this.kernel.follow(this.#address, splits + 1));
    return this.#leafSums();
  }

  apply(factors: Float64Array): void {
    this.#floats('leafFactors', factors.length).set(factors);
    this.#run(() => this.kernel.apply(this.#address));
  }

  logLikelihoods(): LogLikelihoods {
    const [train, valid, test] = this.#logLikelihoods;
    return { train: train!, valid: valid!, test: test! };
  }

  #leafSums(): LeafSums {
    const sums = this.#floats('leafSums', this.#get('leafCount') * 2);
    const residual = new Float64Array(sums.length / 2);
    const weight = new Float64Array(sums.length / 2);
    for (let leaf = 0; leaf < residual.length; leaf++) {
      residual[leaf] = sums[2 * leaf]!;
      weight[leaf] = sums[2 * leaf + 1]!;
    }
    return { residual, weight };
  }

  /** Every predictor may be used; the padding behind them never. */
  #allow(predictors: number): void {
    this.#allowed.fill(0n).fill(-1n, 0, predictors);
  }

  #run(step: () => void): void {
    try {
      step();
    } catch (cause) {
      throw new KernelError('The kernel was aborted', {
        code: 'aborted',
        got: String(cause),
        expected: 'a finished step',
        remedy: 'This is a defect of the kernel: please report it with the data set and options.',
        cause,
      });
    }
  }

  #get(field: StateField): number {
    return this.#state[indexOfField[field]]!;
  }

  #set(field: StateField, value: number): void {
    this.#state[indexOfField[field]] = value;
  }

  #integers(field: StateField, length: number): Uint32Array {
    return new Uint32Array(this.#memory, this.#get(field), length);
  }

  #floats(field: StateField, length: number): Float64Array {
    return new Float64Array(this.#memory, this.#get(field), length);
  }
}
