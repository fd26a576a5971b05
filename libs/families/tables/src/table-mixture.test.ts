import type { Variable } from '@orchard/contracts';
import { BitMatrix, codeCount, readCodes, writeCode } from '@orchard/dataset';
import { mixtureCodec, mixtureOf, TableMixture } from '@orchard/members';
import {
  filledWeights,
  isTabular,
  ModelError,
  openModel,
  variableFigures,
  type Completion,
  type TabularModel,
} from '@orchard/model';
import { describeDensityModel } from '@orchard/model/conformance';
import { Coins } from '@orchard/model/conformance/coins';
import { reportOnModel } from '@orchard/report';
import { describe, expect, test } from 'vitest';
import { allCodes, binary, categorical, isLawOf, ordered, randomModel, rowsOfCodes } from './random-table.suite.js';
import { tables } from './tables.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
const codec = mixtureCodec([tables.codec]);

/** Models of one table in orderings of their own. */
function mixed(variables: readonly Variable[], weights: readonly number[], strongest = 2): TableMixture {
  const members = weights.map((_, seed) => randomModel(variables, 30 + seed, { strongest }));
  return mixtureOf({ ...nothing, members, weights: Float64Array.from(weights) }) as TableMixture;
}

describeDensityModel('a mixture of models of a table', {
  codec,
  isNamed: false,
  make: ({ dimensions }) =>
    mixed(
      Array.from({ length: dimensions }, (_, column) => binary(`c${String(column)}`)),
      [0.5, 0.3, 0.2],
      1.6,
    ),
});

const variables = [
  ordered('size', 4, 'density', 1),
  categorical('colour', 3, { others: 1 }),
  binary('old', 2),
  ordered('doors', 2, 'mass'),
];
const mixture = mixed(variables, [0.5, 0.25, 0.25]);
const { members, weights } = mixture;
const every = allCodes(variables);
const rows = rowsOfCodes(mixture, every);
const logs = mixture.logLikelihood(rows);

const codesOf = (matrix: BitMatrix): number[][] => {
  const columns = variables.map((_, index) => readCodes(matrix, mixture.offsets[index]!, mixture.offsets[index + 1]!));
  return Array.from({ length: matrix.rows }, (_, row) => columns.map((column) => column[row]!));
};
const numberOf = (row: readonly number[]): number =>
  variables.reduce((number, variable, index) => number * codeCount(variable) + row[index]!, 0);
const countsOf = (matrices: readonly BitMatrix[]): number[] => {
  const counts = every.map(() => 0);
  for (const matrix of matrices) for (const row of codesOf(matrix)) counts[numberOf(row)]!++;
  return counts;
};
const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, value) => sum + value, 0);

describe('of all rows of a table', () => {
  test('likelihoods sum to one and are the weighted sums of the members’', () => {
    expect(isTabular(mixture)).toBe(true);
    const own = members.map((member) => member.logLikelihood(rows));
    logs.forEach((value, row) => {
      expect(Math.exp(value)).toBeCloseTo(sumOf(own.map((each, m) => weights[m]! * Math.exp(each[row]!))), 12);
    });
    expect(sumOf(logs.map(Math.exp))).toBeCloseTo(1, 9);
  });

  test('cells are the members’ by how probable each is given the row, and sum to the row', () => {
    const cells = mixture.cellLogLikelihoods(rows);
    expect(cells.length).toBe(every.length * variables.length);
    const told = members.map((member) => [member.logLikelihood(rows), member.cellLogLikelihoods(rows)] as const);
    for (let row = 0; row < every.length; row++) {
      const own = cells.subarray(row * 4, row * 4 + 4);
      expect(sumOf(own)).toBeCloseTo(logs[row]!, 9);
      const mean = Array.from(own, (_, index) =>
        sumOf(told.map(([nats, each], m) => weights[m]! * Math.exp(nats[row]! - logs[row]!) * each[row * 4 + index]!)),
      );
      own.forEach((nats, index) => expect(nats).toBeCloseTo((mean[index]! * logs[row]!) / sumOf(mean), 9));
    }
    const { surprise, columns, top } = mixture.score(rows, { top: 2 });
    expect([surprise.length, columns.length, top]).toEqual([cells.length, 2 * every.length, 2]);
    surprise.forEach((value, at) => expect(value).toBeCloseTo(-cells[at]!, 12));
  });

  test('the distribution of each variable is the mean of the members’, by how probable each holds the rest of the row, and sums to one', () => {
    const nats = members.map((member) => member.logLikelihood(rows));
    const cells = members.map((member) => member.cellLogLikelihoods(rows));
    variables.forEach((variable, index) => {
      const codes = codeCount(variable);
      const told = mixture.distributionOf(index, rows);
      const own = members.map((member) => member.distributionOf(index, rows));
      for (let row = 0; row < every.length; row++) {
        expect(sumOf(told.subarray(row * codes, (row + 1) * codes))).toBeCloseTo(1, 12);
        const rest = members.map((_, m) => weights[m]! * Math.exp(nats[m]![row]! - cells[m]![row * 4 + index]!));
        for (let at = row * codes; at < (row + 1) * codes; at++)
          expect(told[at]).toBeCloseTo(sumOf(own.map((each, m) => (rest[m]! / sumOf(rest)) * each[at]!)), 12);
      }
    });
    expect(mixture.distributionOf(0, mixture.emptyRows(0)).length).toBe(0);
  });
});

