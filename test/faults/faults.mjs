// npm run faults: all kinds of faults mixed, for as long as that, on real servers and processes; then hosts whose
// cables are pulled.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '../../infra/command-line.mjs';

const usage = `npm run faults [-- options]

  --outages     every refusal and outage one by one instead, on real servers behind proxies that inject (20 minutes)
  --minutes N   how long the mix lasts (2); hosts that are cut off follow, where network namespaces are allowed
  --seed N      of what happens when (7)`;

const given = readCommandLine('faults', usage, {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  outages: { type: 'boolean' },
});
const minutes = given.amount('minutes', { otherwise: 2 });
const seed = given.whole('seed', { otherwise: 7 });
const mix = ['test/faults/mixed.test.ts', 'test/faults/hosts.test.ts'];
const outages = [
  'test/cluster/refused-password.test.ts',
  'test/queue/refusals.test.ts',
  'test/storage',
  ...['refusals', 'redis', 'store', 'cut-off', 'disk'].map((name) => `test/faults/${name}.test.ts`),
  // what needs no server: the words of each refusal, and who waits for how long
  ...['s3-errors', 's3-endpoint', 'guarded-store'].map((name) => `libs/tasks/storage/src/${name}.test.ts`),
  ...['replies', 'redis-watch'].map((name) => `libs/cluster/queue/src/${name}.test.ts`),
  ...['repeated-errors', 'listening', 'tasks/standing', 'tasks/cores'].map(
    (name) => `libs/cluster/program/src/${name}.test.ts`,
  ),
  ...['attempts', 'notices'].map((name) => `libs/cluster/runs/src/${name}.test.ts`),
  'apps/coordinator/src/http/problem.test.ts',
];
const root = fileURLToPath(new URL('../..', import.meta.url));
const built = spawnSync(process.execPath, ['infra/setup.mjs', '--quiet'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const tests = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url)),
    ...['run', '--config', 'infra/vitest.config.ts', '--project', 'system', '--project', 'unit'],
    '--disableConsoleIntercept=true',
    ...(given.values.outages ? outages : mix),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    // a group of its own: ended alone, Vitest leaves the process that runs the tests, and that its servers
    detached: true,
    env: { ...process.env, ORCHARD_FAULT_MINUTES: String(minutes), ORCHARD_FAULT_SEED: String(seed) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.kill(-tests.pid, signal));
const [status] = await once(tests, 'exit');
process.exit(status ?? 1);
