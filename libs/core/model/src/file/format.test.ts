import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toValues } from '../port/binary-matrix.js';
import { Network } from '../network/network.js';
import { randomMatrix, randomNetwork } from '../network/random-network.suite.js';
import { roundedEnsemble } from '../network/rounded-ensemble.js';

/** A Python that has msgpack. */
function python(): string | null {
  for (const command of ['python3', 'python']) {
    try {
      execFileSync(command, ['-c', 'import msgpack'], { stdio: 'ignore' });
      return command;
    } catch {
      // try the next
    }
  }
  return null;
}

const command = python();

it.skipIf(command === null)(
  'the Python reader of FORMAT.md gives our likelihoods, of files of every version (skipped without python3 and msgpack)',
  () => {
    const format = readFileSync(new URL('../../FORMAT.md', import.meta.url), 'utf8');
    const code = [...format.matchAll(/```python\n([^]*?)```/g)].map(([, block]) => block!).join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'orchard-format-'));
    try {
      const path = join(folder, 'network.msgpack');
      const check = (file: Uint8Array): void => {
        writeFileSync(path, file);
        const network = Network.from(file);
        const { dimensions } = network;
        const matrix = randomMatrix(5, dimensions, 3);
        const values = toValues(matrix);
        const rows = Array.from({ length: 5 }, (_, row) => [
          ...values.subarray(row * dimensions, (row + 1) * dimensions),
        ]);
        const script = `${code}\ndata = open(${JSON.stringify(path)}, "rb").read()\nprint([log_likelihood(data, row) for row in ${JSON.stringify(rows)}])`;
        const printed = JSON.parse(execFileSync(command!, ['-c', script], { encoding: 'utf8' })) as number[];
        const ours = network.logLikelihood(matrix);
        printed.forEach((value, row) => expect(value).toBeCloseTo(ours[row]!, 9));
      };
      for (const dimensions of [1, 6, 300]) {
        const network = randomNetwork({ dimensions, trees: 4, leaves: 9, seed: dimensions });
        check(network.toBytes());
        check(new Network({ ...network, ensembles: network.ensembles.map(roundedEnsemble) }).toBytes());
      }
      check(readFileSync(new URL('./network-v1.msgpack', import.meta.url)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
