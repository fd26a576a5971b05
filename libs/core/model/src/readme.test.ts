import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as model from './index.js';
import { randomNetwork } from './network/random-network.suite.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

it('the example of the README runs as it stands, in ten lines', () => {
  const code = /```ts\n([^]*?)```/.exec(read('../README.md'))![1]!;
  expect(
    code
      .trim()
      .split('\n')
      .filter((line) => line !== '').length,
  ).toBeLessThanOrEqual(10);
  const body = code.replace(/^import .*$/gm, '');
  const folder = mkdtempSync(join(tmpdir(), 'orchard-readme-'));
  try {
    const path = join(folder, 'network.msgpack');
    writeFileSync(path, randomNetwork({ dimensions: 4, trees: 5, leaves: 3, seed: 1 }).toBytes());
    const printed: unknown[][] = [];
    const run = new Function('readFileSync', 'Network', 'toValues', 'console', body) as (...scope: unknown[]) => void;
    run(() => readFileSync(path), model.Network, model.toValues, {
      log: (...values: unknown[]) => printed.push(values),
    });
    expect(printed.map(([, value]) => (value as ArrayLike<number>).length)).toEqual([2, 4, 12, 8, 4]);
    const completed = printed[3]![1] as Uint8Array;
    expect([completed[0], completed[1], completed[7]]).toEqual([0, 1, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
