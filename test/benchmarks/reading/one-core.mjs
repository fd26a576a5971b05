// What both comparisons share: programs on one core, and the same random numbers on every machine.
import { spawnSync } from 'node:child_process';

/** The words that start a program on the first core, where the system has them. */
export const onOneCore = spawnSync('taskset', ['-c', '0', 'true']).status === 0 ? ['taskset', '-c', '0'] : [];

export function isPinned() {
  return onOneCore.length > 0;
}

/** Numbers from 0 to 1: a xorshift generator. */
export function uniforms() {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
