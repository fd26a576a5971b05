import { loadKernel } from '@orchard/kernel';
import type { Ensemble } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, it } from 'vitest';
import { boostedTrees, ensembleAfter, refitConditional, startTreesOf, trainConditional } from './index.js';
import type { BoostingOptions } from './index.js';
import { arranged, type Splits } from './splits.suite.js';

const options: BoostingOptions = {
  ...{ leaves: 4, rounds: 24, shrinkage: 0.5, start: 'base-rate', seed: 3, dropout: 0.2 },
  ...{ minLeafWeight: 0, maxLeafValue: 2, l2: 0.1, featureFraction: 0.5, patience: 0 },
};
const target = 7;

/** The last column is mostly the exclusive or of the first two; the others are chance. */
function rowsOf(count: number, seed: number): number[][] {
  const random = new RandomStream(seed, Purpose.sample, 0);
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: target }, () => random.below(2));
    return [...row, random.below(6) === 0 ? row[2]! : row[0]! ^ row[1]!];
  });
}
const splits = { train: rowsOf(260, 1), valid: rowsOf(120, 2), test: rowsOf(90, 3) };
const arrange = (of: Splits = splits) => arranged(of);

/** The log-odds that each tree gives a row, after that of the start. */
function valuesOf({ startOdds, leafCounts, splitLeaf, splitPredictor, leafFactor }: Ensemble, row: readonly number[]) {
  const values = [Math.log(startOdds)];
  let [split, leaves] = [0, 0];
  for (const count of leafCounts) {
    let leaf = 0;
    for (let own = 0; own < count - 1; own++, split++)
      if (splitLeaf[split] === leaf && row[splitPredictor[split]!] === 1) leaf = own + 1;
    values.push(Math.log(leafFactor[leaves + leaf]!));
    leaves += count;
  }
  return values;
}

/** As a model of odds does: within 2^±900 after every tree. */
function natsOf(ensemble: Ensemble, rows: readonly number[][]): number {
  const bound = 900 * Math.LN2;
  return rows.reduce((sum, row) => {
    const logOdds = valuesOf(ensemble, row).reduce((so, value) => Math.min(Math.max(so + value, -bound), bound), 0);
    const wrong = row[target] === 1 ? -logOdds : logOdds;
    return sum - (wrong > 30 ? wrong : Math.log1p(Math.exp(wrong)));
  }, 0);
}

