// npm run faults -- [--minutes N] [--seed S]: all kinds of faults mixed, for as long as that, on real servers and processes.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, seed: { type: 'string', default: '7' } },
});
for (const [name, value] of Object.entries(values)) {
  if (Number.isFinite(Number(value)) && Number(value) >= 0) continue;
  console.error(`Got --${name} ${value}, expected a number. For example: npm run faults -- --minutes 20 --seed 7`);
  process.exit(2);
}
const root = fileURLToPath(new URL('../..', import.meta.url));
const built = spawnSync(process.execPath, ['infra/setup.mjs', '--quiet'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);
const { status } = spawnSync(
  'npx',
  [
    ...['vitest', 'run', '--config', 'infra/vitest.config.ts', '--project', 'system', '--disableConsoleIntercept=true'],
    'test/faults/mixed.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ORCHARD_FAULT_MINUTES: values.minutes, ORCHARD_FAULT_SEED: values.seed },
  },
);
process.exit(status ?? 1);
