import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

// the benchmark is plain JavaScript, so that it runs without a build of its own
const { makespan, lowerBound, interpolate } = (await import(new URL('./schedule.mjs', import.meta.url).href)) as {
  makespan(costs: readonly number[], workers: number): number;
  lowerBound(costs: readonly number[], workers: number): number;
  interpolate(known: readonly { at: number; value: number }[], count: number): number[];
};

const wholeCosts = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });

/** The same by looking for the free worker each time. */
function slowMakespan(costs: readonly number[], workers: number): number {
  const free = Array.from({ length: workers }, () => 0);
  for (const cost of costs) free[free.indexOf(Math.min(...free))]! += cost;
  return Math.max(...free);
}

describe('the simulated cluster', () => {
  it('gives every job to the worker that is free first', () => {
    expect(makespan([4, 3, 3, 2], 2)).toBe(6);
    expect(makespan([2, 3, 3, 4], 2)).toBe(7);
    fc.assert(
      fc.property(wholeCosts, fc.integer({ min: 1, max: 50 }), (costs, workers) => {
        expect(makespan(costs, workers)).toBe(slowMakespan(costs, workers));
      }),
    );
  });

  it('is never faster than its limit, and as fast with a worker for each job', () => {
    fc.assert(
      fc.property(wholeCosts, fc.integer({ min: 1, max: 50 }), (costs, workers) => {
        expect(makespan(costs, workers)).toBeGreaterThanOrEqual(lowerBound(costs, workers) - 1e-9);
        expect(makespan(costs, costs.length)).toBe(Math.max(...costs));
      }),
    );
  });

  it('puts straight lines between the costs that were measured', () => {
    const known = [
      { at: 1, value: 10 },
      { at: 3, value: 20 },
    ];
    expect(interpolate(known, 5)).toEqual([10, 10, 15, 20, 20]);
  });
});