describe('dropout of trees', () => {
  it.each([{}, { start: 'logistic', startPenalty: 2 } as const, { gradients: 'first' } as const])(
    'has a model for every point of its curves, whose trees count what they did after that round, with %o',
    async (own) => {
      const trained = trainConditional(await loadKernel(), arrange(), target, { ...options, ...own });
      expect(trained).toMatchObject({ dropout: { rate: 0.2, shrinkage: 0.5, seed: 3 }, finished: true });
      for (let rounds = 0; rounds <= options.rounds; rounds++) {
        const model = ensembleAfter(trained, rounds);
        expect(model.leafCounts.length).toBe(rounds + startTreesOf(trained));
        for (const name of ['train', 'valid', 'test'] as const)
          expect(trained.curves[name]![rounds]).toBeCloseTo(natsOf(model, splits[name]), 8);
      }
    },
  );

  it('weighs a new tree with ν / (k + ν), the k that it left out with k / (k + ν) of what they counted', async () => {
    const trained = trainConditional(await loadKernel(), arrange(), target, options);
    const row = splits.train[0]!;
    const values = Array.from({ length: options.rounds + 1 }, (_, rounds) =>
      valuesOf(ensembleAfter(trained, rounds), row).slice(1),
    );
    const unweighted = valuesOf(boostedTrees(trained, options.rounds), row).slice(1);
    expect(values[1]![0]).toBeCloseTo(0.5 * unweighted[0]!, 12);
    let most = 0;
    for (let round = 1; round < options.rounds; round++) {
      const shares = values[round]!.map((value, tree) => values[round + 1]![tree]! / value);
      const dropped = shares.filter((share) => Math.abs(share - 1) > 1e-9);
      most = Math.max(most, dropped.length);
      const k = dropped.length;
      expect(k).toBeGreaterThan(0);
      for (const share of dropped) expect(share).toBeCloseTo(k / (k + 0.5), 9);
      expect(values[round + 1]![round]).toBeCloseTo((0.5 / (k + 0.5)) * unweighted[round]!, 12);
    }
    expect(most).toBeGreaterThan(3);
  });

  it('fits a tree to what those say that it does not leave out', async () => {
    const trained = trainConditional(await loadKernel(), arrange(), target, { ...options, featureFraction: 1 });
    const round = options.rounds - 1;
    const unweighted = boostedTrees(trained, round + 1);
    const [before, after] = [ensembleAfter(trained, round), ensembleAfter(trained, round + 1)];
    const sums = new Map<number, { residual: number; weight: number }>();
    for (const row of splits.train) {
      const [own, then] = [valuesOf(before, row), valuesOf(after, row)];
      const left = own.reduce((sum, value, at) => (Math.abs(then[at]! - value) > 1e-12 ? sum : sum + value), 0);
      const p = 1 / (1 + Math.exp(-left));
      const leaf = Math.round(1e9 * valuesOf(unweighted, row)[round + 1]!);
      const { residual, weight } = sums.get(leaf) ?? { residual: 0, weight: 0 };
      sums.set(leaf, { residual: residual + row[target]! - p, weight: weight + p * (1 - p) });
    }
    expect(sums.size).toBeGreaterThan(1);
    for (const [leaf, { residual, weight }] of sums)
      expect(Math.min(Math.max(residual / (weight + 0.1), -2), 2)).toBeCloseTo(leaf / 1e9, 8);
  });

  it('is refitted with the trees that training left out', async () => {
    const kernel = await loadKernel();
    const trained = trainConditional(kernel, arrange(), target, options);
    const more = refitConditional(kernel, arrange().pooled(), target, boostedTrees(trained, 20), options);
    for (const rounds of [9, 20])
      expect(more.curves.test![rounds]).toBeCloseTo(natsOf(ensembleAfter(more, rounds), splits.test), 8);
  });

  it('has its models where log-odds run into their bounds, too', async () => {
    // each predictor alone tells of a rare one: leaf values without a limit throw a row that has all of them far out
    const only = (dim: number) => [
      ...Array.from({ length: target }, (_, at) => Number(at === dim)),
      dim < target ? 1 : 0,
    ];
    const rare = Array.from({ length: target }, (_, dim) => only(dim));
    const own = {
      train: [...Array.from({ length: 3000 }, () => only(target)), ...rare],
      valid: rare,
      test: [Array.from({ length: target + 1 }, () => 1), [...Array.from({ length: target }, () => 1), 0]],
    };
    const wild = { ...options, shrinkage: 1, maxLeafValue: Infinity, l2: 0, leaves: 3, featureFraction: 1 };
    const whole = trainConditional(await loadKernel(), arrange(own), target, wild);
    const models = Array.from({ length: options.rounds + 1 }, (_, rounds) => ensembleAfter(whole, rounds));
    const reach = valuesOf(models.at(-1)!, own.test[0]!).reduce((sum, value) => sum + value, 0);
    expect(reach).toBeGreaterThan(900 * Math.LN2);
    models.forEach((model, rounds) => {
      for (const name of ['train', 'valid', 'test'] as const)
        expect(whole.curves[name]![rounds]).toBeCloseTo(natsOf(model, own[name]), 8);
    });
  });

  it('draws otherwise for another seed, and refuses a chance that is none', async () => {
    const kernel = await loadKernel();
    const rates = [0.2, 0.2, 0.4].map((dropout, at) =>
      trainConditional(kernel, arrange(), target, { ...options, featureFraction: 1, dropout, seed: at % 2 }),
    );
    expect(new Set(rates.map(({ curves }) => curves.train.at(-1))).size).toBe(3);
    for (const dropout of [0, 1, -0.1, NaN])
      expect(() => trainConditional(kernel, arrange(), target, { ...options, dropout })).toThrow(/dropout/);
  });
});
