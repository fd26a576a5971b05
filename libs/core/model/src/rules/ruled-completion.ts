import { codeCount, ownValue, readCodes, writeCode, type BitMatrix } from '@orchard/dataset';
import { firstThat, log, Purpose, RandomStream, sumOf } from '@orchard/numerics';
import type { Completion } from '../port/completion.js';
import type { SequentialOptions } from '../sequential/sequential.js';
import { filledWeights } from '../tables/evidence.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { Cell } from './cell-shares.js';
import type { PossibleCodes } from './possible-codes.js';

/** Rows of which something is unknown. */
export interface RowsUnderRules {
  readonly matrix: BitMatrix;
  /** Of a variable all bits are known, or none. */
  readonly known: BitMatrix;
  /** The number of a known cell; NaN where it is not a number. */
  numberAt(row: number, variable: number): number;
}

/** Usual particles of a row under rules: each takes a step of its own for every column. */
export const PARTICLES_UNDER_RULES = 256;

/** Particles are drawn anew by their weights where these are worth fewer than this share of them. */
const FEW = 0.5;

/** What a row's particles come to. */
interface Drawn {
  /** Rows of codes, each of one or more particles. */
  readonly states: BitMatrix;
  /** By particle. */
  readonly stateOf: Uint32Array;
  readonly weights: Float64Array;
  readonly logEvidence: number;
}

/**
 * Completions that follow rules: particles of each row go through the variables in the model's order. What is unknown
 * is drawn from the conditional under the rules, among the codes from which all that is known later can follow; what is
 * known weighs. Rows that break a rule by what is known of them are completed by the model alone.
 */
export function completeUnderRules(
  model: TabularModel,
  ordering: Uint32Array,
  possible: PossibleCodes,
  rows: RowsUnderRules,
  options: SequentialOptions,
): readonly Completion[] {
  const { matrix, known } = rows;
  const { samples, draws, seed, firstRow = 0 } = options;
  const plain = model.completions(matrix, known, { samples, draws, seed, firstRow });
  const codes = Array.from(ordering, (_, index) => readCodes(matrix, model.offsets[index]!, model.offsets[index + 1]!));
  const empty = model.emptyRows(1);
  for (let row = 0; row < matrix.rows; row++) {
    const isKnown = (index: number): boolean => known.get(row, model.offsets[index]!) === 1;
    const cellOf = (index: number): Cell | null =>
      isKnown(index) ? knownCell(model, rows, row, index, codes[index]![row]!) : null;
    if (!possible.isPossible(cellOf)) continue;
    const isWhole = ordering.every(isKnown);
    const stream = new RandomStream(seed, Purpose.complete, firstRow + row);
    const drawn = drawRow({ model, ordering, possible, cellOf, samples: isWhole ? 1 : samples, empty }, stream);
    const size = effectiveSize(drawn.weights);
    const sums = cumulated(drawn.weights);
    plain.forEach((completion, draw) => {
      const chosen = drawn.stateOf[firstAbove(sums, stream.uniform() * sums.at(-1)!)]!;
      const { bytes: all, stride } = drawn.states;
      const bytes = all.subarray(chosen * stride, (chosen + 1) * stride);
      completion.matrix.bytes.set(bytes, row * completion.matrix.stride);
      if (draw > 0) return;
      completion.effectiveSampleSize[row] = isWhole ? samples : size;
      completion.exact[row] = isWhole ? 1 : 0;
      completion.logEvidence[row] = drawn.logEvidence;
      completion.logEvidenceError[row] = isWhole ? 0 : Math.sqrt(1 / size);
    });
  }
  return plain;
}

/** A known cell; of a cell of many values its number too. */
export function knownCell(
  { table }: Pick<TabularModel, 'table'>,
  rows: Pick<RowsUnderRules, 'numberAt'>,
  row: number,
  index: number,
  code: number,
): Cell {
  const variable = table.variables[index]!;
  if (variable.kind !== 'ordered' || ownValue(variable, code) !== null) return { code, number: null };
  const number = rows.numberAt(row, index);
  return { code, number: Number.isNaN(number) ? null : number };
}

