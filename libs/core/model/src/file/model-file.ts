import type { OrderedFormat, Table, Variable } from '@orchard/contracts';
import { MAXIMUM_DIMENSIONS } from '@orchard/contracts/limits';
import { Unpackr } from 'msgpackr';
import { damaged, shown } from './damaged.js';
import { ModelError } from '../errors.js';
import { hashOf } from './hash-of.js';
import { ModelBody, type BodyArrays } from './model-body.js';
import { checkHead, type Likelihoods, type ModelHead, type Variables } from './model-head.js';
import { checkFileBytes } from './most-file-bytes.js';
import { MSGPACK_OPTIONS, MsgpackWriter } from './msgpack-writer.js';
import { NETWORK_ARRAYS } from '../network/network-body.js';
import { NETWORK_FAMILY } from '../network/network-parts.js';
import { NumberArray } from './number-array.js';
import { checkPlainMsgpack } from './plain-msgpack.js';
import { sortedJson, type JsonValue } from './specification.js';
import { UnpackingRoom } from './unpacking.js';

/** Also of models that are not networks: it is what makes a file ours, and files of version 1 have it. */
const MAGIC = 'orchard network';
const FORMAT_VERSION = 2;
/**
 * Version 2 with times of day among the columns of its table: releases that do not know them must not read it as if
 * they did.
 */
const VERSION_WITH_TIMES = 3;
/** The same with atoms, pieces of cells, bounds, or room for values that training never saw. */
const VERSION_WITH_ATOMS = 4;
/** The arrays of the body are packed, whatever the columns are. */
const VERSION_PACKED = 5;
/** Version 4 with durations, or with pooled labels that have shares of the probability of "(other)". */
const VERSION_WITH_SHARES = 6;
/** Version 6 with equalities of columns, or with clocks that are not written as 08:30; the same with packed arrays. */
const VERSION_WITH_CLOCKS = 7;
const VERSION_PACKED_WITH_CLOCKS = 8;
/** Version 7 with years of two digits, or with numbers below 0 in brackets; the same with packed arrays. */
const VERSION_WITH_SHORT_YEARS = 9;
const VERSION_PACKED_WITH_SHORT_YEARS = 10;
/** Version 9 with dates and times in a form that older releases do not read; the same with packed arrays. */
const VERSION_WITH_OTHER_DATES = 11;
const VERSION_PACKED_WITH_OTHER_DATES = 12;
/** Variables that start from lines, whatever the columns are; the same with packed arrays. */
const VERSION_WITH_LINES = 13;
const VERSION_PACKED_WITH_LINES = 14;
/** Days that are written as midnights, or durations as clocks, whatever else there is; the same with packed arrays. */
const VERSION_WITH_MIDNIGHTS = 15;
const VERSION_PACKED_WITH_MIDNIGHTS = 16;
/** Rules that hold of every row, whatever else there is; the same with packed arrays. */
const VERSION_WITH_RULES = 17;
const VERSION_PACKED_WITH_RULES = 18;
/** Lines that look at numbers beside their scores, whatever else there is; the same with packed arrays. */
const VERSION_WITH_NUMBERS_OF_LINES = 19;
const VERSION_PACKED_WITH_NUMBERS_OF_LINES = 20;
/** Lines that look at products of these numbers, whatever else there is; the same with packed arrays. */
const VERSION_WITH_PRODUCTS_OF_LINES = 21;
const VERSION_PACKED_WITH_PRODUCTS_OF_LINES = 22;
/** Columns that are near sums of others, whatever else there is; the same with packed arrays. */
const VERSION_WITH_SUMS = 23;
const VERSION_PACKED_WITH_SUMS = 24;
/** Columns whose values keep to a grid, whatever else there is; the same with packed arrays. */
const VERSION_WITH_GRIDS = 25;
const VERSION_PACKED_WITH_GRIDS = 26;
const LATEST_VERSION = VERSION_PACKED_WITH_GRIDS;
/** The array that says of a body that it has lines, that these look at numbers beside their scores, at products. */
export const LINES_ARRAY = 'lineUsed';
export const NUMBERS_OF_LINES_ARRAY = 'lineSlopes';
export const PRODUCTS_OF_LINES_ARRAY = 'lineProducts';
const PACKED_VERSIONS = [
  VERSION_PACKED,
  VERSION_PACKED_WITH_CLOCKS,
  VERSION_PACKED_WITH_SHORT_YEARS,
  VERSION_PACKED_WITH_OTHER_DATES,
  VERSION_PACKED_WITH_LINES,
  VERSION_PACKED_WITH_MIDNIGHTS,
  VERSION_PACKED_WITH_RULES,
  VERSION_PACKED_WITH_NUMBERS_OF_LINES,
  VERSION_PACKED_WITH_PRODUCTS_OF_LINES,
  VERSION_PACKED_WITH_SUMS,
  VERSION_PACKED_WITH_GRIDS,
];

