import type { TrainedConditional } from '@orchard/logitboost';
import { packEnsemble, unpackEnsemble, validateEnsemble, type Ensemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import type { Line } from './line/line.js';
import type { TrainedVariable } from './train-variable.js';

/**
 * What a variable's task stores: 8 bytes of magic with the version, the SHA-256 of all behind it, and a msgpack map. A
 * checkpoint has the decisions so far, with their curves, instead of the figures.
 */
const MAGIC = Buffer.from('orchvar1', 'latin1');
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
>;

function packedLine({ intercept, decisions, ...line }: Line): PackedLine {
  const { coefficients, edges, gains, jumps } = line;
  return {
    intercept,
    decisions: Buffer.from(decisions),
    coefficients: bytesOf(coefficients),
    edges: bytesOf(edges),
    gains: bytesOf(gains),
    jumps: bytesOf(jumps),
  };
}

function unpackedLine({ intercept, decisions, coefficients, edges, gains, jumps }: PackedLine): Line {
  return {
    intercept,
    decisions: Uint8Array.from(decisions),
    coefficients: numbersOf(coefficients),
    edges: numbersOf(edges),
    gains: numbersOf(gains),
    jumps: numbersOf(jumps),
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

export function encodeDecisions(decisions: readonly TrainedConditional[]): Uint8Array {
  const curves = decisions.map(({ curves: { train, valid, test } }) =>
    [train, valid, test].map((curve) => curve && bytesOf(curve)),
  );
  return sealed({
    ...packedEnsembles(decisions.map(({ ensemble }) => ensemble)),
    position: decisions[0]?.position ?? 0,
    curves,
  });
}

/** @throws Refusal `damaged-artefact` */
export function decodeDecisions(bytes: Uint8Array, name: string): TrainedConditional[] {
  const content = opened(bytes, name) as Packed & { position: number; curves: (Uint8Array | null)[][] };
  return unpackedEnsembles(content, name, content.position).map((ensemble, index) => {
    const [train, valid, test] = content.curves[index]!;
    return {
      position: content.position,
      curves: { train: numbersOf(train!), valid: valid && numbersOf(valid), test: test ? numbersOf(test) : null },
      ensemble,
      finished: true,
    } as TrainedConditional;
  });
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

function sealed(content: unknown): Uint8Array {
  const packed = packr.pack(content);
  return Buffer.concat([MAGIC, createHash('sha256').update(packed).digest(), packed]);
}

function opened(bytes: Uint8Array, name: string): unknown {
  const packed = bytes.subarray(HEAD_BYTES);
  const isWhole =
    Buffer.compare(bytes.subarray(0, MAGIC.length), MAGIC) === 0 &&
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
