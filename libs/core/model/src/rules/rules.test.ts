import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import {
  BitMatrix,
  codeCount,
  codeOfNumber,
  codeOffsets,
  readCodes,
  valueCount,
  writeCode,
  writtenValues,
} from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import type { TabularModel } from '../tables/tabular-model.js';
import { RuledModel } from './ruled-model.js';
import { CellShares } from './cell-shares.js';
import { rulesOf, type Rule } from './rule.js';

const format = { type: 'number', decimals: 0, places: 1, padded: false } as const;

function whole(name: string, values: readonly number[], holes = 0): OrderedVariable {
  return {
    ...{ kind: 'ordered', name, holes, format, measure: 'mass', values, tails: null, cuts: [] },
    edges: values.slice(1).map((value, at) => (value + values[at]!) / 2),
    counts: values.map(() => 5),
    range: [values[0]!, values.at(-1)!],
  };
}

/** A measurement of three cells, below 10, to 20 and above. */
function measured(name: string): OrderedVariable {
  return {
    ...{ kind: 'ordered', name, holes: 0, format, measure: 'density', values: [null, null, null], tails: [4, 4] },
    ...{ edges: [10, 20], cuts: [], counts: [5, 5, 5], range: [0, 30] },
  };
}

function labels(name: string, own: readonly string[], holes = 0): Variable {
  return { kind: 'categorical', name, labels: own, counts: own.map(() => 5), others: 0, holes } as unknown as Variable;
}

const variables: Variable[] = [
  labels('country', ['fr', 'it', 'no']),
  whole('start', [1, 2, 3, 5]),
  labels('city', ['Lyon', 'Rome', 'Oslo', 'Bari'], 4),
  whole('end', [0, 2, 4, 5], 3),
  labels('pays', ['yes', 'no']),
];
const table = { variables, leftOut: [], columns: variables.map(({ name }) => name), missing: '' } as unknown as Table;

/** A model whose conditionals are any numbers, by the codes before. */
function modelOf(own: Table, ordering: readonly number[]): TabularModel {
  const offsets = codeOffsets(own);
  const count = own.variables.length;
  const model = {
    table: own,
    variables: count,
    offsets,
    ordering: Uint32Array.from(ordering),
    emptyRows: (rows: number) => BitMatrix.create(rows, offsets[count]!),
    distributionOf: (index: number, matrix: BitMatrix): Float64Array => {
      const codes = codeCount(own.variables[index]!);
      const before = ordering.slice(0, ordering.indexOf(index));
      const known = before.map((at) => readCodes(matrix, offsets[at]!, offsets[at + 1]!));
      const chances = new Float64Array(matrix.rows * codes);
      for (let row = 0; row < matrix.rows; row++) {
        const seed = known.reduce((sum, column) => 31 * sum + column[row]! + 1, index);
        const stream = new RandomStream(seed, 1007);
        // some values are impossible
        const weights = Array.from({ length: codes }, () => (stream.below(4) === 0 ? 0 : stream.uniform()));
        const sum = weights.reduce((all, weight) => all + weight, 1e-9);
        weights.forEach((weight, code) => (chances[row * codes + code] = (weight + 1e-9 / codes) / sum));
      }
      return chances;
    },
  };
  return model as unknown as TabularModel;
}

/** Every row of codes. */
function allRows(own: Table): BitMatrix {
  const offsets = codeOffsets(own);
  const sizes = own.variables.map(codeCount);
  const rows = sizes.reduce((product, size) => product * size, 1);
  const matrix = BitMatrix.create(rows, offsets[sizes.length]!);
  for (let row = 0; row < rows; row++) {
    let left = row;
    sizes.forEach((size, index) => {
      writeCode(matrix, row, offsets[index]!, offsets[index + 1]!, left % size);
      left = Math.floor(left / size);
    });
  }
  return matrix;
}

