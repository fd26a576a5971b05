import { expect, test } from 'vitest';
import { coresOf } from './cores.js';

const given = (files: Readonly<Record<string, string>>) => (path: string) => files[path] ?? null;
const second = '/sys/fs/cgroup/cpu.max';
const first = '/sys/fs/cgroup/cpu/cpu.cfs_';

test.each([
  ['nothing is said', {}, 64],
  ['there is no limit', { [second]: 'max 100000\n' }, 64],
  ['it has two cores', { [second]: '200000 100000\n' }, 2],
  ['it has two and a half', { [second]: '250000 100000\n' }, 2],
  ['it has half a core', { [second]: '50000 100000\n' }, 1],
  ['it has more than the machine', { [second]: '9900000 100000\n' }, 64],
  ['an older kernel limits it', { [`${first}quota_us`]: '300000\n', [`${first}period_us`]: '100000\n' }, 3],
  ['an older kernel does not', { [`${first}quota_us`]: '-1\n', [`${first}period_us`]: '100000\n' }, 64],
])('the cores of a container where %s', (_, files, cores) => {
  expect(coresOf(given(files), 64)).toBe(cores);
});
