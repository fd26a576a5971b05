import { openText } from '@orchard/dataset/conformance/tables';
import { ThreadPool } from '@orchard/pipeline';
import { afterEach, expect, test, vi } from 'vitest';
import { SmallModelTrainer, type ScoredSmallModel } from './small-models.js';
import { drawSmallSamples } from './small-samples.js';

afterEach(() => vi.restoreAllMocks());

const lines = Array.from({ length: 300 }, (_, row) => {
  const size = (row * 37) % 101;
  const weight = row % 29 === 3 ? '' : ((size * 1.7 + ((row * 11) % 13)) / 10).toFixed(1);
  return [size, weight, ['small', 'large'][Number(size > 50)], row % 97 === 5 ? `odd ${String(row)}` : 'usual'].join();
});
const text = ['size,weight,kind,mark', ...lines].join('\n');

test('small models are the same, and score rows the same, in threads', async () => {
  const start = vi.spyOn(ThreadPool, 'start');
  const raw = await openText(text);
  const candidates = lines.map((_, row) => row).filter((row) => row !== 100);
  const { profile, bySize } = await drawSmallSamples(raw, candidates, { seed: 4 });
  expect(bySize.map((samples) => [samples.length, samples[0]!.rows.length])).toEqual([
    [16, 32],
    [16, 239],
  ]);
  const shares: number[] = [];
  const trained = async (threads: number): Promise<ScoredSmallModel[]> => {
    const onProgress = (share: number): void => void shares.push(share);
    const trainer = new SmallModelTrainer(raw, profile, {}, 32, { threads, pays: 0, onProgress });
    try {
      const models: ScoredSmallModel[] = [];
      for (const samples of bySize) for await (const own of trainer.train(samples)) models.push(own);
      return models;
    } finally {
      await trainer.close();
    }
  };
  const here = await trained(1);
  expect(start).not.toHaveBeenCalled();
  const there = await trained(2);
  expect(start).toHaveBeenCalledTimes(1);
  const facts = ({ model, learned, scores }: ScoredSmallModel): unknown => [model.toBytes(), learned, scores];
  expect(there.map(facts)).toEqual(here.map(facts));
  expect(here.every(({ scores, learned }) => scores.length === 300 && !learned.has(100))).toBe(true);
  expect([shares.length, shares.at(-1)]).toEqual([64, 1]);
  await raw.close();
});
