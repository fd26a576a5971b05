import { BitMatrix } from '@orchard/dataset';
import { asTabular, givenTheRest } from '@orchard/model';
import { randomNetwork } from '@orchard/model/conformance/networks';
import { expect, test } from 'vitest';
import { mixtureOf } from './mixture-of.js';

const D = 5;
const everyRow = BitMatrix.fromRows(Array.from({ length: 2 ** D }, (_, row) => row.toString(2).padStart(D, '0')));
const networks = [1, 2, 3].map((seed) => randomNetwork({ dimensions: D, trees: 5, leaves: 5, strongest: 2, seed }));
const models = {
  'a network': networks[0]!,
  'a mixture of networks': mixtureOf({
    members: networks,
    weights: Float64Array.of(0.5, 0.3, 0.2),
    specification: null,
    likelihoods: { train: null, valid: null, test: null },
  }),
};

test.each(Object.entries(models))('%s of bits gives a value all others as Bayes does', (_, model) => {
  const p = Float64Array.from(model.logLikelihood(everyRow), Math.exp);
  for (let index = 0; index < D; index++) {
    const shares = givenTheRest(asTabular(model), index, everyRow);
    p.forEach((own, row) => {
      const other = p[row ^ (1 << (D - 1 - index))]!;
      const bit = everyRow.get(row, index);
      expect(shares[2 * row + bit]).toBeCloseTo(own / (own + other), 9);
    });
  }
});
