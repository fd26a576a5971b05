import type { DropoutOptions, TrainedConditional } from '@orchard/logitboost';
import { packEnsemble, unpackEnsemble, validateEnsemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { createHash } from 'node:crypto';

/**
 * The artefact of one conditional: what training, a checkpoint or a refit stores.
 *
 * ```
 *  0  8 bytes  magic "orchcond"
 *  8  u32      format version
 * 12  u32      flags: 1 finished, 2 has a validation curve, 4 has a test curve, 8 has a logistic start,
 *             16 is a single tree, 32 leaves trees out (dropout), 64 has a start by exclusive columns
 * 16  u32      stored dimension
 * 20  u32      ordering position
 * 24  u32      points of each curve, rounds + 1
 * 28  u32      bytes of the ensemble
 * 32 16 bytes  first half of the SHA-256 of bytes 0..31 and all up to the ensemble
 * 48 16 bytes  first half of the SHA-256 of the ensemble's bytes
 * 64 f64[]     curves: training, validation, test, those that there are
 *  …           where 8: f64 λ, where 16: f64 the pseudocount, where 64: f64 the chance
 *             that they are wrong; where any of these: u32 trees of the ensemble, u32 0
 *  …           where 32: f64 chance of a tree to be left out, f64 shrinkage, f64 seed
 *  …           the ensemble as msgpack, its columns as binary ({@link packEnsemble})
 * ```
 *
 * Without 8, 16 and 64 the ensemble has a tree a round; with 8 or 64 those of the start come before them. With 16 the
 * rounds are the splits of one tree, and the ensemble holds its counts (single-tree.ts of `@orchard/logitboost`); with
 * 32 it holds the unweighted factors of its rounds' trees (dropout.ts there). All numbers are little-endian. The curves
 * stand at the head so that a selection reads them alone, by one ranged read of `curvesReach` bytes; both parts are
 * checked on reading. The same conditional gives the same bytes.
 */
export interface StoredCurves {
  readonly dimension: number;
  readonly position: number;
  readonly finished: boolean;
  /**
   * λ of a logistic start, the pseudocount of a single tree, or the chance of a start by exclusive columns, with the
   * trees of the ensemble; without any of them they are the rounds.
   */
  readonly variant?: { readonly of: VariantKind; readonly value: number; readonly trees: number };
  /** How rounds left trees out, where they did. */
  readonly dropout?: DropoutOptions;
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
const flag = { finished: 1, valid: 2, test: 4, start: 8, single: 16, dropout: 32, exclusive: 64 } as const;
const variantKinds = ['start', 'single', 'exclusive'] as const satisfies readonly VariantKind[];
const variantBytes = 16;
const dropoutBytes = 24;

type VariantKind = 'start' | 'single' | 'exclusive';

/** The most bytes from the beginning of an artefact that its curves can take, and what is said with them. */
export function curvesReach(rounds: number): number {
  return headerBytes + 3 * 8 * (rounds + 1) + variantBytes + dropoutBytes;
}

export function encodeConditional(conditional: StoredConditional): Uint8Array {
  const { train, valid, test } = conditional.curves;
  const curves = [train, valid, test].filter((curve) => curve !== null);
  const ensemble = packEnsemble(conditional.ensemble);
  const { startPenalty, pseudoCount, exclusiveChance, dropout } = conditional;
  const value = startPenalty ?? pseudoCount ?? exclusiveChance;
  const curvesEnd =
    headerBytes +
    curves.length * 8 * train.length +
    (value === undefined ? 0 : variantBytes) +
    (dropout === undefined ? 0 : dropoutBytes);
  const bytes = new Uint8Array(curvesEnd + ensemble.length);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  const flags =
    (conditional.finished ? flag.finished : 0) |
    (valid === null ? 0 : flag.valid) |
    (test === null ? 0 : flag.test) |
    (startPenalty === undefined ? 0 : flag.start) |
    (pseudoCount === undefined ? 0 : flag.single) |
    (exclusiveChance === undefined ? 0 : flag.exclusive) |
    (dropout === undefined ? 0 : flag.dropout);
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
  if (value !== undefined) {
    view.setFloat64(at, value, true);
    view.setUint32(at + 8, conditional.ensemble.leafCounts.length, true);
    at += variantBytes;
  }
  if (dropout !== undefined) {
    const { rate, shrinkage, seed } = dropout;
    [rate, shrinkage, seed].forEach((number, field) => {
      view.setFloat64(at + 8 * field, number, true);
    });
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
  const { variant } = curves;
  const trees = variant?.trees ?? curves.train.length - 1;
  const ensemble = unpackEnsemble(packed, trees);
  if (ensemble === null) throw damaged(name, 'something else than an ensemble', `one of ${trees} trees`);
  try {
    validateEnsemble(ensemble, curves.position);
  } catch (cause) {
    throw damaged(name, 'trees that contradict each other', 'a valid ensemble', cause);
  }
  const { dimension, position, finished, train, valid, test, dropout } = curves;
  return {
    dimension,
    position,
    finished,
    curves: { train, valid, test },
    ensemble,
    ...(variant?.of === 'start' && { startPenalty: variant.value }),
    ...(variant?.of === 'single' && { pseudoCount: variant.value }),
    ...(variant?.of === 'exclusive' && { exclusiveChance: variant.value }),
    ...(dropout !== undefined && { dropout }),
  };
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
  const of = variantKinds.find((kind) => (flags & flag[kind]) !== 0) ?? null;
  const isDropped = (flags & flag.dropout) !== 0;
  const curvesEnd =
    headerBytes +
    held.filter(Boolean).length * 8 * points +
    (of === null ? 0 : variantBytes) +
    (isDropped ? dropoutBytes : 0);
  if (points < 1 || curvesEnd > bytes.length) {
    throw damaged(name, `curves of ${points} points in ${bytes.length} bytes`, 'curves that are all there');
  }
  if (!sameBytes(digest(bytes.subarray(0, 32), bytes.subarray(headerBytes, curvesEnd)), bytes.subarray(32, 48))) {
    throw damaged(name, 'curves with another digest than in the header', 'the bytes that were written');
  }
  let at = headerBytes;
  // one array for all of them: a selection holds the curves of every dimension
  const numbers = new Float64Array(held.filter(Boolean).length * points);
  for (let index = 0; index < numbers.length; index++, at += 8) numbers[index] = view.getFloat64(at, true);
  let taken = 0;
  const [train, valid, test] = held.map((there) => {
    if (!there) return null;
    taken += points;
    return numbers.subarray(taken - points, taken);
  });
  const variant = of && { of, value: view.getFloat64(at, true), trees: view.getUint32(at + 8, true) };
  const dropoutAt = at + (of === null ? 0 : variantBytes);
  const [rate, shrinkage, seed] = isDropped ? [0, 8, 16].map((field) => view.getFloat64(dropoutAt + field, true)) : [];
  return {
    curves: {
      ...(variant !== null && { variant }),
      ...(isDropped && { dropout: { rate: rate!, shrinkage: shrinkage!, seed: seed! } }),
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
