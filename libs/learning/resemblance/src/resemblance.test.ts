import { loadKernel } from '@orchard/kernel';
import { readFileSync } from 'node:fs';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { areaUnderCurve } from './area-under-curve.js';
import { copiesAmong } from './copies.js';
import { nearestRows } from './nearest.js';
import { selectRows, type Rows } from './rows.js';
import { columnShapes } from './shapes.js';
import { tellApart } from './tell-apart.js';
import { pairTrends } from './trends.js';

const kernel = await loadKernel();
const stream = new RandomStream(4, 1000);
const numbers = (name: string, values: readonly number[]): Rows['columns'][number] => ({
  ...{ name, kind: 'number', values: Float64Array.from(values) },
});
const labels = (name: string, values: readonly number[]): Rows['columns'][number] => ({
  ...{ name, kind: 'label', values: Int32Array.from(values) },
});

/** A number, one that follows it, a label that follows both, and some missing values. */
function draw(count: number, noise = 0.3): Rows {
  const x = Array.from({ length: count }, () => stream.uniform());
  const y = x.map((own) => (stream.below(20) === 0 ? NaN : own + noise * stream.uniform()));
  const z = x.map((own) => (own > 0.5 ? 1 : stream.below(3) - 1));
  return { count, columns: [numbers('x', x), numbers('y', y), labels('z', z)] };
}
/** The same columns, each by itself: nothing depends on anything. */
function shuffled({ count, columns }: Rows): Rows {
  const mixed = columns.map((column) => {
    const order = Array.from({ length: count }, () => stream.below(count));
    return selectRows({ count, columns: [column] }, order).columns[0]!;
  });
  return { count, columns: mixed };
}

describe('told apart by a classifier', () => {
  it('are not rows of the same distribution', () => {
    const { auc, score } = tellApart(kernel, draw(1500), draw(1500), { seed: 1 });
    expect(Math.abs(auc - 0.5)).toBeLessThan(0.04);
    expect(score).toBeGreaterThan(0.93);
  });

  it('are rows whose columns no longer depend on each other, and the more the more they depended', () => {
    const real = draw(1500);
    const { auc, score } = tellApart(kernel, real, shuffled(real), { seed: 1 });
    expect(auc).toBeGreaterThan(0.85);
    expect(score).toBeCloseTo(2 - 2 * auc, 1);
    expect(tellApart(kernel, real, draw(1500, 0.36), { seed: 1 }).auc).toBeLessThan(0.75);
  });

  it('are values that one side alone has, and missing ones', () => {
    const real = draw(900);
    const gaps = {
      ...real,
      columns: [
        real.columns[0]!,
        numbers(
          'y',
          Array.from({ length: 900 }, () => NaN),
        ),
        real.columns[2]!,
      ],
    };
    expect(tellApart(kernel, real, gaps, { seed: 1 }).auc).toBeGreaterThan(0.95);
  });

  it('gives the same figures for the same seed, and says how far it is', () => {
    const [left, right] = [draw(300), draw(200)];
    const shares: number[] = [];
    const first = tellApart(kernel, left, right, { seed: 3, onProgress: (share) => shares.push(share) });
    expect(tellApart(kernel, left, right, { seed: 3 })).toEqual(first);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });
});

it('the area under the curve counts ties half', () => {
  expect(areaUnderCurve(Float64Array.of(2, 3), Float64Array.of(0, 1))).toBe(1);
  expect(areaUnderCurve(Float64Array.of(1, 1), Float64Array.of(1, 1))).toBe(0.5);
  expect(areaUnderCurve(Float64Array.of(1, 3), Float64Array.of(2, 1))).toBe(0.625);
});

describe('shapes and trends, as SDMetrics has them', () => {
  const real: Rows = {
    count: 4,
    columns: [numbers('a', [1, 2, 3, 4]), labels('b', [0, 0, 1, 2]), numbers('c', [2, 4, 6, 8])],
  };
  const other: Rows = {
    count: 4,
    columns: [numbers('a', [1, 2, 3, 9]), labels('b', [0, 1, 1, 1]), numbers('c', [8, 6, 4, 2])],
  };

  it('are KSComplement of numbers and TVComplement of labels', () => {
    // KSComplement 1 - 1/4, TVComplement 1 - (|.5-.25| + |.25-.75| + .25) / 2
    expect(columnShapes(real, other)).toEqual([
      { column: 'a', score: 0.75 },
      { column: 'b', score: 0.5 },
      { column: 'c', score: 1 },
    ]);
  });

  it('are CorrelationSimilarity of numbers and ContingencySimilarity of all other pairs', () => {
    const scores = new Map(pairTrends(real, other).map(({ columns, score }) => [columns.join(), score]));
    // correlations of 1 and -25 / √775
    expect(scores.get('a,c')).toBeCloseTo(1 - (1 + 25 / Math.sqrt(775)) / 2, 9);
    expect(scores.get('a,b')).toBeCloseTo(0.5, 9);
    expect(pairTrends(real, real).every(({ score }) => Math.abs(score - 1) < 1e-12)).toBe(true);
  });

  it('are the same of huge and of tiny numbers', () => {
    const scoreIn = (unit: number): number => {
      const rowsOf = (others: readonly number[]): Rows => ({
        count: 4,
        columns: [
          numbers(
            'a',
            [1, 2, 3, 4].map((value) => value * unit),
          ),
          numbers(
            'b',
            others.map((value) => value * unit),
          ),
        ],
      });
      return pairTrends(rowsOf([2, 4, 6, 8]), rowsOf([9, 1, 5, 2]))[0]!.score;
    };
    for (const unit of [1e200, 1e90, 1e-90, 1e-200]) expect(scoreIn(unit)).toBeCloseTo(scoreIn(1), 9);
  });
});

describe('nearest rows and copies', () => {
  const train: Rows = { count: 3, columns: [numbers('a', [0, 10, 5]), labels('b', [0, 1, -1])] };

  it('are at a mean distance over the columns, in units of the range', () => {
    const rows: Rows = { count: 3, columns: [numbers('a', [1, 5, NaN]), labels('b', [0, -1, 1])] };
    const { distances, rows: found } = nearestRows(rows, train, { scale: train });
    expect([...found]).toEqual([0, 2, 1]);
    expect([...distances].map((own) => Number(own.toFixed(9)))).toEqual([0.05, 0, 0.5]);
    const two = nearestRows(rows, train, { scale: train, neighbours: 2 });
    expect([...two.rows].slice(0, 2)).toEqual([0, 2]);
    expect(two.distances[1]).toBeCloseTo((0.4 + 1) / 2, 9);
  });

  it('are copies where every value is equal, missing ones too', () => {
    const rows: Rows = { count: 4, columns: [numbers('a', [10, 10, 5, -0]), labels('b', [1, 0, -1, 0])] };
    expect([...copiesAmong(rows, train)]).toEqual([1, 0, 1, 1]);
  });
});

it('the example of the README gives what its remarks say', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const one = (values: number[]): Rows => ({ count: values.length, columns: [numbers('size', values)] });
  const [size] = columnShapes(one([1, 2, 3, 4]), one([1, 2, 3, 9]));
  expect(readme).toContain(`size!.score; // ${String(size!.score)}:`);
  expect(readme).toContain(
    `copiesAmong(rows([2, 5]), rows([1, 2])); // ${[...copiesAmong(one([2, 5]), one([1, 2]))].join(', ')}`,
  );
});