const VARIABLES = ['dimensions', 'names', 'shape'] as const;
const FIELDS = ['magic', 'version', 'family', 'variables', 'specification', 'likelihoods', 'body', 'checksum'] as const;
/** Version 1 knew one family, and had all fields side by side. */
const FIELDS_OF_VERSION_1 = ['magic', 'version', ...VARIABLES, 'specification', 'likelihoods', ...NETWORK_ARRAYS];

/** Bytes of the SHA-256 at the end of a file, over all before it. */
const CHECKSUM_BYTES = 32;

/** How a file of any version begins, after the byte that opens its map; the version follows. */
const BEGINNING = new MsgpackWriter().plain('magic').plain(MAGIC).plain('version').toBytes();

type Fields = Readonly<Record<string, unknown>>;

/** A model file that is read as far as all families are alike. */
export interface ModelFile {
  readonly head: ModelHead;
  readonly body: ModelBody;
}

/**
 * Writes a file of version 5, 8, 10, 12, 14, 16, 18, 20, 22, 24 or 26 where its arrays are packed, else of the least
 * version that has what the table's columns and the body are (FORMAT.md): 2, 3, 4, 6, 7, 9, 11, 13, 15, 17, 19, 21,
 * 23 or 25. The same head and arrays give the same bytes on every machine.
 * @throws ModelError `invalid-network` for a head that contradicts itself, and for more than {@link MOST_FILE_BYTES}
 */
export function writeModelFile(head: ModelHead, body: BodyArrays): Uint8Array {
  const { family, dimensions, names, shape, table, specification, likelihoods } = checkHead(head);
  const writer = new MsgpackWriter().map(FIELDS.length);
  const arrays = Object.entries(body);
  const version = requiredVersion(
    table,
    body,
    arrays.some(([, { isPacked }]) => isPacked),
  );
  writer.plain('magic').plain(MAGIC).plain('version').plain(version).plain('family').plain(family);
  const variables = { dimensions, names, shape };
  writer
    .plain('variables')
    .plain(table === undefined ? variables : { ...variables, table: sortedJson(table, 'table') });
  writer.plain('specification').plain(specification);
  const { train, valid, test } = likelihoods;
  writer.plain('likelihoods').plain({ train, valid, test });
  writer.plain('body').map(arrays.length);
  for (const [name, array] of arrays) writer.plain(name).binary(array);
  writer.plain('checksum').binary(NumberArray.ofBytes(new Uint8Array(CHECKSUM_BYTES)));
  checkFileBytes(
    writer.byteLength,
    'the file of the model',
    'Train fewer rounds or smaller trees, or mix fewer members.',
  );
  const file = writer.toBytes();
  file.set(checksumOf(file), file.length - CHECKSUM_BYTES);
  return file;
}

/**
 * Reads a file of unknown origin, of version 1 to 26, and checks its form: checksum, fields, types and sizes. What the
 * family's arrays say is left to its codec. O(bytes); allocates at most some six times the size of the arrays, of
 * packed ones once they are unpacked, for which there is a bound (FORMAT.md).
 *
 * @param room of the file that this is a member of; its own without
 * @throws ModelError `not-a-network-file`, `damaged-file`, `unsupported-version` or `invalid-network`
 */
