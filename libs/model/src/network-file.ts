import { Packr, Unpackr } from 'msgpackr';
import type { Ensemble } from './ensemble.js';
import { ModelError } from './errors.js';
import { packFloats, packIntegers, unpackFloats, unpackIntegers, widthOf } from './little-endian.js';
import { MAXIMUM_DIMENSIONS, type Likelihoods, type NetworkParts } from './network-parts.js';
import { checkPlainMsgpack } from './plain-msgpack.js';
import type { JsonValue } from './specification.js';

export const MAGIC = 'orchard network';
export const FORMAT_VERSION = 1;

const KEYS = [
  'magic',
  'version',
  'dimensions',
  'ordering',
  'names',
  'shape',
  'specification',
  'likelihoods',
  'startOdds',
  'treeCounts',
  'splitCounts',
  'splitLeaf',
  'splitPredictor',
  'splitGain',
  'leafFactor',
] as const;

/** Plain msgpack with the shortest headers: no records, no extensions, doubles as doubles. */
const OPTIONS = { useRecords: false, variableMapSize: true, moreTypes: false, structuredClone: false } as const;

/** An array of the file, in the pieces that the conditionals hold. */
class Column {
  constructor(
    readonly byteLength: number,
    /** Bytes as they lie in the file, one after another. */
    readonly pieces: () => Iterable<Uint8Array>,
  ) {}

  static ofIntegers(arrays: readonly Uint32Array[]): Column {
    const width = widthOf(arrays);
    return new Column(width * lengthOf(arrays), function* () {
      for (const array of arrays) yield packIntegers(array, width);
    });
  }

  static ofFloats(arrays: readonly Float64Array[]): Column {
    return new Column(8 * lengthOf(arrays), function* () {
      for (const array of arrays) yield packFloats(array);
    });
  }
}

/** Writes checked parts as FORMAT.md says. The same parts give the same bytes on every machine. */
export function writeNetwork(parts: NetworkParts): Uint8Array {
  const { ordering, names, shape, specification, likelihoods, ensembles } = parts;
  const { ofIntegers, ofFloats } = Column;
  const values: Record<(typeof KEYS)[number], unknown> = {
    magic: MAGIC,
    version: FORMAT_VERSION,
    dimensions: ordering.length,
    ordering: ofIntegers([ordering]),
    names,
    shape,
    specification,
    likelihoods: { train: likelihoods.train, valid: likelihoods.valid, test: likelihoods.test },
    startOdds: ofFloats([Float64Array.from(ensembles, ({ startOdds }) => startOdds)]),
    treeCounts: ofIntegers([Uint32Array.from(ensembles, ({ leafCounts }) => leafCounts.length)]),
    splitCounts: ofIntegers(ensembles.map(({ leafCounts }) => leafCounts.map((leaves) => leaves - 1))),
    splitLeaf: ofIntegers(ensembles.map(({ splitLeaf }) => splitLeaf)),
    splitPredictor: ofIntegers(ensembles.map(({ splitPredictor }) => splitPredictor)),
    splitGain: ofFloats(ensembles.map(({ splitGain }) => splitGain)),
    leafFactor: ofFloats(ensembles.map(({ leafFactor }) => leafFactor)),
  };
  return encodeMap(KEYS.map((key) => [key, values[key]]));
}

/**
 * A msgpack map of up to 15 entries, written once into memory of its size: the columns are most of the file, and joining
 * and packing them first would copy them three times.
 */
function encodeMap(entries: readonly (readonly [string, unknown])[]): Uint8Array {
  const packr = new Packr(OPTIONS);
  const encoded: (Uint8Array | Column)[] = [Uint8Array.of(0x80 | entries.length)];
  for (const [key, value] of entries) {
    encoded.push(packr.pack(key));
    if (value instanceof Column) encoded.push(binaryHeader(value.byteLength), value);
    else encoded.push(packr.pack(value));
  }
  const file = new Uint8Array(encoded.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of encoded) {
    for (const bytes of part instanceof Column ? part.pieces() : [part]) {
      file.set(bytes, at);
      at += bytes.length;
    }
  }
  return file;
}

/** What stands before a binary string in msgpack, the shortest of its three forms. */
function binaryHeader(length: number): Uint8Array {
  if (length < 2 ** 8) return Uint8Array.of(0xc4, length);
  if (length < 2 ** 16) return Uint8Array.of(0xc5, length >>> 8, length);
  if (length < 2 ** 32) return Uint8Array.of(0xc6, length >>> 24, length >>> 16, length >>> 8, length);
  throw new ModelError('invalid-network', {
    got: `a column of ${length} bytes`,
    expected: 'less than 4 GiB, the most that msgpack holds',
    remedy: 'Train fewer rounds or smaller trees.',
  });
}

/**
 * Reads a file of unknown origin and checks its form: fields, types and sizes. What the numbers say is left to
 * `checkParts`. O(bytes); allocates at most some six times the file's size.
 * @throws ModelError `not-a-network-file` or `unsupported-version`
 */
