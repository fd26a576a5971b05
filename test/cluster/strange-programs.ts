import { fileURLToPath, pathToFileURL } from 'node:url';

const preloaded = (file: string): string => pathToFileURL(fileURLToPath(new URL(file, import.meta.url))).href;

/** Variables of a program that is not as the others are. */
export const strangePrograms = {
  /** Its clock is an hour ahead. */
  clockAhead: { NODE_OPTIONS: `--import ${preloaded('clock-ahead.mjs')}` },
  /** It computes with the numerics of the next release. */
  nextRelease: { NODE_OPTIONS: `--import ${preloaded('next-release.mjs')}` },
  /** Each result takes it three seconds to store, in a folder. */
  slowResults: { NODE_OPTIONS: `--import ${preloaded('slow-results.mjs')}` },
  /** At SIGUSR2 it runs out of memory. */
  outOfMemory: { NODE_OPTIONS: `--max-old-space-size=128 --import ${preloaded('out-of-memory.mjs')}` },
} as const;