export function readModelFile(input: Uint8Array, room = new UnpackingRoom(input.length)): ModelFile {
  // text decoders want memory of their own, and the decoder leaves a property on what it reads
  const bytes = input.buffer instanceof ArrayBuffer ? input.subarray() : new Uint8Array(input);
  const version = declaredVersion(bytes);
  if (version !== null && version > LATEST_VERSION) throw unsupported(version);
  const isSealed = isVersion2(version);
  if (isSealed) checkChecksum(bytes);
  checkPlainMsgpack(bytes);
  const fields = decode(bytes);
  if (fields['magic'] !== MAGIC) throw damaged('magic', shown(fields['magic']), JSON.stringify(MAGIC));
  if (isSealed) return readVersion2(fields, version, room);
  if (fields['version'] === 1) return readVersion1(fields, room);
  if (isVersion2(fields['version'])) throw damaged('the beginning', 'other fields', 'magic and version first');
  throw unsupported(fields['version']);
}

/**
 * Whether a file is of version 2, or of one that differs from it in nothing but what it says of columns and how arrays
 * are packed.
 */
function isVersion2(version: unknown): version is number {
  return typeof version === 'number' && version >= FORMAT_VERSION && version <= LATEST_VERSION;
}

/** One model has one file: of the least version that has what it holds. */
function requiredVersion(table: Table | undefined, body: object, isPacked: boolean): number {
  if (table?.variables.some((variable) => variable.kind === 'ordered' && variable.grid !== undefined) === true)
    return isPacked ? VERSION_PACKED_WITH_GRIDS : VERSION_WITH_GRIDS;
  if (table?.sums !== undefined) return isPacked ? VERSION_PACKED_WITH_SUMS : VERSION_WITH_SUMS;
  if (Object.hasOwn(body, PRODUCTS_OF_LINES_ARRAY))
    return isPacked ? VERSION_PACKED_WITH_PRODUCTS_OF_LINES : VERSION_WITH_PRODUCTS_OF_LINES;
  if (Object.hasOwn(body, NUMBERS_OF_LINES_ARRAY))
    return isPacked ? VERSION_PACKED_WITH_NUMBERS_OF_LINES : VERSION_WITH_NUMBERS_OF_LINES;
  if (table?.rules !== undefined) return isPacked ? VERSION_PACKED_WITH_RULES : VERSION_WITH_RULES;
  if (isOfVersion15(table)) return isPacked ? VERSION_PACKED_WITH_MIDNIGHTS : VERSION_WITH_MIDNIGHTS;
  if (Object.hasOwn(body, LINES_ARRAY)) return isPacked ? VERSION_PACKED_WITH_LINES : VERSION_WITH_LINES;
  return isPacked ? packedVersionOf(table) : versionOf(table);
}

function packedVersionOf(table: Table | undefined): number {
  if (isOfVersion11(table)) return VERSION_PACKED_WITH_OTHER_DATES;
  if (isOfVersion9(table)) return VERSION_PACKED_WITH_SHORT_YEARS;
  return isOfVersion7(table) ? VERSION_PACKED_WITH_CLOCKS : VERSION_PACKED;
}

function versionOf(table: Table | undefined): number {
  if (isOfVersion11(table)) return VERSION_WITH_OTHER_DATES;
  if (isOfVersion9(table)) return VERSION_WITH_SHORT_YEARS;
  if (isOfVersion7(table)) return VERSION_WITH_CLOCKS;
  const variables = table?.variables ?? [];
  if (variables.some((variable) => hasShares(variable) || isDuration(variable))) return VERSION_WITH_SHARES;
  if (variables.some(isOfVersion4)) return VERSION_WITH_ATOMS;
  const hasTimes = variables.some((variable) => variable.kind === 'ordered' && variable.format.type === 'time');
  return hasTimes ? VERSION_WITH_TIMES : FORMAT_VERSION;
}

