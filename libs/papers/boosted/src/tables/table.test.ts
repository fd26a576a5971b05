import { codeCount } from '@orchard/dataset';
import {
  allCodes,
  binary,
  categorical,
  countsOf,
  isLawOf,
  measured,
  ordered,
  randomCodes,
  rowsOfCodes,
  tableOfVariables,
  weighedLaw,
} from '@orchard/dataset/conformance/tables';
import type { Variable } from '@orchard/contracts';
import { chowLiuOfCodes, CodeNetworkLearner, GroupedRows } from '@orchard/forests';
import { openModel, untold } from '@orchard/model';
import { describe, expect, test } from 'vitest';
import { bayesianNetworkCodecs } from '../network/bayesian-network.js';
import { BayesianNetworkTable } from './bayesian-network-table.js';

const codecs = bayesianNetworkCodecs;

function modelOf(variables: readonly Variable[], columns: readonly Uint16Array[]): BayesianNetworkTable {
  const table = tableOfVariables(variables);
  const counts = new Float64Array(columns[0]!.length).fill(1);
  const { forest } = chowLiuOfCodes(table, columns, columns, { added: 4 });
  const rows = new GroupedRows({ table, columns, counts, valid: columns }, forest);
  // random rows have no edges that tell something: weights make some
  const weights = counts.map((_, row) => (row % 7 === 0 ? 5 : 0.1));
  const learnt = new CodeNetworkLearner(rows, { parents: 2, edges: 20, pseudoCount: 1 }).learn(weights);
  return new BayesianNetworkTable({ specification: null, likelihoods: untold, table }, learnt);
}

// of variables all of whose codes may be drawn: what may not be is left out variable by variable
describe.each([
  [1, [measured('m', 3, 2, 2), binary('b', 1)]],
  [2, [categorical('c', 3, { others: 1, holes: 2 }), ordered('o', 3, 'density', 2), binary('b')]],
  [3, [binary('b'), ordered('o', 4, 'density'), categorical('c', 2, { others: 1 }), binary('d', 1)]],
])('of table %i', (seed, variables) => {
  const model = modelOf(variables, randomCodes(variables, 60, seed));
  const codes = allCodes(variables);
  const rows = rowsOfCodes(model, codes);
  const chances = model.logLikelihood(rows).map(Math.exp);

  test('likelihoods sum to one, and cells and distributions to likelihoods', () => {
    expect(chances.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
    const byVariable = variables.map((_, index) => model.distributionOf(index, rows));
    const cells = model.cellLogLikelihoods(rows);
    codes.forEach((row, at) => {
      row.forEach((code, index) => {
        const p = byVariable[index]![at * codeCount(variables[index]!) + code]!;
        expect(cells[at * variables.length + index]).toBeCloseTo(Math.log(p), 9);
      });
    });
  });

  test('samples and completions follow that law, in whatever order the network has its variables', () => {
    expect(isLawOf(countsOf(model, model.sample(2000, seed)), Array.from(chances))).toBe(true);
    const given = seed % variables.length;
    const weights = Float64Array.from({ length: codeCount(variables[given]!) }, (_, code) => (code === 0 ? 1 : 0.25));
    const empty = model.emptyRows(800);
    const asked = { seed, samples: 128, draws: 1, given: new Map([[given, { weights }]]), blanksAs: 'drawn' } as const;
    const [one] = model.completions(empty, empty, asked);
    const { law } = weighedLaw(variables, chances, (code, index) => (index === given ? weights[code]! : 1));
    expect(isLawOf(countsOf(model, one!.matrix), law)).toBe(true);
  });

  test('a file is the model again, and one that contradicts itself is refused', () => {
    const bytes = model.toBytes();
    const again = openModel(bytes, codecs);
    expect(again.logLikelihood(rows)).toEqual(model.logLikelihood(rows));
    expect(Buffer.compare(again.toBytes(), bytes)).toBe(0);
    const information = model.parts.information.map(() => -1);
    const damaged = new BayesianNetworkTable(model, { ...model.parts, information });
    if (information.length > 0) expect(() => openModel(damaged.toBytes(), codecs)).toThrow(/information that is none/);
  });

  test('importance is of parents alone, and variables that predict nothing are said', () => {
    const used = new Set(model.parents.flatMap((own) => [...own]));
    variables.forEach((_, index) => {
      const shares = model.importanceOf(index);
      const parents = shares.reduce<number[]>((own, share, other) => (share > 0 ? [...own, other] : own), []);
      for (const parent of parents) expect([...model.parents[index]!]).toContain(parent);
    });
    expect([...model.irrelevantVariables()]).toEqual([...variables.keys()].filter((index) => !used.has(index)));
  });
});

test('a file whose parents go round is refused', () => {
  const variables = [binary('a'), binary('b')];
  const model = modelOf(variables, randomCodes(variables, 40, 1));
  const parents = [1, 0].map((parent) => Uint32Array.of(parent));
  const given = Float64Array.of(0.5, 0.5, 0.5, 0.5);
  const made = parents.map((own) => ({
    parents: own,
    groupOf: Uint16Array.of(0, 1),
    within: Float64Array.of(1, 1),
    given,
  }));
  const damaged = Object.create(model) as BayesianNetworkTable;
  Object.defineProperty(damaged, 'parts', {
    value: { network: { variables: made }, information: new Float64Array(2) },
  });
  expect(() => openModel(damaged.toBytes(), codecs)).toThrow(/without a circle/);
});
