import { parseContract, seedSchema } from '@orchard/contracts';
import {
  BitMatrix,
  codeCount,
  meanOf,
  predictorCount,
  setPredictorBits,
  valueCount,
  wordsOf,
  writeCode,
} from '@orchard/dataset';
import { logSumExp, TableMixture } from '@orchard/members';
import {
  isBound,
  isExact,
  isExactOfTable,
  isTabular,
  PARTICLES_OF_TABLES,
  type DensityModel,
  type TabularModel,
} from '@orchard/model';
import { exp, log } from '@orchard/numerics';
import { Refusal } from '@orchard/refusal';
import { z } from 'zod';
import { asBitRows, bitsOf, rowsSchema } from '../rows.js';
import { encodedRows, type KnownRows } from './encoded-rows.js';
import type { Operation } from './operation.js';
import { placeOf } from './place-of.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  target: z.string(),
  seed: seedSchema.default(0),
});

/** Particles of rows of 0 and 1 that have missing values beside the target. */
const PARTICLES_OF_BITS = 256;

/**
 * The distribution of one column given all others, by the joint: P(target = k | rest) is proportional to P(k, rest).
 * `probabilities` has a value for each row and class; `values` has the mean of each class of an ordered column. It is
 * exact unless values beside the target are unknown and the model sums these out by drawing. The target's own cells are
 * not looked at.
 */
export const predict: Operation = async (model, question) => {
  const { rows, target, seed } = parseContract(questionSchema, question, 'predict question');
  if (isBound(model))
    throw new Refusal('invalid-argument', {
      got: `a model of the family ${model.family} whose likelihoods are lower bounds`,
      expected: 'one whose likelihoods are exact',
      where: 'predict',
      remedy: 'Train another kind of model.',
    });
  if (!isTabular(model)) return predictBit(model, asBitRows(rows), target, seed);
  const { variables } = model.table;
  const names = variables.map(({ name }) => name);
  const index = placeOf(target, names);
  const variable = variables[index]!;
  const values = valueCount(variable);
  const encoded = await encodedRows(model, rows, 'value');
  const probabilities = normalised(await logsOfCodes(model, encoded, index, seed), codeCount(variable), values);
  return {
    classes: Array.from({ length: values }, (_, code) => wordsOf(variable, code)),
    values:
      variable.kind === 'ordered' ? Float64Array.from({ length: values }, (_, code) => meanOf(variable, code)) : null,
    probabilities,
  };
};

/** Of each row and code: log P(code, rest), up to what is the same for all codes of the row. */
async function logsOfCodes(model: TabularModel, rows: KnownRows, index: number, seed: number): Promise<Float64Array> {
  if (isExactOfTable(model)) {
    const known = without(model, rows.known, index);
    return model.distributions(rows.matrix, known).probabilities[index]!.map(log);
  }
  const codes = codeCount(model.table.variables[index]!);
  const isTargetAlone = (row: number): boolean =>
    model.table.variables.every((_, other) => other === index || rows.known.get(row, model.offsets[other]!) === 1);
  const all = Array.from({ length: rows.matrix.rows }, (_, row) => row);
  const whole = all.filter(isTargetAlone);
  const others = all.filter((row) => !isTargetAlone(row));
  const logs = new Float64Array(rows.matrix.rows * codes);
  const put = (those: readonly number[], own: Float64Array): void => {
    those.forEach((row, at) => logs.set(own.subarray(at * codes, (at + 1) * codes), row * codes));
  };
  if (whole.length > 0) put(whole, jointLogs(model, rows.matrix.selectRows(whole), index));
  if (others.length > 0)
    put(others, evidenceLogs(model, rows.matrix.selectRows(others), rows.known.selectRows(others), index, seed));
  return logs;
}

/** What is known, the target excepted. */
function without(model: TabularModel, known: BitMatrix, index: number): BitMatrix {
  const rest = known.selectRows(Array.from({ length: known.rows }, (_, row) => row));
  for (let row = 0; row < rest.rows; row++)
    for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) rest.set(row, bit, 0);
  return rest;
}

/** log P(code, rest) of whole rows; those of a mixture are summed over its members. */
function jointLogs(model: TabularModel, matrix: BitMatrix, index: number): Float64Array {
  if (!(model instanceof TableMixture)) return memberLogs(model, matrix, index);
  const logs = model.members.map((member, m) =>
    memberLogs(member, matrix, index).map((own) => own + log(model.weights[m]!)),
  );
  return logs[0]!.map((_, at) => logSumExp(logs.map((own) => own[at]!)));
}

/**
 * Columns look at the target's predictor bits alone, so that what the rest of a row is under a code is the same for all
 * codes of equal bits: it is worked out once for each of these, not for each of up to 256 codes.
 */
