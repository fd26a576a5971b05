import { codeCount, writeCode, type BitMatrix } from '@orchard/dataset';
import { TableMixture } from '@orchard/members';
import { jointGivenKnown, jointOfRows, type TabularModel } from '@orchard/model';
import { log } from '@orchard/numerics';
import { expect, test } from 'vitest';
import { categorical, measured, randomModel, randomVariables } from './random-table.suite.js';

const members = [5, 6, 7].map((seed) => randomModel(randomVariables(1, 4), seed, { trees: 5 }));
const { specification, likelihoods } = members[0]!;
const models: Readonly<Record<string, TabularModel>> = {
  'without lines': randomModel(randomVariables(3, 4), 2, { trees: 6 }),
  'with lines': randomModel(randomVariables(4, 4), 3, { trees: 6 }),
  'that is nearly certain': randomModel(randomVariables(5, 4), 4, { trees: 6, strongest: 1e12 }),
  'with a sum': randomModel(
    [measured('bill', 4, 1, 1), categorical('kind', 2), measured('paid', 3, 0), measured('next', 4, 0)],
    3,
    { sums: [{ total: 'bill', parts: ['paid', 'next'] }] },
  ),
  'of members': new TableMixture({
    members,
    weights: Float64Array.of(0.5, 0.375, 0.125),
    specification,
    likelihoods,
  }),
};

function withCode(model: TabularModel, rows: BitMatrix, index: number, code: number): BitMatrix {
  const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
  const changed = rows.selectRows(Array.from({ length: rows.rows }, (_, row) => row));
  for (let row = 0; row < rows.rows; row++) {
    for (let bit = from; bit < to; bit++) changed.set(row, bit, 0);
    writeCode(changed, row, from, to, code);
  }
  return changed;
}

test.each(Object.entries(models))('a model %s: the joint of every code is the likelihood of its row', (_, model) => {
  const rows = model.sample(7, 3);
  model.table.variables.forEach((variable, index) => {
    const codes = codeCount(variable);
    const joint = jointOfRows(model, rows)(index);
    for (let code = 0; code < codes; code++)
      model.logLikelihood(withCode(model, rows, index, code)).forEach((nats, row) => {
        expect(joint[row * codes + code]).toBeCloseTo(nats, 9);
      });
  });
});

test.each(Object.entries(models))('a model %s: what does not depend on the column is the same bits', (_, model) => {
  if (model.dependentOn === undefined) return;
  const rows = model.sample(6, 4);
  model.table.variables.forEach((variable, index) => {
    const codes = codeCount(variable);
    const own = model.distributionOf(index, rows);
    const joint = jointOfRows(model, rows)(index);
    for (let code = 0; code < codes; code++) {
      const cells = model.cellLogLikelihoods(withCode(model, rows, index, code));
      for (let row = 0; row < rows.rows; row++) {
        const others = cells.subarray(row * model.variables, (row + 1) * model.variables);
        const rest = others.reduce((sum, nats, other) => (other === index ? sum : sum + nats), 0);
        expect(joint[row * codes + code]).toBe(rest + log(own[row * codes + code]!));
      }
    }
  });
});

test.each(Object.entries(models))('a model %s: what is unknown beside the column is summed out', (_, model) => {
  const rows = model.sample(4, 5);
  const known = model.emptyRows(4);
  const last = model.variables - 1;
  for (let row = 0; row < 4; row++)
    for (let bit = 0; bit < model.dimensions; bit++)
      if (row !== 2 || bit < model.offsets[last]!) known.set(row, bit, 1);
  const codes = codeCount(model.table.variables[0]!);
  const { nats, incomplete } = jointGivenKnown(model, 0, { matrix: rows, known }, 1);
  expect(incomplete).toBe(1);
  const whole = jointOfRows(model, rows)(0);
  expect(nats.subarray(0, codes)).toEqual(whole.subarray(0, codes));
  const options = { seed: 1, samples: 1024, draws: 1 };
  for (let code = 0; code < codes; code++) {
    const row = withCode(model, rows, 0, code).selectRows([2]);
    const [completion] = model.completions(row, known.selectRows([2]), options);
    expect(nats[2 * codes + code]).toBeCloseTo(completion!.logEvidence[0]!, 9);
  }
  // whether the column itself is known does not matter
  for (let bit = 0; bit < model.offsets[1]!; bit++) known.set(1, bit, 0);
  expect(jointGivenKnown(model, 0, { matrix: rows, known }, 1).nats).toEqual(nats);
});
