import type { Table } from '@orchard/contracts';
import { codeCount, codesInRows, decisionTreeOf, fieldRows, pathsOf, tableFields } from '@orchard/dataset';
import { predictorMatrix } from '@orchard/dataset/conformance/tables';
import { TrainingData } from '@orchard/kernel';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { ordered, categorical, rowsOfCodes, tableOfVariables } from '../random-table.suite.js';
import { fitLine } from './fit-line.js';
import { lineFeatures } from './line-features.js';
import { LineOdds, lineWeights, placeOf, type Line } from './line.js';
import { normalScore } from './normal-score.js';
import { onGrid } from './on-grid.js';

/** Two numbers, the second the first with some noise, and a label that says nothing; some values are missing. */
const variables = [ordered('x', 16, 'density', 4), categorical('label', 3), ordered('y', 16, 'density', 2)];
const table = tableOfVariables(variables);
const ordering = Uint32Array.of(0, 1, 2);

function rowsOf(count: number, wild = 0): number[][] {
  const stream = new RandomStream(9, 2);
  return Array.from({ length: count }, (_, row) => {
    const x = stream.below(16);
    const y = Math.min(15, Math.max(0, x + stream.below(5) - 2));
    const isMissing = stream.below(20) === 0;
    return [isMissing ? 16 : x, stream.below(3), row < wild ? 15 - y : y];
  });
}

function arranged(of: Table, codes: readonly (readonly number[])[]): TrainingData {
  const train = fieldRows(rowsOfCodes({ table: of }, codes), of, ordering);
  return TrainingData.arrange({ train, valid: null, test: null }, { threads: 1, leaves: 4 });
}

const fit = (codes: readonly (readonly number[])[], position = 2) =>
  fitLine(arranged(table, codes), { table, ordering, position }, [], 0.1);

/** P of each value by the line, from the odds of its decisions. */
function lawOf(line: Line, place: number): number[] {
  const tree = decisionTreeOf(variables[2]!);
  const odds = new LineOdds(
    line,
    variables[2]!,
    tree,
    lineFeatures(
      variables,
      variables.map(() => 0),
    ),
  );
  const paths = pathsOf(tree).slice(0, 16);
  return paths.map((path) =>
    path.reduce((product, { decision, outcome }) => {
      if (!odds.has(decision)) return product;
      const own = odds.odds(decision, place);
      return product * (outcome === 1 ? own / (1 + own) : 1 / (1 + own));
    }, 1),
  );
}

