import type { Variable } from '@orchard/contracts';
import {
  allCodes,
  binary,
  knownRow,
  measured,
  randomCodes,
  randomVariables,
  rowsOfCodes,
  tableOfVariables,
} from '@orchard/dataset/conformance/tables';
import { startOfTable, stepOfTable, TableClasses } from './table-experts/index.js';
import { filledWeights, isMostProbable, openModel, answersOf } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { TablePartition, tablePartitionCodec } from './index.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;

function modelOf(variables: readonly Variable[], count: number, seed: number): TablePartition {
  const table = tableOfVariables(variables);
  const rows = randomCodes(variables, 40, seed);
  const start = startOfTable(new TableClasses(table), rows, count, new RandomStream(seed, 1072));
  const { experts } = stepOfTable(rows, start, { pseudoCount: 1, factor: 2 })!;
  return new TablePartition({ ...nothing, table }, experts);
}

describeDensityModel('a partition of a table of binary variables', {
  codec: tablePartitionCodec,
  isNamed: false,
  make: ({ dimensions }) =>
    modelOf(
      Array.from({ length: dimensions }, (_, column) => binary(`c${String(column)}`)),
      3,
      2,
    ),
});

describe.each([1, 2, 3, 4])('of table %i', (seed) => {
  const variables = seed === 1 ? [measured('m', 3, 2, 2), binary('b', 1)] : randomVariables(seed, 2 + (seed % 3));
  const model = modelOf(variables, 3, seed);
  const codes = allCodes(variables);
  const rows = rowsOfCodes(model, codes);
  const chances = model.logLikelihood(rows).map(Math.exp);

  test('a row has the sum over all sets of experts, as the thesis writes them', () => {
    const { active, classes } = model.experts;
    const sets = [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]];
    const shareOf = (set: readonly number[]): number =>
      active.reduce((product, p, expert) => product * (set.includes(expert) ? p : 1 - p), 1);
    const all = sets.reduce((sum, set) => sum + shareOf(set), 0);
    codes.forEach((row, at) => {
      const p = sets.reduce((sum, set) => {
        const product = row.reduce((own, code, index) => own * model.experts.probability(set, index, code), 1);
        return sum + (shareOf(set) / all) * product;
      }, 0);
      expect(chances[at]).toBeCloseTo(p, 12);
    });
    expect(chances.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    expect(classes.variables).toHaveLength(variables.length);
  });

  test('cells and distributions multiply to it', () => {
    const byVariable = variables.map((_, index) => model.distributionOf(index, rows));
    const cells = model.cellLogLikelihoods(rows);
    codes.forEach((row, at) => {
      const sum = row.reduce((own, _, index) => own + cells[at * row.length + index]!, 0);
      expect(Math.exp(sum)).toBeCloseTo(chances[at]!, 12);
      row.forEach((code, index) => {
        const p = byVariable[index]![at * model.experts.classes.variables[index]!.codes + code]!;
        expect(Math.log(p)).toBeCloseTo(cells[at * row.length + index]!, 9);
      });
    });
  });

  test('what is unknown is summed out, and filled in by values alone', () => {
    const stream = new RandomStream(seed, 1021);
    const row = codes[stream.below(codes.length)]!;
    const isKnown = row.map((_, index) => index === 0);
    const fits = codes.map((other) => other[0] === row[0]);
    const evidence = chances.reduce((sum, p, at) => sum + (fits[at] ? p : 0), 0);
    const isValue = codes.map((other) =>
      other.every((code, index) => index === 0 || filledWeights(variables[index]!)[code] === 1),
    );
    const values = chances.map((p, at) => (fits[at] && isValue[at] ? p : 0));
    const total = values.reduce((sum, p) => sum + p, 0);
    const { probabilities, logEvidence } = model.distributions(rowsOfCodes(model, [row]), knownRow(model, isKnown));
    expect(logEvidence[0]).toBeCloseTo(Math.log(evidence), 10);
    variables.forEach((_, index) => {
      probabilities[index]!.forEach((own, code) => {
        const expected = values.reduce((sum, p, at) => sum + (codes[at]![index] === code ? p : 0), 0) / total;
        expect(own).toBeCloseTo(expected, 10);
      });
    });
  });

  test('what one variable says of another is their mutual information', () => {
    const shares = model.importanceOf(0);
    expect([shares[0], shares.reduce((sum, share) => sum + share, 0)]).toEqual([0, expect.closeTo(1, 9)]);
    const informed = variables.map((_, other) => {
      if (other === 0) return 0;
      const joint = new Map<string, number>();
      const [own, theirs] = [new Map<number, number>(), new Map<number, number>()];
      codes.forEach((row, at) => {
        const [a, b] = [row[0]!, row[other]!];
        joint.set(`${String(a)} ${String(b)}`, (joint.get(`${String(a)} ${String(b)}`) ?? 0) + chances[at]!);
        own.set(a, (own.get(a) ?? 0) + chances[at]!);
        theirs.set(b, (theirs.get(b) ?? 0) + chances[at]!);
      });
      return [...joint].reduce((sum, [key, p]) => {
        const [a, b] = key.split(' ').map(Number);
        return sum + p * Math.log(p / (own.get(a!)! * theirs.get(b!)!));
      }, 0);
    });
    const all = informed.reduce((sum, nats) => sum + nats, 0);
    informed.forEach((nats, other) => {
      expect(shares[other]).toBeCloseTo(nats / all, 6);
    });
  });

  test('a file is the model again', () => {
    const bytes = model.toBytes();
    const again = openModel(bytes, [tablePartitionCodec]);
    expect(again.logLikelihood(rows)).toEqual(model.logLikelihood(rows));
    expect(Buffer.compare(again.toBytes(), bytes)).toBe(0);
    expect([answersOf(again), isMostProbable(again)]).toEqual([{ conditionals: 'exact', mostProbable: 'none' }, false]);
  });
});

test('a file that contradicts its table is refused', () => {
  const model = modelOf([measured('m', 3, 2, 2), binary('b', 1)], 2, 1);
  const variances = model.experts.variances.map(() => 0);
  const damaged = Object.assign(Object.create(model) as TablePartition, {
    experts: Object.assign(Object.create(model.experts) as object, { variances }),
  });
  expect(() => openModel(damaged.toBytes(), [tablePartitionCodec])).toThrow(
    expect.objectContaining({ code: 'not-a-network-file' }) as Error,
  );
});
