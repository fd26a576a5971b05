import { BitMatrix } from '@orchard/dataset';
import { Split, trainingCounts, type Conditional, type TrainingData } from '@orchard/kernel';
import { designOf, fitPath, lossOf, type LogisticWeights, type SortedRows } from '@orchard/logistic';
import { oncePer, exp } from '@orchard/numerics';
import { Refusal } from '@orchard/refusal';
import type { Tree } from './trees.js';

/** The λ that are tried where none is said, falling: of the sum over all training rows, as in `@orchard/logistic`. */
export const startPenalties: readonly number[] = [64, 32, 16, 8, 4, 2, 1, 0.5];

/**
 * The sparse logistic regression of a column on those before it (paper §6: "initialize the model by first fitting a
 * logistic regression"), L1-penalised, by coordinate descent (`@orchard/logistic`). Without `penalty` the validation
 * rows choose among {@link startPenalties}: from the largest on as long as each is better than the one before, since
 * the smallest cost the most.
 *
 * A column that is the same in all training rows, and the first one, have no predictors: no weights, base rate.
 */
export function fitLogisticStart(
  data: TrainingData,
  position: number,
  penalty: number | undefined,
): { readonly weights: LogisticWeights | null; readonly penalty: number | null } {
  const { rows, ones } = trainingCounts(data, position);
  if (position === 0 || ones === 0 || ones === rows) return { weights: null, penalty: null };
  const design = designOf(sortedRowsOf(data, Split.train), position);
  if (penalty !== undefined) return { weights: [...fitPath(design, [penalty])][0]!, penalty };
  if (data.validationRows === 0)
    throw new Refusal('invalid-option', {
      got: 'no penalty of a logistic start, and no validation rows to choose one',
      expected: 'either of them',
      where: 'option "startPenalty"',
      remedy: 'Give a penalty, or validation rows.',
    });
  const judged = designOf(sortedRowsOf(data, Split.valid), position);
  let best: { weights: LogisticWeights; penalty: number; loss: number } | null = null;
  let step = 0;
  for (const weights of fitPath(design, startPenalties)) {
    const loss = lossOf(judged, weights);
    if (best !== null && !(loss < best.loss)) break;
    best = { weights, penalty: startPenalties[step++]!, loss };
  }
  return best!;
}

/**
 * Log-odds a_0 + Σ a_j x_j of x_j = ±1 as odds e^{a_0} and for each weight a tree of two leaves with factors e^{∓a_j}:
 * what reads networks reads it. The trees come as the predictors do; the gain of each is that of its split (eq. 3) at
 * the odds before it, so that importance counts what is linear too.
 *
 * @param conditional at odds e^{a_0}; the trees are applied to it
 */
export function* applyWeights(conditional: Conditional, { predictors, weights }: LogisticWeights): Generator<Tree> {
  for (let at = 0; at < predictors.length; at++) {
    const structure = { splitLeaf: new Uint32Array(1), splitPredictor: predictors.slice(at, at + 1) };
    const { residual, weight } = conditional.follow(structure);
    const objective = (sum: number, total: number): number => (total > 0 ? (sum * sum) / total : 0);
    const [S0 = 0, S1 = 0] = residual;
    const [W0 = 0, W1 = 0] = weight;
    const gain = objective(S0, W0) + objective(S1, W1) - objective(S0 + S1, W0 + W1);
    const factor = oddsOf(weights[at]!);
    const leafFactor = Float64Array.of(1 / factor, factor);
    conditional.apply(leafFactor);
    yield { ...structure, splitGain: Float64Array.of(Math.max(0, gain)), leafFactor };
  }
}

/** e^x, as far from 0 and infinity as the leaves of trees are. */
export function oddsOf(logOdds: number): number {
  return exp(Math.min(Math.max(logOdds, -600), 600));
}

/** Sorted rows of a split, taken out of the arranged data once a thread: packed bits, and 4 bytes a row. */
const sortedRowsIn = oncePer<WebAssembly.Memory, Map<string, SortedRows>>(() => new Map());

function sortedRowsOf(data: TrainingData, split: number): SortedRows {
  const { memory, pooled, stride } = data.handle;
  const key = `${pooled} ${split}`;
  const ofMemory = sortedRowsIn(memory);
  const found = ofMemory.get(key);
  if (found !== undefined) return found;
  const rows: number[] = [];
  const common: number[] = [];
  // of two rows with others between them: the fewest that neighbours share on the way
  let shared = 0;
  for (let row = 0; row < data.rowCount; row++) {
    shared = Math.min(shared, data.sharedBits[row]!);
    if (data.splitOf(row) !== split) continue;
    common.push(rows.length === 0 ? 0 : shared);
    rows.push(row);
    shared = Infinity;
  }
  const matrix = BitMatrix.create(rows.length, data.dimensions);
  const bytes = Math.min(stride, matrix.stride);
  rows.forEach((row, at) =>
    matrix.bytes.set(data.rows.subarray(row * stride, row * stride + bytes), at * matrix.stride),
  );
  const sorted = { matrix, common: Uint32Array.from(common) };
  ofMemory.set(key, sorted);
  return sorted;
}
