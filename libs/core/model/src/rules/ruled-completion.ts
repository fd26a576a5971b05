import { codeCount, ownValue, readCodes, writeCode, type BitMatrix } from '@orchard/dataset';
import { log, Purpose, RandomStream } from '@orchard/numerics';
import type { Completion } from '../port/completion.js';
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

export interface RuledCompletionOptions {
  readonly seed: number;
  /** Particles of each row. */
  readonly samples: number;
  /** Completions that each row is given. */
  readonly draws: number;
  /** The number of the first row, where the rows are a part of more. @default 0 */
  readonly firstRow?: number;
}

/** Usual particles of a row under rules: each takes a step of its own for every column. */
export const PARTICLES_UNDER_RULES = 256;

/** Particles are drawn anew by their weights where these are worth fewer than this share of them. */
const FEW = 0.5;

/** What a row's particles come to. */
interface Drawn {
  readonly codes: BitMatrix;
  readonly weights: Float64Array;
  readonly logEvidence: number;
}

/**
 * Completions that follow rules: particles of each row go through the variables in the model's order. What is unknown
 * is drawn from the conditional under the rules, among the codes from which all that is known later can follow; what is
 * known weighs. Rows whose rules' columns are all known, and rows that break a rule by what is known of them, are
 * completed by the model alone.
 */
export function completeUnderRules(
  model: TabularModel,
  ordering: Uint32Array,
  possible: PossibleCodes,
  rows: RowsUnderRules,
  options: RuledCompletionOptions,
): readonly Completion[] {
  const { matrix, known } = rows;
  const { samples, draws, seed, firstRow = 0 } = options;
  const plain = model.completions(matrix, known, { samples, draws, seed, firstRow });
  const codes = Array.from(ordering, (_, index) => readCodes(matrix, model.offsets[index]!, model.offsets[index + 1]!));
  for (let row = 0; row < matrix.rows; row++) {
    const isKnown = (index: number): boolean => known.get(row, model.offsets[index]!) === 1;
    const cellOf = (index: number): Cell | null =>
      isKnown(index) ? knownCell(model, rows, row, index, codes[index]![row]!) : null;
    if (!ordering.some((index) => possible.isBound(index) && !isKnown(index)) || !possible.isPossible(cellOf)) continue;
    const stream = new RandomStream(seed, Purpose.complete, firstRow + row);
    const drawn = drawRow({ model, ordering, possible, cellOf, samples }, stream);
    const size = effectiveSize(drawn.weights);
    plain.forEach((completion, draw) => {
      const chosen = chosenBy(drawn.weights, stream.uniform());
      const bytes = drawn.codes.bytes.subarray(chosen * drawn.codes.stride, (chosen + 1) * drawn.codes.stride);
      completion.matrix.bytes.set(bytes, row * completion.matrix.stride);
      if (draw > 0) return;
      completion.effectiveSampleSize[row] = size;
      completion.exact[row] = 0;
      completion.logEvidence[row] = drawn.logEvidence;
      completion.logEvidenceError[row] = Math.sqrt(1 / size);
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
}

function drawRow({ model, ordering, possible, cellOf, samples }: RowToDraw, stream: RandomStream): Drawn {
  // until something is drawn all particles are one
  let codes = model.emptyRows(1);
  let weights = Float64Array.of(1);
  let logEvidence = 0;
  for (const index of ordering) {
    const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
    const known = cellOf(index);
    if (known === null && weights.length === 1 && samples > 1) {
      codes = codes.selectRows(Array.from({ length: samples }, () => 0));
      weights = new Float64Array(samples).fill(1 / samples);
    }
    const chances = model.distributionOf(index, codes);
    const codesOfIndex = codeCount(model.table.variables[index]!);
    const earlier = possible.boundTo(index);
    const before = new Map(
      earlier.map((other) => [other, readCodes(codes, model.offsets[other]!, model.offsets[other + 1]!)]),
    );
    const isBefore = new Set(ordering.slice(0, ordering.indexOf(index)));
    const filled = filledWeights(model.table.variables[index]!);
    for (let particle = 0; particle < weights.length; particle++) {
      const cellAt = (other: number): Cell | null =>
        cellOf(other) ?? (isBefore.has(other) ? { code: before.get(other)![particle]!, number: null } : null);
      const own = chances.subarray(particle * codesOfIndex, (particle + 1) * codesOfIndex);
      if (known !== null) {
        writeCode(codes, particle, from, to, known.code);
        const share = possible.isBound(index)
          ? possible.shareOfKnown(index, (at) => (at === index ? known : cellAt(at)))
          : 1;
        weights[particle]! *= own[known.code]! * share;
        continue;
      }
      const allowed = possible.weightsOf(index, cellAt);
      const weightOfCode = (code: number): number => filled[code]! * (allowed?.[code] ?? 1);
      // where rules leave nothing but a missing value, it stays one
      const mayBeFilled = own.some((_, code) => weightOfCode(code) > 0);
      const weighted = own.map((chance, code) => chance * (mayBeFilled ? weightOfCode(code) : (allowed?.[code] ?? 1)));
      // where the model gives none to what the rules leave, what they leave is drawn alike
      if (weighted.every((chance) => chance === 0))
        own.forEach((_, code) => (weighted[code] = mayBeFilled ? weightOfCode(code) : (allowed?.[code] ?? 1)));
      const sum = weighted.reduce((all, chance) => all + chance, 0);
      let left = stream.uniform() * sum;
      let chosen = 0;
      for (let code = 0; code < codesOfIndex; code++) {
        if (weighted[code] === 0) continue;
        chosen = code;
        left -= weighted[code]!;
        if (left < 0) break;
      }
      if (sum === 0) weights[particle] = 0;
      writeCode(codes, particle, from, to, chosen);
    }
    if (known === null) continue;
    const sum = weights.reduce((all, weight) => all + weight, 0);
    // known values that the model holds impossible say nothing of the particles
    if (sum === 0) weights.fill(1 / weights.length);
    else weights = weights.map((weight) => weight / sum);
    logEvidence += log(sum);
    if (effectiveSize(weights) < FEW * weights.length) {
      const own = weights;
      const shift = stream.uniform();
      codes = codes.selectRows(systematic(own, shift));
      weights = new Float64Array(own.length).fill(1 / own.length);
    }
  }
  return { codes, weights, logEvidence };
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

function chosenBy(weights: Float64Array, uniform: number): number {
  let left = uniform * weights.reduce((sum, weight) => sum + weight, 0);
  for (let at = 0; at < weights.length; at++) {
    if (weights[at] === 0) continue;
    left -= weights[at]!;
    if (left < 0) return at;
  }
  return weights.findLastIndex((weight) => weight > 0);
}
