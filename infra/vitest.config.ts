import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Sources are read without a build: the packages' `@orchard/source` export condition names their TypeScript. */
// "module" would reach Node too, and there it picks the AWS SDK's files for bundlers, which Node cannot load
const conditions = ['@orchard/source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

/** Takes minutes, in which the other system tests run beside it. */
const longest = 'test/packages/python.test.ts';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): number => Number(moduleId.endsWith(longest));
    return (await super.sort(files)).sort((a, b) => isLongest(b) - isLongest(a));
  }
}

/** Puts another module in the place of one of ours, which must not be there for the tests after it. */
const withItsOwnModules = 'test/cluster/releases.test.ts';

const systemTests = {
  include: ['test/**/*.test.ts'],
  globalSetup: 'test/servers/global-setup.mjs',
  // most of these files start clusters of their own, and wait for locks to expire and delays to pass more than they
  // compute: three at a time, whatever the number of cores, since some ask that a thing be done within seconds
  maxWorkers: 3,
  sequence: { groupOrder: 1 },
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    tags: [
      {
        name: 'nightly',
        description: 'takes long, and a faster test of its kind is not tagged: npm run nightly, not npm test',
      },
    ],
    projects: [
      {
        root,
        ssr: { resolve: { conditions } },
        test: {
          name: 'unit',
          include: ['libs/*/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts'],
          setupFiles: 'infra/kept-threads.ts',
          // modules are read once by each process, not once by each file of tests: they keep no state between them
          isolate: false,
          // one more than there are cores: some tests wait for a clock or a browser
          maxWorkers: availableParallelism() + 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        ssr: { resolve: { conditions } },
        test: { ...systemTests, name: 'system', exclude: ['**/node_modules/**', withItsOwnModules], isolate: false },
      },
      {
        root,
        ssr: { resolve: { conditions } },
        test: { ...systemTests, name: 'system-isolated', include: [withItsOwnModules] },
      },
    ],
  },
});