interface RowToDraw {
  readonly model: TabularModel;
  readonly ordering: Uint32Array;
  readonly possible: PossibleCodes;
  readonly cellOf: (index: number) => Cell | null;
  readonly samples: number;
  /** A row of zeros: to make one takes longer than to copy it. */
  readonly empty: BitMatrix;
}

/**
 * Particles of one row. Those with the same codes so far are one state: what follows from the codes is worked out once
 * for each state.
 */
function drawRow(row: RowToDraw, stream: RandomStream): Drawn {
  const { model, ordering, cellOf, samples, empty } = row;
  let states = empty.selectRows([0]);
  let stateOf: Uint32Array = new Uint32Array(samples);
  let weights = new Float64Array(samples).fill(1 / samples);
  let logEvidence = 0;
  for (const index of ordering) {
    const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
    const known = cellOf(index);
    let factors: Float64Array;
    if (known === null) {
      const drawn = drawCodes(row, index, states, stateOf, stream);
      factors = drawn.factors;
      weights.forEach((weight, particle) => {
        weights[particle] = weight * factors[stateOf[particle]!]!;
      });
      stateOf = drawn.stateOf;
      states = states.selectRows(drawn.parents);
      drawn.codes.forEach((code, state) => {
        writeCode(states, state, from, to, code);
      });
    } else {
      factors = knownFactors(row, index, known, states);
      weights.forEach((weight, particle) => {
        weights[particle] = weight * factors[stateOf[particle]!]!;
      });
      for (let state = 0; state < states.rows; state++) writeCode(states, state, from, to, known.code);
    }
    if (factors.every((factor) => factor === 1)) continue;
    const sum = sumOf(weights);
    // known values that the model holds impossible say nothing of the particles
    if (sum === 0) weights.fill(1 / samples);
    else weights = weights.map((weight) => weight / sum);
    logEvidence += log(sum);
    if (effectiveSize(weights) >= FEW * samples) continue;
    const left = systematic(weights, stream.uniform()).map((particle) => stateOf[particle]!);
    const used = [...new Set(left)];
    const placeOf = new Map(used.map((state, place) => [state, place]));
    stateOf = Uint32Array.from(left, (state) => placeOf.get(state)!);
    states = states.selectRows(used);
    weights = new Float64Array(samples).fill(1 / samples);
  }
  return { states, stateOf, weights, logEvidence };
}

/** The cells of a row in a state: what is known, and the codes that were drawn of what comes before a variable. */
function cellsIn(
  { model, ordering, possible, cellOf }: RowToDraw,
  index: number,
  states: BitMatrix,
): (state: number) => (other: number) => Cell | null {
  const before = new Map<number, Uint16Array>();
  const bound = new Set(possible.boundTo(index));
  for (const other of ordering) {
    if (other === index) break;
    if (bound.has(other) && cellOf(other) === null)
      before.set(other, readCodes(states, model.offsets[other]!, model.offsets[other + 1]!));
  }
  return (state) => (other) => {
    const codes = before.get(other);
    return codes === undefined ? cellOf(other) : { code: codes[state]!, number: null };
  };
}

/** The same without what is known later: likelihoods of a column do not know it. */
function knownBefore(
  ordering: Uint32Array,
  index: number,
  cellAt: (other: number) => Cell | null,
): (other: number) => Cell | null {
  const at = ordering.indexOf(index);
  return (other) => (ordering.indexOf(other) < at ? cellAt(other) : null);
}

/**
 * By state P(a known cell | the codes before it) under the rules: what they forbid is shared out to what they leave.
 */
function knownFactors(row: RowToDraw, index: number, known: Cell, states: BitMatrix): Float64Array {
  const { model, ordering, possible } = row;
  const chances = model.distributionOf(index, states);
  const codes = codeCount(model.table.variables[index]!);
  const cellsAt = cellsIn(row, index, states);
  return Float64Array.from({ length: states.rows }, (_, state) => {
    const own = chances.subarray(state * codes, (state + 1) * codes);
    if (!possible.isBound(index)) return own[known.code]!;
    const cellAt = cellsAt(state);
    const share = possible.shareOfKnown(index, (other) => (other === index ? known : cellAt(other)));
    const left = productSum(own, null, possible.weightsOf(index, knownBefore(ordering, index, cellAt)));
    return left > 0 ? (own[known.code]! * share) / left : 0;
  });
}

