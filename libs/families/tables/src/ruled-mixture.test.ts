import type { OrderedVariable } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { mixtureOf, RuledMixture, type TableMixture } from '@orchard/members';
import { RuledModel, rulesOf } from '@orchard/model';
import { describe, expect, it } from 'vitest';
import { allCodes, binary, ordered, randomModel, rowsOfCodes } from './random-table.suite.js';

/** Numbers of which each is a code of its own, so that a row of codes follows a rule or does not. */
function counted(name: string, values: readonly number[]): OrderedVariable {
  return { ...(ordered(name, values.length, 'mass') as OrderedVariable), values };
}

const variables = [counted('size', [0, 1, 2, 3]), binary('old', 2), counted('doors', [0, 1, 2]), binary('red')];
const weights = Float64Array.of(0.5, 0.3, 0.2);
const mixture = mixtureOf({
  ...{ specification: null, likelihoods: { train: null, valid: null, test: null }, weights },
  members: [0, 1, 2].map((m) => randomModel(variables, 30 + m)),
}) as TableMixture;
const rules = rulesOf(mixture.table, ['size <= doors'], null, mixture.offsets);
const ruled = new RuledMixture(mixture, rules);
const rows = rowsOfCodes(mixture, allCodes(variables));
/** P of each row of codes under the rules: exact, since no cell holds many values. */
const chances = mixture.members.reduce((sum, member, m) => {
  const cells = new RuledModel(member, rules).cellLogLikelihoods(rows);
  return sum.map((chance, row) => {
    const nats = variables.reduce((all, _, index) => all + cells[row * variables.length + index]!, 0);
    // a value that breaks a rule leaves what follows it without a meaning
    return chance + (Number.isNaN(nats) ? 0 : weights[m]! * Math.exp(nats));
  });
}, new Float64Array(rows.rows));
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, value) => all + value, 0);
/** How often each row of codes is there. */
function countsOf({ bytes, stride, rows: count }: typeof rows): Map<string, number> {
  const counts = new Map<string, number>();
  for (let row = 0; row < count; row++) {
    const key = bytes.slice(row * stride, (row + 1) * stride).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

describe('a mixture under rules', () => {
  it('gives the rows that follow them 1 in all, and the others nothing', () => {
    expect(new Set(mixture.members.map(({ ordering }) => ordering!.join())).size).toBeGreaterThan(1);
    const gains = ruled.logGains(rows);
    const follows = (row: number): boolean => chances[row]! > 0;
    const likelihoods = mixture.logLikelihood(rows);
    expect(chances.some((chance) => chance === 0)).toBe(true);
    expect(sum(chances)).toBeCloseTo(1, 10);
    expect(sum(likelihoods.map((nats, row) => (follows(row) ? Math.exp(nats + gains[row]!) : 0)))).toBeCloseTo(1, 10);
    likelihoods.forEach((nats, row) => {
      if (follows(row)) expect(Math.exp(nats + gains[row]!)).toBeCloseTo(chances[row]!, 12);
    });
  });

  it('samples rows that follow them, as often as the members by weight do, in batches of any size', () => {
    const count = 5_000;
    const codes = ruled.sampler(3).next(count);
    const counts = countsOf(codes);
    const ofMembers = new Map<string, number>();
    mixture.members.forEach((member, m) => {
      const drawn = new RuledModel(member, rules).sampler(90 + m).next(weights[m]! * count);
      for (const [key, own] of countsOf(drawn)) ofMembers.set(key, (ofMembers.get(key) ?? 0) + own);
    });
    for (const key of new Set([...counts.keys(), ...ofMembers.keys()])) {
      const [one, other] = [counts.get(key) ?? 0, ofMembers.get(key) ?? 0];
      expect(Math.abs(one - other)).toBeLessThanOrEqual(5 * Math.sqrt(one + other + 1));
    }
    const [size, , doors] = ruled.wordsOf(codes, 3, 0);
    size!.forEach((text, row) => {
      const other = doors![row]!;
      if (text !== null && other !== null) expect(Number(text)).toBeLessThanOrEqual(Number(other));
    });
    const pieces = ruled.sampler(3);
    expect(pieces.next(70).bytes).toEqual(codes.bytes.subarray(0, 70 * codes.stride));
    expect(pieces.next(30).bytes).toEqual(codes.bytes.subarray(70 * codes.stride, 100 * codes.stride));
  });

  it('fills in what is missing as likely as its rows are under the rules', () => {
    // size and red are missing, old and doors are known
    const draws = 3_000;
    const known = BitMatrix.create(1, mixture.offsets[4]!);
    for (const index of [1, 2])
      for (let bit = mixture.offsets[index]!; bit < mixture.offsets[index + 1]!; bit++) known.set(0, bit, 1);
    const codes = (row: number): number[] => variables.map((_, index) => mixture.codeOf(rows, row, index));
    const isAlike = (row: number): boolean => codes(row)[1] === 0 && codes(row)[2] === 1;
    const candidates = [...chances.keys()].filter((row) => isAlike(row) && chances[row]! > 0 && codes(row)[3]! < 2);
    const given = { matrix: rows.selectRows([candidates[0]!]), known, numberAt: () => NaN };
    const filled = ruled.completions(given, { seed: 4, samples: 2_000, draws });
    const counts = new Map<string, number>();
    for (const { matrix } of filled)
      for (const [key, own] of countsOf(matrix)) counts.set(key, (counts.get(key) ?? 0) + own);
    // a missing value is filled in by a value that training had
    const values = candidates.filter((row) => codes(row)[0]! < 4);
    const all = sum(values.map((row) => chances[row]!));
    expect(sum(values.map((row) => counts.get([...countsOf(rows.selectRows([row])).keys()][0]!) ?? 0))).toBe(draws);
    for (const row of values) {
      const own = counts.get([...countsOf(rows.selectRows([row])).keys()][0]!) ?? 0;
      const expected = (draws * chances[row]!) / all;
      expect(Math.abs(own - expected)).toBeLessThanOrEqual(5 * Math.sqrt(expected + 1) + 0.03 * draws);
    }
    expect(ruled.isPossible(given, 0)).toBe(true);
  });
});
