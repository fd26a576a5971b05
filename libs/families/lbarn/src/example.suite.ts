import type { NetworkChoice, RunSpecification, RunWords } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { loadKernel, type Kernel } from '@orchard/kernel';
import type { DensityModel, Network } from '@orchard/model';
import { equalEnsembles } from '@orchard/model/conformance/networks';
import { randomBits } from '@orchard/numerics';
import { createRun, type LocalRunOptions, type ResolvedRun } from '@orchard/pipeline';
import { registerSplits, trainedOn, type TestRun } from '@orchard/pipeline/conformance';
import type { ObjectStore } from '@orchard/storage';
import { expect } from 'vitest';
import { lbarn } from './lbarn.js';
import { lbarnRun, type LbarnRun } from './run/lbarn-run.js';
import { resolveRun } from './run/resolve-run.js';
import type { Trainer } from './training/trainer.js';
import { trainerHere } from './training/trainer-here.js';
import { arrangeTrainingData } from './training/training-data.js';

/** Rows in which every dimension leans on two before it, so that there is something to learn. */
export function dependentRows(rows: number, dimensions: number, seed: number): BitMatrix {
  const matrix = BitMatrix.create(rows, dimensions);
  for (let row = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++) {
      const bits = randomBits(seed, 99, row, dim);
      const before = dim < 2 ? bits & 1 : matrix.get(row, dim - 1) ^ matrix.get(row, (dim * 7) % (dim - 1));
      matrix.set(row, dim, bits % 5 === 0 ? ((bits >>> 8) & 1 ? 1 : 0) : before === 1);
    }
  }
  return matrix;
}

export const exampleWords: RunWords = {
  preset: 'default',
  leaves: 4,
  rounds: 12,
  patience: 4,
  featureFraction: 0.6,
  seed: 5,
};

interface Size {
  readonly dimensions?: number | undefined;
  readonly rows?: number | undefined;
}

/** Training rows, and half as many that validate and that test. */
export function exampleSplits({ dimensions = 9, rows = 120 }: Size = {}): [BitMatrix, BitMatrix, BitMatrix] {
  const [train, valid, test] = [rows, rows >> 1, rows >> 1].map((count, at) =>
    dependentRows(count, dimensions, at + 1),
  );
  return [train!, valid!, test!];
}

export async function registerExample(
  store: ObjectStore,
  { words = exampleWords, ...size }: Size & { readonly words?: RunWords } = {},
): Promise<ResolvedRun<RunSpecification, NetworkChoice>> {
  return resolveRun(words, await registerSplits(store, exampleSplits(size)));
}

export async function exampleRun(
  store: ObjectStore,
  options: Parameters<typeof registerExample>[1] & { kernel?: Kernel['kind'] } = {},
): Promise<{ run: LbarnRun; trainer: Trainer; choice: NetworkChoice }> {
  const { specification, choice } = await registerExample(store, options);
  const run = lbarnRun(await createRun(store, specification));
  const kernel = await loadKernel(options.kernel ?? 'reference');
  return { run, choice, trainer: trainerHere(kernel, await arrangeTrainingData(store, run, 1)) };
}

/** The example trained, on one thread and in a store of its own unless options say otherwise. */
export function trainedExample(
  words: RunWords = exampleWords,
  { dimensions, rows, ...options }: Size & Partial<LocalRunOptions> = {},
): Promise<TestRun> {
  return trainedOn(exampleSplits({ dimensions, rows }), lbarn, words, options);
}

/** Expects two networks of the same ordering, with the same trees in every bit. */
export function expectSameTrees(one: DensityModel, other: DensityModel): void {
  expect((one as Network).ordering).toEqual((other as Network).ordering);
  (one as Network).ensembles.forEach((ensemble, at) => {
    expect(equalEnsembles(ensemble, (other as Network).ensembles[at]!)).toBe(true);
  });
}
