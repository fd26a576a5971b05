import type { Variable } from '@orchard/contracts';
import { BitMatrix, codeCount } from '@orchard/dataset';
import {
  allCodes,
  binary,
  countsOf,
  isLawOf,
  measured,
  ordered,
  randomCodes,
  randomVariables,
  rowsOfCodes,
  tableOfVariables,
  weighedLaw,
} from '@orchard/dataset/conformance/tables';
import { attachSorted, designOf, fitPath, sortRows } from '@orchard/logistic';
import { drawnWeights, filledWeights, openModel } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { fitVariable, lawsOf } from './fit-variable.js';
import { sparnCodec } from './sparn-model.js';
import { SparnTable } from './sparn-table.js';
import { weightsOfColumns } from './sparse-weights.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
const options = { penalty: [2], interceptScaling: 10 };

function modelOf(variables: readonly Variable[], train: readonly Uint16Array[]): SparnTable {
  const table = tableOfVariables(variables);
  const laws = lawsOf(table);
  const fitted = laws.map((_, index) => fitVariable(laws, index, train, train, options).next().value!);
  const sparse = weightsOfColumns(fitted.flatMap(({ outputs }) => outputs));
  return new SparnTable(
    { ...nothing, table },
    { laws, sparse, deviations: Float64Array.from(fitted, ({ deviation }) => deviation) },
  );
}

const ofBinaries = (dimensions: number): SparnTable => {
  const variables = Array.from({ length: dimensions }, (_, column) => binary(`c${String(column)}`));
  return modelOf(variables, randomCodes(variables, 80, 3));
};
describeDensityModel('a sparse network of a table of binary variables', {
  codec: sparnCodec,
  isNamed: false,
  make: ({ dimensions }) => ofBinaries(dimensions),
});

