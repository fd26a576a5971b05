import type { TrainedConditional } from '@orchard/logitboost';
import { packEnsemble, unpackEnsemble, validateEnsemble, type Ensemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import type { Line } from './line/line.js';
import type { TrainedVariable } from './train-variable.js';
import type { DoneOfVariable } from './variable-work.js';

/**
 * What a variable's task stores: 8 bytes of magic with the version, the SHA-256 of all behind it, and a msgpack map.
 */
const MAGIC = Buffer.from('orchvar1', 'latin1');
/**
 * Of checkpoints. Those of earlier releases, which hold decisions alone, have the magic of variables: either release
 * calls the other's damaged and begins the variable anew.
 */
const CHECKPOINT_MAGIC = Buffer.from('orchvck1', 'latin1');
/**
 * Of checkpoints with refits. They are numbered by their rounds, among which those of refits count since 2026-11-30: by
 * the numbers of earlier releases these would be of other work, so that those releases call them damaged and begin the
 * variable anew.
 */
const REFIT_MAGIC = Buffer.from('orchvck2', 'latin1');
const HEAD_BYTES = MAGIC.length + 32;
const packr = new Packr({ useRecords: false, variableMapSize: true });

interface Packed {
  readonly trees: readonly number[];
  readonly ensembles: readonly Uint8Array[];
}

/** The same variable gives the same bytes. */
export function encodeVariable({ ensembles, train, valid, test, leaves, line }: TrainedVariable): Uint8Array {
  return sealed({
    ...packedEnsembles(ensembles),
    train,
    valid,
    test,
    ...(leaves !== undefined && { leaves }),
    ...(line !== null && { line: packedLine(line) }),
  });
}

/** @param predictors how many bits its trees may split on. @throws Refusal `damaged-artefact` */
export function decodeVariable(bytes: Uint8Array, name: string, predictors: number): TrainedVariable {
  const content = opened(bytes, name) as Packed &
    Omit<TrainedVariable, 'ensembles' | 'line'> & { readonly line?: PackedLine };
  const { train, valid, test, leaves, line, ...packed } = content;
  return {
    ensembles: unpackedEnsembles(packed, name, predictors),
    train,
    valid,
    test,
    leaves,
    line: line === undefined ? null : unpackedLine(line),
  };
}

type PackedLine = { readonly intercept: number; readonly decisions: Uint8Array } & Readonly<
  Record<'coefficients' | 'edges' | 'gains' | 'jumps', Uint8Array>
> &
  Readonly<Partial<Record<'slopes' | 'steps' | 'curvatures', Uint8Array>>> & { readonly pairs?: Line['pairs'] };

function packedLine({ intercept, decisions, ...line }: Line): PackedLine {
  const { coefficients, edges, gains, jumps, slopes, steps, pairs, curvatures } = line;
  return {
    intercept,
    decisions: Buffer.from(decisions),
    coefficients: bytesOf(coefficients),
    edges: bytesOf(edges),
    gains: bytesOf(gains),
    jumps: bytesOf(jumps),
    slopes: bytesOf(slopes),
    steps: bytesOf(steps),
    ...(pairs.length > 0 && { pairs, curvatures: bytesOf(curvatures) }),
  };
}

/** Of earlier releases, which knew scores alone, numbers count nothing. */
function unpackedLine({ intercept, decisions, slopes, steps, pairs, curvatures, ...line }: PackedLine): Line {
  const { coefficients, edges, gains, jumps } = line;
  const own = { gains: numbersOf(gains), jumps: numbersOf(jumps) };
  return {
    intercept,
    decisions: Uint8Array.from(decisions),
    coefficients: numbersOf(coefficients),
    edges: numbersOf(edges),
    ...own,
    slopes: slopes === undefined ? new Float64Array(own.gains.length) : numbersOf(slopes),
    steps: steps === undefined ? new Float64Array(own.jumps.length) : numbersOf(steps),
    pairs: pairs ?? [],
    curvatures: curvatures === undefined ? new Float64Array(0) : numbersOf(curvatures),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function numbersOf(bytes: Uint8Array): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

/**
 * What its validation rows were given, in summed nats, without its trees being looked at.
 *
 * @throws Refusal `damaged-artefact`
 */
export function validNatsOf(bytes: Uint8Array, name: string): number {
  return (opened(bytes, name) as Pick<TrainedVariable, 'valid'>).valid;
}

/** A checkpoint: the same work gives the same bytes. */
export function encodeDone({ trials, decisions, finished, begun, refit }: DoneOfVariable): Uint8Array {
  const trained = [...decisions, ...(begun === null ? [] : [begun]), ...(refit === null ? [] : [refit])];
  return sealed(
    {
      ...packedEnsembles(trained.map(({ ensemble }) => ensemble)),
      position: trained[0]?.position ?? 0,
      curves: trained.map(({ curves: { train, valid, test } }) =>
        [train, valid, test].map((curve) => curve && bytesOf(curve)),
      ),
      isLastBegun: begun !== null,
      trials: trials.map(bytesOf),
      finished: packedEnsembles(finished.map(({ ensemble }) => ensemble)),
      tests: finished.map(({ test }) => test),
      ...(refit !== null && { isLastRefit: true }),
    },
    finished.length === 0 && refit === null ? CHECKPOINT_MAGIC : REFIT_MAGIC,
  );
}

/** @throws Refusal `damaged-artefact` */
export function decodeDone(bytes: Uint8Array, name: string): DoneOfVariable {
  const hasRefits = Buffer.compare(bytes.subarray(0, REFIT_MAGIC.length), REFIT_MAGIC) === 0;
  // earlier releases gave those with refits the first magic too
  const content = opened(bytes, name, hasRefits ? REFIT_MAGIC : CHECKPOINT_MAGIC) as PackedDone;
  const { position, isLastBegun, isLastRefit = false, tests } = content;
  const isLastOpen = isLastBegun || isLastRefit;
  const trained = unpackedEnsembles(content, name, position).map((ensemble, index): TrainedConditional => {
    const [train, valid, test] = content.curves[index]!.map((curve) => curve && numbersOf(curve));
    const isOpen = isLastOpen && index === content.curves.length - 1;
    return { position, curves: { train: train!, valid: valid!, test: test! }, ensemble, finished: !isOpen };
  });
  return {
    trials: content.trials.map(numbersOf),
    decisions: isLastOpen ? trained.slice(0, -1) : trained,
    finished: unpackedEnsembles(content.finished, name, position).map((ensemble, index) => ({
      ensemble,
      test: tests[index]!,
    })),
    begun: isLastBegun ? trained.at(-1)! : null,
    refit: isLastRefit ? trained.at(-1)! : null,
  };
}

interface PackedDone extends Packed {
  readonly position: number;
  readonly curves: readonly (Uint8Array | null)[][];
  readonly isLastBegun: boolean;
  /** Since 2026-11-30. */
  readonly isLastRefit?: boolean;
  readonly trials: readonly Uint8Array[];
  readonly finished: Packed;
  readonly tests: readonly (number | null)[];
}

function packedEnsembles(ensembles: readonly Ensemble[]): Packed {
  return { trees: ensembles.map(({ leafCounts }) => leafCounts.length), ensembles: ensembles.map(packEnsemble) };
}

function unpackedEnsembles({ trees, ensembles }: Packed, name: string, predictors: number): Ensemble[] {
  return ensembles.map((packed, index) => {
    const ensemble = unpackEnsemble(packed, trees[index]!);
    if (ensemble === null) throw damaged(name, 'something else than an ensemble');
    try {
      validateEnsemble(ensemble, predictors);
    } catch (cause) {
      throw damaged(name, 'trees that contradict each other', cause);
    }
    return ensemble;
  });
}

function sealed(content: unknown, magic = MAGIC): Uint8Array {
  const packed = packr.pack(content);
  return Buffer.concat([magic, createHash('sha256').update(packed).digest(), packed]);
}

function opened(bytes: Uint8Array, name: string, magic = MAGIC): unknown {
  const packed = bytes.subarray(HEAD_BYTES);
  const isWhole =
    Buffer.compare(bytes.subarray(0, magic.length), magic) === 0 &&
    Buffer.compare(bytes.subarray(MAGIC.length, HEAD_BYTES), createHash('sha256').update(packed).digest()) === 0;
  if (!isWhole) throw damaged(name, `${String(bytes.length)} bytes that do not fit their SHA-256`);
  return packr.unpack(packed);
}

function damaged(name: string, got: string, cause?: unknown): Refusal {
  const remedy = 'Delete this artefact and run again: it is computed anew, to the same bytes.';
  return new Refusal(
    'damaged-artefact',
    { got, expected: 'the bytes that were written', where: name, remedy },
    { cause },
  );
}
