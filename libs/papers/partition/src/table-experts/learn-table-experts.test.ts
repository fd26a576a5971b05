import type { OrderedVariable, Variable } from '@orchard/contracts';
import { measured, ordered, randomCodes, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { TableClasses } from './code-classes.js';
import { startOfTable, stepOfTable } from './learn-table-experts.js';
import { explainBy } from '../matching-pursuit.js';
import { mostExpertsOf, mostTogether, setsOfExperts } from './sets-of-experts.js';
import { TableCandidates } from './table-candidates.js';
import { TableExperts } from './table-experts.js';

const update = { pseudoCount: 1, factor: 2 };

test('known experts of numbers are found, each with its columns and numbers', () => {
  // each area of two columns is an expert's in three rows of ten; elsewhere numbers are as the background's
  const AREAS = 3;
  const cells = 41;
  const stream = new RandomStream(1, 1071);
  const gaussian = (): number => Array.from({ length: 12 }, () => stream.uniform()).reduce((sum, u) => sum + u, -6);
  const centres = Array.from({ length: 2 * AREAS }, () => (stream.below(2) === 0 ? -2 : 2));
  const rows = Array.from({ length: 160 }, () => {
    const present = Array.from({ length: AREAS }, () => stream.uniform() < 0.3);
    return centres.map((centre, column) => {
      const number = present[column >> 1] ? centre + 0.25 * gaussian() : gaussian();
      return Math.max(0, Math.min(cells - 1, Math.round(20 + 6 * number)));
    });
  });
  const columns = centres.map((_, column) => Uint16Array.from(rows, (row) => row[column]!));
  const variables = columns.map((column, index) => {
    const counts = Array.from({ length: cells }, (_, cell) => column.filter((code) => code === cell).length);
    return { ...ordered(`n${String(index)}`, cells, 'mass'), counts } as Variable;
  });
  const classes = new TableClasses({ variables });
  // of six starts the one that explains the rows best
  let [best, highest] = [0, -Infinity];
  for (let restart = 0; restart < 6; restart++) {
    let experts = startOfTable(classes, columns, 6, new RandomStream(0, Purpose.restart, restart));
    let explained = -Infinity;
    for (let step = 0; step < 15; step++) ({ experts, explained } = stepOfTable(columns, experts, update)!);
    const found = Array.from({ length: AREAS }, (_, area) =>
      Array.from({ length: 6 }, (__, expert) => expert).some((expert) =>
        [2 * area, 2 * area + 1].every((column) => {
          const at = expert * variables.length + column;
          const mean = (experts.means[at]! - 20) / 6;
          return Math.abs(mean - centres[column]!) < 0.4 && Math.sqrt(experts.variances[at]!) / 6 < 0.5;
        }),
      ),
    );
    if (explained > highest) [highest, best] = [explained, found.filter((own) => own).length];
  }
  expect(best).toBe(AREAS);
});

test.each([2 ** 600, 2 ** -600])('numbers of a unit of %d are explained as those of 1', (unit) => {
  const explainedIn = (own: number): number => {
    const count = ordered('n', 9, 'mass') as OrderedVariable;
    const scaled = count.values.map((value) => value! * own);
    const variables = [{ ...count, values: scaled, edges: count.edges.map((edge) => edge * own) }];
    const classes = new TableClasses({ variables });
    const rows = randomCodes(variables, 60, 3);
    const before = startOfTable(classes, rows, 3, new RandomStream(1, Purpose.restart, 0));
    return stepOfTable(rows, stepOfTable(rows, before, update)!.experts, update)!.explained;
  };
  expect(explainedIn(unit)).toBeCloseTo(explainedIn(1), 6);
});

describe('a step', () => {
  // labels, numbers in cells, numbers with masses of their own, and missing values
  const variables = [measured('m', 6, 2, 3), ordered('o', 5, 'mass')];
  const classes = new TableClasses(tableOfVariables(variables));
  const rows = randomCodes(variables, 40, 3);
  const before = startOfTable(classes, rows, 3, new RandomStream(1, Purpose.restart, 0));
  const candidates = new TableCandidates(before);
  const sets = Array.from({ length: 40 }, (_, row) => {
    candidates.begin(rows.map((column) => column[row]!));
    return explainBy(candidates).experts;
  });
  const { experts: after, explained } = stepOfTable(rows, before, update)!;

  /** Σ log P(row | its experts) under other levels of expertise. */
  const natsWith = (expertise: Float64Array): number => {
    const { active, shares, means, variances } = before;
    const experts = new TableExperts(classes, { active, expertise, shares, means, variances });
    return sets.reduce(
      (sum, own, row) =>
        rows.reduce((nats, column, index) => nats + Math.log(experts.probability(own, index, column[row]!)), sum),
      0,
    );
  };

  test('doubles the levels of expertise by which the rows become likelier, and halves the others', () => {
    expect(explained).toBeCloseTo(natsWith(before.expertise), 9);
    for (let at = 0; at < before.expertise.length; at++) {
      const more = before.expertise.slice();
      more[at]! *= 1 + 1e-6;
      const gain = natsWith(more) - natsWith(before.expertise);
      const ratio = after.expertise[at]! / before.expertise[at]!;
      if (Math.abs(gain) > 1e-9) expect(ratio).toBe(gain > 0 ? 2 : 1 / 2);
    }
    expect(new Set(after.expertise.map((level, at) => level / before.expertise[at]!)).size).toBeGreaterThan(1);
  });

  test('makes templates the shares, means and variances of the rows by responsibility, and one row of all', () => {
    for (let expert = 0; expert < 3; expert++)
      classes.variables.forEach((own, index) => {
        const at = expert * 2 + index;
        let [whole, sum] = [0, 0];
        const shares = new Float64Array(own.classes);
        const parts = sets.map((set, row) => {
          if (!set.includes(expert)) return 0;
          const levels = set.reduce((total, other) => total + after.expertise[other * 2 + index]!, 0);
          const part = after.expertise[at]! / levels;
          const code = rows[index]![row]!;
          whole += part;
          shares[own.classOf(code)]! += part;
          if (code < own.cells) sum += part * own.numbers[code]!;
          return part;
        });
        const { shares: all, mean, variance } = own.overall;
        const inCells = shares[0]!;
        const centre = (sum + mean) / (inCells + 1);
        expect(after.means[at]).toBeCloseTo(centre, 9);
        const squares = parts.reduce((total, part, row) => {
          const code = rows[index]![row]!;
          return code < own.cells ? total + part * (own.numbers[code]! - centre) ** 2 : total;
        }, 0);
        expect(after.variances[at]).toBeCloseTo((squares + variance) / (inCells + 1), 9);
        after.sharesOf(expert, index).forEach((share, ofClass) => {
          expect(share).toBeCloseTo((shares[ofClass]! + all[ofClass]!) / (whole + 1), 9);
        });
      });
    after.active.forEach((share, expert) => {
      expect(share).toBeCloseTo((sets.filter((own) => own.includes(expert)).length + 0.5) / 41, 12);
    });
  });

  test('is not done where it was cancelled', () => {
    expect(stepOfTable(rows, before, update, () => true)).toBe(null);
  });
});

test('a set of experts has the mean and the variance of their mixture', () => {
  const variables = [ordered('o', 200, 'density')];
  const classes = new TableClasses(tableOfVariables(variables));
  const experts = new TableExperts(classes, {
    active: Float64Array.of(0.5, 0.5),
    expertise: Float64Array.of(3, 1),
    shares: Float64Array.of(1, 1),
    means: Float64Array.of(80, 120),
    variances: Float64Array.of(16, 4),
  });
  const law = Array.from({ length: 200 }, (_, code) => experts.probability([0, 1], 0, code));
  const whole = new Float64Array(200);
  experts.composeInto([0, 1], 0, whole, 0);
  whole.forEach((share, code) => {
    expect(share).toBeCloseTo(law[code]!, 14);
  });
  // but for two rows in 402, which are spread over all cells
  const own = law.map((share) => (share * 402 - 2 / 200) / 400);
  const mean = own.reduce((sum, share, code) => sum + share * code, 0);
  expect(mean).toBeCloseTo((3 * 80 + 120) / 4, 2);
  const variance = own.reduce((sum, share, code) => sum + share * (code - mean) ** 2, 0);
  expect(variance).toBeCloseTo((3 * (16 + 100) + (4 + 900)) / 4 + 1 / 12, 1);
});

test('as many experts take part in a row as leave few enough sets to sum over', () => {
  expect([mostTogether(8, 1000), mostTogether(8, 10_000), mostTogether(1000, 1500), mostTogether(2000, 1500)]).toEqual([
    ...[8, 4, 1, 0],
  ]);
  expect([mostExpertsOf(1500), mostTogether(mostExpertsOf(1500), 1500)]).toEqual([1398, 1]);
  const sets = setsOfExperts(5, 3);
  expect([sets.length, new Set(sets.map((set) => set.join())).size, sets.at(-1)]).toEqual([25, 25, [2, 3, 4]]);
});