test('draws tend to the members’ draws in proportion to their weights', () => {
  const drawn = members.map((member, m) => countsOf([member.sample(60_000, 70 + m)]));
  const law = every.map((_, at) => sumOf(drawn.map((counts, m) => (weights[m]! * counts[at]!) / 60_000)));
  expect(isLawOf(countsOf([mixture.sample(15_000, 3)]), law)).toBe(true);
  expect(isLawOf(countsOf([members[1]!.sample(15_000, 3)]), law)).toBe(false);
});

/** Bits of the variables that are known. */
function knownWhere(mask: string, count: number): BitMatrix {
  const known = BitMatrix.create(count, mixture.dimensions);
  for (let row = 0; row < count; row++)
    variables.forEach((_, index) => {
      const [from, to] = [mixture.offsets[index]!, mixture.offsets[index + 1]!];
      if (mask[index] === '1') writeCode(known, row, from, to, 2 ** (to - from) - 1);
    });
  return known;
}

/**
 * P of each row by one member, what is unknown drawn as it fills it: a blank's code has its share of those that are
 * allowed, and where weights are given they are part of the evidence.
 */
function filledBy(member: TabularModel, mask: string, row: readonly number[], given: ReadonlyMap<number, number[]>) {
  const byVariable = variables.map((_, index) => member.distributionOf(index, rows));
  return every.map((codes, place) =>
    codes.reduce((product, code, index) => {
      const size = codeCount(variables[index]!);
      const own = byVariable[index]!.subarray(place * size, (place + 1) * size);
      if (mask[index] === '1') return code === row[index] ? product * own[code]! : 0;
      const restricted = given.get(index);
      if (restricted !== undefined) return product * own[code]! * restricted[code]!;
      const allowed = filledWeights(variables[index]!);
      return (product * own[code]! * allowed[code]!) / sumOf(own.map((p, each) => p * allowed[each]!));
    }, 1),
  );
}

const restricted = new Map([[0, [0, 0.5, 1, 0, 0]]]);
test.each([
  ['nothing known', '0000', new Map<number, number[]>()],
  ['some known', '0101', new Map<number, number[]>()],
  ['all known', '1111', new Map<number, number[]>()],
  ['something given', '0000', restricted],
  ['some known and something given', '0110', restricted],
])(
  'with %s, blanks are filled as all rows together say, by members in proportion to the evidence',
  (_, mask, given) => {
    const row = [2, 1, 0, 1];
    const COUNT = 400;
    const law = members
      .map((member) => filledBy(member, mask, row, given))
      .reduce<number[]>((sum, own, m) => own.map((p, at) => (sum[at] ?? 0) + weights[m]! * p), []);
    const evidence = sumOf(law);
    const values = rowsOfCodes(mixture, new Array<number[]>(COUNT).fill(row));
    const options = {
      seed: 5,
      samples: 400,
      draws: 10,
      given: new Map([...given].map(([at, own]) => [at, { weights: own }])),
    };
    const completions = mixture.completions(values, knownWhere(mask, COUNT), options);
    expect(completions.length).toBe(10);
    const { logEvidence, logEvidenceError, exact, effectiveSampleSize } = completions[0] as Completion;
    for (let at = 0; at < COUNT; at++) {
      const off = Math.abs(logEvidence[at]! - Math.log(evidence));
      expect(off).toBeLessThan(exact[at] === 1 ? 1e-9 : 1e-9 + 6 * Math.max(0.002, logEvidenceError[at]!));
      expect(effectiveSampleSize[at]).toBeGreaterThan(0.99);
    }
    const share = law.map((p) => p / evidence);
    // each draw by itself, and several of one row
    for (const draw of [0, 1, 7]) expect(isLawOf(countsOf([completions[draw]!.matrix]), share)).toBe(true);
    const ofOneRow = mixture.completions(values.selectRows([0]), knownWhere(mask, 1), { ...options, draws: 3000 });
    if (exact[0] === 1) expect(isLawOf(countsOf(ofOneRow.map(({ matrix }) => matrix)), share)).toBe(true);
    // as the port asks, one draw is the first
    if (given.size === 0)
      expect(mixture.complete(values, knownWhere(mask, COUNT), { seed: 5, samples: 400 }).matrix.bytes).toEqual(
        mixture.completions(values, knownWhere(mask, COUNT), { ...options, draws: 1 })[0]!.matrix.bytes,
      );
  },
);

