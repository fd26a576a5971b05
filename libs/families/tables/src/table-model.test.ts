import { codeCount, pathsOf } from '@orchard/dataset';
import { drawnWeights, openModel } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { describe, expect, test } from 'vitest';
import {
  allCodes,
  binary,
  categorical,
  countsOf,
  isLawOf,
  ordered,
  randomModel,
  randomVariables,
  rowsOfCodes,
} from './random-table.suite.js';
import type { TableModel } from './table-model.js';
import { tables } from './tables.js';

describeDensityModel('a table of binary variables', {
  codec: tables.codec,
  isNamed: false,
  make: ({ dimensions }) =>
    randomModel(
      Array.from({ length: dimensions }, (_, column) => binary(`c${String(column)}`)),
      11,
      { trees: 3, strongest: 1.6 },
    ),
});

const seeds = Array.from({ length: 25 }, (_, seed) => seed);
const small = (seed: number) => randomVariables(seed, 2 + (seed % 4));

test.each(seeds)('likelihoods of all rows of table %i sum to one', (seed) => {
  const variables = small(seed);
  const model = randomModel(variables, seed);
  const logs = model.logLikelihood(rowsOfCodes(model, allCodes(variables)));
  expect(Math.abs(logs.reduce((sum, value) => sum + Math.exp(value), 0) - 1)).toBeLessThan(1e-9);
});

