import { BitMatrix, codeCount, predictorCount, setPredictorBits, writeCode } from '@orchard/dataset';
import { exp, greatestOf, log } from '@orchard/numerics';
import { filledWeights } from '../tables/evidence.js';
import {
  isExactOfTable,
  PARTICLES_OF_TABLES,
  type ExactOfTable,
  type TableCompletionOptions,
  type TabularModel,
} from '../tables/tabular-model.js';
import { incompleteRows, type CodedRows } from './whole-rows.js';

/**
 * P(code | all other codes of the row) of one variable, a missing value being a code as any other: exact in every model
 * of a table, by the joint distribution. It blames the cell that is wrong, where the conditionals of an autoregressive
 * model may blame a right one that comes after it. Costs a likelihood for each code that others tell apart, and row.
 *
 * @param matrix rows of codes
 * @returns of a variable: element `row * codes + code`
 */
export function givenTheRest(model: TabularModel, matrix: BitMatrix): (index: number) => Float64Array {
  const jointOf = jointOfRows(model, matrix);
  return (index) => {
    const codes = codeCount(model.table.variables[index]!);
    const shares = jointOf(index);
    for (let row = 0; row < matrix.rows; row++) normalize(shares.subarray(row * codes, (row + 1) * codes));
    return shares;
  };
}

/** What {@link jointGivenKnown} found. */
export interface JointOfKnown {
  /** Element `row * codes + code`. */
  readonly nats: Float64Array;
  /** Rows with unknown values in other columns. */
  readonly incomplete: number;
}

/**
 * log P(code, what is known of the other columns) of each code of one variable, nats, but for what is the same for all
 * codes of a row. What is unknown is summed out: exactly by models that can, by others with the same random numbers for
 * every code. Whether the variable itself is known does not matter.
 */
export function jointGivenKnown(
  model: TabularModel,
  index: number,
  { matrix, known }: CodedRows,
  seed: number,
): JointOfKnown {
  const codes = codeCount(model.table.variables[index]!);
  const rest = known === null ? null : withVariable(model, index, known, 1);
  const incomplete = incompleteRows(model, { matrix, known: rest });
  const isIncomplete = new Set(incomplete);
  const whole = Array.from({ length: matrix.rows }, (_, row) => row).filter((row) => !isIncomplete.has(row));
  const nats = new Float64Array(matrix.rows * codes);
  if (whole.length > 0) {
    const own = jointOfRows(model, matrix.selectRows(whole))(index);
    whole.forEach((row, at) => nats.set(own.subarray(at * codes, (at + 1) * codes), row * codes));
  }
  if (rest !== null && incomplete.length > 0) {
    const own = evidenceOfCodes(model, index, matrix.selectRows(incomplete), rest.selectRows(incomplete), seed);
    incomplete.forEach((row, at) => nats.set(own.subarray(at * codes, (at + 1) * codes), row * codes));
  }
  return { nats, incomplete: incomplete.length };
}

/** As {@link jointGivenKnown}, of rows with unknown values in other columns. @param known the variable among it */
function evidenceOfCodes(
  model: TabularModel,
  index: number,
  matrix: BitMatrix,
  known: BitMatrix,
  seed: number,
): Float64Array {
  const options = { seed, samples: PARTICLES_OF_TABLES, draws: 1 };
  if (isExactOfTable(model)) return exactEvidenceOfCodes(model, index, matrix, known, options);
  const codes = codeCount(model.table.variables[index]!);
  const nats = new Float64Array(matrix.rows * codes);
  for (let code = 0; code < codes; code++) {
    const [completion] = model.completions(withCodes(model, index, matrix, [code]), known, options);
    completion!.logEvidence.forEach((evidence, row) => {
      nats[row * codes + code] = evidence;
    });
  }
  return nats;
}

/**
 * The same of a model that says exactly how unknown values are distributed. It says so of values alone: how likely
 * beside them all "missing" and "(other)" are, what is known says under each of them.
 */
function exactEvidenceOfCodes(
  model: TabularModel & ExactOfTable,
  index: number,
  matrix: BitMatrix,
  known: BitMatrix,
  options: TableCompletionOptions,
): Float64Array {
  const open = withVariable(model, index, known, 0);
  const nats = model.distributions(matrix, open).probabilities[index]!.map(log);
  const values = filledWeights(model.table.variables[index]!);
  const others = Array.from(values.keys()).filter((code) => values[code] === 0);
  if (others.length === 0) return nats;
  const given = new Map([[index, { weights: values }]]);
  const ofValues = model.completions(matrix, open, { ...options, given })[0]!.logEvidence;
  for (const code of others) {
    const [completion] = model.completions(withCodes(model, index, matrix, [code]), known, options);
    completion!.logEvidence.forEach((evidence, row) => {
      nats[row * values.length + code] = evidence - ofValues[row]!;
    });
  }
  return nats;
}

/** What is known, and the variable itself (1) or not (0). */
function withVariable(model: TabularModel, index: number, known: BitMatrix, isKnown: 0 | 1): BitMatrix {
  const changed = known.selectRows(Array.from({ length: known.rows }, (_, row) => row));
  for (let row = 0; row < changed.rows; row++)
    for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) changed.set(row, bit, isKnown);
  return changed;
}

