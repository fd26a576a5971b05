import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { lacks } from '../../servers/needed.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Figures {
  readonly overhead: readonly {
    readonly set: string;
    readonly jobs: number;
    readonly wallRatio: number;
    readonly pairs: readonly { readonly there: { readonly rows: number; readonly seconds: number } }[];
  }[];
}

describe.skipIf(lacks('redis', 's3'))('npm run bench:cluster', () => {
  test(
    'runs mushrooms here and on a cluster, and reads from its store when that began and ended',
    { tags: 'nightly' },
    async () => {
      const options = '--only overhead --set mushrooms --quick --repeats 1 --data test/data --json'.split(' ');
      const { stdout } = await promisify(execFile)(process.execPath, ['test/benchmarks/cluster/main.mjs', ...options], {
        cwd: root,
      });
      const { overhead } = JSON.parse(stdout) as Figures;
      expect(overhead).toMatchObject([{ set: 'mushrooms', jobs: 226, pairs: [{ there: { rows: 2000 } }] }]);
      const [{ wallRatio, pairs }] = overhead as [Figures['overhead'][number]];
      expect(wallRatio).toBeGreaterThan(0);
      expect(pairs[0]!.there.seconds).toBeLessThan(300);
    },
  );
});
