import type { SettledSpecification, SelectionDocument, SelectionMethod, Summary } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { EnsembleBuilder, Network, baseRates, emptyEnsemble } from '@orchard/model';
import { describe, expect, it } from 'vitest';
import { bitSections } from './bits-sections.js';
import { describeRun, type FinishedRun } from './describe-run.js';
import { renderReport, reportOnRun } from './render-report.js';

/** Two fair coins of which the second shows what the first does, three times in four; the third is always heads up. */
function finishedRun(
  changes: Partial<FinishedRun> = {},
  heldOut: { readonly matrix?: BitMatrix; readonly split?: 'test'; readonly beforeRefit?: boolean } = {},
): FinishedRun {
  const rows = ['111', '111', '111', '101', '001', '001', '001', '011'];
  const train = BitMatrix.fromRows(rows);
  const trees = new EnsembleBuilder(1);
  trees.push({
    splitLeaf: Uint32Array.of(0),
    splitPredictor: Uint32Array.of(0),
    splitGain: Float64Array.of(2),
    leafFactor: Float64Array.of(1 / 3, 3),
  });
  const ensembles = [emptyEnsemble(1), trees.build(), emptyEnsemble(17)];
  const network = new Network({
    ordering: Uint32Array.of(0, 1, 2),
    names: null,
    shape: null,
    specification: {},
    likelihoods: { train: null, valid: null, test: null },
    ensembles,
  });
  const selection = (method: SelectionMethod): SelectionDocument => ({
    method,
    rounds: [0, 1, 0],
    trees: 1,
    trainLogLikelihood: -12,
    validLogLikelihood: -6,
    testLogLikelihood: null,
    commonRounds: method === 'common' ? 1 : null,
    path: method === 'individual' ? null : { trees: [0, 1], train: [-16, -12], valid: [-8, -6], chosen: 1 },
  });
  const figures = {
    trees: 1,
    trainLogLikelihood: -1.5,
    validLogLikelihood: -1.5,
    testLogLikelihood: null,
    refit: null,
  };
  const summary: Summary = {
    runId: 'b'.repeat(64),
    dataset: { sha256: 'a'.repeat(64), dimensions: 3, rows: { train: 8, valid: 4, test: null } },
    selections: {
      individual: figures,
      common: { ...figures, rounds: 1 },
      linearized: figures,
      linearizedBackward: figures,
    },
    network: {
      path: 'network.msgpack',
      sha256: 'c'.repeat(64),
      bytes: 1,
      selection: 'linearized',
      refit: false,
      testLogLikelihood: null,
    },
  };
  const specification = {
    seed: 3,
    leaves: 2,
    rounds: 1,
    start: 'half',
    ordering: 'natural',
  } as unknown as SettledSpecification;
  const splits = { train, valid: BitMatrix.fromRows(rows.slice(0, 4)), test: null };
  const rates = baseRates(train);
  const { matrix, ...judged } = {
    matrix: splits.valid,
    rates,
    split: 'validation',
    beforeRefit: false,
    ...heldOut,
  } as const;
  return {
    runId: summary.runId,
    specification,
    choice: { selection: 'linearized', refit: false },
    summary,
    selections: {
      individual: selection('individual'),
      common: selection('common'),
      linearized: selection('linearized'),
      'linearized-backward': selection('linearized-backward'),
    },
    splits,
    network,
    judged: { ...judged, gains: network.gains({ matrix, rates }) },
    ...changes,
  };
}