test('draws for cells are shared out by the fourth root of the evidence, and spread evenly', () => {
  const [row, mask, draws] = [[2, 1, 0, 1], '0101', 1000];
  const laws = members.map((member) => filledBy(member, mask, row, new Map()));
  const roots = laws.map((law, m) => weights[m]! * sumOf(law) ** 0.25);
  const share = every.map((_, at) => sumOf(laws.map((law, m) => (roots[m]! * law[at]!) / sumOf(law) / sumOf(roots))));
  const values = rowsOfCodes(mixture, [row]);
  const asked = { seed: 5, samples: 4000, draws, forCells: true };
  const completions = mixture.completions(values, knownWhere(mask, 1), asked);
  expect(completions.length).toBe(draws);
  const counts = countsOf(completions.map(({ matrix }) => matrix));
  expect(isLawOf(counts, share)).toBe(true);
  // the first blank is chosen among the particles: of each of its codes it has as many draws as it should, but for three a member
  const wanted = variables[0]!;
  for (let code = 0; code < codeCount(wanted); code++) {
    const own = (figures: ArrayLike<number>): number =>
      sumOf(every.map((codes, at) => (codes[0] === code ? figures[at]! : 0)));
    expect(Math.abs(own(counts) - draws * own(share))).toBeLessThan(3 * members.length);
  }
  const [first] = completions;
  expect(first!.exact[0]).toBe(1);
  expect(first!.logEvidence[0]).toBeCloseTo(
    mixture.completions(values, knownWhere(mask, 1), { ...asked, forCells: false })[0]!.logEvidence[0]!,
    9,
  );
});

test('importance is the mean of the members’ shares by variable', () => {
  for (const index of variables.keys()) {
    const own = members.map((member) => member.importanceOf(index));
    const sum = variables.map((__, at) => sumOf(own.map((shares, m) => weights[m]! * shares[at]!)));
    const total = sumOf(sum);
    mixture.importanceOf(index).forEach((share, at) => expect(share).toBeCloseTo(total > 0 ? sum[at]! / total : 0, 12));
  }
  expect(() => mixture.importanceOf(4)).toThrow(ModelError);
  expect(mixture.ordering).toBe(null);
});

describe('its file', () => {
  const leftOut = [{ name: 'id', why: 'counts the rows' }] as unknown as typeof mixture.table.leftOut;
  const told = members.map((member, m) => {
    const table = { ...member.table, columns: [...member.table.columns, 'id'], leftOut };
    return Object.assign(randomModel(variables, 30 + m), { table });
  });

  test('is read as the same model, with the table, and written as the same bytes', () => {
    const bytes = mixture.toBytes();
    const read = openModel(bytes, [codec]) as TableMixture;
    expect(read).toBeInstanceOf(TableMixture);
    expect(read.table).toEqual(mixture.table);
    expect(read.toBytes()).toEqual(bytes);
    expect(read.logLikelihood(rows)).toEqual(logs);
    expect(read.sample(50, 4).bytes).toEqual(mixture.sample(50, 4).bytes);
  });

  test('says once what was left out of the table', () => {
    const { facts } = mixtureOf({ ...nothing, members: told, weights }).summary();
    expect(facts.map(([name]) => name)).toEqual(['members', 'member 0', 'member 1', 'member 2', 'answers', 'left out']);
    expect(facts.filter(([, words]) => words.includes('counts the rows')).length).toBe(1);
  });
});

test('members of other tables, and members of none, are refused', () => {
  const half = Float64Array.of(0.5, 0.5);
  const { dimensions } = mixture;
  const others = [
    [randomModel([...variables.slice(0, 3), ordered('windows', 2, 'mass')], 1), 'another table'],
    [
      new Coins({ dimensions, names: null, shape: null, ...nothing }, new Float64Array(dimensions).fill(0.5)),
      'another table, or none',
    ],
    [randomModel(variables.slice(1), 1), `${String(dimensions)}, as in the first`],
  ] as const;
  for (const [other, words] of others)
    expect(() => mixtureOf({ ...nothing, members: [members[0]!, other], weights: half })).toThrow(words);
});

test('its page says that each member has an ordering of its own, and names no variable the first', async () => {
  const splits = { train: mixture.sample(200, 1), valid: mixture.sample(60, 2), test: mixture.sample(60, 3) };
  const page = (model: TabularModel): Promise<string> =>
    reportOnModel({ runId: 'a'.repeat(64), model, splits, variables: variableFigures(model, splits) });
  expect(await page(mixture)).toContain('in each member by those before it in its own ordering');
  expect(await page(mixture)).not.toContain('first of the ordering');
  expect(await page(members[0]!)).toContain('first of the ordering');
});
