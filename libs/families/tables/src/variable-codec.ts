import type { TrainedConditional } from '@orchard/logitboost';
import { packEnsemble, unpackEnsemble, validateEnsemble, type Ensemble } from '@orchard/model';
import { Refusal } from '@orchard/refusal';
import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
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
export function encodeVariable({ ensembles, train, valid, test, leaves }: TrainedVariable): Uint8Array {
  return sealed({ ...packedEnsembles(ensembles), train, valid, test, ...(leaves !== undefined && { leaves }) });
}

/** @param predictors how many bits its trees may split on. @throws Refusal `damaged-artefact` */
export function decodeVariable(bytes: Uint8Array, name: string, predictors: number): TrainedVariable {
  const { train, valid, test, leaves, ...packed } = opened(bytes, name) as Packed & Omit<TrainedVariable, 'ensembles'>;
  return { ensembles: unpackedEnsembles(packed, name, predictors), train, valid, test, leaves };
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
    [train, valid, test].map((curve) => curve && Buffer.from(curve.buffer, curve.byteOffset, curve.byteLength)),
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
  const numbers = (curve: Uint8Array): Float64Array => new Float64Array(Uint8Array.from(curve).buffer);
  return unpackedEnsembles(content, name, content.position).map((ensemble, index) => {
    const [train, valid, test] = content.curves[index]!;
    return {
      position: content.position,
      curves: { train: numbers(train!), valid: valid && numbers(valid), test: test ? numbers(test) : null },
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
