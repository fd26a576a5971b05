import { BitMatrix } from '@orchard/dataset';
import { asTabular, givenTheRest } from '@orchard/model';
import { randomNetwork } from '@orchard/model/conformance/networks';
import { expect, test } from 'vitest';
import { mixtureOf } from './mixture-of.js';

const D = 5;
const everyRow = BitMatrix.fromRows(Array.from({ length: 2 ** D }, (_, row) => row.toString(2).padStart(D, '0')));
const networks = [1, 2, 3].map((seed) => randomNetwork({ dimensions: D, trees: 5, leaves: 5, strongest: 2, seed }));
const weights = [0.5, 0.3, 0.2];
const models = {
  'a network': networks[0]!,
  'a mixture of networks': mixtureOf({
    members: networks,
    weights: Float64Array.from(weights),
    specification: null,
    likelihoods: { train: null, valid: null, test: null },
  }),
};

test.each(Object.entries(models))('%s of bits gives a value all others as Bayes does', (_, model) => {
  const p = Float64Array.from(model.logLikelihood(everyRow), Math.exp);
  for (let index = 0; index < D; index++) {
    const shares = givenTheRest(asTabular(model), everyRow)(index);
    p.forEach((own, row) => {
      const other = p[row ^ (1 << (D - 1 - index))]!;
      const bit = everyRow.get(row, index);
      expect(shares[2 * row + bit]).toBeCloseTo(own / (own + other), 9);
    });
  }
});

test('a mixture of bits tells of a value what its members do, each as far as it holds the rest of the row', () => {
  const model = models['a mixture of networks'];
  const [table, ...ofMembers] = [asTabular(model), ...networks.map(asTabular)];
  const joint = networks.map((member, m) => member.logLikelihood(everyRow).map((nats) => nats + Math.log(weights[m]!)));
  const cells = ofMembers.map((member) => member.cellLogLikelihoods(everyRow));
  for (let index = 0; index < D; index++) {
    const shares = table!.distributionOf(index, everyRow);
    const told = ofMembers.map((member) => member.distributionOf(index, everyRow));
    for (let row = 0; row < everyRow.rows; row++) {
      const rest = joint.map((nats, m) => Math.exp(nats[row]! - cells[m]![row * D + index]!));
      const all = rest.reduce((sum, p) => sum + p, 0);
      const rate = rest.reduce((sum, p, m) => sum + (p / all) * told[m]![2 * row + 1]!, 0);
      expect(shares[2 * row + 1]).toBeCloseTo(rate, 12);
      expect(shares[2 * row]).toBeCloseTo(1 - rate, 12);
    }
  }
  // whatever the row has there, where nothing of it follows
  const first = networks[0]!.ordering[D - 1]!;
  const alone = mixtureOf({ ...model, members: [networks[0]!], weights: Float64Array.of(1) });
  const bit = (row: number): number => (row >> (D - 1 - first)) & 1;
  const shares = asTabular(alone).distributionOf(first, everyRow);
  for (let row = 0; row < everyRow.rows; row++)
    if (bit(row) === 0) expect(shares[2 * row + 1]).toBeCloseTo(shares[2 * (row | (1 << (D - 1 - first))) + 1]!, 12);
});
