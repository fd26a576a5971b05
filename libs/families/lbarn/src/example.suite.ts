import type { NetworkChoice, RunSpecification, RunWords } from '@orchard/contracts';
import { BitMatrix } from '@orchard/dataset';
import { loadKernel, type Kernel } from '@orchard/kernel';
import { randomBits } from '@orchard/numerics';
import { FilesystemStore, listAll, type ObjectStore } from '@orchard/storage';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createRun, registerDataset, type ResolvedRun } from '@orchard/pipeline';
import { lbarnRun, type LbarnRun } from './run/lbarn-run.js';
import { resolveRun } from './run/resolve-run.js';
import { trainerHere, type Trainer } from './training/trainer.js';
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

/** A store in a folder that goes with the test. */
export async function temporaryStore(): Promise<{ store: FilesystemStore; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'orchard-pipeline-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { store: await FilesystemStore.open(folder), folder };
}

export const exampleWords: RunWords = {
  preset: 'default',
  leaves: 4,
  rounds: 12,
  patience: 4,
  featureFraction: 0.6,
  seed: 5,
};

export async function registerExample(
  store: ObjectStore,
  { words = exampleWords, dimensions = 9, rows = 120 }: { words?: RunWords; dimensions?: number; rows?: number } = {},
): Promise<ResolvedRun<RunSpecification, NetworkChoice>> {
  return resolveRun(words, {
    train: await registerDataset(store, dependentRows(rows, dimensions, 1)),
    valid: await registerDataset(store, dependentRows(rows >> 1, dimensions, 2)),
    test: await registerDataset(store, dependentRows(rows >> 1, dimensions, 3)),
  });
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

/** Every object of a store and the SHA-256 of its bytes. */
export async function contentOf(store: ObjectStore): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for await (const { name } of listAll(store, '')) {
    content[name] = createHash('sha256')
      .update(await store.get(name))
      .digest('hex');
  }
  return content;
}
