import { BitMatrix } from '@orchard/dataset';
import type { ReportFacts } from './facts.js';
import { nearestRows } from './nearest-rows.js';

/** Facts of a network that was never trained, with a shape or with names: what a page must be able to show. */
export function exampleFacts(kind: 'image' | 'named' | 'plain', changes: Partial<ReportFacts> = {}): ReportFacts {
  const shape = kind === 'image' ? ([16, 8] as const) : null;
  const dimensions = kind === 'image' ? 128 : 90;
  const next = numbers(kind.length);
  const draw = (rows: number): BitMatrix =>
    BitMatrix.fromRows(
      Array.from({ length: rows }, () => Array.from({ length: dimensions }, () => (next() < 0.3 ? 1 : 0))),
    );
  const training = draw(200);
  const samples = draw(6);
  const nearest = nearestRows(samples, training);
  const each = (value: (dim: number) => number): number[] => Array.from({ length: dimensions }, (_, dim) => value(dim));
  const trees = Array.from({ length: 100 }, (_, at) => at * 100);
  const train = trees.map((count) => -8 - 54 * Math.exp(-count / 1500) + count / 1e4);
  const valid = trees.map((count, at) => train[at]! - 0.4 - count / 4000);
  const best = valid.indexOf(Math.max(...valid));
  const dimension = 60;
  const gains = each((dim) => (dim < dimension ? 1 / (dimension - dim) ** 2 : 0));
  const total = gains.reduce((sum, gain) => sum + gain, 0);
  return {
    title: 'example rows',
    warnings: [],
    run: {
      id: 'b'.repeat(64),
      settings: [
        ['rounds', '1000'],
        ['leaves', '16'],
      ],
    },
    tuned: null,
    dataset: {
      sha256: 'a'.repeat(64),
      dimensions,
      shape,
      rows: { train: 200, valid: 50, test: 60 },
      independentLogLikelihood: -40.5,
    },
    selections: ['individual', 'common', 'linearized', 'linearized-backward'].map((name, at) => ({
      name,
      trees: trees[best]! + (at - 2) * 700,
      rounds: name === 'common' ? 40 : null,
      train: -8.2 - at / 10,
      valid: valid[best]! - Math.abs(at - 2) / 40,
      test: -9.4 + at / 10,
      refitTest: -9.2 + at / 10,
    })),
    chosen: { name: 'linearized', refit: true },
    path: {
      method: 'linearized',
      isOfNetwork: true,
      trees,
      train,
      valid,
      chosen: { trees: trees[best]!, train: train[best]!, valid: valid[best]! },
    },
    dimensions: {
      names:
        kind === 'named'
          ? each((dim) => dim).map((dim) => `shape=<${'qsu'.charAt(dim % 3)}> & "${String(dim)}"`)
          : null,
      trees: each((dim) => Math.round(20 + dim * next() * 6)),
      loss: each(() => next() * 0.4),
      independentLoss: each(() => 0.4 + next() * 0.29),
      beyondNoise: each((dim) => (dim % 7 === 2 ? 0 : 1)),
      neededEvidence: 9.1,
      heldOut: 'test',
      beforeRefit: false,
    },
    samples: {
      rows: samples,
      nearest: training.selectRows(nearest.map(({ row }) => row)),
      distances: nearest.map(({ distance }) => distance),
      seed: 7,
    },
    importance: { dimension, shares: gains.map((gain) => gain / total), positions: each((dim) => dim) },
    ...changes,
  };
}

/** A plain generator: what it draws only has to be the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