describe('a line', () => {
  test('gives each value the difference of two logistic functions, in the tails too', () => {
    const { line } = fit(rowsOf(500))!;
    const below = (edge: number | undefined, at: number, isLow: boolean): number =>
      edge === undefined ? (isLow ? 0 : 1) : 1 / (1 + Math.exp(at - edge));
    for (const at of [-150, -20, -3, 0, 0.7, 4, 25, 150]) {
      const law = lawOf(line, Math.exp(at));
      expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      expect(law.every((p) => Number.isFinite(p) && p >= 0)).toBe(true);
      law.forEach((p, rank) => {
        const direct = below(line.edges[rank], at, false) - below(line.edges[rank - 1], at, true);
        expect(p).toBeCloseTo(direct, 12);
      });
    }
  });

  test('has over its rows the share of each value that their rates have', () => {
    const codes = rowsOf(2000);
    const fitted = fit(codes)!;
    const { line } = fitted;
    const places = fitted.places();
    const data = arranged(table, codes);
    const own = codesInRows(tableFields(table, ordering), 2, { rows: data.rowCount, bytes: data.rows });
    const mean = new Float64Array(16);
    for (const place of places) lawOf(line, place).forEach((p, code) => (mean[code]! += p / places.length));
    mean.forEach((p, code) => {
      expect(Math.abs(p - own.filter((one) => one === code).length / own.length)).toBeLessThan(0.02);
    });
  });

  test('has a row in the place that its predictor bits add up to', () => {
    const codes = rowsOf(200);
    const { line } = fit(codes)!;
    const features = lineFeatures(variables, [0, 0, 0]);
    const odds = new LineOdds(line, variables[2]!, decisionTreeOf(variables[2]!), features);
    const places = new Float64Array(200);
    odds.places(Uint16Array.from(codes.flat()), 3, [...codes.keys()], [0, 1], places);
    const bits = predictorMatrix(rowsOfCodes({ table }, codes), table, ordering, 0);
    const weights = lineWeights(line, features);
    const byBits = codes.map((_, row) =>
      placeOf(weights.reduce((sum, weight, bit) => sum + weight * bits.get(row, bit), onGrid(line.intercept))),
    );
    expect([...places]).toEqual(byBits);
    expect(new Set(places).size).toBeGreaterThan(10);
  });

  test('leans on the number that it follows, hardly on a label that says nothing', () => {
    const { line } = fit(rowsOf(2000))!;
    expect(line.coefficients[0]! + line.slopes[0]!).toBeGreaterThan(1);
    expect(line.gains[0]).toBeGreaterThan(20 * line.gains[1]!);
  });

  test('is useful where rows follow it, not where they are of chance, many or few', () => {
    const stream = new RandomStream(5, 3);
    const ofChance = rowsOf(500).map(([x, label]) => [x!, label!, stream.below(16)]);
    expect(fit(rowsOf(500))!.isUseful).toBe(true);
    expect(fit(rowsOf(12))!.isUseful).toBe(true);
    expect(fit(ofChance)!.isUseful).toBe(false);
    expect(fit(ofChance.slice(0, 12))!.isUseful).toBe(false);
  });

  test('is not turned by a few rows that are far off', () => {
    const [plain, wild] = [fit(rowsOf(500))!, fit(rowsOf(500, 10))!];
    const slope = ({ line, scale }: NonNullable<typeof plain>): number =>
      (line.coefficients[0]! + line.slopes[0]!) * scale;
    expect(slope(wild) / slope(plain)).toBeGreaterThan(0.85);
  });

  test('looks at numbers where a sum of them tells more than their scores, which are not on one line', () => {
    const stream = new RandomStream(7, 3);
    const skewed = (): number => Math.floor(16 * stream.uniform() ** 4);
    const of = tableOfVariables([
      ordered('x', 16, 'density'),
      ordered('y', 16, 'density'),
      ordered('sum', 31, 'density'),
    ]);
    const codes = Array.from({ length: 800 }, () => [skewed(), skewed()]).map(([x, y]) => [x!, y!, x! + y!]);
    const place = { table: of, ordering, position: 2 };
    const found = fitLine(arranged(of, codes), place, [], 0.1)!;
    expect(found.hasNumbers).toBe(true);
    expect([...found.line.slopes].every((slope) => slope > 0)).toBe(true);
    const byScores = { ...found, hasNumbers: false, pairs: [] };
    expect(fitLine(arranged(of, codes), place, [], 0.1, { before: byScores })!.line.slopes).toEqual(
      new Float64Array(2),
    );
  });

  test('looks at products where these tell more, and has a row in one place by its codes, its bits, and as fitted', () => {
    const stream = new RandomStream(11, 3);
    const of = tableOfVariables([
      ordered('width', 16, 'density', 4),
      ordered('height', 16, 'density', 3),
      ordered('area', 40, 'density'),
    ]);
    const codes = Array.from({ length: 600 }, () => {
      const [width, height] = [stream.below(16), stream.below(16)];
      const area = Math.floor(((width - 7.5) * (height - 7.5) + 57) / 3);
      return [stream.below(30) === 0 ? 16 : width, height, Math.min(39, area)];
    });
    const data = arranged(of, codes);
    const found = fitLine(data, { table: of, ordering, position: 2 }, [], 0.1)!;
    expect(found.pairs).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
    expect(found.isUseful).toBe(true);
    expect(found.line.gains[0]).toBeGreaterThan(0);
    const features = lineFeatures(of.variables, [0, 0, 0]);
    const odds = new LineOdds(found.line, of.variables[2]!, decisionTreeOf(of.variables[2]!), features);
    const places = new Float64Array(600);
    odds.places(Uint16Array.from(codes.flat()), 3, [...codes.keys()], [0, 1], places);
    expect(places.sort()).toEqual(Float64Array.from(found.places()).sort());
    const plain = fitLine(data, { table: of, ordering, position: 2 }, [], 0.1, { before: { ...found, pairs: [] } });
    expect(plain!.isUseful).toBe(false);
    // as an earlier release has it
    const place = { table: of, ordering, position: 2 };
    expect(fitLine(data, place, [], 0.1, { withProducts: false })!.pairs).toEqual([]);
  });

  test('looks at no products where a plain line tells as much', () => {
    expect(fit(rowsOf(2000))!.pairs).toEqual([]);
  });

  test('is found again in the same bits by the same rows in another order', () => {
    const codes = rowsOf(300);
    const [one, other] = [fit(codes)!, fit(codes.toReversed())!];
    expect({ ...other, places: other.places() }).toEqual({ ...one, places: one.places() });
  });

  test('is not there for the first variable, for labels, of few rows, and where predictors are constant', () => {
    expect(fit(rowsOf(100), 0)).toBeNull();
    expect(fit(rowsOf(100), 1)).toBeNull();
    for (const rows of [1, 2, 9]) expect(fit(rowsOf(rows))).toBeNull();
    expect(fit(rowsOf(100).map(([, , y]) => [3, 1, y!]))).toBeNull();
    expect(fit(rowsOf(100).map(([x, label]) => [x!, label!, 4]))).toBeNull();
    expect(fit(rowsOf(100).map(([x, label]) => [x!, label!, 16]))).toBeNull();
  });

  test('knows what a missing value comes to', () => {
    const codes = rowsOf(600).map(([x, label, y]) => (x === 16 ? [16, label!, 15] : [x!, label!, y!]));
    const { line } = fit(codes)!;
    expect(line.coefficients[1]).toBeGreaterThan(0.5);
    expect(codeCount(variables[0]!)).toBe(17);
  });
});

test('normal scores are the quantiles of a Gaussian', () => {
  expect(normalScore(0.5)).toBeCloseTo(0, 8);
  expect(normalScore(0.975)).toBeCloseTo(1.959963985, 7);
  expect(normalScore(1e-6)).toBeCloseTo(-4.753424309, 6);
});
