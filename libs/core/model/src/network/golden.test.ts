import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BitMatrix } from '@orchard/dataset';
import { exp } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { EnsembleBuilder, emptyEnsemble, prefixOfTrees, validateEnsemble } from './ensemble.js';
import { logProbability } from '../port/likelihood.js';
import { Network } from './network.js';

interface Golden {
  readonly data: string;
  readonly shrinkage: number;
  readonly conditionals: readonly {
    readonly dimension: number;
    readonly train: readonly number[];
    readonly valid: readonly number[];
    readonly trees: readonly {
      readonly splits: readonly [number, number, number][];
      readonly values: readonly number[];
    }[];
  }[];
}

const data = (path: string): string =>
  gunzipSync(readFileSync(new URL(`../../../../../test/data/${path}`, import.meta.url))).toString();
const matrix = (set: string, split: string): BitMatrix =>
  BitMatrix.fromRows(
    data(`${set}/${split}.data.gz`)
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(',', '')),
  );

describe.each(['dna-J16', 'mushrooms-J8'])('the golden conditionals %s', (name) => {
  const golden = JSON.parse(data(`golden/${name}.json.gz`)) as Golden;
  const splits = { train: matrix(golden.data, 'train'), valid: matrix(golden.data, 'valid') };
  const { dimensions } = splits.train;

  it.each(golden.conditionals)(
    'of dimension $dimension give the curves of the independent implementation',
    (conditional) => {
      const builder = new EnsembleBuilder(1);
      for (const { splits: tree, values } of conditional.trees) {
        builder.push({
          splitLeaf: tree.map(([leaf]) => leaf),
          splitPredictor: tree.map(([, predictor]) => predictor),
          splitGain: tree.map(([, , gain]) => gain),
          leafFactor: values.map((value) => exp(golden.shrinkage * value)),
        });
      }
      const whole = builder.build();
      validateEnsemble(whole, conditional.dimension);
      for (const rounds of [0, 1, conditional.trees.length]) {
        const network = new Network({
          ordering: Uint32Array.from({ length: dimensions }, (_, column) => column),
          names: null,
          shape: null,
          specification: null,
          likelihoods: { train: null, valid: null, test: null },
          ensembles: Array.from({ length: dimensions }, (_, position) =>
            position === conditional.dimension ? prefixOfTrees(whole, rounds) : emptyEnsemble(1),
          ),
        });
        for (const split of ['train', 'valid'] as const) {
          let sum = 0;
          network.probabilities(splits[split], conditional.dimension).forEach((p, row) => {
            sum += logProbability(splits[split].get(row, conditional.dimension), p / (1 - p));
          });
          expect(sum / conditional[split][rounds]!).toBeCloseTo(1, 9);
        }
      }
    },
  );
});
