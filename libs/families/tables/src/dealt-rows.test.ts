import type { BitMatrix } from '@orchard/dataset';
import { mixtureOf } from '@orchard/members';
import { asTabular, scoresOfDeals, type TabularModel } from '@orchard/model';
import { expect, test, vi } from 'vitest';
import { categorical, measured, randomModel } from './random-table.suite.js';
import { TableModel } from './table-model.js';

const nothing = { specification: null, likelihoods: { train: null, valid: null, test: null } } as const;
/** With a sum, whose bits are of two variables and stand with the later one. */
const sums = [{ total: 'bill', parts: ['paid', 'next'] }] as const;
const variables = [measured('bill', 4, 1, 1), categorical('kind', 2), measured('paid', 3, 0), measured('next', 4, 0)];

/** Rows of a model several times, each time with the values of a variable moved on by some rows. */
function dealsOf(model: TabularModel, index: number): BitMatrix[] {
  const rows = model.sample(40, 3);
  const [from, to] = [model.offsets[index]!, model.offsets[index + 1]!];
  return [0, 1, 7].map((by) => {
    const dealt = rows.copy();
    for (let row = 0; row < rows.rows; row++)
      for (let bit = from; bit < to; bit++) dealt.set((row + by) % rows.rows, bit, rows.get(row, bit));
    return dealt;
  });
}

test.each([0, 1, 2, 3, 4, 5])('rows are scored the same when a variable is dealt anew: table %i', (seed) => {
  const members = [seed, seed + 1].map((own) => randomModel(variables, own, { trees: 2, sums }));
  const mixture = asTabular(mixtureOf({ ...nothing, members, weights: Float64Array.of(0.75, 0.25) }));
  for (const model of [members[0]!, mixture]) {
    for (let index = 0; index < model.variables; index++) {
      const deals = dealsOf(model, index);
      const told = [...scoresOfDeals(model, deals, index)];
      expect(told).toEqual(deals.map((deal) => model.score(deal, { top: 0 })));
    }
  }
});

test('what does not depend on a variable is asked of its first deal alone', () => {
  const model = randomModel(variables, 2, { sums });
  const asked = vi.spyOn(TableModel.prototype, 'cellLogLikelihoods');
  const last = model.ordering.at(-1)!;
  expect([...scoresOfDeals(model, dealsOf(model, last), last)].length).toBe(3);
  expect(asked.mock.calls.map(([, of]) => of && [...of])).toEqual([undefined, [last], [last]]);
  asked.mockRestore();
});
