/** One memory of the kernel, which a program has always been let have. */
const ONE_MEMORY = 2 ** 32;

/**
 * Bytes that the rows of a run may take in a program that trains here: three quarters of what the machine has free, or
 * what its container allows; and one memory of the kernel in any case, of which a run seldom touches all.
 */
export function roomHere(): number {
  return Math.max(ONE_MEMORY, Math.floor(0.75 * process.availableMemory()));
}

/** Of the bytes of a model's file, what a thread that opens it takes at most. */
export const TIMES_OPENED = 20;
