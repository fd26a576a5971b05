import { toValues } from '@orchard/model';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { randomMatrix, randomNetwork } from '@orchard/model/conformance/networks';
import { mixtureOf } from './index.js';

const format = readFileSync(new URL('../FORMAT.md', import.meta.url), 'utf8');
const code = /```python\n([^]*?)```/.exec(format)![1]!;

const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['-c', 'import msgpack'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it('the Python reader of FORMAT.md has at most thirty lines', () => {
  expect(
    code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import')).length,
  ).toBeLessThanOrEqual(30);
});

it.skipIf(!hasPython)('and gives our likelihoods (skipped without python3 and msgpack)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchard-format-'));
  try {
    const path = join(folder, 'network.msgpack');
    for (const dimensions of [1, 6, 300]) {
      const members = [1, 2, 3].map((seed) => randomNetwork({ dimensions, trees: 4, leaves: 9, seed }));
      const { specification, likelihoods } = members[0]!;
      const weights = Float64Array.of(0.5, 0.375, 0.125);
      const mixture = mixtureOf({ members, weights, specification, likelihoods });
      const matrix = randomMatrix(5, dimensions, 3);
      const values = toValues(matrix);
      const rows = [0, 1, 2, 3, 4].map((row) => [...values.subarray(row * dimensions, (row + 1) * dimensions)]);
      for (const model of [mixture, members[1]!]) {
        writeFileSync(path, model.toBytes());
        const asked = `[log_likelihood(read(open(${JSON.stringify(path)}, "rb").read()), row) for row in ${JSON.stringify(rows)}]`;
        const printed = execFileSync('python3', ['-c', `${code}\nprint(${asked})`], { encoding: 'utf8' });
        const ours = model.logLikelihood(matrix);
        (JSON.parse(printed) as number[]).forEach((value, row) => expect(value).toBeCloseTo(ours[row]!, 9));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
