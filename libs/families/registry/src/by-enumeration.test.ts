import { codeCount, readTableSplits, valueCount } from '@orchard/dataset';
import { allCodes, openText, rowsOfCodes } from '@orchard/dataset/conformance/tables';
import { distributionsOf, givenTheRest, isExactOfTable, jointGivenKnown, type TabularModel } from '@orchard/model';
import { exp, log, RandomStream } from '@orchard/numerics';
import { trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import { families } from './index.js';

const WORDS: Readonly<Record<string, object>> = {
  tables: { rounds: 3, leaves: 4, members: 1, start: 'base-rate' },
  sparn: { penalty: '4' },
  partition: { experts: 3, restarts: 1, steps: 4 },
};

/** A count that others may split at two places alone, labels of which some are missing, rents of which many are 0. */
function dwellings(): string {
  const stream = new RandomStream(5, 1037);
  const lines = Array.from({ length: 200 }, () => {
    const people = stream.below(6);
    const kind = ['flat', 'house', 'hut'][Math.floor((people + stream.below(3)) / 3)]!;
    const rent = stream.below(4) === 0 ? '0.00' : (5 * people + 10 * stream.uniform()).toFixed(2);
    const garden = stream.uniform() < 1 / (1 + exp(3 - people)) ? 'yes' : 'no';
    return [people, stream.below(6) === 0 ? '' : kind, rent, garden].join();
  });
  return `people,kind,rent,garden\n${lines.join('\n')}\n`;
}

interface Enumerated {
  readonly model: TabularModel;
  /** Of all rows that there can be. */
  readonly codes: readonly (readonly number[])[];
  /** Of these, what the model says. */
  readonly chances: Float64Array;
}

const learners = families.learning('table').map(({ name }) => name);

describe.each(learners)('by the sum over all rows, %s', (name) => {
  let trained: Promise<Enumerated> | null = null;

  const enumerated = async (): Promise<Enumerated> => {
    const raw = await openText(dwellings());
    const fineness = { bins: 6, cutPoints: 2 };
    const splits = await readTableSplits(
      { train: raw, valid: null, test: null },
      { valid: 0.2, test: 0.1 },
      1,
      fineness,
    );
    await raw.close();
    const rows = [splits.train, splits.valid!, splits.test!] as const;
    const model = (await trainedOn(rows, families.named(name), WORDS[name] ?? {})).model as TabularModel;
    const codes = allCodes(model.table.variables);
    return { model, codes, chances: model.logLikelihood(rowsOfCodes(model, codes)).map(exp) };
  };
  const asked = (): Promise<Enumerated> => {
    trained ??= enumerated();
    return trained;
  };

  test('is a distribution, and so is each of its conditionals', async () => {
    const { model, codes, chances } = await asked();
    expect(Math.abs(chances.reduce((sum, p) => sum + p, 0) - 1)).toBeLessThan(1e-9);
    const { variables } = model.table;
    const some = rowsOfCodes(
      model,
      codes.filter((_, at) => at % 11 === 0),
    );
    let index = 0;
    for (const all of distributionsOf(model, some, [...variables.keys()])) {
      const size = codeCount(variables[index++]!);
      for (let row = 0; row < some.rows; row++) {
        const sum = all.subarray(row * size, (row + 1) * size).reduce((whole, p) => whole + p, 0);
        expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
      }
    }
  });

  test('says of a cell given all others what the joint says', async () => {
    const { model, codes, chances } = await asked();
    const rows = rowsOfCodes(model, codes);
    model.table.variables.forEach((variable, index) => {
      const size = codeCount(variable);
      const shares = givenTheRest(model, rows)(index);
      const restOf = (row: readonly number[]): string => row.toSpliced(index, 1).join();
      const sums = new Map<string, number>();
      codes.forEach((row, at) => sums.set(restOf(row), (sums.get(restOf(row)) ?? 0) + chances[at]!));
      const worst = codes.reduce((most, row, at) => {
        const exactly = log(chances[at]! / sums.get(restOf(row))!);
        return Math.max(most, Math.abs(exactly - log(shares[at * size + row[index]!]!)));
      }, 0);
      expect(worst).toBeLessThan(1e-9);
    });
  });

  test('where it is exact, says how likely no value is beside all values, whatever is unknown of the row', async () => {
    const { model, codes, chances } = await asked();
    if (!isExactOfTable(model)) return;
    const { offsets } = model;
    const { variables } = model.table;
    const some = codes.filter((_, at) => at % 37 === 0);
    const matrix = rowsOfCodes(model, some);
    for (const [target, blank] of [
      [0, 1],
      [1, 0],
      [3, 1],
    ] as const) {
      const size = codeCount(variables[target]!);
      const values = valueCount(variables[target]!);
      const known = model.emptyRows(some.length);
      known.bytes.fill(255);
      for (let row = 0; row < some.length; row++)
        for (let bit = offsets[blank]!; bit < offsets[blank + 1]!; bit++) known.set(row, bit, 0);
      const { nats } = jointGivenKnown(model, target, { matrix, known }, 3);
      some.forEach((row, at) => {
        const exactly = new Float64Array(size);
        codes.forEach((other, place) => {
          if (other.every((code, index) => index === target || index === blank || code === row[index]))
            exactly[other[target]!]! += chances[place]!;
        });
        const found = nats.subarray(at * size, (at + 1) * size).map(exp);
        const ofValues = (shares: Float64Array): number =>
          shares.subarray(0, values).reduce((sum, share) => sum + share, 0);
        for (let code = values; code < size; code++)
          expect(log(found[code]! / ofValues(found))).toBeCloseTo(log(exactly[code]! / ofValues(exactly)), 9);
      });
    }
  });
});
