import { BitMatrix } from '@orchard/dataset';
import type { DensityModel } from '@orchard/model';
import { describeFamily, trainedOn } from '@orchard/pipeline/conformance';
import { Purpose, RandomStream } from '@orchard/numerics';
import { describe, expect, test } from 'vitest';
import { sparn } from './index.js';

describeFamily(sparn, { components: '1,2', penalty: '2,0.5', steps: 2, refit: true }, { nightly: 'all' });

/** Rows of two kinds, each with columns that follow one another. */
function rowsOf(count: number, seed: number): string[] {
  const random = new RandomStream(seed, Purpose.sample, 0);
  return Array.from({ length: count }, () => {
    const kind = random.below(2);
    const row = [kind];
    for (let column = 1; column < 8; column++) {
      const follows = random.below(5) > 0;
      const before = row[column - 1]!;
      row.push(follows ? (kind === 1 ? before : 1 - before) : random.below(2));
    }
    return row.join('');
  });
}

async function train(
  words: Readonly<Record<string, unknown>>,
  trainRows: readonly string[],
  validRows: readonly string[],
) {
  const splits = [BitMatrix.fromRows(trainRows), BitMatrix.fromRows(validRows), BitMatrix.fromRows(rowsOf(50, 3))];
  const { model, run, store, summary } = await trainedOn(splits as [BitMatrix, BitMatrix, BitMatrix], sparn, words);
  return { model, summary, report: await sparn.report(store, run, {}) };
}

const [training, validation] = [rowsOf(80, 1), rowsOf(60, 2)];
const rows = BitMatrix.fromRows(rowsOf(40, 9));
const natsOf = (model: DensityModel): readonly number[] => Array.from(model.logLikelihood(rows));

describe('a refit', () => {
  test('is the network of all rows with the penalty that the validation rows chose', async () => {
    const words = { penalty: '16,4,1' };
    const kept = await train(words, training, validation);
    const { model, summary, report } = await train({ ...words, refit: true }, training, validation);
    const { chosen } = (kept.summary as unknown as { penalty: { chosen: number } }).penalty;
    expect(summary).toMatchObject({ refit: true, penalty: (kept.summary as unknown as { penalty: object }).penalty });
    const pooled = await train({ penalty: chosen }, [...training, ...validation], validation);
    expect(natsOf(model)).toEqual(natsOf(pooled.model));
    expect(natsOf(model)).not.toEqual(natsOf(kept.model));
    expect([model.likelihoods.valid, model.likelihoods.train]).toEqual([null, pooled.model.likelihoods.train]);
    expect(model.likelihoods.test).toBe(pooled.model.likelihoods.test);
    expect(report).toContain('learned once more');
  });

  test('is the mixture of all rows with the components, the step and the penalty that they chose', async () => {
    const words = { components: '2,3', penalty: '4,1', steps: 2, tying: 'untied' };
    const { model, summary } = await train({ ...words, refit: true }, training, validation);
    const { components, step, penalty } = (
      summary as unknown as { mixture: { chosen: { components: number; step: number; penalty: number } } }
    ).mixture.chosen;
    const own = { components, penalty, steps: step, tying: 'untied' };
    const pooled = await train(own, [...training, ...validation], validation);
    expect(natsOf(model)).toEqual(natsOf(pooled.model));
  });

  test('of wide rows is the default: a penalty that 64 columns choose, on all of them and all rows', async () => {
    const wide = (count: number, seed: number): string[] => {
      const random = new RandomStream(seed, Purpose.sample, 0);
      return Array.from({ length: count }, () => {
        let bit = random.below(2);
        const bits = Array.from({ length: 257 }, () => (bit = random.below(5) > 0 ? bit : 1 - bit));
        return bits.join('');
      });
    };
    const [first, second] = [wide(24, 1), wide(16, 2)];
    const splits = [BitMatrix.fromRows(first), BitMatrix.fromRows(second), null] as const;
    const { model, summary, run, store } = await trainedOn([...splits], sparn, {});
    const { penalty } = summary as unknown as { penalty: { chosen: number; columns: number; tried: object[] } };
    expect([penalty.columns, penalty.tried.length]).toEqual([64, 16]);
    expect(summary).toMatchObject({ refit: true });
    const pooled = BitMatrix.fromRows([...first, ...second]);
    const alone = await trainedOn([pooled, splits[1], null], sparn, { penalty: penalty.chosen });
    const asked = BitMatrix.fromRows(wide(5, 3));
    expect(Array.from(model.logLikelihood(asked))).toEqual(Array.from(alone.model.logLikelihood(asked)));
    expect(await sparn.report(store, run, {})).toContain('Penalties were tried on 64 evenly spaced columns');
    const facts = { id: '0'.repeat(64), rows: 5, dimensions: 257, names: null, shape: null };
    const specified = (said: object) =>
      sparn.resolve({ ...said }, { train: facts, valid: facts, test: null }).specification as { choosers?: number };
    expect([{}, { penalty: 4 }, { refit: false }, { components: 2 }].map((said) => specified(said).choosers)).toEqual([
      ...[64, undefined, undefined, undefined],
    ]);
  }, 240_000);

  test('is another run than one without, which is what it was; intervals refuse it', () => {
    const facts = { id: '0'.repeat(64), rows: 5, dimensions: 8, names: null, shape: null };
    const resolve = (said: object) => sparn.resolve({ ...said }, { train: facts, valid: facts, test: null });
    expect(resolve({ penalty: 4, refit: false }).runId).toBe(resolve({ penalty: 4 }).runId);
    expect(resolve({ penalty: 4, refit: true }).runId).not.toBe(resolve({ penalty: 4 }).runId);
    expect(() => resolve({ components: 2, intervals: 2, refit: true })).toThrow(/--refit or --intervals/);
  });
});
