import type { BitMatrix } from '@orchard/dataset';
import { count, counted } from '@orchard/refusal';
import { blanksOf, checkSeed, checkWhole, emptyMatrix } from '../port/arguments.js';
import { asBitMatrix, type BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import type { Conditionals } from './conditional-odds.js';
import { completeInto } from './network-completion.js';
import type { DensityModel, Explained, ModelSummary, Ordered } from '../port/density-model.js';
import type { Ensemble } from './ensemble.js';
import { ModelError } from '../errors.js';
import { Evaluator } from './evaluator.js';
import { judgeGains, type HeldOutGains, type HeldOutRows } from './held-out-gain.js';
import { gainShares, summarizeConditional, type ConditionalSummary } from './importance.js';
import {
  cellLogLikelihoods,
  columnLogLikelihoods,
  meanEntropies,
  probabilities,
  rowLogLikelihoods,
} from '../port/likelihood.js';
import { HeadedModel } from '../file/headed-model.js';
import type { BodyArrays } from '../file/model-body.js';
import { readModelFile } from '../file/model-file.js';
import { readNetworkBody, writeNetworkBody } from './network-body.js';
import { NETWORK_FAMILY, checkParts, type NetworkParts } from './network-parts.js';
import { unknownFamily, type ModelCodec } from '../file/open-model.js';
import { roundedEnsemble } from './rounded-ensemble.js';
import { sampleInto } from '../port/sampling.js';
import { scoreCells, type Score } from '../port/score.js';
import { mostSamples } from '../sequential/sequential-model.js';

/** Above this many dimensions the D x D matrix of importances is refused: it would take over 512 MiB. */
const WIDEST_IMPORTANCE = 8192;

/** Samples of the model itself that its entropies are measured on, unless a matrix is given. */
const ENTROPY_SAMPLES = 10_000;

/** The numbers of `inspect`. */
export interface NetworkSummary extends ModelSummary {
  readonly trees: number;
  readonly leaves: number;
  /** The deepest tree's. */
  readonly depth: number;
  /** One for each position, in the order of the ordering. */
  readonly conditionals: readonly ConditionalSummary[];
}

/**
 * An autoregressive density model of D binary columns: P(x) is the product over the positions of an ordering of
 * P(column | columns at earlier positions), each of these an ensemble of trees.
 *
 * Everything a caller hands in or gets back is in stored column order; the network permutes. Immutable: nothing that it
 * gives out may be written to. All likelihoods are in nats. Results are the same bits on every machine.
 */
export class Network extends HeadedModel implements NetworkParts, DensityModel, Explained, Ordered {
  readonly family = NETWORK_FAMILY;
  readonly ordering: Uint32Array;
  /** The trees of each position's conditional; their predictors are positions. */
  readonly ensembles: readonly Ensemble[];
  /** Their evaluator is empty until the first question about rows. */
  readonly #conditionals: Conditionals;

  /** @throws ModelError `invalid-network` or `invalid-ensemble` where the parts contradict each other */
  constructor(parts: NetworkParts) {
    const { ordering, ensembles, ...head } = checkParts(parts);
    super({ ...head, dimensions: ordering.length });
    this.ordering = ordering;
    this.ensembles = ensembles;
    this.#conditionals = { evaluator: new Evaluator(), ensembles, ordering };
  }

  /**
   * Reads a network file (FORMAT.md); `openModel` reads those of other families too.
   * @throws ModelError for any bytes that are not a consistent network
   */
  static from(bytes: Uint8Array): Network {
    const { head, body } = readModelFile(bytes);
    if (head.family !== NETWORK_FAMILY) throw unknownFamily(head.family, [networkCodec]);
    return networkCodec.read(head, body);
  }

  protected body(): BodyArrays {
    return writeNetworkBody(this);
  }

  /** With rounded trees: the file is of version 5. */
  compacted(): Network {
    return new Network({ ...this, ensembles: this.ensembles.map(roundedEnsemble) });
  }

  /** log P(row) of each row. Costs about `distinct rows x trees`, see README. */
  logLikelihood(matrix: BinaryMatrix): Float64Array {
    return rowLogLikelihoods(this.#conditionals, asBitMatrix(matrix, this.dimensions));
  }

  /** log P(value | the row's values at earlier positions): element `row * D + column`. */
  logLikelihoods(matrix: BinaryMatrix): Float64Array {
    return cellLogLikelihoods(this.#conditionals, asBitMatrix(matrix, this.dimensions));
  }

  /** P(column is 1 | the row's values at earlier positions) of each row. */
  probabilities(matrix: BinaryMatrix, column: number): Float64Array {
    const position = this.positionOf(column);
    return probabilities(this.#conditionals, asBitMatrix(matrix, this.dimensions), position);
  }

  /**
   * How surprising each value is given the earlier ones, and the `top` most surprising columns of each row.
   *
   * @default top 5
   */
  score(matrix: BinaryMatrix, options: { readonly top?: number } = {}): Score {
    return scoreCells(this.logLikelihoods(matrix), this.dimensions, options.top ?? 5, this.ordering);
  }

  /** Row r uses random stream (seed, sample, firstRow + r), its number i for position i: the same on every machine. */
  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = emptyMatrix(count, this);
    sampleInto(this.#conditionals, matrix, seed, firstRow);
    return matrix;
  }

  /**
   * Draws what is not known of each row, given what is, and says how probable the known values are. `known` has a 1 for
   * each value of `values` to keep; the others are ignored. Exact where the known columns come first in the ordering;
   * otherwise by sequential Monte Carlo with `samples` particles (sequential.ts says how, and what it costs).
   * @default samples 256
   */
  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    const { seed, samples = 256, firstRow } = options;
    checkSeed(seed);
    checkWhole('samples', samples, 1, mostSamples(this.dimensions));
    const blanks = blanksOf(values, known, this);
    return completeInto(this.#conditionals, blanks, { seed, samples, firstRow });
  }

  /**
   * The entropy that each column has left given the columns before it in the ordering, in nats, by stored column: the
   * mean over rows of the entropy of P(column | earlier values). The rows are those of `matrix` (the empirical mean),
   * or draws of the network itself, which estimates the model's own conditional entropies; their sum is then an
   * estimate of the entropy of the whole distribution.
   * @default samples 10,000, seed 0
   */
  entropies(
    from: { readonly matrix: BinaryMatrix } | { readonly samples?: number; readonly seed?: number } = {},
  ): Float64Array {
    const matrix = 'matrix' in from ? asBitMatrix(from.matrix, this.dimensions) : null;
    const rows = matrix ?? this.sampleForEntropies(from as { samples?: number; seed?: number });
    if (rows.rows === 0) {
      throw new ModelError('invalid-argument', {
        got: 'no rows',
        expected: 'at least one row to average over',
        remedy: 'Give a matrix with rows.',
      });
    }
    return meanEntropies(this.#conditionals, rows);
  }

  /**
   * The stored columns by their conditional entropy in this network (paper, section 5.3): an ordering to train another
   * network with. Ties: the lower column first. A greedy ordering would measure each column's entropy given those
   * already chosen; this one measures it given those before it in this network's ordering.
   */
  entropyOrdering(
    direction: 'increasing' | 'decreasing',
    from: { readonly matrix: BinaryMatrix } | { readonly samples?: number; readonly seed?: number } = {},
  ): Uint32Array {
    const entropies = this.entropies(from);
    const sign = direction === 'increasing' ? 1 : -1;
    return Uint32Array.from(entropies, (_, column) => column).sort(
      (a, b) => sign * (entropies[a]! - entropies[b]!) || a - b,
    );
  }

  /**
   * What each conditional gains on held-out rows over its column's base rate, and whether that is beyond noise. Hand it
   * to {@link importance} and {@link importanceOf}: trees split on noise too, so that shares alone invent dependencies.
   */
  gains(heldOut: HeldOutRows): HeldOutGains {
    const matrix = asBitMatrix(heldOut.matrix, this.dimensions);
    return judgeGains(columnLogLikelihoods(this.#conditionals, matrix), heldOut);
  }

  /**
   * Shares of gain in ordering positions: element `conditional * D + predictor` is the share that the predictor's
   * splits have in the gain of the conditional. Strictly lower triangle; a row sums to 1, or to 0 where nothing was
   * split or where `judged` says that the conditional's gain is not beyond noise.
   * @param judged of {@link gains}; without it shares of noise are among the shares
   * @throws ModelError `invalid-argument` beyond 8,192 dimensions; use {@link importanceOf}
   */
  importance(judged?: HeldOutGains): Float64Array {
    const { dimensions } = this;
    if (dimensions > WIDEST_IMPORTANCE) {
      throw new ModelError('invalid-argument', {
        got: `${dimensions} dimensions`,
        expected: `at most ${WIDEST_IMPORTANCE} for the whole matrix`,
        remedy: 'Ask for one column at a time with importanceOf.',
      });
    }
    const matrix = new Float64Array(dimensions * dimensions);
    this.ensembles.forEach((ensemble, position) => {
      if (judged?.beyondNoise[this.ordering[position]!] === 0) return;
      matrix.set(gainShares(ensemble, dimensions), position * dimensions);
    });
    return matrix;
  }

  /** Shares of gain in the conditional of a stored column, by stored column; all 0 where `judged` finds noise alone. */
  importanceOf(column: number, judged?: HeldOutGains): Float64Array {
    const { dimensions, ordering } = this;
    const position = this.positionOf(column);
    const byColumn = new Float64Array(dimensions);
    if (judged?.beyondNoise[column] === 0) return byColumn;
    const shares = gainShares(this.ensembles[position]!, position);
    for (let at = 0; at < position; at++) byColumn[ordering[at]!] = shares[at]!;
    return byColumn;
  }

  /** The stored columns, ascending, that no tree splits on: no other column's conditional depends on them. */
  irrelevantVariables(): Uint32Array {
    const used = new Uint8Array(this.dimensions);
    for (const { splitPredictor } of this.ensembles) {
      for (const position of splitPredictor) used[this.ordering[position]!] = 1;
    }
    return Uint32Array.from(used.keys()).filter((column) => used[column] === 0);
  }

  summary(): NetworkSummary {
    const conditionals = this.ensembles.map((ensemble, position) =>
      summarizeConditional(ensemble, this.ordering[position]!),
    );
    const size = {
      trees: conditionals.reduce((sum, { trees }) => sum + trees, 0),
      leaves: conditionals.reduce((sum, { leaves }) => sum + leaves, 0),
      depth: conditionals.reduce((most, { depth }) => Math.max(most, depth), 0),
    };
    return { dimensions: this.dimensions, facts: networkFacts(size), ...size, conditionals };
  }

  private positionOf(column: number): number {
    checkWhole('column', column, 0, this.dimensions - 1);
    return this.ordering.indexOf(column);
  }

  private sampleForEntropies({ samples = ENTROPY_SAMPLES, seed = 0 }: { samples?: number; seed?: number }): BitMatrix {
    checkWhole('samples', samples, 1, 2 ** 32 - 1);
    return this.sample(samples, seed);
  }
}

/** How networks are read among the models of other families. */
export const networkCodec = {
  family: NETWORK_FAMILY,
  read: (head, body) => new Network({ ...head, ...readNetworkBody(body, head.dimensions) }),
} satisfies ModelCodec;

/** What is said of a network's trees. */
function networkFacts(size: {
  readonly trees: number;
  readonly leaves: number;
  readonly depth: number;
}): ModelSummary['facts'] {
  const leaves = counted(size.leaves, 'leaf', 'leaves');
  return [['trees', `${count(size.trees)} of ${leaves} in all, at most ${counted(size.depth, 'split')} deep`]];
}
