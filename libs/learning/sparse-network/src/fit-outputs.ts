/**
 * Generalised linear models with an L1 penalty, along a path of penalties. The loss of row n is at most a parabola of
 * one curvature about any scores, so one Gram matrix serves all steps: each minimizes
 * ½ curvature (b - y)ᵀ G (b - y) + gᵀ (b - y) + Σ penalty |b| by coordinate descent, from a y that runs ahead of the
 * weights (Beck and Teboulle). A Gaussian's parabola is the loss itself, and its first step the last.
 */

/** A predictor: the number of each row is that of its code. */
export interface DesignColumn {
  readonly codes: Uint16Array;
  readonly values: Float64Array;
}

export interface Loss {
  readonly outputs: number;
  /** No less than any second derivative of the loss of one row by its scores. */
  readonly curvature: number;
  /** Penalty of the weights over that of intercepts; Infinity for none. */
  readonly interceptScaling: number;
  /** d loss / d score of each row and output: element `row * outputs + output`, by the scores that stand there. */
  slopes(scores: Float64Array): void;
}

/** Weights of each output: first the intercept, then of each column. */
export type Outputs = readonly Float64Array[];

const MOST_STEPS = 60;
const MOST_SWEEPS = 100;
/** Of λ: how far slopes may miss their condition, about. */
const TOLERANCE = 0.05;

/** @param penalties descending: each begins at the weights of the one before */
export function* fitOutputs(
  columns: readonly DesignColumn[],
  rows: number,
  loss: Loss,
  penalties: readonly number[],
): Generator<Outputs> {
  const one: DesignColumn = { codes: new Uint16Array(rows), values: Float64Array.of(1) };
  const design = [one, ...columns];
  const gram = gramOf(design).map((line) => line.map((value) => loss.curvature * value));
  let weights: Outputs = Array.from({ length: loss.outputs }, () => new Float64Array(design.length));
  for (const penalty of penalties) {
    const limits = Float64Array.from(design, (_, at) => (at === 0 ? penalty / loss.interceptScaling : penalty));
    let ahead = weights;
    for (let [step, pace] = [0, 1]; step < MOST_STEPS; step++) {
      const slopes = scoresOf(design, rows, ahead);
      loss.slopes(slopes);
      const next = ahead.map((from, output) =>
        descend(gram, from, slopesOf(design, slopes, output, loss.outputs), limits, TOLERANCE * penalty),
      );
      const before = weights;
      weights = next;
      if (farthest(gram, ahead, next) <= TOLERANCE * penalty) break;
      // where the last step turned back, what runs ahead would overshoot
      const turned = sumOver(next, (own, output, at) => (ahead[output]![at]! - own) * (own - before[output]![at]!));
      const faster = turned > 0 ? 1 : (1 + Math.sqrt(1 + 4 * pace * pace)) / 2;
      const share = turned > 0 ? 0 : (pace - 1) / faster;
      ahead = next.map((own, output) => own.map((weight, at) => weight + share * (weight - before[output]![at]!)));
      pace = faster;
    }
    yield weights;
  }
}

function gramOf(design: readonly DesignColumn[]): Float64Array[] {
  const gram = design.map(() => new Float64Array(design.length));
  design.forEach((one, i) => {
    const own = Float64Array.from(one.codes, (code) => one.values[code]!);
    for (let j = 0; j <= i; j++) {
      const { codes, values } = design[j]!;
      let sum = 0;
      for (let row = 0; row < own.length; row++) sum += own[row]! * values[codes[row]!]!;
      gram[i]![j] = sum;
      gram[j]![i] = sum;
    }
  });
  return gram;
}

/** Element `row * outputs + output`. */
export function scoresOf(design: readonly DesignColumn[], rows: number, weights: Outputs): Float64Array {
  const scores = new Float64Array(rows * weights.length);
  weights.forEach((own, output) => {
    own.forEach((weight, at) => {
      if (weight === 0) return;
      const { codes, values } = design[at]!;
      for (let row = 0, to = output; row < rows; row++, to += weights.length)
        scores[to]! += weight * values[codes[row]!]!;
    });
  });
  return scores;
}

function slopesOf(
  design: readonly DesignColumn[],
  slopes: Float64Array,
  output: number,
  outputs: number,
): Float64Array {
  return Float64Array.from(design, ({ codes, values }) => {
    let sum = 0;
    for (let row = 0, at = output; row < codes.length; row++, at += outputs) sum += slopes[at]! * values[codes[row]!]!;
    return sum;
  });
}

/** @param slopes at `from`; they follow the weights */
function descend(
  gram: readonly Float64Array[],
  from: Float64Array,
  slopes: Float64Array,
  limits: Float64Array,
  tolerance: number,
): Float64Array {
  const weights = from.slice();
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let most = 0;
    for (let at = 0; at < weights.length; at++) {
      const line = gram[at]!;
      const curvature = line[at]!;
      if (curvature === 0) continue;
      const wanted = curvature * weights[at]! - slopes[at]!;
      const next = (Math.sign(wanted) * Math.max(0, Math.abs(wanted) - limits[at]!)) / curvature;
      const change = next - weights[at]!;
      if (change === 0) continue;
      weights[at] = next;
      for (let other = 0; other < slopes.length; other++) slopes[other]! += line[other]! * change;
      most = Math.max(most, curvature * Math.abs(change));
    }
    if (most <= tolerance / 10) break;
  }
  return weights;
}

/** How far a step changes the slope of one weight at most. */
function farthest(gram: readonly Float64Array[], from: Outputs, to: Outputs): number {
  let most = 0;
  to.forEach((own, output) => {
    own.forEach((weight, at) => {
      most = Math.max(most, gram[at]![at]! * Math.abs(weight - from[output]![at]!));
    });
  });
  return most;
}

function sumOver(outputs: Outputs, valueOf: (own: number, output: number, at: number) => number): number {
  let sum = 0;
  outputs.forEach((own, output) => {
    own.forEach((weight, at) => {
      sum += valueOf(weight, output, at);
    });
  });
  return sum;
}
