import { expect, test } from 'vitest';
import { decisionWork, shareOfRounds, variableWork } from './decision-work.js';

test('work rises with rows and predictors, and a decision of few rows is some', () => {
  expect(decisionWork(10_000, 500)).toBeGreaterThan(decisionWork(1000, 500));
  expect(decisionWork(1000, 1000)).toBeGreaterThan(decisionWork(1000, 500));
  expect(decisionWork(0, 500)).toBeGreaterThan(0);
  const labels = (count: number) =>
    ({
      ...{ kind: 'categorical', name: 'x', holes: 0, others: 0 },
      ...{ labels: Array.from({ length: count }, String), counts: new Array<number>(count).fill(1) },
    }) as unknown as Parameters<typeof variableWork>[0];
  expect(variableWork(labels(200), 1000, 50)).toBeGreaterThan(variableWork(labels(3), 1000, 50));
});

test('rows that trees do not grow on take less; of a variable as much less as of its decisions together', () => {
  expect(decisionWork(10_000, 500, 10_000)).toBe(decisionWork(10_000, 500));
  expect(decisionWork(10_000, 500, 1000)).toBeLessThan(decisionWork(10_000, 500) / 2);
  expect(decisionWork(10_000, 500, 1000)).toBeGreaterThan(decisionWork(1000, 500, 1000));
  const numbers = { kind: 'categorical', name: 'x', holes: 0, others: 0, labels: new Array(255).fill('') };
  const variable = { ...numbers, counts: new Array(255).fill(1) } as unknown as Parameters<typeof variableWork>[0];
  const rows = 2 ** 20;
  const byDecision = (rowsPerTree?: number): number =>
    Array.from({ length: 8 }, (_, depth) => 2 ** depth * decisionWork(rows / 2 ** depth, 500, rowsPerTree)).reduce(
      (sum, work) => sum + work,
      0,
    );
  for (const rowsPerTree of [undefined, 2 ** 30, 2 ** 17, 2 ** 10])
    expect(variableWork(variable, rows, 500, rowsPerTree) / byDecision(rowsPerTree)).toBeCloseTo(1, 1);
});

test('rounds come ever nearer to their end, and are there at the most that there may be', () => {
  const shares = [0, 1, 50, 100, 500, 1999].map((rounds) => shareOfRounds(rounds, 2000, 100));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shareOfRounds(100, 2000, 100)).toBe(0.5);
  expect(shareOfRounds(2000, 2000, 100)).toBe(1);
  expect(shares.at(-1)).toBeLessThan(1);
});