describe.each([1, 2, 3, 4, 5, 6])('of table %i', (seed) => {
  const variables = seed === 1 ? [measured('m', 3, 2, 2), binary('b', 1)] : randomVariables(seed, 2 + (seed % 3));
  const model = modelOf(variables, randomCodes(variables, 60, seed));
  const codes = allCodes(variables);
  const rows = rowsOfCodes(model, codes);
  const chances = model.logLikelihood(rows).map(Math.exp);

  test('likelihoods sum to one, and cells and distributions to likelihoods', () => {
    expect(chances.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    const byVariable = variables.map((_, index) => model.distributionOf(index, rows));
    const cells = model.cellLogLikelihoods(rows);
    codes.forEach((row, at) => {
      row.forEach((code, index) => {
        const p = byVariable[index]![at * codeCount(variables[index]!) + code]!;
        expect(cells[at * variables.length + index]).toBeCloseTo(Math.log(p), 9);
      });
    });
  });

  test('samples and completions follow that law', () => {
    const lawOf = (weightOf: (code: number, index: number) => number) => weighedLaw(variables, chances, weightOf);
    const drawn = variables.map(drawnWeights);
    expect(isLawOf(countsOf(model, model.sample(4000, seed)), lawOf((code, index) => drawn[index]![code]!).law)).toBe(
      true,
    );
    // the last variable is weighed, and those before it are filled in
    const last = variables.length - 1;
    const weights = Float64Array.from({ length: codeCount(variables[last]!) }, (_, code) => (code === 0 ? 1 : 0.25));
    const filled = variables.map(filledWeights);
    const empty = model.emptyRows(1000);
    const asked = { seed, samples: 512, draws: 2, given: new Map([[last, { weights }]]) };
    const [one, other] = model.completions(empty, empty, asked);
    const { law, total } = lawOf((code, index) => (index === last ? weights[code]! : filled[index]![code]!));
    const reached = lawOf((_, index) => (index === last ? 0 : 1));
    for (const { matrix } of [one!, other!]) expect(isLawOf(countsOf(model, matrix), law)).toBe(true);
    const values = lawOf((code, index) => (index === last ? 1 : filled[index]![code]!)).total;
    expect([one!.logEvidence[0], one!.exact[0], reached.total]).toEqual([
      expect.closeTo(Math.log(total / values), 9),
      1,
      0,
    ]);
  });

  test('a file is the model again, and one that contradicts its table is refused', () => {
    const bytes = model.toBytes();
    const again = openModel(bytes, [sparnCodec]);
    expect(again.logLikelihood(rows)).toEqual(model.logLikelihood(rows));
    expect(Buffer.compare(again.toBytes(), bytes)).toBe(0);
    const none = Float64Array.from(model.parts.deviations, () => 0);
    const damaged = Object.assign(Object.create(model) as SparnTable, { parts: { ...model.parts, deviations: none } });
    expect(() => openModel(damaged.toBytes(), [sparnCodec])).toThrow(/weights of features before its variable/);
  });
});

test('of two labels it is the logistic regression that is learned of bits', () => {
  const stream = new RandomStream(5, 1062);
  const rows = Array.from({ length: 300 }, () => {
    const first = stream.below(2);
    const second = stream.uniform() < 0.2 ? 1 - first : first;
    return [first, second, stream.uniform() < 0.3 ? stream.below(2) : first & second];
  });
  const matrix = BitMatrix.fromRows(rows.map((row) => row.join('')));
  const columns = [0, 1, 2].map((column) => Uint16Array.from(rows, (row) => row[column]!));
  const counts = (column: number): [number, number] => {
    const ones = columns[column]!.reduce((sum, code) => sum + code, 0);
    return [300 - ones, ones];
  };
  const variables = [0, 1, 2].map(
    (column) => ({ ...binary(`c${String(column)}`), counts: counts(column) }) as Variable,
  );
  const laws = lawsOf(tableOfVariables(variables));
  const penalty = [8, 1];
  const ours = [...fitVariable(laws, 2, columns, columns, { penalty, interceptScaling: 10 })];
  const sorted = attachSorted(sortRows(matrix));
  [...fitPath(designOf(sorted, 2), penalty, { interceptScaling: 10, tolerance: 1e-6 })].forEach((theirs, step) => {
    const [own] = ours[step]!.outputs;
    expect(own!.intercept).toBeCloseTo(theirs.intercept, 2);
    expect([...own!.predictors]).toEqual([...theirs.predictors]);
    own!.weights.forEach((weight, at) => expect(weight).toBeCloseTo(theirs.weights[at]!, 2));
  });
});

test('a number that is a sum of others and noise is found so, and what is of no use has no weight', () => {
  const cells = 41;
  const gaussian = (stream: RandomStream): number =>
    Array.from({ length: 12 }, () => stream.uniform()).reduce((sum, u) => sum + u, -6);
  const stream = new RandomStream(2, 1063);
  const cellOf = (number: number): number => Math.max(0, Math.min(cells - 1, Math.round(20 + 5 * number)));
  const rows = Array.from({ length: 4000 }, () => {
    const [a, b, c] = [gaussian(stream), gaussian(stream), gaussian(stream)];
    return [a, b, c, 0.6 * a - 0.6 * c + Math.sqrt(1 - 0.72) * gaussian(stream)].map(cellOf);
  });
  const columns = [0, 1, 2, 3].map((column) => Uint16Array.from(rows, (row) => row[column]!));
  const variables = columns.map((column, index) => {
    const counts = Array.from({ length: cells }, (_, cell) =>
      column.reduce((sum, code) => sum + (code === cell ? 1 : 0), 0),
    );
    return { ...ordered(`n${String(index)}`, cells, 'mass'), counts } as Variable;
  });
  const laws = lawsOf(tableOfVariables(variables));
  const [fitted] = fitVariable(laws, 3, columns, columns, { penalty: [150], interceptScaling: 10 });
  const [mean] = fitted!.outputs;
  expect([...mean!.predictors]).toEqual([0, 2]);
  // each is drawn to 0 by penalty / rows
  expect(mean!.weights[0]).toBeCloseTo(0.6 - 150 / 4000, 1);
  expect(mean!.weights[1]).toBeCloseTo(-0.6 + 150 / 4000, 1);
  expect(fitted!.deviation).toBeCloseTo(Math.sqrt(0.28), 1);
});
