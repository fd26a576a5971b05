import { hashOf } from '@orchard/model';
import { PipelineError } from '@orchard/pipeline';

const SEAL_BYTES = 32;

/** Bytes for the store, their SHA-256 behind them. */
export function sealed(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes.length + SEAL_BYTES);
  whole.set(bytes);
  whole.set(hashOf(bytes).digest(), bytes.length);
  return whole;
}

/**
 * What was sealed, as a buffer of its own.
 *
 * @param name of the artefact, for the message
 * @throws PipelineError `damaged-artefact`
 */
export function unsealed(whole: Uint8Array, name: string): ArrayBuffer {
  const bytes = whole.slice(0, Math.max(0, whole.length - SEAL_BYTES));
  if (hashOf(bytes).digest().equals(whole.subarray(bytes.length))) return bytes.buffer;
  throw new PipelineError('damaged-artefact', {
    got: 'bytes that do not fit their SHA-256',
    expected: 'the rows that were written',
    where: name,
    remedy: 'Repair the run (orchard repair): it is computed again, to the same bytes.',
  });
}
