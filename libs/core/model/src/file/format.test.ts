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
      const questions: string[] = [];
      const answers: Float64Array[] = [];
      const ask = (file: Uint8Array): void => {
        const path = join(folder, `${String(questions.length)}.msgpack`);
        writeFileSync(path, file);
        const network = Network.from(file);
        const { dimensions } = network;
        const matrix = randomMatrix(5, dimensions, 3);
        const values = toValues(matrix);
        const rows = Array.from({ length: 5 }, (_, row) => [
          ...values.subarray(row * dimensions, (row + 1) * dimensions),
        ]);
        questions.push(
          `data = open(${JSON.stringify(path)}, "rb").read()
print([log_likelihood(data, row) for row in ${JSON.stringify(rows)}])`,
        );
        answers.push(network.logLikelihood(matrix));
      };
      for (const dimensions of [1, 6, 300]) {
        const network = randomNetwork({ dimensions, trees: 4, leaves: 9, seed: dimensions });
        ask(network.toBytes());
        ask(new Network({ ...network, ensembles: network.ensembles.map(roundedEnsemble) }).toBytes());
      }
      ask(readFileSync(new URL('./network-v1.msgpack', import.meta.url)));
      const script = join(folder, 'reader.py');
      writeFileSync(script, [code, ...questions].join('\n'));
      const lines = execFileSync(command!, [script], { encoding: 'utf8' }).trimEnd().split('\n');
      expect(lines).toHaveLength(answers.length);
      lines.forEach((line, file) =>
        (JSON.parse(line) as number[]).forEach((value, row) => expect(value).toBeCloseTo(answers[file]![row]!, 9)),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
