import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillWindows, type Claim } from './turns.js';

const claim = (name: string, held: number, left: number, person = name): Claim<string> => ({
  ...{ person, held, jobs: held, turn: 0, step: 1 },
  next: Array.from({ length: left }, (_, index) => `${name}${index}`).values(),
});

describe('the window of a person', () => {
  test('one person alone has the whole window, in its order', () => {
    expect(fillWindows([claim('a', 3, 100)], 8)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  test('people take turns, those that hold less first', () => {
    expect(fillWindows([claim('a', 0, 9), claim('b', 0, 9)], 6)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
    expect(fillWindows([claim('a', 2, 9), claim('b', 0, 9)], 6)).toEqual(['b0', 'a0', 'b1', 'b2']);
  });

  test('a person who begins gets their share at once, though another fills the queue', () => {
    expect(fillWindows([claim('wide', 64, 10_000), claim('small', 0, 16)], 64)).toHaveLength(16);
  });

  test('a person has no more jobs at once than they may, over all their runs', () => {
    const claims = [claim('a', 1, 9, 'ann'), claim('b', 0, 9, 'ann'), claim('c', 0, 9, 'bob')];
    const added = fillWindows(claims, 20, () => 1, Infinity, 3);
    expect(added.filter((item) => !item.startsWith('c'))).toHaveLength(2);
    expect(added.filter((item) => item.startsWith('c'))).toHaveLength(3);
  });

  test('no person holds more than its window, none that has work left holds less, and nothing is added twice', () => {
    const run = fc.record({ held: fc.nat(40), left: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 80 }), (runs, target) => {
        const window = Math.max(2, Math.ceil(target / runs.length));
        const added = fillWindows(
          runs.map(({ held, left }, index) => claim(`${index}-`, held, left)),
          target,
        );
        expect(new Set(added).size).toBe(added.length);
        for (const [index, { held, left }] of runs.entries()) {
          const own = added.filter((item) => item.startsWith(`${index}-`)).length;
          expect(own).toBe(Math.min(left, Math.max(0, window - held)));
        }
      }),
    );
  });
});
