import type { OrderedVariable } from '@orchard/contracts';
import { BitMatrix, codeCount } from '@orchard/dataset';
import { filledWeights, RuledModel, rulesOf } from '@orchard/model';
import { describe, expect, it } from 'vitest';
import { binary, ordered, randomModel, rowsOfCodes } from './random-table.suite.js';

const DRAWS = 2_000;

/** Numbers of which each is a code of its own, so that a row of codes follows a rule or does not. */
function counted(name: string, values: readonly number[]): OrderedVariable {
  return { ...(ordered(name, values.length, 'mass') as OrderedVariable), values };
}

const variables = [counted('a', [0, 1, 2, 3]), counted('b', [0, 1, 2]), counted('c', [0, 1, 2, 3, 4, 5]), binary('d')];
/** Which codes are values: the others are words in a column of numbers. */
const values = variables.map((variable) =>
  [...filledWeights(variable).entries()].flatMap(([code, w]) => (w ? code : [])),
);

/** A row whose columns at some places are missing, and the others known. */
const questions = [[0], [0, 1], [1, 3], [0, 1, 3], [2, 3]];

describe.each([
  ['a <= b', 1, (a: number, b: number) => a <= b],
  ['a + b <= c', 2, (a: number, b: number, c: number) => a + b <= c],
  ['a < c', 3, (a: number, _: number, c: number) => a < c],
  ['c = a + b', 4, (a: number, b: number, c: number) => c === a + b],
] as const)('rows filled in under %s, by the model %i', (words, seed, holds) => {
  const model = randomModel(variables, seed);
  const ruled = new RuledModel(model, rulesOf(model.table, [words], null, model.offsets));
  const ordering = [...model.ordering];

  /** Whether some values of what comes later make a row follow the rule; what has no number breaks none. */
  function canFollow(row: readonly number[], place: number): boolean {
    const [a, b, c] = row as [number, number, number];
    const follows = [0, 1, 2].some((at) => words.includes('abc'[at]!) && !values[at]!.includes(row[at]!));
    if (place === ordering.length) return follows || holds(a, b, c);
    return values[ordering[place]!]!.some((code) => canFollow(row.with(ordering[place]!, code), place + 1));
  }

  /** P of a row by hand: each conditional shared out to the codes from which the rule can still be followed. */
  function chanceOf(row: readonly number[], missing: readonly number[]): number {
    let chance = 1;
    ordering.forEach((index, place) => {
      const own = model.distributionOf(index, rowsOfCodes(model, [[...row]]));
      const codes = missing.includes(index)
        ? values[index]!
        : Array.from({ length: codeCount(variables[index]!) }).keys();
      const possible = [...codes].filter((code) => canFollow(row.with(index, code), place + 1));
      const all = possible.reduce((sum, code) => sum + own[code]!, 0);
      chance *= possible.includes(row[index]!) ? own[row[index]!]! / all : 0;
    });
    return chance;
  }

  it.each(questions.map((own) => [own]))('are as likely as the model has them, where %j are missing', (missing) => {
    const given = [1, 1, 2, 0];
    const known = BitMatrix.create(1, model.offsets[variables.length]!);
    variables.forEach((_, index) => {
      if (missing.includes(index)) return;
      for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) known.set(0, bit, 1);
    });
    const rows = missing.reduce<number[][]>(
      (some, index) => some.flatMap((row) => values[index]!.map((code) => row.with(index, code))),
      [given],
    );
    const chances = rows.map((row) => chanceOf(row, missing));
    const all = chances.reduce((sum, chance) => sum + chance, 0);
    const filled = ruled.completions(
      { matrix: rowsOfCodes(model, [given]), known, numberAt: () => NaN },
      { seed: 7, samples: 4_000, draws: DRAWS },
    );
    const counts = new Map<string, number>();
    for (const { matrix } of filled) {
      const key = variables.map((_, index) => model.codeOf(matrix, 0, index)).join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    rows.forEach((row, at) => {
      const expected = (DRAWS * chances[at]!) / all;
      const times = counts.get(row.join()) ?? 0;
      if (chances[at] === 0) expect(times).toBe(0);
      // four standard errors of the draws, and what 4,000 particles do not know
      else expect(Math.abs(times - expected)).toBeLessThanOrEqual(4 * Math.sqrt(expected + 1) + 0.08 * expected);
    });
    expect(filled[0]!.logEvidence[0]!).toBeCloseTo(Math.log(all), 1);
  });
});
