import { BitMatrix } from '@orchard/dataset';
import { runLocally } from '@orchard/pipeline';
import { describeFamily, standardDatasets, temporaryStore, trainedOn } from '@orchard/pipeline/conformance';
import { describe, expect, test } from 'vitest';
import type { Sparn } from '@orchard/sparse-network';
import { sparn } from './index.js';

describeFamily(sparn, { penalty: '8,1' });

/** Mean test nats that README has, at the λ that the validation rows like best of sixteen. */
test('a whole run on dna tells what is known of it', async () => {
  const { summary, model } = await trainedOn('dna', sparn, { penalty: 8 });
  expect(Math.abs(summary.network.testLogLikelihood! + 80.067)).toBeLessThan(0.005);
  expect(model.summary().facts[2]).toEqual(['penalty', 'λ 8 for all columns, no other was tried']);
});

describe('a run', () => {
  test('ends in the λ that is best over all columns', async () => {
    const store = temporaryStore();
    const request = sparn.resolve({ penalty: '32,8,1' }, await standardDatasets(store, 'dna', [...Array(24).keys()]));
    const { model, run, summary } = await runLocally({ store, family: sparn, ...request, threads: 1 });
    // the validation rows were asked column by column, in groups: the model says the same of whole rows
    const { penalty } = summary as unknown as {
      penalty: { chosen: number; isAtEnd: boolean; tried: { penalty: number; valid: number; weights: number }[] };
    };
    expect(penalty.tried.map((one) => one.penalty)).toEqual([32, 8, 1]);
    const best = penalty.tried.reduce((most, one) => (one.valid > most.valid ? one : most));
    expect([penalty.chosen, penalty.isAtEnd]).toEqual([best.penalty, best.penalty !== 8]);
    expect(model.likelihoods.valid).toBeCloseTo(best.valid, 9);
    expect((model as Sparn).sparse.weights).toHaveLength(best.weights);
    expect(model.summary().facts[2]![1]).toContain("the validation rows' choice of 3 from 32 to 1");
    const report = await sparn.report(store, run, {});
    expect(report).toContain('The weights');
    expect(report).toContain(`${String(best.penalty)} (chosen)`);
  });

  test('says where the λ is the smallest that was tried, and shows the weights by name', async () => {
    const names = ['wings', 'beak', 'size <b>'];
    const rows = BitMatrix.fromRows(
      Array.from({ length: 90 }, (_, row) => (row % 3 === 0 ? '00' : row % 7 === 0 ? '10' : '11') + String(row % 2)),
      { names },
    );
    const { run, model, summary, store } = await trainedOn([rows, rows], sparn, { penalty: [4, 0.5] });
    expect(model.summary().facts[2]![1]).toMatch(/^λ 0.5 .*the smallest, so that a smaller one may be better/);
    expect(summary).toMatchObject({ penalty: { chosen: 0.5, isAtEnd: true } });
    const report = await sparn.report(store, run, {});
    expect(report).toMatch(/<th scope="row">beak<\/th><td>[+−]\d\.\d\d<\/td><td>wings \+\d\.\d\d<\/td>/);
    expect(report).toContain('size &#60;b&#62;');
    expect(report).toContain('at the end of what was tried');
  });

  const facts = { id: '0'.repeat(64), rows: 5, dimensions: 3, names: null, shape: null };
  const resolve = (said: object) => sparn.resolve({ ...said }, { train: facts, valid: facts, test: null });

  test('is the same run however its penalties are written', () => {
    expect(resolve({ penalty: '4,16, 4' }).specification).toMatchObject({ penalty: [16, 4], interceptScaling: 10 });
    expect(resolve({ penalty: '4,16' }).runId).toBe(resolve({ penalty: [16, 4] }).runId);
    expect(resolve({ penalty: 4 }).runId).not.toBe(resolve({ penalty: 4, interceptScaling: 30 }).runId);
    expect((resolve({}).specification as unknown as { penalty: number[] }).penalty).toHaveLength(16);
  });

  test.each([
    { penalty: 0 },
    { penalty: '4,' },
    { penalty: 'x' },
    { penalty: [] },
    { interceptScaling: 0.5 },
    { leaves: 3 },
  ])('refuses %o', (words) => {
    expect(sparn.words.safeParse(words).success).toBe(false);
  });
});
