import { BitMatrix, codeCount, codeOffsets, holeCode, otherCode, readCodes, writeCode } from '@orchard/dataset';
import type { ColumnSum, Variable } from '@orchard/contracts';
import { expect, test } from 'vitest';
import { drawnWeights, filledWeights, type BlanksAs } from '@orchard/model';
import {
  allCodes,
  binary,
  categorical,
  isLawOf,
  measured,
  ordered,
  randomModel,
  randomVariables,
  rowsOfCodes,
} from './random-table.suite.js';
import type { TableModel } from './table-model.js';

/** Which bits are known, where a variable is known or not. */
function knownRows(model: TableModel, rows: number, isKnown: (row: number, index: number) => boolean): BitMatrix {
  const offsets = codeOffsets(model.table);
  const known = BitMatrix.create(rows, model.dimensions);
  for (let row = 0; row < rows; row++)
    model.table.variables.forEach((_, index) => {
      const [from, to] = [offsets[index]!, offsets[index + 1]!];
      if (isKnown(row, index)) writeCode(known, row, from, to, 2 ** (to - from) - 1);
    });
  return known;
}

const codesOf = (model: TableModel, matrix: BitMatrix): number[][] => {
  const offsets = codeOffsets(model.table);
  const columns = model.table.variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
  return Array.from({ length: matrix.rows }, (_, row) => columns.map((column) => column[row]!));
};

const tablesOfAllKinds: readonly (readonly Variable[])[] = [
  [binary('a'), binary('b'), binary('c')],
  [binary('a', 3), categorical('b', 3, { others: 1 }), ordered('c', 3, 'density', 2)],
  [ordered('a', 3, 'mass', 2), binary('b', 1), categorical('c', 2)],
  [binary('a', 3), binary('b', 3), binary('c', 3), binary('d')],
  randomVariables(8, 3),
  [measured('a', 3, 1), measured('b', 2, 0), measured('c', 3, 0, 1)],
];
/** Of the last table, the first column is near the sum of the others. */
const sumsOf = (at: number): { sums?: readonly ColumnSum[] } =>
  at === tablesOfAllKinds.length - 1 ? { sums: [{ total: 'a', parts: ['b', 'c'] }] } : {};

const cases = tablesOfAllKinds.flatMap((variables, at) =>
  Array.from({ length: 2 ** variables.length }, (_, mask): [number, string] => [
    at,
    mask.toString(2).padStart(variables.length, '0'),
  ]),
);

test.each(cases)(
  'blanks of table %i, known where %s, are filled as the model says, given what is known',
  (at, mask) => {
    const variables = tablesOfAllKinds[at]!;
    const model = randomModel(variables, 20 + at, { strongest: 2, ...sumsOf(at) });
    const every = allCodes(variables);
    const isKnown = variables.map((_, index) => mask[index] === '1');
    const given = every[Math.floor(every.length * 0.4)]!.map((code, index) => (isKnown[index] ? code : 0));
    const allowed = variables.map((variable) => filledWeights(variable));
    const agrees = every.map((row) =>
      row.every((code, index) => (isKnown[index] ? code === given[index] : allowed[index]![code] === 1)),
    );
    // a blank's code has its share of those that are allowed: that it is no hole says nothing of the rest of the row
    const byVariable = variables.map((_, index) => model.distributionOf(index, rowsOfCodes(model, every)));
    const p = every.map((row, place) =>
      row.reduce((product, code, index) => {
        const codes = codeCount(variables[index]!);
        const own = byVariable[index]!.subarray(place * codes, (place + 1) * codes);
        const reachable = isKnown[index]
          ? 1
          : own.reduce((all, share, each) => all + share * allowed[index]![each]!, 0);
        return (product * own[code]!) / reachable;
      }, 1),
    );
    const sum = p.reduce((all, share, row) => all + (agrees[row] ? share : 0), 0);
    const law = Array.from(p, (share, row) => (agrees[row] ? share / sum : 0));
    const rows = 300;
    const values = rowsOfCodes(model, new Array<number[]>(rows).fill(given));
    const known = knownRows(model, rows, (_, index) => isKnown[index]!);
    const results = model.completions(values, known, { seed: 5, samples: 500, draws: 1 });
    const counts = new Array<number>(every.length).fill(0);
    const numberOf = (row: readonly number[]): number =>
      variables.reduce((number, variable, index) => number * codeCount(variable) + row[index]!, 0);
    for (const result of results) for (const row of codesOf(model, result.matrix)) counts[numberOf(row)]!++;
    expect(isLawOf(counts, law)).toBe(true);
    const { logEvidence, logEvidenceError, exact, effectiveSampleSize } = results[0]!;
    for (let row = 0; row < rows; row++) {
      if (exact[row] === 1)
        expect([logEvidenceError[row], Math.abs(logEvidence[row]! - Math.log(sum)) < 1e-9]).toEqual([0, true]);
      else
        expect(Math.abs(logEvidence[row]! - Math.log(sum))).toBeLessThan(
          1e-9 + 6 * Math.max(logEvidenceError[row]!, 0.002),
        );
      expect(effectiveSampleSize[row]).toBeGreaterThan(0.99);
    }
    // the mean of the estimates of P is P
    const mean = logEvidence.reduce((all, nats) => all + Math.exp(nats), 0) / rows;
    expect(Math.abs(mean / sum - 1)).toBeLessThan(0.01);
  },
);