describe('describeRun', () => {
  it('measures the loss of every dimension on the held-out rows, in the network and on its own', () => {
    const { dimensions, dataset } = describeRun(finishedRun());
    const [first, second, third] = Array.from(dimensions.loss);
    expect(first).toBeCloseTo(Math.log(2), 12);
    // of the four rows, all with the first coin up, three show the second up
    expect(second).toBeCloseTo(-(3 * Math.log(3 / 4) + Math.log(1 / 4)) / 4, 12);
    expect(third).toBeCloseTo(Math.log(1 + 1 / 17), 12);
    expect(dimensions.independentLoss[2]).toBeCloseTo(-Math.log(8.5 / 9), 12);
    expect(dataset.independentLogLikelihood).toBeCloseTo(
      -Array.from(dimensions.independentLoss).reduce((sum, loss) => sum + loss, 0),
      12,
    );
  });

  it('says which rows it was judged on, and whether before the refit', () => {
    expect(describeRun(finishedRun()).dimensions).toMatchObject({ heldOut: 'validation', beforeRefit: false });
    const refitted = finishedRun({ choice: { selection: 'common', refit: true } }, { beforeRefit: true });
    expect(describeRun(refitted).dimensions).toMatchObject({ heldOut: 'validation', beforeRefit: true });
    const { splits } = finishedRun();
    const test = BitMatrix.fromRows(['111', '001']);
    const tested = describeRun(finishedRun({ splits: { ...splits, test } }, { matrix: test, split: 'test' }));
    expect(tested.dimensions.heldOut).toBe('test');
    expect(tested.dimensions.loss[1]).toBeCloseTo(-Math.log(3 / 4), 12);
    expect(tested.dimensions.independentLoss[1]).toBeCloseTo(Math.log(2), 12);
  });

  it('explains the dimension that the others tell most about beyond noise, or the one that was asked for', () => {
    // as in the training rows, again and again: the second follows the first in three rows of four
    const { splits } = finishedRun();
    const matrix = BitMatrix.fromRows(
      Array.from({ length: 20 }, () => ['111', '111', '111', '101', '001', '001', '001', '011']).flat(),
    );
    const changes = { splits: { ...splits, test: matrix } };
    const many = { matrix, split: 'test' } as const;
    expect(describeRun(finishedRun(changes, many)).importance).toMatchObject({
      dimension: 1,
      shares: Float64Array.of(1, 0, 0),
    });
    expect(Array.from(describeRun(finishedRun(changes, many)).dimensions.beyondNoise)).toEqual([0, 1, 0]);
    expect(describeRun(finishedRun({ ...changes, dimension: 2 }, many)).importance).toMatchObject({
      dimension: 2,
      shares: Float64Array.of(0, 0, 0),
    });
    // four rows are too few to tell it from noise
    expect(describeRun(finishedRun({ dimension: 1 })).importance.shares).toEqual(Float64Array.of(0, 0, 0));
  });

  it('shows the linearized path where the chosen selection has none, in mean nats', () => {
    const { path } = describeRun(finishedRun({ choice: { selection: 'individual', refit: false } }));
    expect(path).toMatchObject({
      method: 'linearized',
      isOfNetwork: false,
      train: [-2, -1.5],
      valid: [-2, -1.5],
      chosen: { trees: 1, valid: -1.5 },
    });
  });

  it('draws samples of the seed, each with a training row that is as near as any', () => {
    const { samples } = describeRun(finishedRun());
    expect(samples.rows.equals(finishedRun().network.sample(16, 3))).toBe(true);
    expect(Array.from(samples.distances).every((distance) => distance <= 1)).toBe(true);
  });

  it('takes title and sources from whoever knows them, and says what the rows are where nobody does', () => {
    expect(describeRun(finishedRun())).toMatchObject({ title: 'A network of 3 dimensions', warnings: [] });
    const { title, run } = describeRun(finishedRun({ title: 'Coins', sources: [['training', 'coins.csv']] }));
    expect([title, run.settings[0]]).toEqual(['Coins', ['training rows from', 'coins.csv']]);
  });

  it('takes the warnings of the summary', () => {
    const { summary } = finishedRun();
    const warnings = [{ code: 'rounds-limit', message: 'Still rising.' }] as const;
    expect(describeRun(finishedRun({ summary: { ...summary, warnings: [...warnings] } })).warnings).toEqual([
      'Still rising.',
    ]);
  });

  it('is all that a report is drawn from, with the sections of rows of any kind', async () => {
    const run = finishedRun();
    const { columns, rows } = await bitSections({ model: run.network, splits: run.splits }, { predictors: false });
    expect(await reportOnRun(run)).toBe(renderReport(describeRun(run), { columns, rows }));
  });
});