export function readNetwork(input: Uint8Array): NetworkParts {
  // text decoders want memory of their own, and the decoder leaves a property on what it reads
  const bytes = input.buffer instanceof ArrayBuffer ? input.subarray() : new Uint8Array(input);
  checkPlainMsgpack(bytes);
  let file: unknown;
  try {
    file = new Unpackr({ ...OPTIONS, mapsAsObjects: true, int64AsType: 'number' }).unpack(bytes);
  } catch (cause) {
    throw damaged('the file', 'bytes that msgpack cannot decode', 'one msgpack map', cause);
  }
  if (typeof file !== 'object' || file === null || !Object.hasOwn(file, 'magic')) {
    throw damaged('the file', 'msgpack of another kind', `a map with magic ${JSON.stringify(MAGIC)}`);
  }
  const fields = file as Readonly<Record<string, unknown>>;
  if (fields['magic'] !== MAGIC) throw damaged('magic', shown(fields['magic']), JSON.stringify(MAGIC));
  if (fields['version'] !== FORMAT_VERSION) {
    throw new ModelError('unsupported-version', {
      got: `version ${shown(fields['version'])}`,
      expected: `version ${FORMAT_VERSION}`,
      remedy: 'Read it with the release that wrote it, or a later one.',
    });
  }
  const keys = Object.keys(fields);
  const odd = keys.find((key) => !(KEYS as readonly string[]).includes(key));
  if (odd !== undefined) throw damaged('the file', `a field ${JSON.stringify(odd)}`, 'only the fields of version 1');
  const missing = KEYS.find((key) => !Object.hasOwn(fields, key));
  if (missing !== undefined) throw damaged('the file', 'fewer fields', `a field ${JSON.stringify(missing)}`);
  return readParts(fields as Readonly<Record<(typeof KEYS)[number], unknown>>);
}

function readParts(fields: Readonly<Record<(typeof KEYS)[number], unknown>>): NetworkParts {
  const { dimensions, names, shape, specification, likelihoods } = fields;
  if (!isCount(dimensions) || dimensions < 1 || dimensions > MAXIMUM_DIMENSIONS) {
    throw damaged('dimensions', shown(dimensions), `a whole number from 1 to ${MAXIMUM_DIMENSIONS}`);
  }
  const integers = (key: (typeof KEYS)[number], count: number): Uint32Array => {
    const blob = fields[key];
    const values = blob instanceof Uint8Array ? unpackIntegers(blob, count) : null;
    return values ?? refuseBlob(key, blob, `${count} integers of 1, 2 or 4 bytes each`);
  };
  const floats = (key: (typeof KEYS)[number], count: number): Float64Array => {
    const blob = fields[key];
    const values = blob instanceof Uint8Array ? unpackFloats(blob, count) : null;
    return values ?? refuseBlob(key, blob, `${count} numbers of 8 bytes each`);
  };
  if (names !== null && !(Array.isArray(names) && names.every((name) => typeof name === 'string'))) {
    throw damaged('names', shown(names), 'nil or a list of text');
  }
  if (shape !== null && !(Array.isArray(shape) && shape.length === 2 && shape.every(isCount))) {
    throw damaged('shape', shown(shape), 'nil or two whole numbers');
  }
  const ordering = integers('ordering', dimensions);
  const startOdds = floats('startOdds', dimensions);
  const treeCounts = integers('treeCounts', dimensions);
  const trees = treeCounts.reduce((sum, count) => sum + count, 0);
  const leafCounts = integers('splitCounts', trees).map((splits) => splits + 1);
  const leaves = leafCounts.reduce((sum, count) => sum + count, 0);
  const splitLeaf = integers('splitLeaf', leaves - trees);
  const splitPredictor = integers('splitPredictor', leaves - trees);
  const splitGain = floats('splitGain', leaves - trees);
  const leafFactor = floats('leafFactor', leaves);

  // the concatenated arrays, cut by dimension
  const ensembles: Ensemble[] = [];
  let tree = 0;
  let leaf = 0;
  for (let position = 0; position < dimensions; position++) {
    const lastTree = tree + treeCounts[position]!;
    let lastLeaf = leaf;
    for (let t = tree; t < lastTree; t++) lastLeaf += leafCounts[t]!;
    ensembles.push({
      startOdds: startOdds[position]!,
      leafCounts: leafCounts.subarray(tree, lastTree),
      splitLeaf: splitLeaf.subarray(leaf - tree, lastLeaf - lastTree),
      splitPredictor: splitPredictor.subarray(leaf - tree, lastLeaf - lastTree),
      splitGain: splitGain.subarray(leaf - tree, lastLeaf - lastTree),
      leafFactor: leafFactor.subarray(leaf, lastLeaf),
    });
    tree = lastTree;
    leaf = lastLeaf;
  }
  return {
    ordering,
    names: names as readonly string[] | null,
    shape: shape as readonly [number, number] | null,
    specification: specification as JsonValue,
    likelihoods: readLikelihoods(likelihoods),
    ensembles,
  };
}

function readLikelihoods(value: unknown): Likelihoods {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'train,valid,test') {
    throw damaged('likelihoods', shown(value), 'a map of train, valid and test');
  }
  const { train, valid, test } = value as Record<keyof Likelihoods, unknown>;
  const read = (split: keyof Likelihoods, number: unknown): number | null => {
    if (number !== null && typeof number !== 'number') {
      throw damaged(`likelihoods.${split}`, shown(number), 'a number or nil');
    }
    return number;
  };
  return { train: read('train', train), valid: read('valid', valid), test: read('test', test) };
}

function lengthOf(arrays: readonly { readonly length: number }[]): number {
  return arrays.reduce((sum, { length }) => sum + length, 0);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function refuseBlob(key: string, blob: unknown, expected: string): never {
  throw damaged(key, blob instanceof Uint8Array ? `${blob.length} bytes` : shown(blob), expected);
}

/** A short form of any decoded value, for messages. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return value instanceof Uint8Array ? `${value.length} bytes` : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function damaged(where: string, got: string, expected: string, cause?: unknown): ModelError {
  const remedy = 'Get the file again from where it was made.';
  return new ModelError('not-a-network-file', { got, expected, where, remedy }, cause === undefined ? {} : { cause });
}