test.each([1, 2, 3, 4].flatMap((at) => [false, true].map((isLast): [number, boolean] => [at, isLast])))(
  'rows of table %i of which one variable is given (the last one: %s) may lack values, as rows that are drawn do',
  (at, isLast) => {
    const variables = tablesOfAllKinds[at]!;
    const model = randomModel(variables, 40 + at, { strongest: 2 });
    const given = model.ordering[isLast ? variables.length - 1 : 0]!;
    const weights = Float64Array.from({ length: codeCount(variables[given]!) }, (_, code) => (code === 0 ? 1 : 0));
    const every = allCodes(variables);
    const numberOf = (row: readonly number[]): number =>
      variables.reduce((number, variable, index) => number * codeCount(variable) + row[index]!, 0);
    const drawn = variables.map(drawnWeights);
    // what is drawn is conditioned variable by variable, each on those before it
    const byVariable = variables.map((_, index) => model.distributionOf(index, rowsOfCodes(model, every)));
    const p = every.map((row, place) =>
      row.reduce((product, code, index) => {
        const codes = codeCount(variables[index]!);
        const own = byVariable[index]!.subarray(place * codes, (place + 1) * codes);
        if (index === given) return product * own[code]! * weights[code]!;
        const reachable = own.reduce((all, share, each) => all + share * drawn[index]![each]!, 0);
        return (product * own[code]! * drawn[index]![code]!) / reachable;
      }, 1),
    );
    const sum = p.reduce((all, share) => all + share, 0);
    const empty = model.emptyRows(1000);
    const options = { seed: 3, samples: 400, draws: 1, given: new Map([[given, { weights }]]) };
    const countsOf = (blanksAs: BlanksAs): number[] => {
      const counts = every.map(() => 0);
      const { matrix } = model.completions(empty, empty, { ...options, blanksAs })[0]!;
      for (const row of codesOf(model, matrix)) counts[numberOf(row)]!++;
      return counts;
    };
    const law = p.map((share) => share / sum);
    expect(isLawOf(countsOf('drawn'), law)).toBe(true);
    const isFilledAlike = variables.every(
      (variable, index) => index === given || filledWeights(variable).join() === drawn[index]!.join(),
    );
    expect(isLawOf(countsOf('values'), law)).toBe(isFilledAlike);
  },
);

test('a row is exact that is known from the beginning on, or has few possibilities; one that is wholly known is itself', () => {
  const variables = [ordered('a', 4, 'density'), binary('b'), ordered('c', 3, 'density')];
  const model = randomModel(variables, 5);
  const values = model.sample(3, 1);
  const first = model.ordering[0]!;
  const known = knownRows(model, 3, (row, index) => row === 0 || (row === 1 ? index === first : index !== first));
  const codes = codeCount(variables[first]!);
  const complete = (samples: number) => model.completions(values, known, { seed: 1, samples, draws: 1 })[0]!;
  const { exact, matrix, logEvidence } = complete(4 * codes);
  // the codes of the first variable fit into one of four groups of as many particles, and not into one of fewer
  expect([[...exact], [...complete(4 * (codes - 1)).exact]]).toEqual([
    [1, 1, 1],
    [1, 1, 0],
  ]);
  expect(matrix.selectRows([0]).bytes).toEqual(values.selectRows([0]).bytes);
  expect(logEvidence[0]).toBeCloseTo(model.logLikelihood(values)[0]!, 12);
});

test('several draws of a row are independent where it is exact, and come from the same particles elsewhere', () => {
  const variables = [binary('a'), binary('b'), ordered('c', 3, 'density')];
  const model = randomModel(variables, 6, { strongest: 2 });
  const every = allCodes(variables);
  const p = Array.from(model.logLikelihood(rowsOfCodes(model, every)), Math.exp);
  const blank = rowsOfCodes(model, [[0, 0, 0]]);
  const draws = model.completions(blank, BitMatrix.create(1, model.dimensions), { seed: 3, samples: 10, draws: 4000 });
  const counts = every.map(() => 0);
  for (const { matrix } of draws) {
    const [row] = codesOf(model, matrix);
    counts[every.findIndex((each) => each.every((code, index) => code === row![index]))]!++;
  }
  expect(isLawOf(counts, p)).toBe(true);
});

test('what a row is given does not depend on the rows beside it, nor on what stands where nothing is known', () => {
  const variables = randomVariables(9, 6);
  const model = randomModel(variables, 9);
  const rows = 200;
  const values = model.sample(rows, 2);
  const isKnown = (row: number, index: number): boolean => ((row * 31 + index * 17) * 2654435761) % 5 < 3;
  const known = knownRows(model, rows, isKnown);
  const options = { seed: 8, samples: 150, draws: 2 };
  const all = model.completions(values, known, options);
  const part = Array.from({ length: 60 }, (_, row) => row);
  model.completions(values.selectRows(part), known.selectRows(part), options).forEach((some, draw) => {
    expect(some.matrix.bytes).toEqual(all[draw]!.matrix.selectRows(part).bytes);
    for (const key of ['logEvidence', 'logEvidenceError', 'effectiveSampleSize', 'exact'] as const)
      expect(some[key]).toEqual(all[draw]![key].slice(0, 60));
  });
  const noise = model.sample(rows, 99);
  const blurred = rowsOfCodes(
    model,
    codesOf(model, values).map((row, at) =>
      row.map((code, index) => (isKnown(at, index) ? code : codesOf(model, noise.selectRows([at]))[0]![index]!)),
    ),
  );
  expect(model.completions(blurred, known, options)[1]!.matrix.bytes).toEqual(all[1]!.matrix.bytes);
  codesOf(model, all[0]!.matrix).forEach((row, at) => {
    row.forEach((code, index) => {
      if (isKnown(at, index)) expect(code).toBe(codesOf(model, values.selectRows([at]))[0]![index]);
      else expect([holeCode(variables[index]!), otherCode(variables[index]!)]).not.toContain(code);
    });
  });
});