function sumOfAll(ruled: RuledModel, own: Table): { sum: number; zeros: number } {
  const rows = allRows(own);
  const cells = ruled.cellLogLikelihoods(rows);
  let [sum, zeros] = [0, 0];
  for (let row = 0; row < rows.rows; row++) {
    const nats = own.variables.reduce((all, _, index) => all + cells[row * own.variables.length + index]!, 0);
    // a value that breaks a rule leaves what follows it without a meaning
    if (nats === -Infinity || Number.isNaN(nats)) zeros++;
    else sum += Math.exp(nats);
  }
  return { sum, zeros };
}

const training = ((): BitMatrix => {
  const offsets = codeOffsets(table);
  const rows = BitMatrix.create(4, offsets[5]!);
  [
    [0, 0],
    [1, 1],
    [2, 2],
    [1, 3],
  ].forEach(([country, city], row) => {
    writeCode(rows, row, offsets[0]!, offsets[1]!, country!);
    writeCode(rows, row, offsets[2]!, offsets[3]!, city!);
  });
  return rows;
})();

const rules = [
  'start <= end',
  'end < 5',
  'combination(country, city)',
  'end is missing unless pays = yes',
  "country != 'no'",
];
const orderings = [
  [0, 1, 2, 3, 4],
  [4, 3, 2, 1, 0],
  [2, 4, 1, 0, 3],
];

describe.each(orderings)('under rules, in the ordering %i %i %i %i %i', (...ordering) => {
  const model = modelOf(table, ordering);
  const ruled = (words: readonly string[]): RuledModel =>
    new RuledModel(model, rulesOf(table, words, training, model.offsets));

  it.each([[rules], ...rules.map((rule) => [[rule]])])('the rows of %s are 1 together', (words) => {
    const { sum, zeros } = sumOfAll(ruled(words), table);
    expect(sum).toBeCloseTo(1, 10);
    expect(zeros).toBeGreaterThan(0);
  });

  it('every sampled row follows them, in words', () => {
    const own = ruled(rules);
    const codes = own.sampler(7).next(300);
    const texts = own.wordsOf(codes, 7, 0);
    const column = (name: string) => texts[variables.findIndex((variable) => variable.name === name)]!;
    const cities: Record<string, string[]> = { fr: ['Lyon'], it: ['Rome', 'Bari'], no: ['Oslo'] };
    for (let row = 0; row < 300; row++) {
      const [country, start, city, end, pays] = ['country', 'start', 'city', 'end', 'pays'].map(
        (name) => column(name)[row]!,
      );
      expect(cities[country!]).toContain(city);
      expect(country).not.toBe('no');
      if (end !== null) expect([Number(start) <= Number(end), Number(end) < 5, pays]).toEqual([true, true, 'yes']);
    }
    // and batches of any size are the same rows
    const pieces = own.sampler(7);
    expect(pieces.next(100).bytes).toEqual(codes.bytes.subarray(0, 100 * codes.stride));
    expect(pieces.next(200).bytes).toEqual(codes.bytes.subarray(100 * codes.stride));
  });
});

