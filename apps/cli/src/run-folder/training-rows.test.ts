import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BitMatrix } from '@orchard/dataset';
import { beforeAll, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';
import { TrainingRowsFinder, trainingRowsBeside } from './training-rows.js';

const folder = temporaryFolder();
const network = join(folder, 'run', 'network.msgpack');
let trained: BitMatrix;

beforeAll(async () => {
  const rows = Array.from({ length: 60 }, (_, row) => [1, 2, 3, 4].map((bit) => (row >> bit) & 1));
  writeFileSync(join(folder, 'bits.csv'), `a,b,c,d\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  const run = await orchard(
    ...argv`train ${join(folder, 'bits.csv')} --model marginals --no-report --quiet --out ${join(folder, 'run')}`,
  );
  expect(run.code).toBe(0);
  trained = (await trainingRowsBeside(network))!;
}, 60_000);

/** Whether they are all met in these parts, by pieces of so many training rows. */
async function isMet(parts: readonly BitMatrix[], rowsOfPiece: number): Promise<boolean> {
  const finder = await TrainingRowsFinder.beside(network, rowsOfPiece * trained.stride);
  for (const part of parts) await finder!.see(part);
  return finder!.hasMetAll;
}

const places = (): number[] => Array.from({ length: trained.rows }, (_, row) => row);

it.each([1, 7, 1000])('training rows are met in their order, read by %i at a time', async (rowsOfPiece) => {
  const halves = [trained.sliceRows(0, 20), trained.sliceRows(20, trained.rows)];
  expect(await isMet([trained], rowsOfPiece)).toBe(true);
  expect(await isMet(halves, rowsOfPiece)).toBe(true);
  const withOthers = trained.selectRows(places().flatMap((row) => [(row + 5) % trained.rows, row]));
  expect(await isMet([withOthers], rowsOfPiece)).toBe(true);
  expect(await isMet([trained.selectRows(places().reverse())], rowsOfPiece)).toBe(false);
  expect(await isMet([halves[0]!], rowsOfPiece)).toBe(false);
  expect(await isMet([halves[0]!, BitMatrix.fromRows(['0101'])], rowsOfPiece)).toBe(false);
});

it('copies of a row that stand together are met by one of them, also where a piece ends among them', async () => {
  const equal = places().filter((row) => row === 0 || !isAsBefore(row));
  expect(equal.length).toBeLessThan(trained.rows);
  for (const rowsOfPiece of [1, 2, 3]) expect(await isMet([trained.selectRows(equal)], rowsOfPiece)).toBe(true);

  function isAsBefore(row: number): boolean {
    return [0, 1, 2, 3].every((dim) => trained.get(row, dim) === trained.get(row - 1, dim));
  }
});

it('a run with test rows is not said to need some', async () => {
  const [file, out] = [join(folder, 'bits.csv'), join(folder, 'tested')];
  await orchard(...argv`train ${file} --model marginals --no-report --quiet --test-fraction 0.1 --out ${out}`);
  const tested = await orchard('evaluate', out, file);
  expect(tested.stderr).toContain('Give others, or see what `orchard inspect` says of the 6 test rows of its run.');
  const { stderr } = await orchard('evaluate', join(folder, 'run'), file);
  expect(stderr).toContain('Give others, or train with --test-fraction 0.1 for figures of rows that it never saw.');
});

it('where the run has lost its training rows meanwhile they are not met, and nothing fails', async () => {
  const finder = await TrainingRowsFinder.beside(network, trained.stride);
  rmSync(join(folder, 'run', 'store', 'datasets'), { recursive: true });
  await finder!.see(trained);
  expect(finder!.hasMetAll).toBe(false);
  expect(await TrainingRowsFinder.beside(network)).toBe(null);
});
