import { BitMatrix, bitTable } from '@orchard/dataset';
import { asTabular, EnsembleBuilder, Network } from '@orchard/model';
import { expect, it } from 'vitest';
import { findDrift } from './drift.js';

/** A fair coin. */
const model = asTabular(
  new Network({
    ensembles: [new EnsembleBuilder(1).build()],
    ordering: Uint32Array.of(0),
    names: ['coin'],
    shape: null,
    specification: null,
    likelihoods: { train: 0, valid: null, test: null },
  }),
);

/** What chance makes of so many throws, which all show 1. */
async function byChance(rows: number): Promise<number> {
  const throws = BitMatrix.create(rows, 1);
  for (let row = 0; row < rows; row++) throws.set(row, 0, 1);
  const [drift] = await findDrift(bitTable(throws, 'throws'), model, 0);
  return drift!.byChance;
}

it('chance makes less of more rows, down to what 4,000 samples err by', async () => {
  const [few, many, most] = [await byChance(4000), await byChance(20_000), await byChance(40_000)];
  // of n rows a share errs by √(1 / n + 1 / 4,000)
  expect(many / few).toBeCloseTo(Math.sqrt((0.2 + 1) / 2), 12);
  expect(most / few).toBeCloseTo(Math.sqrt((0.1 + 1) / 2), 12);
});
