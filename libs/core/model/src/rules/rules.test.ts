import type { OrderedVariable, Table, Variable } from '@orchard/contracts';
import { BitMatrix, codeCount, codeOffsets, readCodes, writeCode } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import type { TabularModel } from '../tables/tabular-model.js';
import { RuledModel } from './ruled-model.js';
import { rulesOf } from './rule.js';
import { shareOfPair } from './share-of-pair.js';

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

  it('share what is above the diagonal', () => {
    const cell = (code: number) => ({ variable: measured('x'), code });
    expect(shareOfPair('<=', cell(1), cell(1))).toBeCloseTo(0.5, 2);
    expect(shareOfPair('<', cell(0), cell(0))).toBeCloseTo(0.5, 1);
    expect([shareOfPair('<=', cell(0), cell(2)), shareOfPair('<=', cell(2), cell(0))]).toEqual([1, 0]);
    expect([shareOfPair('>', cell(0), cell(2)), shareOfPair('>=', cell(2), cell(0))]).toEqual([0, 1]);
  });
});

describe('refused are', () => {
  const model = modelOf(table, orderings[0]!);
  it.each([
    ['start <=', 'Got "start <=" at rule, expected start <= end'],
    ['start + end = 3', 'rules about sums are not known yet'],
    ['strt <= end', 'Did you mean "start"?'],
    ['country <= end', 'the column "country", which has labels'],
    ['start = end', '= between two columns'],
    ['start <= start', 'a column beside itself'],
    ["country = 'de'", '"de" of "country"'],
    ['start <= 2020-01-01', '"2020-01-01"'],
    ['start is missing unless pays = yes', 'which had no missing values'],
    ['combination(country, start)', 'the column "start", which has numbers'],
    ['combination(country)', 'Got "combination(country)"'],
  ])('%s', (words, said) => {
    expect(() => rulesOf(table, [words], training, model.offsets)).toThrow(said);
  });

  it('combinations without training rows, and rules that no row can follow', () => {
    expect(() => rulesOf(table, ['combination(country, city)'], null, model.offsets)).toThrow('training rows');
    const both = rulesOf(table, ['start > 3', 'start < 4'], null, model.offsets);
    expect(() => new RuledModel(model, both)).toThrow('rules that no row can follow: start < 4; start > 3');
  });
});
