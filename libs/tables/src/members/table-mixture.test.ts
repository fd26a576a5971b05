import { mixtureCodec, mixtureOf, TableMixture } from '@orchard/mixture';
import { openModel, type CompleteOptions } from '@orchard/model';
import { codeCount, readCodes, writeCode, type BitMatrix } from '@orchard/dataset';
import { expect, test } from 'vitest';
import { allCodes, isLawOf, ordered, randomModel, rowsOfCodes } from '../random-table.suite.js';
import { tablesCodec } from '../table-codec.js';

/** Without holes and labels that were too many to tell apart, which are possible and never drawn. */
const variables = [
  ordered('a', 2, 'density'),
  ordered('b', 3, 'density'),
  ordered('c', 4, 'density'),
  ordered('d', 2, 'density'),
];
const members = [1, 2, 3].map((seed) => randomModel(variables, seed));
const weights = Float64Array.of(0.5, 0.25, 0.25);
const parts = { members, weights, specification: { made: 'up' }, likelihoods: { train: null, valid: null, test: -1 } };
const mixture = mixtureOf(parts) as TableMixture;
const every = allCodes(variables);
const rows = rowsOfCodes(members[0]!, every);
const law = members[0]!
  .logLikelihood(rows)
  .map((_, row) =>
    members.reduce((sum, member, m) => sum + weights[m]! * Math.exp(member.logLikelihood(rows)[row]!), 0),
  );

const indexOf = (codes: readonly number[]): number =>
  every.findIndex((row) => row.every((code, variable) => code === codes[variable]));

/** The codes of each row. */
function codesIn(matrix: BitMatrix): number[][] {
  const columns = variables.map((_, index) => readCodes(matrix, mixture.offsets[index]!, mixture.offsets[index + 1]!));
  return Array.from({ length: matrix.rows }, (_, row) => columns.map((codes) => codes[row]!));
}

test('a mixture of models of a table is one: over all rows it sums to 1, and its cells sum to each', () => {
  expect(mixture).toBeInstanceOf(TableMixture);
  expect(mixture).toMatchObject({ variables: 4, ordering: null, table: members[0]!.table });
  const nats = mixture.logLikelihood(rows);
  expect(nats.reduce((sum, own) => sum + Math.exp(own), 0)).toBeCloseTo(1, 9);
  law.forEach((own, row) => expect(nats[row]).toBeCloseTo(Math.log(own), 9));
  const cells = mixture.cellLogLikelihoods(rows);
  expect(cells).toHaveLength(every.length * 4);
  nats.forEach((own, row) => {
    expect(cells.subarray(row * 4, row * 4 + 4).reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(own, 9);
  });
  const { columns, top } = mixture.score(rows, { top: 4 });
  expect(top).toBe(4);
  expect(Math.max(...columns)).toBe(3);
});

test('what it expects of a variable is what its members do, by how probable the rest of the row is to each', () => {
  variables.forEach((variable, index) => {
    const codes = codeCount(variable);
    const told = mixture.distributionOf(index, rows);
    expect(told).toHaveLength(every.length * codes);
    for (let row = 0; row < every.length; row++) {
      const own = members.map(
        (member, m) =>
          weights[m]! * Math.exp(member.logLikelihood(rows)[row]! - member.cellLogLikelihoods(rows)[row * 4 + index]!),
      );
      const all = own.reduce((sum, share) => sum + share, 0);
      for (let code = 0; code < codes; code++) {
        const mean = members.reduce(
          (sum, member, m) => sum + (own[m]! / all) * member.distributionOf(index, rows)[row * codes + code]!,
          0,
        );
        expect(told[row * codes + code]).toBeCloseTo(mean, 9);
      }
    }
  });
});

test('its draws have its law, a row the same however many are drawn', () => {
  const counts = new Array<number>(every.length).fill(0);
  const drawn = mixture.sample(20_000, 3);
  for (const codes of codesIn(drawn)) counts[indexOf(codes)]!++;
  expect(isLawOf(counts, Array.from(law))).toBe(true);
  expect(codesIn(mixture.sample(5, 3))).toEqual(codesIn(drawn).slice(0, 5));
});

test('completions have its law given what is known, each draw anew, and tell how probable that is', () => {
  const count = 2000;
  const [given, a] = [every[5]!, 0];
  const values = rowsOfCodes(members[0]!, new Array<readonly number[]>(count).fill(given));
  const known = mixture.emptyRows(count);
  for (let row = 0; row < count; row++) {
    const [from, to] = [mixture.offsets[a]!, mixture.offsets[a + 1]!];
    writeCode(known, row, from, to, 2 ** (to - from) - 1);
  }
  const asked = { seed: 5, samples: 400, draws: 2 };
  const results = mixture.completions(values, known, asked);
  expect(results).toHaveLength(2);
  const agrees = every.map((codes) => codes[a] === given[a]);
  const sum = agrees.reduce((all, own, row) => all + (own ? law[row]! : 0), 0);
  const counts = new Array<number>(every.length).fill(0);
  for (const { matrix } of results) for (const codes of codesIn(matrix)) counts[indexOf(codes)]!++;
  expect(
    isLawOf(
      counts,
      Array.from(law, (own, row) => (agrees[row] ? own / sum : 0)),
    ),
  ).toBe(true);
  // the second draw of a row is no copy of the first
  const [first, second] = results.map(({ matrix }) => codesIn(matrix)) as [number[][], number[][]];
  expect(first.some((codes, row) => codes.join() !== second[row]!.join())).toBe(true);
  const { logEvidence } = results[0]!;
  const mean = logEvidence.reduce((all, nats) => all + Math.exp(nats), 0) / count;
  expect(Math.abs(mean / sum - 1)).toBeLessThan(0.01);
  const one: CompleteOptions = { seed: 5, samples: 400 };
  expect(mixture.complete(values, known, one).matrix.bytes).toEqual(results[0]!.matrix.bytes);
});

test('its file tells the table once more, and is read back to the same bytes', () => {
  const bytes = mixture.toBytes();
  const read = openModel(bytes, [tablesCodec, mixtureCodec([tablesCodec])]);
  expect(read).toBeInstanceOf(TableMixture);
  expect(read.table).toEqual(mixture.table);
  expect(read.toBytes()).toEqual(bytes);
});

test('members of another table are refused', () => {
  const other = randomModel([ordered('z', 2, 'density'), ...variables.slice(1)], 4);
  expect(() => mixtureOf({ ...parts, members: [members[0]!, members[1]!, other] })).toThrow(
    expect.objectContaining({ code: 'invalid-network', got: 'another table', where: 'members[2]' }) as Error,
  );
});
