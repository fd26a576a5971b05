import { BitMatrix, ownLogRates } from '@orchard/dataset';
import { asTabular, EnsembleBuilder, Network } from '@orchard/model';
import { expect, it } from 'vitest';
import { oddRowsOf } from './odd-row-facts.js';

it('of equal rows, as those that stand as often as they weigh, the first is listed', () => {
  // odds of a 1: seldom in either column
  const model = asTabular(
    new Network({
      ensembles: [new EnsembleBuilder(0.1).build(), new EnsembleBuilder(0.02).build()],
      ordering: Uint32Array.of(0, 1),
      names: ['a', 'b'],
      shape: null,
      specification: null,
      likelihoods: { train: 0, valid: null, test: null },
    }),
  );
  const usual = Array.from({ length: 40 }, () => [0, 0]);
  const rows = BitMatrix.fromRows([...usual, [0, 1], [0, 1], [0, 1], [1, 0], [1, 1], [1, 1]]);
  const places = Array.from({ length: rows.rows }, (_, row) => row);
  const own = model.table.variables.map(ownLogRates);
  const { shown } = oddRowsOf(model, rows, model.cellLogLikelihoods(rows), places, rows.rows, own);
  expect(shown.map(({ row }) => row)).toEqual([45, 41, 44, 1]);
});