interface DrawnCodes {
  /** By particle, among the new states. */
  readonly stateOf: Uint32Array;
  /** By new state, the one that it comes from and the code that was drawn. */
  readonly parents: readonly number[];
  readonly codes: readonly number[];
  /**
   * By state it came from: how much of what the conditional under the rules leaves can still be followed by what is
   * known later. Codes are drawn among these alone, and the particles weigh that much less.
   */
  readonly factors: Float64Array;
}

function drawCodes(
  row: RowToDraw,
  index: number,
  states: BitMatrix,
  stateOf: Uint32Array,
  stream: RandomStream,
): DrawnCodes {
  const { model, ordering, possible } = row;
  const variable = model.table.variables[index]!;
  const size = codeCount(variable);
  const chances = model.distributionOf(index, states);
  const filled = filledWeights(variable);
  const cellsAt = cellsIn(row, index, states);
  const factors = new Float64Array(states.rows).fill(1);
  // by state and code, the sum of the codes up to it
  const sums = new Float64Array(states.rows * size);
  for (let state = 0; state < states.rows; state++) {
    const own = chances.subarray(state * size, (state + 1) * size);
    const cellAt = cellsAt(state);
    const allowed = possible.weightsOf(index, cellAt);
    // where rules leave nothing but a missing value, it stays one
    const values = allowed === null || filled.some((weight, code) => weight * allowed[code]! > 0) ? filled : null;
    let sum = productSum(own, values, allowed);
    const ofModel = sum > 0 ? own : null;
    // where the model gives none to what the rules leave, what they leave is drawn alike
    if (ofModel === null) sum = productSum(null, values, allowed);
    const before = allowed === null ? null : possible.weightsOf(index, knownBefore(ordering, index, cellAt));
    if (before !== allowed) {
      const all = productSum(own, values, before);
      if (sum === 0) factors[state] = 0;
      else if (all === 0) factors[state] = sum / productSum(null, values, before);
      else factors[state] = ofModel === null ? 0 : sum / all;
    }
    let reached = 0;
    for (let code = 0; code < size; code++) {
      reached += (ofModel?.[code] ?? 1) * (values?.[code] ?? 1) * (allowed?.[code] ?? 1);
      sums[state * size + code] = reached;
    }
  }
  const places = new Map<number, number>();
  const [parents, codes]: [number[], number[]] = [[], []];
  const next = Uint32Array.from(stateOf, (state) => {
    const own = sums.subarray(state * size, (state + 1) * size);
    const code = firstAbove(own, stream.uniform() * own[size - 1]!);
    const key = state * size + code;
    let place = places.get(key);
    if (place === undefined) {
      place = parents.length;
      places.set(key, place);
      parents.push(state);
      codes.push(code);
    }
    return place;
  });
  return { stateOf: next, parents, codes, factors };
}

/** Σ of products; null stands for ones. */
function productSum(chances: Float64Array | null, filled: Float64Array | null, allowed: Float64Array | null): number {
  const size = (chances ?? filled ?? allowed)!.length;
  let sum = 0;
  for (let code = 0; code < size; code++)
    sum += (chances === null ? 1 : chances[code]!) * (filled === null ? 1 : filled[code]!) * (allowed?.[code] ?? 1);
  return sum;
}

/** The first of ascending sums that is above a number; the last step where none is. */
function firstAbove(sums: Float64Array, number: number): number {
  let step = firstThat(sums.length - 1, (place) => sums[place]! > number);
  while (step > 0 && sums[step] === sums[step - 1]) step--;
  return step;
}

function effectiveSize(weights: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares === 0 ? 1 : (sum * sum) / squares;
}

/** As many particles as there are, each as often as its weight says. */
function systematic(weights: Float64Array, shift: number): number[] {
  const chosen: number[] = [];
  let [at, reached] = [0, weights[0]!];
  for (let i = 0; i < weights.length; i++) {
    const wanted = (i + shift) / weights.length;
    while (reached <= wanted && at < weights.length - 1) reached += weights[++at]!;
    chosen.push(at);
  }
  return chosen;
}

function cumulated(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}
