import fc from 'fast-check';
import { expect, describe, it } from 'vitest';
import { loadKernel, TrainingData } from './index.js';
import { kernelOn, layoutExportedBy } from './kernel-module.js';
import { boost, oneHotMatrix, paperGrowth, randomMatrix, sampler } from './kernel.suite.js';

const MARK = 0xa5;

describe('the memory layout', () => {
  it('is the kernel’s: what it does not export is missed at once, not read from a wrong place', () => {
    const { layout, ...functions } = kernelOn(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }));
    const global = (value: number) => new WebAssembly.Global({ value: 'i32' }, value);
    const exports = Object.fromEntries(Object.entries(layout).map(([name, value]) => [name, global(value)]));
    expect(layoutExportedBy({ ...functions, ...exports })).toEqual(layout);
    for (const name of Object.keys(layout)) {
      const others = Object.fromEntries(Object.entries(exports).filter(([other]) => other !== name));
      expect(() => layoutExportedBy(others)).toThrow(new RegExp(`got no ${name} among .*npx nx build kernel`));
    }
  });

  it('holds all that the kernel writes: neither a neighbour’s workspace nor the shared rows are touched', async () => {
    const kernel = await loadKernel();
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(1e6),
          oneHot: fc.boolean(),
          rows: fc.integer({ min: 1, max: 300 }),
          dimensions: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 })),
          distinctShare: fc.constantFrom(0.02, 0.5, 1),
          heldOut: fc.integer({ min: 1, max: 90 }),
          leaves: fc.constantFrom(1, 2, 8, 64, 500),
          rowsPerTree: fc.constantFrom(undefined, 1, 40, 250),
        }),
        ({ seed, oneHot, rows, dimensions, distinctShare, heldOut, leaves, rowsPerTree }) => {
          const count = rows + 2 * heldOut;
          const distinct = Math.max(1, Math.floor(rows * distinctShare));
          const all = oneHot ? oneHotMatrix(seed, count, dimensions) : randomMatrix(seed, count, dimensions, distinct);
          const part = (from: number, length: number) => all.selectRows(Array.from({ length }, (_, row) => from + row));
          const splits = { train: part(0, rows), valid: part(rows, heldOut), test: part(rows + heldOut, heldOut) };
          const { handle } = TrainingData.arrange(splits, { threads: 3, leaves, rowsPerTree });
          const { workspaces, bytesPerThread } = handle.layout;
          const bytes = new Uint8Array(handle.memory.buffer);
          const before = bytes.slice(0, workspaces[0]);
          bytes.fill(MARK, workspaces[0]);
          const data = TrainingData.attach(handle, 1);
          const labels = Uint8Array.from({ length: count }, (_, row) => row % 3);
          for (const view of [data, data.pooled()]) {
            view.trainingOnesOf(dimensions);
            for (const target of [dimensions - 1, { predictors: dimensions, labels }]) {
              const own = rowsPerTree === undefined ? undefined : sampler(view, target, rowsPerTree);
              boost(kernel.conditional(view, target, paperGrowth(leaves), true), 3, undefined, undefined, own);
            }
          }
          expect(Buffer.compare(bytes.subarray(0, workspaces[0]), before)).toBe(0);
          const others = [
            bytes.subarray(workspaces[0], workspaces[1]),
            bytes.subarray(workspaces[1]! + bytesPerThread, bytes.length),
          ];
          for (const other of others) expect(other.every((byte) => byte === MARK)).toBe(true);
        },
      ),
      { numRuns: 60, seed: 20261122 },
    );
  });
});
