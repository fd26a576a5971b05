/** Hands a checkpoint on where it is time for one, and encodes no other. */
export type KeepCheckpoint = (encode: () => Uint8Array, round: number) => void;

/**
 * Checkpoints by the clock; none where none are wanted.
 *
 * @param seconds from one to the next, and to the first. @default 30
 */
export function checkpointsByClock(
  onCheckpoint: ((bytes: Uint8Array, round: number) => void) | undefined,
  seconds = 30,
): KeepCheckpoint {
  if (onCheckpoint === undefined) return () => undefined;
  let kept = performance.now();
  return (encode, round) => {
    if (performance.now() - kept < seconds * 1000) return;
    onCheckpoint(encode(), round);
    kept = performance.now();
  };
}
