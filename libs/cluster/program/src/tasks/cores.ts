import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where the kernel says how much processor time a container has: control groups of version 2, and of version 1. */
const places = {
  quotaAndPeriod: '/sys/fs/cgroup/cpu.max',
  quota: '/sys/fs/cgroup/cpu/cpu.cfs_quota_us',
  period: '/sys/fs/cgroup/cpu/cpu.cfs_period_us',
} as const;

/**
 * Cores that this process may use: of the machine, or fewer where its container is limited. Node counts the machine's
 * until release 22, so that a container with two cores of 64 would start 64 threads.
 *
 * @param read a file's text; null where there is none
 */
export function coresOf(read: (path: string) => string | null = textOf, machine = availableParallelism()): number {
  const [quota, period] = limits(read).map(Number);
  // "max", -1 and nothing at all are no limit
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return machine;
  return Math.max(1, Math.min(machine, Math.floor(quota / period)));
}

function limits(read: (path: string) => string | null): readonly string[] {
  const both = read(places.quotaAndPeriod);
  if (both !== null) return both.trim().split(/\s+/);
  return [read(places.quota) ?? '', read(places.period) ?? ''];
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