/**
 * log P(code, all other codes of the row) of each code of one variable, nats.
 *
 * Where other variables look at the variable's predictor bits alone (`looksAtBits`), what the rest of a row is under a
 * code is the same for all codes of equal bits: it is computed once for each of these, not for each of up to 256 codes.
 * What the row says of variables that do not depend on the variable is computed once for all of its variables.
 *
 * @param matrix rows of codes
 * @returns of a variable: element `row * codes + code`
 */
export function jointOfRows(model: TabularModel, matrix: BitMatrix): (index: number) => Float64Array {
  if (model.jointOfRows !== undefined) return model.jointOfRows(matrix);
  // models that look at codes tell codes of equal bits apart; of rows of 0 and 1 a mixture's cells are no conditionals
  if (model.looksAtBits !== true) return (index) => jointCodeByCode(model, index, matrix);
  const cells = model.dependentOn === undefined ? null : model.cellLogLikelihoods(matrix);
  return (index) => jointByBits(model, index, matrix, cells);
}

/** @param cells what the model says of the rows as they are; null where all of it may depend on the variable */
function jointByBits(model: TabularModel, index: number, matrix: BitMatrix, cells: Float64Array | null): Float64Array {
  const { variables } = model;
  const codes = codeCount(model.table.variables[index]!);
  const joint = new Float64Array(matrix.rows * codes);
  const own = model.distributionOf(index, matrix);
  const changing = new Set(model.dependentOn?.(index) ?? Array.from({ length: variables }, (_, other) => other));
  changing.delete(index);
  const isChanging = Uint8Array.from({ length: variables }, (_, other) => (changing.has(other) ? 1 : 0));
  for (const groups of someAtATime(codesOfEqualBits(model, index), matrix.rows)) {
    const firsts = groups.map(([code]) => code!);
    const changed =
      changing.size === 0 ? null : model.cellLogLikelihoods(withCodes(model, index, matrix, firsts), changing);
    groups.forEach((alike, group) => {
      for (let row = 0; row < matrix.rows; row++) {
        const [from, fromRow] = [(group * matrix.rows + row) * variables, row * variables];
        let rest = 0;
        for (let other = 0; other < variables; other++) {
          if (other === index) continue;
          rest += isChanging[other] === 1 ? changed![from + other]! : cells![fromRow + other]!;
        }
        for (const code of alike) joint[row * codes + code] = rest + log(own[row * codes + code]!);
      }
    });
  }
  return joint;
}

/** Codes, or groups of them, for which so many rows each are looked at in one call. */
function someAtATime<Each>(all: readonly Each[], rows: number): Each[][] {
  const many = Math.max(1, Math.floor(ROWS_AT_A_TIME / rows));
  return Array.from({ length: Math.ceil(all.length / many) }, (_, part) => all.slice(part * many, (part + 1) * many));
}

function codesOfEqualBits(model: TabularModel, index: number): number[][] {
  const variable = model.table.variables[index]!;
  const codes = Uint16Array.from({ length: codeCount(variable) }, (_, code) => code);
  const bits = BitMatrix.create(codes.length, Math.max(1, predictorCount(variable)));
  setPredictorBits(bits, 0, variable, codes);
  const groups = new Map<string, number[]>();
  for (const code of codes) {
    const key = String(bits.bytes.subarray(code * bits.stride, (code + 1) * bits.stride));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [code]);
    else group.push(code);
  }
  return [...groups.values()];
}

function jointCodeByCode(model: TabularModel, index: number, matrix: BitMatrix): Float64Array {
  const codes = codeCount(model.table.variables[index]!);
  const joint = new Float64Array(matrix.rows * codes);
  for (const some of someAtATime([...Array(codes).keys()], matrix.rows)) {
    const nats = model.logLikelihood(withCodes(model, index, matrix, some));
    nats.forEach((of, at) => {
      joint[(at % matrix.rows) * codes + some[Math.floor(at / matrix.rows)]!] = of;
    });
  }
  return joint;
}

/** Rows whose likelihoods are computed in one call: each call costs something too. */
const ROWS_AT_A_TIME = 4096;

/** The rows with one variable's code replaced, once for each of the codes. */
function withCodes(model: TabularModel, index: number, matrix: BitMatrix, codes: readonly number[]): BitMatrix {
  const [begin, end] = [model.offsets[index]!, model.offsets[index + 1]!];
  const changed = matrix.selectRows(Array.from({ length: matrix.rows * codes.length }, (_, at) => at % matrix.rows));
  for (let row = 0; row < changed.rows; row++) {
    for (let bit = begin; bit < end; bit++) changed.set(row, bit, 0);
    writeCode(changed, row, begin, end, codes[Math.floor(row / matrix.rows)]!);
  }
  return changed;
}

/** Logarithms become probabilities that sum to 1, in place. */
function normalize(logs: Float64Array): void {
  const greatest = greatestOf(logs);
  let sum = 0;
  for (let code = 0; code < logs.length; code++) {
    logs[code] = exp(logs[code]! - greatest);
    sum += logs[code]!;
  }
  for (let code = 0; code < logs.length; code++) logs[code]! /= sum;
}
