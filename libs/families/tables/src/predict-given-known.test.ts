import type { OrderedVariable } from '@orchard/contracts';
import { codeCount, decisionTreeOf, holeCode, ValueDistribution } from '@orchard/dataset';
import { mixtureOf } from '@orchard/members';
import { emptyEnsemble, jointGivenKnown, predictGivenKnown, untold, type TabularModel } from '@orchard/model';
import { exp } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { binary, ordered, randomModel, randomVariables, tableOfVariables } from './random-table.suite.js';
import { TableModel } from './table-model.js';

const ROWS = 6;
const variables = randomVariables(1, 4);
const members = [5, 6, 7].map((seed) => randomModel(variables, seed, { trees: 5 }));

function mixed(models: readonly TabularModel[], ...weights: readonly number[]): TabularModel {
  const parts = { weights: Float64Array.from(weights), specification: null, likelihoods: untold };
  return mixtureOf({ members: models, ...parts }) as unknown as TabularModel;
}

/** What a model predicts, and the joints of its members; of each row. */
function told(model: TabularModel, of: readonly TabularModel[], index: number) {
  const rows = { matrix: model.sample(ROWS, 3), known: null } as const;
  const codes = codeCount(model.table.variables[index]!);
  const hole = holeCode(model.table.variables[index]!);
  const predicted = predictGivenKnown(model, index, rows, 1).shares;
  const joints = of.map((each) => jointGivenKnown(each, index, rows, 1).nats);
  return Array.from({ length: ROWS }, (_, row) => {
    const ofRow = (all: Float64Array): Float64Array => all.slice(row * codes, (row + 1) * codes);
    // a missing value is none of what is predicted
    const likelihoods = joints.map((all) => ofRow(all).map((nats, code) => (code === hole ? 0 : exp(nats))));
    return { shares: ofRow(predicted), likelihoods };
  });
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((all, one) => all + one, 0);
const shareOut = (numbers: Float64Array): Float64Array => numbers.map((one) => one / sumOf(numbers));
const expectAlike = (some: Float64Array, others: Float64Array): void =>
  some.forEach((one, at) => expect(one).toBeCloseTo(others[at]!, 9));

test('one model predicts by Bayes’ rule, and so do members of different weights together', () => {
  const mixture = mixed(members, 0.5, 0.375, 0.125);
  for (const index of variables.keys()) {
    for (const { shares, likelihoods } of told(members[0]!, [members[0]!], index))
      expectAlike(shares, shareOut(likelihoods[0]!));
    for (const { shares, likelihoods } of told(mixture, [mixture], index))
      expectAlike(shares, shareOut(likelihoods[0]!));
  }
});

test('members of equal weight predict by the product of what each says, to the power of its root of the evidence', () => {
  const mixture = mixed(members, 1 / 3, 1 / 3, 1 / 3);
  for (const index of variables.keys())
    for (const { shares, likelihoods } of told(mixture, members, index)) {
      const roots = shareOut(Float64Array.from(likelihoods, (own) => sumOf(own) ** 0.25));
      const product = likelihoods[0]!.map((_, code) =>
        likelihoods.reduce((all, own, member) => all * (own[code]! / sumOf(own)) ** roots[member]!, 1),
      );
      expectAlike(shares, shareOut(product));
    }
});

test('an interval of members whose numbers lie apart is about as wide as that of one of them', () => {
  const number = ordered('price', 64, 'density') as OrderedVariable;
  const head = { table: tableOfVariables([binary('sold'), number]), specification: null, likelihoods: untold };
  const { zero, one: ones } = decisionTreeOf(number);
  const bell = (middle: number): TableModel => {
    const weightOf = (child: number): number => {
      if (child < 0) return exp(-(((-1 - child - middle) / 6) ** 2) / 2);
      return weightOf(zero[child]!) + weightOf(ones[child]!);
    };
    const ensembles = Array.from(zero, (child, decision) => emptyEnsemble(weightOf(ones[decision]!) / weightOf(child)));
    return new TableModel({ ...head, ordering: Uint32Array.of(0, 1), ensembles: [[emptyEnsemble(1)], ensembles] });
  };
  const apart = [bell(24), bell(40)];
  const widthOf = (model: TabularModel): number => {
    const { shares } = told(model, [model], 1)[0]!;
    const distribution = new ValueDistribution(number, shares);
    return distribution.quantile(0.75) - distribution.quantile(0.25);
  };
  const ofOne = widthOf(apart[0]!);
  expect(widthOf(mixed(apart, 0.5, 0.5)) / ofOne).toBeLessThan(1.1);
  // a mean of both holds more than it says of either
  expect(widthOf(mixed(apart, 0.501, 0.499)) / ofOne).toBeGreaterThan(1.5);
});