function isOfVersion15(table: Table | undefined): boolean {
  const formats = table?.variables.map((variable) => (variable.kind === 'ordered' ? variable.format : null)) ?? [];
  return formats.some(
    (format) =>
      (format?.type === 'date' && format.midnight !== undefined) ||
      (format?.type === 'duration' && format.clock !== undefined),
  );
}

function isOfVersion11(table: Table | undefined): boolean {
  return table?.variables.some((variable) => variable.kind === 'ordered' && isOtherDate(variable.format)) === true;
}

/** `Z`, `+01:00` or `+0100`: the zones of version 2. */
const FIRST_ZONES = /^(?:Z|[+-]\d\d:?\d\d)?$/;

/** Whether dates or times are in a form that version 9 does not have. */
function isOtherDate(format: OrderedFormat): boolean {
  if (format.type === 'time') return format.fraction !== undefined || format.clock?.whole !== undefined;
  if (format.type !== 'date') return false;
  const { time, written } = format;
  if (time !== null && (time.fraction !== undefined || !FIRST_ZONES.test(time.zone))) return true;
  if (written === undefined) return false;
  const { order, separator, month, shortYear, letters, whole } = written;
  const isFirstSeparator = month === 'number' ? separator !== '' : separator === ' ' || separator === '-';
  const hasShortYearAtDash = shortYear === true && month === 'number' && separator === '-';
  return (
    letters !== undefined || whole !== undefined || !order.includes('d') || !isFirstSeparator || hasShortYearAtDash
  );
}

function isOfVersion9(table: Table | undefined): boolean {
  const formats = table?.variables.map((variable) => (variable.kind === 'ordered' ? variable.format : null)) ?? [];
  return formats.some((format) => {
    if (format?.type === 'date') return format.written?.shortYear !== undefined;
    return format?.type === 'number' && format.written?.bracketed !== undefined;
  });
}

function isOfVersion7(table: Table | undefined): boolean {
  return table?.equalities !== undefined || table?.variables.some(hasClock) === true;
}

function hasClock(variable: Variable): boolean {
  if (variable.kind !== 'ordered') return false;
  const { format } = variable;
  return (format.type === 'time' ? format : format.type === 'date' ? format.time : null)?.clock !== undefined;
}

function hasShares(variable: Variable): boolean {
  return variable.kind === 'categorical' && variable.otherLabels !== undefined;
}

function isDuration(variable: Variable): boolean {
  return variable.kind === 'ordered' && variable.format.type === 'duration';
}

function isOfVersion4(variable: Variable): boolean {
  if (variable.kind === 'binary') return variable.others !== undefined;
  if (variable.kind === 'categorical') return false;
  const { atoms, pieces, bounds, beyond } = variable;
  return [atoms, pieces, bounds, beyond].some((said) => said !== undefined);
}

/** What the first bytes say, or null where they are not those of a file that was written here. */
function declaredVersion(bytes: Uint8Array): number | null {
  const begins = bytes.length > BEGINNING.length + 1 && BEGINNING.every((byte, at) => bytes[at + 1] === byte);
  const version = bytes[BEGINNING.length + 1]!;
  return begins && version < 0x80 ? version : null;
}

function checkChecksum(bytes: Uint8Array): void {
  const held = bytes.subarray(-CHECKSUM_BYTES);
  const computed = checksumOf(bytes);
  if (computed.every((byte, at) => byte === held[at])) return;
  throw new ModelError('damaged-file', {
    got: `the SHA-256 ${shortHex(computed)}`,
    expected: `the SHA-256 ${shortHex(held)} that the file ends with`,
    remedy: 'The file was changed or cut after it was written: get it again from where it was made.',
  });
}

function checksumOf(file: Uint8Array): Uint8Array {
  return hashOf(file.subarray(0, -CHECKSUM_BYTES)).digest();
}