describe('measurements whose cells overlap', () => {
  const own = { ...table, variables: [measured('a'), measured('b')] } as unknown as Table;
  const model = modelOf(own, [1, 0]);
  const ruled = new RuledModel(model, rulesOf(own, ['a <= b'], null, model.offsets));

  it('have cells that are 1 together, and values that follow', () => {
    expect(sumOfAll(ruled, own).sum).toBeCloseTo(1, 10);
    const codes = ruled.sampler(1).next(200);
    const [a, b] = ruled.wordsOf(codes, 1, 0);
    a!.forEach((text, row) => expect(Number(text)).toBeLessThanOrEqual(Number(b![row])));
  });

  it('that follow only rarely lie anywhere among those that do, whatever else their row has', () => {
    const four = { ...table, variables: ['d', 'a', 'b', 'c'].map(measured) } as unknown as Table;
    const few = modelOf(four, [0, 1, 2, 3]);
    // one value, which drawing by chance does not hit
    const equal = new RuledModel(few, rulesOf(four, ['a <= b', 'b <= c', 'c <= a'], null, few.offsets));
    const codes = BitMatrix.create(200, few.offsets[4]!);
    for (let row = 0; row < codes.rows; row++)
      for (let index = 0; index < 4; index++) writeCode(codes, row, few.offsets[index]!, few.offsets[index + 1]!, 1);
    const [d, a, b] = equal.wordsOf(codes, 1, 0).map((column) => column.map(Number));
    expect(b).toEqual(a);
    const centred = (own: readonly number[]): number[] => own.map((value) => value - 15);
    const sumOf = (one: readonly number[], other: readonly number[]): number =>
      one.reduce((sum, value, row) => sum + value * other[row]!, 0);
    const [ofD, ofA] = [centred(d!), centred(a!)];
    expect(Math.abs(sumOf(ofD, ofA)) / Math.sqrt(sumOf(ofD, ofD) * sumOf(ofA, ofA))).toBeLessThan(0.2);
  });

  it('share what is above the diagonal', () => {
    const shareOf = (words: string, a: number, b: number): number =>
      new CellShares(own, rulesOf(own, [words], null, model.offsets)).share(
        new Map([
          [0, { code: a, number: null }],
          [1, { code: b, number: null }],
        ]),
      );
    // of eleven whole numbers, the outermost for half a step each
    expect(shareOf('a <= b', 1, 1)).toBeCloseTo(0.55, 1);
    expect(shareOf('a < b', 1, 1)).toBeCloseTo(0.45, 1);
    expect(shareOf('a < b', 0, 0)).toBeCloseTo(0.5, 0);
    expect([shareOf('a <= b', 0, 2), shareOf('a <= b', 2, 0)]).toEqual([1, 0]);
    expect([shareOf('a > b', 0, 2), shareOf('a >= b', 2, 0)]).toEqual([0, 1]);
  });
});

/** A measurement in two cells from 0 to 2, written with one decimal, with a value that is an atom. */
function rounded(name: string, atom: number, holes = 0): OrderedVariable {
  return {
    ...measured(name),
    ...{ holes, format: { ...format, decimals: 1, places: 1 }, values: [null, null], edges: [0.94], tails: [1, 1] },
    ...{ pieces: { borders: [0, 0.5, 0.94, 2], weights: [3, 1, 5], beyond: [0, 0] }, bounds: [0, 2], range: [0, 2] },
    ...{ atoms: { values: [atom], counts: [4] }, counts: [5, 5] },
  };
}

/** Σ over all written rows of P(codes) · P(values | codes) · what the rules add: 1 where likelihoods are right. */
function sumOfWritten(ruled: RuledModel, model: TabularModel, rules: readonly Rule[]): number {
  const { variables: own } = model.table;
  const rows = allRows(model.table);
  const plain = new RuledModel(model, []).cellLogLikelihoods(rows);
  const gains = ruled.logGains(rows);
  const anyCells = new Map(own.map((_, index) => [index, { code: 0, number: null }]));
  const determined = new CellShares(model.table, rules).determinedOf(anyCells);
  const computed = new Set(determined.map(({ place }) => place));
  let sum = 0;
  for (let row = 0; row < rows.rows; row++) {
    const nats = own.reduce((all, _, index) => all + plain[row * own.length + index]!, gains[row]!);
    let written: { texts: (string | null)[]; weight: number }[] = [{ texts: [], weight: Math.exp(nats) }];
    own.forEach((variable, index) => {
      const [code] = readCodes(rows.selectRows([row]), model.offsets[index]!, model.offsets[index + 1]!);
      const values =
        variable.kind !== 'ordered' || code! >= valueCount(variable)
          ? [{ text: null, weight: 1 }]
          : writtenValues(variable, code!, 1000).map(({ value, weight }) => ({ text: String(value), weight }));
      written = written.flatMap(({ texts, weight }) =>
        values.map((one) => ({
          texts: [...texts, one.text],
          // what follows from the others has no probability of its own
          weight: weight * (computed.has(index) ? 1 : one.weight),
        })),
      );
    });
    for (const { texts, weight } of written) if (rules.every((rule) => rule.holds(texts))) sum += weight;
  }
  return sum;
}

