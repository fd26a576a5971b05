import type { BitMatrix } from '@orchard/dataset';
import fc from 'fast-check';
import { expect, describe, it } from 'vitest';
import { decisionOf, loadKernel, TrainingData } from './index.js';
import { kernelOn, layoutExportedBy } from './kernel-module.js';
import { boost, oneHotMatrix, paperGrowth, randomMatrix, sampler } from './kernel.suite.js';
import { randomTable, someRows } from './random-table.suite.js';

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
          of: fc.constantFrom('bits', 'one-hot', 'table' as const),
          rows: fc.integer({ min: 1, max: 300 }),
          dimensions: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 })),
          distinctShare: fc.constantFrom(0.02, 0.5, 1),
          heldOut: fc.integer({ min: 1, max: 90 }),
          leaves: fc.constantFrom(1, 2, 8, 64, 500),
          rowsPerTree: fc.constantFrom(undefined, 1, 40, 250),
        }),
        ({ seed, of, rows, dimensions, distinctShare, heldOut, leaves, rowsPerTree }) => {
          const count = rows + 2 * heldOut;
          const distinct = Math.max(1, Math.floor(rows * distinctShare));
          const parts = [
            [0, rows],
            [rows, heldOut],
            [rows + heldOut, heldOut],
          ] as const;
          const matrix = (): BitMatrix =>
            of === 'bits' ? randomMatrix(seed, count, dimensions, distinct) : oneHotMatrix(seed, count, dimensions);
          const table = of === 'table' ? randomTable(seed, count, 1 + (dimensions % 30), 'bundled', distinct) : null;
          const all = table === null ? matrix() : null;
          const [train, valid, test] = parts.map(([from, length]) =>
            table === null
              ? all!.selectRows(Array.from({ length }, (_, row) => from + row))
              : someRows(table, from, length)!,
          );
          const splits = { train: train!, valid: valid!, test: test! };
          const { handle } = TrainingData.arrange(splits, { threads: 3, leaves, rowsPerTree });
          const { workspaces, bytesPerThread } = handle.layout;
          const bytes = new Uint8Array(handle.memory.buffer);
          const before = bytes.slice(0, workspaces[0]);
          // what fields mean is read before
          const data = TrainingData.attach(handle, 1);
          const views = [data, data.pooled()];
          bytes.fill(MARK, workspaces[0]);
          const labels = Uint8Array.from({ length: count }, (_, row) => row % 3);
          for (const view of views) {
            if (table === null) view.trainingOnesOf(dimensions);
            for (const target of [view.dimensions - 1, decisionOf(view.dimensions, labels)]) {
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