function shortHex(bytes: Uint8Array): string {
  return `${Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')}…`;
}

function decode(bytes: Uint8Array): Fields {
  let file: unknown;
  try {
    file = new Unpackr({ ...MSGPACK_OPTIONS, mapsAsObjects: true, int64AsType: 'number' }).unpack(bytes);
  } catch (cause) {
    throw damaged('the file', 'bytes that msgpack cannot decode', 'one msgpack map', cause);
  }
  if (!isMap(file) || !Object.hasOwn(file, 'magic')) {
    throw damaged('the file', 'msgpack of another kind', `a map with magic ${JSON.stringify(MAGIC)}`);
  }
  return file;
}

/** @param version 2, or 3 to 26, which are alike */
function readVersion2(fields: Fields, version: number, room: UnpackingRoom): ModelFile {
  requireFields(fields, FIELDS, 'the file');
  const { family, variables, specification, likelihoods, body } = fields;
  if (typeof family !== 'string') throw damaged('family', shown(family), 'text');
  if (!isMap(variables)) throw damaged('variables', shown(variables), 'a map');
  const isTable = Object.hasOwn(variables, 'table');
  requireFields(variables, isTable ? [...VARIABLES, 'table'] : VARIABLES, 'variables');
  if (!isMap(body)) throw damaged('body', shown(body), 'a map');
  const head = readHead(family, variables, specification, likelihoods);
  const isPacked = PACKED_VERSIONS.includes(version);
  const expected = requiredVersion(head.table, body, isPacked);
  if (expected !== version)
    throw damaged('version', shown(version), `${String(expected)}, by the columns of the table and the arrays`);
  return { head, body: new ModelBody(body, room, isPacked) };
}

function readVersion1(fields: Fields, room: UnpackingRoom): ModelFile {
  requireFields(fields, FIELDS_OF_VERSION_1, 'the file');
  const body = Object.fromEntries(NETWORK_ARRAYS.map((name) => [name, fields[name]]));
  const { specification, likelihoods } = fields;
  return { head: readHead(NETWORK_FAMILY, fields, specification, likelihoods), body: new ModelBody(body, room) };
}

function readHead(family: string, variables: Fields, specification: unknown, likelihoods: unknown): ModelHead {
  return checkHead({
    family,
    ...readVariables(variables),
    specification: specification as JsonValue,
    likelihoods: readLikelihoods(likelihoods),
  });
}

function readVariables({ dimensions, names, shape, table }: Fields): Variables {
  if (!isCount(dimensions) || dimensions < 1 || dimensions > MAXIMUM_DIMENSIONS) {
    throw damaged('dimensions', shown(dimensions), `a whole number from 1 to ${MAXIMUM_DIMENSIONS}`);
  }
  if (names !== null && !(Array.isArray(names) && names.every((name) => typeof name === 'string'))) {
    throw damaged('names', shown(names), 'nil or a list of text');
  }
  if (shape !== null && !(Array.isArray(shape) && shape.length === 2 && shape.every(isCount))) {
    throw damaged('shape', shown(shape), 'nil or two whole numbers');
  }
  // what a table says is checked with the head
  return { dimensions, names, shape: shape as [number, number] | null, table: table as Table | undefined };
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

function requireFields(fields: Fields, keys: readonly string[], where: string): void {
  const odd = Object.keys(fields).find((key) => !keys.includes(key));
  if (odd !== undefined) throw damaged(where, `a field ${JSON.stringify(odd)}`, `only ${keys.join(', ')}`);
  const missing = keys.find((key) => !Object.hasOwn(fields, key));
  if (missing !== undefined) throw damaged(where, 'fewer fields', `a field ${JSON.stringify(missing)}`);
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function unsupported(version: unknown): ModelError {
  return new ModelError('unsupported-version', {
    got: `version ${shown(version)}`,
    expected: `version 1 to ${LATEST_VERSION}`,
    remedy: 'Read it with the release that wrote it, or a later one.',
  });
}
