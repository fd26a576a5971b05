import { meanLogDensities } from '@orchard/dataset';
import {
  allCodes,
  binary,
  categorical,
  ordered,
  rowsOfCodes,
  tableOfVariables,
} from '@orchard/dataset/conformance/tables';
import { NumberArray, openModel, readModelFile, writeModelFile } from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { describeFamily, plainRows, standardSplits, trainedOn } from '@orchard/pipeline/conformance';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Marginals, marginals, type MarginalsTable } from './index.js';

describeDensityModel('marginals', {
  codec: marginals.codec,
  make: (variables) => {
    const rates = Float64Array.from(
      { length: variables.dimensions },
      (_, dim) => (dim + 1) / (variables.dimensions + 1),
    );
    return new Marginals(variables, rates, null, { train: null, valid: null, test: null });
  },
});

describeFamily(marginals, {});

/** Mean test nats of counts + 1 over N + 2, by an implementation of its own. */
const nats = {
  nltcs: -9.2336,
  msnbc: -6.7701,
  plants: -31.2662,
  audio: -49.3369,
  dna: -100.3881,
  mushrooms: -34.2315,
  adult: -25.7721,
};

describe.each([
  ['that come with the project', ['dna', 'mushrooms'], []],
  ['that lie beside it', ['nltcs', 'msnbc', 'plants', 'audio', 'adult'], ['nightly']],
] as const)('of sets %s', (_, names, tags) => {
  test.for(names)('a whole run on %s tells what is known of it', { tags: [...tags] }, async (name, { skip }) => {
    const splits = await standardSplits(name);
    if (typeof splits === 'string') return skip(splits);
    const done = await trainedOn(splits, marginals, {});
    expect(done.summary.network.testLogLikelihood).toBeCloseTo(nats[name], 4);
    const report = await marginals.report(done.store, done.run, {});
    const perRow = (-done.summary.network.testLogLikelihood!).toPrecision(4);
    expect(report).toContain(`A test row has a log-likelihood of −${perRow} nats`);
  });
});

test('rows of bits end in the bytes that they ended in before tables were learnt, versions apart', async () => {
  const { network } = await trainedOn([plainRows(300, 1), plainRows(60, 2)], marginals, {});
  const sha256 = '3aa9ef5d5a9b8a467fd93bdb59650b9e61c334950cc47123ab9fd53dfa4d7266';
  expect(createHash('sha256').update(network).digest('hex')).toBe(sha256);
});

describe('of a table', () => {
  const table = tableOfVariables([categorical('a', 3, { holes: 2 }), binary('b'), ordered('c', 4, 'density')]);
  const codes = Array.from({ length: 40 }, (_, row) => [[0, 0, 1, 4][row % 4]!, row & 1, (row * row) % 4]);
  const rows = rowsOfCodes({ table }, codes);

  test('every value has its share of the rows and of two that nobody saw, and holes are values', async () => {
    const { model, run, store } = await trainedOn([rows, rows], marginals, {});
    const own = model as MarginalsTable;
    // a, b, c, "(other)" and holes; then two labels; then four cells, of which squares leave two empty
    expect([...own.shares[0]!].map((share) => share * 42)).toEqual(
      [20, 10, 0, 0, 10].map((count) => expect.closeTo(count + 2 / 5, 10) as number),
    );
    expect([...own.shares[1]!].map((share) => share * 42)).toEqual(
      [21, 21].map((n) => expect.closeTo(n, 10) as number),
    );
    const everyRow = rowsOfCodes(own, allCodes(own.table.variables));
    const sum = own.logLikelihood(everyRow).reduce((all, nats) => all + Math.exp(nats), 0);
    expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
    // cells of width 1, but for the tails
    expect(own.likelihoods.train).toBeCloseTo(
      own.logLikelihood(rows).reduce((all, nats) => all + nats, 0) / 40 + meanLogDensities(rows)[2]!,
      12,
    );
    expect([...own.irrelevantVariables()]).toEqual([0, 1, 2]);
    const read = openModel(own.toBytes(), [marginals.codec]);
    expect(Buffer.compare(read.toBytes(), own.toBytes())).toBe(0);
    expect(await marginals.report(store, run, {})).toContain('A table of 3 variables');
  });

  test('a file whose shares do not sum to one is refused', async () => {
    const { model } = await trainedOn([rows, rows], marginals, {});
    const { head } = readModelFile(model.toBytes());
    const bytes = writeModelFile(head, { shares: NumberArray.ofFloats([new Float64Array(5 + 2 + 4).fill(0.3)]) });
    expect(() => openModel(bytes, [marginals.codec])).toThrow(
      expect.objectContaining({ code: 'not-a-network-file' }) as Error,
    );
  });
});
