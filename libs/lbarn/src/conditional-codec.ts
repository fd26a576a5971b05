import type { TrainedConditional } from '@orchard/boosting';
import { packEnsemble, unpackEnsemble, validateEnsemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { createHash } from 'node:crypto';

/**
 * The artefact of one conditional: what training, a checkpoint or a refit stores.
 *
 * ```
 *  0  8 bytes  magic "orchcond"
 *  8  u32      format version
 * 12  u32      flags: 1 finished, 2 has a validation curve, 4 has a test curve
 * 16  u32      stored dimension
 * 20  u32      ordering position
 * 24  u32      points of each curve, rounds + 1
 * 28  u32      bytes of the ensemble
 * 32 16 bytes  first half of the SHA-256 of bytes 0..31 and the curves
 * 48 16 bytes  first half of the SHA-256 of the ensemble's bytes
 * 64 f64[]     curves: training, validation, test, those that there are
 *  …           the ensemble as msgpack, its columns as binary ({@link packEnsemble})
 * ```
 *
 * All numbers are little-endian. The curves stand at the head so that a selection reads them alone, by one ranged read
 * of `curvesReach` bytes; both parts are checked on reading. The same conditional gives the same bytes.
 */
export interface StoredCurves {
  readonly dimension: number;
  readonly position: number;
  readonly finished: boolean;
  /** Summed nats, rounds + 1 points, the one without trees first. */
  readonly train: Float64Array;
  readonly valid: Float64Array | null;
  readonly test: Float64Array | null;
}

export interface StoredConditional extends TrainedConditional {
  readonly dimension: number;
}

const magic = Buffer.from('orchcond', 'latin1');
const formatVersion = 2;
const headerBytes = 64;
const flag = { finished: 1, valid: 2, test: 4 } as const;

/** The most bytes from the start of an artefact that its curves can take. */
export function curvesReach(rounds: number): number {
  return headerBytes + 3 * 8 * (rounds + 1);
}

export function encodeConditional(conditional: StoredConditional): Uint8Array {
  const { train, valid, test } = conditional.curves;
  const curves = [train, valid, test].filter((curve) => curve !== null);
  const ensemble = packEnsemble(conditional.ensemble);
  const curvesEnd = headerBytes + curves.length * 8 * train.length;
  const bytes = new Uint8Array(curvesEnd + ensemble.length);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  const flags =
    (conditional.finished ? flag.finished : 0) | (valid === null ? 0 : flag.valid) | (test === null ? 0 : flag.test);
  [formatVersion, flags, conditional.dimension, conditional.position, train.length, ensemble.length].forEach(
    (number, field) => {
      view.setUint32(8 + 4 * field, number, true);
    },
  );
  let at = headerBytes;
  for (const curve of curves) {
    for (const point of curve) {
      view.setFloat64(at, point, true);
      at += 8;
    }
  }
  bytes.set(ensemble, curvesEnd);
  bytes.set(digest(bytes.subarray(0, 32), bytes.subarray(headerBytes, curvesEnd)), 32);
  bytes.set(digest(ensemble), 48);
  return bytes;
}

/**
 * The curves of an artefact, from its head: at least `curvesReach` bytes or all there are.
 *
 * @param name the artefact's, for the message
 * @throws Refusal `damaged-artefact`
 */
export function decodeCurves(head: Uint8Array, name: string): StoredCurves {
  return readHead(head, name).curves;
}

/** The whole artefact. @throws Refusal `damaged-artefact` */
export function decodeConditional(bytes: Uint8Array, name: string): StoredConditional {
  const { curves, curvesEnd, ensembleBytes } = readHead(bytes, name);
  if (bytes.length !== curvesEnd + ensembleBytes) {
    throw damaged(name, `${bytes.length} bytes`, `${curvesEnd + ensembleBytes} bytes, as its header says`);
  }
  const packed = bytes.subarray(curvesEnd);
  if (!sameBytes(digest(packed), bytes.subarray(48, headerBytes))) {
    throw damaged(name, 'an ensemble with another digest than in its header', 'the bytes that were written');
  }
  const trees = curves.train.length - 1;
  const ensemble = unpackEnsemble(packed, trees);
  if (ensemble === null) throw damaged(name, 'something else than an ensemble', `one of ${trees} trees, one a round`);
  try {
    validateEnsemble(ensemble, curves.position);
  } catch (cause) {
    throw damaged(name, 'trees that contradict each other', 'a valid ensemble', cause);
  }
  const { dimension, position, finished, train, valid, test } = curves;
  return { dimension, position, finished, curves: { train, valid, test }, ensemble };
}

function readHead(bytes: Uint8Array, name: string): { curves: StoredCurves; curvesEnd: number; ensembleBytes: number } {
  if (bytes.length < headerBytes || !sameBytes(bytes.subarray(0, magic.length), magic)) {
    throw damaged(name, `${bytes.length} bytes of something else`, 'a conditional');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (index: number): number => view.getUint32(8 + 4 * index, true);
  const flags = field(1);
  const points = field(4);
  if (field(0) !== formatVersion) throw damaged(name, `format version ${field(0)}`, `version ${formatVersion}`);
  const held = [true, (flags & flag.valid) !== 0, (flags & flag.test) !== 0];
  const curvesEnd = headerBytes + held.filter(Boolean).length * 8 * points;
  if (points < 1 || curvesEnd > bytes.length) {
    throw damaged(name, `curves of ${points} points in ${bytes.length} bytes`, 'curves that are all there');
  }
  if (!sameBytes(digest(bytes.subarray(0, 32), bytes.subarray(headerBytes, curvesEnd)), bytes.subarray(32, 48))) {
    throw damaged(name, 'curves with another digest than in the header', 'the bytes that were written');
  }
  let at = headerBytes;
  const [train, valid, test] = held.map((there) => {
    if (!there) return null;
    const curve = new Float64Array(points);
    for (let point = 0; point < points; point++, at += 8) curve[point] = view.getFloat64(at, true);
    return curve;
  });
  return {
    curves: {
      dimension: field(2),
      position: field(3),
      finished: (flags & flag.finished) !== 0,
      train: train!,
      valid: valid!,
      test: test!,
    },
    curvesEnd,
    ensembleBytes: field(5),
  };
}

function digest(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}

function sameBytes(first: Uint8Array, second: Uint8Array): boolean {
  return Buffer.compare(first, second) === 0;
}

function damaged(name: string, got: string, expected: string, cause?: unknown): Refusal {
  const remedy = 'Delete this artefact and run again: it is computed anew, to the same bytes.';
  return new Refusal('damaged-artefact', { got, expected, where: name, remedy }, { cause });
}