function memberLogs(model: TabularModel, matrix: BitMatrix, index: number): Float64Array {
  const variable = model.table.variables[index]!;
  const codes = codeCount(variable);
  const own = model.distributionOf(index, matrix);
  const logs = new Float64Array(matrix.rows * codes);
  for (const alike of codesOfEqualBits(model, index)) {
    const those = withCode(model, matrix, index, alike[0]!);
    const all = model.logLikelihood(those);
    const cells = model.cellLogLikelihoods(those);
    for (let row = 0; row < matrix.rows; row++) {
      const rest = all[row]! - cells[row * model.variables + index]!;
      for (const code of alike) logs[row * codes + code] = rest + log(own[row * codes + code]!);
    }
  }
  return logs;
}

function codesOfEqualBits(model: TabularModel, index: number): number[][] {
  const variable = model.table.variables[index]!;
  const codes = Uint16Array.from({ length: codeCount(variable) }, (_, code) => code);
  const bits = BitMatrix.create(codes.length, Math.max(1, predictorCount(variable)));
  setPredictorBits(bits, 0, variable, codes);
  const groups = new Map<string, number[]>();
  for (const code of codes) {
    const key = Buffer.from(bits.bytes.subarray(code * bits.stride, (code + 1) * bits.stride)).toString('hex');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [code]);
    else group.push(code);
  }
  return [...groups.values()];
}

/** The same rows with one code of the target. */
function withCode(model: TabularModel, matrix: BitMatrix, index: number, code: number): BitMatrix {
  const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
  const rows = matrix.selectRows(Array.from({ length: matrix.rows }, (_, row) => row));
  for (let row = 0; row < rows.rows; row++) {
    for (let bit = from; bit < to; bit++) rows.set(row, bit, 0);
    writeCode(rows, row, from, to, code);
  }
  return rows;
}

/**
 * log P(code, what is known) of rows with unknown values, which are summed out by the same random numbers for every
 * code.
 */
function evidenceLogs(
  model: TabularModel,
  matrix: BitMatrix,
  known: BitMatrix,
  index: number,
  seed: number,
): Float64Array {
  const codes = codeCount(model.table.variables[index]!);
  const logs = new Float64Array(matrix.rows * codes);
  const withTarget = known.selectRows(Array.from({ length: known.rows }, (_, row) => row));
  for (let row = 0; row < known.rows; row++)
    for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) withTarget.set(row, bit, 1);
  for (let code = 0; code < codes; code++) {
    const options = { seed, samples: PARTICLES_OF_TABLES, draws: 1 };
    const [completion] = model.completions(withCode(model, matrix, index, code), withTarget, options);
    completion!.logEvidence.forEach((nats, row) => (logs[row * codes + code] = nats));
  }
  return logs;
}

/** Of each row the shares of its first codes, the values: absence and "(other)" lie behind them and are left out. */
function normalised(logs: Float64Array, codes: number, values: number): Float64Array {
  const rows = logs.length / codes;
  const shares = new Float64Array(rows * values);
  for (let row = 0; row < rows; row++) {
    const own = logs.subarray(row * codes, row * codes + values);
    const total = logSumExp([...own]);
    own.forEach((nats, code) => (shares[row * values + code] = total === -Infinity ? 1 / values : exp(nats - total)));
  }
  return shares;
}

function predictBit(
  model: DensityModel,
  rows: ReturnType<typeof asBitRows>,
  target: string,
  seed: number,
): ReturnType<Operation> {
  const { dimensions, names } = model;
  const column = placeOf(target, names ?? Array.from({ length: dimensions }, (_, at) => String(at + 1)));
  const { values, known } = bitsOf(rows, model);
  for (let row = 0; row < rows.count; row++) known.set(row, column, 0);
  const classes = ['0', '1'];
  if (isExact(model)) {
    const { rates } = model.marginals(values, known);
    const own = Array.from({ length: rows.count }, (_, row) => rates[row * dimensions + column]!);
    return { classes, values: null, probabilities: Float64Array.from(own.flatMap((rate) => [1 - rate, rate])) };
  }
  for (let row = 0; row < rows.count; row++) known.set(row, column, 1);
  const isWhole = known.columnCounts().every((count) => count === rows.count);
  const logs = new Float64Array(2 * rows.count);
  for (const bit of [0, 1] as const) {
    for (let row = 0; row < rows.count; row++) values.set(row, column, bit);
    const nats = isWhole
      ? model.logLikelihood(values)
      : model.complete(values, known, { seed, samples: PARTICLES_OF_BITS }).logEvidence;
    nats.forEach((own, row) => (logs[2 * row + bit] = own));
  }
  return { classes, values: null, probabilities: normalised(logs, 2, 2) };
}
