import { setFlagsFromString } from 'node:v8';

/** How these releases of Node are asked to see more of a function before it is optimized; later ones do so anyway. */
const LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=400000',
  22: '--invocation-count-for-turbofan=20000',
};

/**
 * Most commands end within a second, of which a quarter went into optimizing what was run for milliseconds; of what a
 * program of the cluster does for its first short run, a seventh. What runs for long is optimized nearly as soon. Each
 * of these flags is one that its release knows; others are left as they are.
 */
export function optimizeLater(): void {
  const flag = LATER[process.versions.node.split('.')[0]!];
  if (flag !== undefined) setFlagsFromString(flag);
}