describe.each([
  ['a <= b', [0, 1]],
  ['a < b', [1, 0]],
  ['b >= 0.9', [0, 1]],
  ['a = b', [1, 0]],
] as const)('of measurements that are written with one decimal, under %s in the ordering %j', (words, order) => {
  const own = { ...table, variables: [rounded('a', 1), rounded('b', 0.4)] } as unknown as Table;
  const model = modelOf(own, order);
  const rules = rulesOf(own, [words], null, model.offsets);
  const ruled = new RuledModel(model, rules);

  it('written rows are 1 together, and cells too', () => {
    expect(sumOfWritten(ruled, model, rules)).toBeCloseTo(1, 10);
    expect(sumOfAll(ruled, own).sum).toBeCloseTo(1, 10);
  });

  it('every sampled row follows, with values of its cells', () => {
    const codes = ruled.sampler(3).next(400);
    const texts = ruled.wordsOf(codes, 3, 0);
    for (let row = 0; row < 400; row++) {
      const cells = texts.map((column) => column[row]!);
      expect(rules[0]!.holds(cells)).toBe(true);
      cells.forEach((text, index) => {
        const [code] = readCodes(codes.selectRows([row]), model.offsets[index]!, model.offsets[index + 1]!);
        expect(codeOfNumber(own.variables[index] as OrderedVariable, Number(text))).toBe(code);
      });
    }
  });
});

describe.each([
  ['c = a + b', [0, 1, 2]],
  ['c = a + b', [2, 1, 0]],
  ['c = b', [2, 1, 0]],
  ['a + b <= c', [1, 2, 0]],
  ['c - a > 1.5', [0, 2, 1]],
  ['a - b = 0.5 - c', [2, 0, 1]],
] as const)('of numbers and measurements, under %s in the ordering %j', (words, order) => {
  const decimal = { ...format, decimals: 1, places: 1 };
  const own = {
    ...table,
    variables: [
      { ...whole('a', [0, 0.5, 1.5]), format: decimal },
      { ...whole('b', [0.5, 1, 1.2], 2), format: decimal },
      rounded('c', 1.5),
    ],
  } as unknown as Table;
  const model = modelOf(own, order);
  const rules = rulesOf(own, [words], null, model.offsets);
  const ruled = new RuledModel(model, rules);

  it('cells are 1 together, and sampled rows follow', () => {
    expect(sumOfAll(ruled, own).sum).toBeCloseTo(1, 10);
    const texts = ruled.wordsOf(ruled.sampler(5).next(300), 5, 0);
    for (let row = 0; row < 300; row++) expect(rules[0]!.holds(texts.map((column) => column[row]!))).toBe(true);
  });
});

describe('refused are', () => {
  const model = modelOf(table, orderings[0]!);
  it.each([
    ['start <=', 'rule: got "start <=", expected start <= end'],
    ['start + = 3', 'expected start <= end'],
    ['start + end + start = 3', 'a column beside itself'],
    ['start + country = 3', 'the column "country", which has labels'],
    ['strt <= end', 'Did you mean "start"?'],
    ['country <= end', 'the column "country", which has labels'],
    ['start <= start', 'a column beside itself'],
    ["country = 'de'", '"de" of "country"'],
    ['start <= 2020-01-01', '"2020-01-01"'],
    ['start is missing unless pays = yes', 'which had no missing values'],
    ['combination(country, start)', 'the column "start", which has numbers'],
    ['combination(country)', 'got "combination(country)"'],
  ])('%s', (words, said) => {
    expect(() => rulesOf(table, [words], training, model.offsets)).toThrow(said);
  });

  it('combinations without training rows, and rules that no row can follow', () => {
    expect(() => rulesOf(table, ['combination(country, city)'], null, model.offsets)).toThrow('training rows');
    const both = rulesOf(table, ['start > 3', 'start < 4'], null, model.offsets);
    expect(() => new RuledModel(model, both)).toThrow('rules that no row can follow: start < 4; start > 3');
  });
});