test.each(seeds)(
  'the likelihood of a row of table %i is the sum over its variables, and over the decisions on their paths',
  (seed) => {
    const variables = small(seed);
    const model = randomModel(variables, seed);
    const codes = allCodes(variables);
    const rows = rowsOfCodes(model, codes);
    const logs = model.logLikelihood(rows);
    const { surprise, logLikelihood } = model.score(rows, { top: 2 });
    const byVariable = variables.map((_, index) => model.distributionOf(index, rows));
    codes.forEach((row, at) => {
      const surprises = [...surprise.subarray(at * variables.length, (at + 1) * variables.length)];
      expect(-surprises.reduce((sum, nats) => sum + nats, 0)).toBeCloseTo(logs[at]!, 9);
      expect(logLikelihood[at]).toBeCloseTo(logs[at]!, 9);
      const product = row.reduce(
        (p, code, index) => p * byVariable[index]![at * codeCount(variables[index]!) + code]!,
        1,
      );
      expect(Math.log(product)).toBeCloseTo(logs[at]!, 9);
      variables.forEach((variable, index) => {
        const all = byVariable[index]!.subarray(at * codeCount(variable), (at + 1) * codeCount(variable));
        expect(all.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      });
    });
    expect(model.conditionals.every(({ tree, codes: count }) => pathsOf(tree).length === count)).toBe(true);
  },
);

/** More rows than those from where an ensemble is evaluated by columns, and more than are held at a time. */
test('a row says and is drawn the same alone, in any batch and in pieces', () => {
  const variables = [ordered('a', 9, 'density', 1), categorical('b', 7), binary('c', 1), ordered('d', 5, 'mass')];
  const model = randomModel(variables, 4, { trees: 20 });
  const many = model.sample(16_384 + 300, 6);
  const together = model.cellLogLikelihoods(many);
  const width = variables.length;
  for (const [from, count] of [
    [0, 1],
    [5, 191],
    [5, 192],
    [5, 193],
    [16_300, 200],
    [16_384, 300],
  ] as const) {
    const some = many.selectRows(Array.from({ length: count }, (_, row) => from + row));
    const cells = together.slice(from * width, (from + count) * width);
    expect(model.cellLogLikelihoods(some)).toEqual(cells);
    const wanted = new Set([0, 3]);
    expect(model.cellLogLikelihoods(some, wanted)).toEqual(
      cells.map((nats, at) => (wanted.has(at % width) ? nats : 0)),
    );
    for (let index = 0; index < width; index++) {
      const codes = codeCount(variables[index]!);
      if (from > 0 && count > 191)
        expect(model.distributionOf(index, some).slice(0, codes)).toEqual(
          model.distributionOf(index, some.selectRows([0])),
        );
    }
  }
  for (const count of [1, 100, 192, 500]) {
    const first = many.selectRows(Array.from({ length: count }, (_, row) => row));
    expect(model.sample(count, 6).bytes).toEqual(first.bytes);
  }
  expect(model.sample(100, 7).bytes).not.toEqual(model.sample(100, 6).bytes);
});

test.each([1, 2, 3, 4, 5, 6])('draws of table %i are distributed as the model says', (seed) => {
  const variables = randomVariables(seed, 3);
  const model = randomModel(variables, seed, { strongest: 2 });
  const codes = allCodes(variables);
  const logs = model.logLikelihood(rowsOfCodes(model, codes));
  const byVariable = variables.map((_, index) => model.distributionOf(index, rowsOfCodes(model, codes)));
  // "(other)" is not drawn where it stands for nothing: the codes beside it share what it has
  const law = codes.map((row, at) =>
    row.reduce((p, code, index) => {
      const weights = drawnWeights(variables[index]!);
      const own = byVariable[index]!.subarray(at * weights.length, (at + 1) * weights.length);
      const drawn = own.reduce((sum, share, other) => sum + share * weights[other]!, 0);
      return (p * weights[code]!) / drawn;
    }, Math.exp(logs[at]!)),
  );
  expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
  expect(isLawOf(countsOf(model, model.sample(20_000, seed)), law)).toBe(true);
  expect(isLawOf(countsOf(model, model.sample(20_000, seed)), law.toReversed())).toBe(false);
});

describe('a draw with weights', () => {
  const variables = [ordered('a', 6, 'density', 1)];
  const model = randomModel(variables, 3);
  const conditional = model.conditionals[0]!;
  const [count, rows] = [30_000, 1];
  test.each([
    [[1, 1, 1, 1, 1, 1, 1]],
    [[0, 0, 1, 0, 0, 0, 0]],
    [[1, 0.25, 0, 0.5, 0, 1, 0]],
    [[0, 0, 0, 0.1, 0.9, 0, 1]],
  ])('of %j takes codes in proportion to them', (weights) => {
    const known = { bits: model.emptyBits(count), codes: new Uint16Array(count), positions: 1 };
    const every = Uint32Array.from({ length: count }, (_, row) => row);
    const p = conditional.distribution(known, every.slice(0, rows));
    const allowed = weights.map((weight, code) => weight * p[code]!);
    const sum = allowed.reduce((all, share) => all + share, 0);
    const codes = new Uint16Array(count);
    conditional.draw(
      known,
      every,
      Float64Array.from(every, (row) => (row + 0.5) / count),
      weights,
      codes,
    );
    const counts = weights.map((_, code) => codes.reduce((all, drawn) => all + (drawn === code ? 1 : 0), 0));
    // numbers that are spread evenly fall into the codes' intervals exactly as often as these are wide
    counts.forEach((drawn, code) => expect(Math.abs(drawn - (count * allowed[code]!) / sum)).toBeLessThan(2));
  });
});

test.each(seeds)('the file of table %i is of the least version that has what its lines look at', (seed) => {
  const model = randomModel(small(seed), seed);
  const lines = (model.lines ?? []).filter((line) => line !== null);
  const haveNumbers = lines.some(({ slopes }) => slopes.some((slope) => slope !== 0));
  // the number behind the word version: the last of the first 32 bytes
  const version = model.toBytes()[31]!;
  if (lines.some(({ pairs }) => pairs.length > 0)) expect(version).toBe(21);
  else if (haveNumbers) expect(version).toBe(19);
  else if (lines.length > 0) expect(version).toBe(13);
  else expect(version).toBeLessThan(13);
});

test.each(seeds)('the file of table %i is read as the same model, and refused with any byte changed', (seed) => {
  const model = randomModel(small(seed), seed);
  const bytes = model.toBytes();
  const read = openModel(bytes, [tables.codec]) as TableModel;
  expect(Buffer.compare(read.toBytes(), bytes)).toBe(0);
  expect(read.table).toEqual(model.table);
  expect(read.ordering).toEqual(model.ordering);
  const rows = model.sample(300, 1);
  expect(read.sample(300, 1).bytes).toEqual(rows.bytes);
  expect(read.logLikelihood(rows)).toEqual(model.logLikelihood(rows));
  if (seed > 4) return;
  for (let at = 0; at < bytes.length; at += 7) {
    const flipped = bytes.slice();
    flipped[at]! ^= 1 << (at % 8);
    expect(() => openModel(flipped, [tables.codec])).toThrow();
  }
});

test.each(seeds)('what the variables of table %i lean on sums to one, and is none that comes later', (seed) => {
  const model = randomModel(small(seed), seed);
  model.ordering.forEach((index, position) => {
    const shares = model.importanceOf(index);
    const sum = shares.reduce((all, share) => all + share, 0);
    const hasSplits = model.ensembles[position]!.some(({ splitGain }) => splitGain.length > 0);
    expect(sum).toBeCloseTo(hasSplits ? 1 : 0, 12);
    for (const later of model.ordering.slice(position)) expect(shares[later]).toBe(0);
  });
});

test('codes that stand for nothing are refused', () => {
  const model = randomModel([categorical('a', 2), binary('b')], 1);
  const rows = rowsOfCodes(model, [[3, 0]]);
  for (const ask of [() => model.logLikelihood(rows), () => model.score(rows)])
    expect(ask).toThrow(/variable "a".*code 3/s);
});
