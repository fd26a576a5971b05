import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Sources are read without a build: the packages' `@orchard/source` export condition names their TypeScript. */
// "module" would reach Node too, and there it picks the AWS SDK's files for bundlers, which Node cannot load
const conditions = ['@orchard/source', ...defaultServerConditions.filter((condition) => condition !== 'module')];

/**
 * Those that take longest by themselves, the longest first: a file that begins last has to be short, or the machine waits
 * for it alone. Of the system tests those that compute and those that wait for clocks and clusters take turns, so that
 * what is left of the cores by one is taken by another. All others come after them. From the times of a run of
 * `.ci/run`; it may be out of date and does no harm.
 */
const longest = [
  'test/packages/python-estimators.test.ts',
  'test/packages/python-questions.test.ts',
  'test/api/team.test.ts',
  'test/packages/python-models.test.ts',
  'test/cluster/answers.test.ts',
  'test/cluster/families.test.ts',
  'test/api/cluster-command.test.ts',
  'test/packages/python.test.ts',
  'test/faults/damage.test.ts',
  'test/cli/golden-path.test.ts',
  'test/faults/cancel.test.ts',
  'test/packages/command-line.test.ts',
  'test/queue/refusals.test.ts',
  'test/cli/demo-and-oracles.test.ts',
  'test/faults/cut-off.test.ts',
  'test/dashboard/page.test.ts',
  'test/cluster/releases.test.ts',
  'test/packages/model.test.ts',
  'test/documentation/model-format.test.ts',
  'test/cluster/by-reference.test.ts',
  'test/api/whole-run.test.ts',
  'test/faults/redis.test.ts',
  'test/cli/development-commands.test.ts',
  'test/faults/refusals.test.ts',
  'test/documentation/readme.test.ts',
  'test/api/damaged-objects.test.ts',
  'test/documentation/tutorials.test.ts',
  'test/cluster/waits.test.ts',
  'test/cli/online.test.ts',
  'test/api/tables.test.ts',
  'test/queue/deaths.test.ts',
  'test/cluster/whole-run.test.ts',
  'test/cli/files.test.ts',
  'test/faults/workers.test.ts',
  'test/dashboard/serve.test.ts',
  'test/api/audit.test.ts',
  'test/telemetry/observed-run.test.ts',
  'test/faults/preempted.test.ts',
  'test/cluster/refused-password.test.ts',
  'test/servers/servers.test.ts',
  'test/faults/store.test.ts',
  'test/cli/habits.test.ts',
  'test/cluster/variants.test.ts',
  'test/cluster/memory.test.ts',
  'libs/families/tables/src/run-tables.test.ts',
  'libs/families/lbarn/src/family.test.ts',
  'apps/cli/src/commands/complete/fills.test.ts',
  'apps/cli/src/commands/evaluate/outliers.test.ts',
  'apps/cli/src/mcp/mcp.test.ts',
  'libs/families/lbarn/src/run/variants.test.ts',
  'apps/cli/src/commands/complete/batches.test.ts',
  'apps/cli/src/commands/compare-models/compare-models.test.ts',
  'apps/cli/src/commands/every-answer.test.ts',
  'libs/families/lbarn/src/members/members.test.ts',
  'apps/cli/src/commands/complete/fill-under-rules.test.ts',
  'libs/families/sparn/src/refit.test.ts',
  'libs/tasks/report/src/browser.test.ts',
  'libs/families/lbarn/src/tuning/tuning.test.ts',
  'libs/core/kernel/src/kernel.test.ts',
  'libs/core/dataset/src/reading/open-rows.test.ts',
  'libs/core/dataset/src/table/write-table.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

/**
 * A test waits for the fact, however busy the machine is: only one that never comes takes so long. `expect.poll` gives up
 * before its test does, so that it says what it saw.
 */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 150_000 } } };

/** Puts another module in the place of one of ours, which must not be there for the tests after it. */
const withItsOwnModules = 'test/cluster/releases.test.ts';

const systemTests = {
  include: ['test/**/*.test.ts'],
  globalSetup: 'test/servers/global-setup.mjs',
  // most of these files start clusters of their own, and wait for locks to expire and delays to pass more than they
  // compute: four at a time, whatever the number of cores, since some ask that a thing be done within seconds
  maxWorkers: 4,
  sequence: { groupOrder: 1 },
  ...patience,
};

/**
 * Sources are transformed once for unit and system tests, not by each project anew. The folder is that of one run: names
 * may lead to other files by the next.
 */
const transformed = mkdtempSync(join(tmpdir(), 'orchard-transformed-'));
process.once('exit', () => rmSync(transformed, { recursive: true, force: true }));

export default defineConfig({
  root,
  test: {
    experimental: { fsModuleCache: true, fsModuleCachePath: transformed },
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
          ...patience,
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
