import type { Table, Variable } from '@orchard/contracts';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { MOST_FIELD_CODES, SET_BYTES, type Field, type FieldLayout, type FieldRows } from '../rows/field-rows.js';
import { cellOf } from './cell-values.js';
import { sumCode, sumsInOrdering, type SumInOrdering } from './column-sums.js';
import { codeCount, codeOffsets, holeCode, readCodes } from './codes.js';
import { predictorCount } from './predictor-bits.js';

/** Where a row says the code of a variable. */
export interface CodePlace {
  /** Of a row. */
  readonly byte: number;
  /** By the code of that field; null where the two bytes from there on are the code itself, the lower one first. */
  readonly codes: Uint16Array | null;
}

/** The fields of a table's variables, in an ordering. */
export interface TableFields extends FieldLayout {
  /** By position in the ordering. */
  readonly places: readonly CodePlace[];
  /** By position in the ordering: what each byte of a row gets for a code, to be added to what is there. */
  readonly writers: readonly (readonly CodeWriter[])[];
  /** Fields whose byte the codes of two positions make: how many bits of a sum are set. */
  readonly sums: readonly { readonly byte: number; readonly sum: SumInOrdering }[];
}

/** A byte of a row, and what is added to it for each code of a variable. */
interface CodeWriter {
  readonly byte: number;
  readonly values: Uint8Array;
}

/** Numbers with more cut points than this have a field of their own: several variables' tables are folded by sets. */
const MOST_BUNDLED_CUTS = 8;

/**
 * Lays a table's variables into fields of one byte: neighbouring small ones share a field while the product of their
 * numbers of codes is at most 256, one with more codes than a byte has takes several. The same for every thread and
 * machine: it depends on nothing but the variables.
 */
export function tableFields(table: Pick<Table, 'variables' | 'sums'>, ordering: ArrayLike<number>): TableFields {
  const { variables } = table;
  const sumsAt = sumsInOrdering(table, ordering);
  const sums: { readonly byte: number; readonly sum: SumInOrdering }[] = [];
  const ordered = Array.from(ordering, (index) => variables[index]!);
  const fields: Field[] = [];
  const places: CodePlace[] = [];
  const writers: CodeWriter[][] = [];
  const wide: number[] = [];
  let start = 0;
  for (let position = 0; position < ordered.length;) {
    const bundle = bundleFrom(ordered, position, sumsAt);
    if (bundle.length > 1) {
      const { field, codes, values } = bundleField(bundle, start);
      codes.forEach((own) => places.push({ byte: fields.length, codes: own }));
      values.forEach((own) => writers.push([{ byte: fields.length, values: own }]));
      fields.push(field);
    } else {
      const [variable] = bundle as [Variable];
      const order = codesInPlace(variable);
      const parts = ownFields(variable, order, start);
      const own = parts.map(({ values }, part) => ({ byte: fields.length + part, values }));
      const isWhole = parts.length === 1 && new Set(parts[0]!.values).size === order.length;
      if (isWhole) places.push({ byte: fields.length, codes: Uint16Array.from(order) });
      else {
        wide.push(position);
        places.push({ byte: 0, codes: null });
      }
      writers.push(own);
      for (const { field } of parts) fields.push(field);
    }
    for (const variable of bundle) start += predictorCount(variable);
    position += bundle.length;
    for (const sum of sumsAt[position - 1]!) {
      if (sum.cuts.length === 0) continue;
      sums.push({ byte: fields.length, sum });
      fields.push(fieldOfSum(sum, start));
      start += sum.cuts.length;
    }
  }
  wide.forEach((position, at) => {
    const byte = fields.length + 2 * at;
    places[position] = { byte, codes: null };
    for (const writer of codeBytes(byte, codeCount(ordered[position]!))) writers[position]!.push(writer);
  });
  const stride = Math.ceil((fields.length + 2 * wide.length) / 8) * 8;
  return { predictors: start, fields, stride, places, writers, sums };
}

/** The rows of a table's matrix of codes as fields. */
export function fieldRows(
  codes: BitMatrix,
  table: Table,
  ordering: ArrayLike<number>,
  layout = tableFields(table, ordering),
): FieldRows {
  const { rows } = codes;
  const offsets = codeOffsets(table);
  const bytes = new Uint8Array(rows * layout.stride);
  const codesAt = (position: number): Uint16Array => {
    const index = ordering[position]!;
    return readCodes(codes, offsets[index]!, offsets[index + 1]!);
  };
  layout.writers.forEach((writers, position) => {
    const own = codesAt(position);
    for (const { byte, values } of writers)
      for (let row = 0, at = byte; row < rows; row++, at += layout.stride) bytes[at]! += values[own[row]!]!;
  });
  for (const { byte, sum } of layout.sums) {
    const [firsts, seconds] = [codesAt(sum.first), codesAt(sum.second)];
    for (let row = 0, at = byte; row < rows; row++, at += layout.stride)
      bytes[at] = sumCode(sum, firsts[row]!, seconds[row]!);
  }
  return { rows, dimensions: layout.predictors, layout, bytes };
}

/** The codes of a variable of all rows, by their fields. */
export function codesInRows(
  { places, stride }: TableFields,
  position: number,
  { rows, bytes }: { readonly rows: number; readonly bytes: Uint8Array },
): Uint16Array {
  const { byte, codes } = places[position]!;
  const own = new Uint16Array(rows);
  if (codes === null)
    for (let row = 0, at = byte; row < rows; row++, at += stride) own[row] = bytes[at]! | (bytes[at + 1]! << 8);
  else for (let row = 0, at = byte; row < rows; row++, at += stride) own[row] = codes[bytes[at]!]!;
  return own;
}

/** The variables from a position on that share a field; one where it has its own. Behind a sum begins another. */
function bundleFrom(
  ordered: readonly Variable[],
  position: number,
  sumsAt: readonly (readonly SumInOrdering[])[],
): readonly Variable[] {
  const isSmall = (variable: Variable): boolean =>
    variable.kind !== 'ordered' || variable.cuts.length <= MOST_BUNDLED_CUTS;
  let product = 1;
  let end = position;
  const mayJoin = (next: number): boolean => next === position || sumsAt[next - 1]!.length === 0;
  while (
    end < ordered.length &&
    isSmall(ordered[end]!) &&
    mayJoin(end) &&
    product * codeCount(ordered[end]!) <= MOST_FIELD_CODES
  )
    product *= codeCount(ordered[end++]!);
  return ordered.slice(position, Math.max(end, position + 1));
}

/** The first variable counts most in a bundle's code, so that codes which agree in the first ones are neighbours. */
function bundleField(
  bundle: readonly Variable[],
  start: number,
): { readonly field: Field; readonly codes: readonly Uint16Array[]; readonly values: readonly Uint8Array[] } {
  const product = bundle.reduce((all, variable) => all * codeCount(variable), 1);
  const sets: Uint8Array[] = [];
  const codes: Uint16Array[] = [];
  const values: Uint8Array[] = [];
  let unit = product;
  for (const variable of bundle) {
    const order = codesInPlace(variable);
    unit /= order.length;
    const step = unit;
    const placeOf = (code: number): number => Math.floor(code / step) % order.length;
    codes.push(Uint16Array.from({ length: product }, (_, code) => order[placeOf(code)]!));
    const written = new Uint8Array(order.length);
    order.forEach((code, place) => {
      written[code] = place * step;
    });
    values.push(written);
    for (const [from, to] of rangesOf(variable, order)) {
      const set = new Uint8Array(SET_BYTES);
      for (let code = 0; code < product; code++)
        if (placeOf(code) >= from && placeOf(code) < to) set[code >> 3]! |= 1 << (code & 7);
      sets.push(set);
    }
  }
  const all = new Uint8Array(sets.length * SET_BYTES);
  sets.forEach((set, index) => all.set(set, index * SET_BYTES));
  return { field: { start, end: start + sets.length, codes: product, ranges: null, sets: all }, codes, values };
}

/**
 * The fields of a variable by itself: codes that none of a field's predictors tells apart are one in a field that not
 * all predictors of the variable fit into.
 */
function ownFields(
  variable: Variable,
  order: readonly number[],
  start: number,
): { readonly field: Field; readonly values: Uint8Array }[] {
  const ranges = rangesOf(variable, order);
  if (order.length <= MOST_FIELD_CODES) return [fieldOfRanges(ranges, order, start, identity(order.length))];
  const parts: { readonly field: Field; readonly values: Uint8Array }[] = [];
  for (let first = 0; first < ranges.length;) {
    const bounds = new Set([0]);
    let end = first;
    for (; end < ranges.length; end++) {
      const added = ranges[end]!.filter((bound) => bound < order.length && !bounds.has(bound));
      if (bounds.size + new Set(added).size > MOST_FIELD_CODES) break;
      added.forEach((bound) => bounds.add(bound));
    }
    const sorted = [...bounds].sort((a, b) => a - b);
    const classOf = new Uint16Array(order.length + 1).fill(sorted.length);
    for (let place = 0, at = 0; place < order.length; place++) {
      while (at + 1 < sorted.length && sorted[at + 1]! <= place) at++;
      classOf[place] = at;
    }
    parts.push(fieldOfRanges(ranges.slice(first, end), order, start + first, classOf));
    first = end;
  }
  return parts;
}

/** @param classOf by place in the order, and behind the last one how many there are */
function fieldOfRanges(
  ranges: readonly (readonly [number, number])[],
  order: readonly number[],
  start: number,
  classOf: Uint16Array,
): { readonly field: Field; readonly values: Uint8Array } {
  const values = new Uint8Array(order.length);
  order.forEach((code, place) => {
    values[code] = classOf[place]!;
  });
  const field = {
    start,
    end: start + ranges.length,
    codes: classOf[order.length]!,
    ranges: Uint16Array.from(ranges.flat(), (bound) => classOf[bound]!),
    sets: null,
  };
  return { field, values };
}

/** Bit i is 1 with all codes above i. */
function fieldOfSum({ cuts: { length } }: SumInOrdering, start: number): Field {
  const ranges = Uint16Array.from({ length: 2 * length }, (_, at) => (at % 2 === 0 ? at / 2 + 1 : length + 1));
  return { start, end: start + length, codes: length + 1, ranges, sets: null };
}

function identity(count: number): Uint16Array {
  return Uint16Array.from({ length: count + 1 }, (_, place) => place);
}

/** The codes of a variable in an order in which every predictor is 1 with neighbours: an atom comes behind its cell. */
function codesInPlace(variable: Variable): readonly number[] {
  const codes = Array.from({ length: codeCount(variable) }, (_, code) => code);
  if (variable.kind !== 'ordered' || variable.atoms === undefined) return codes;
  const cells = variable.values.length;
  const atoms = variable.atoms.values;
  const cell = (code: number): number => {
    if (code < cells) return code;
    return code < cells + atoms.length ? cellOf(variable, atoms[code - cells]!) : Infinity;
  };
  const cellByCode = codes.map(cell);
  // of what has the same cell, and of what has none, the lower code comes first
  return codes.sort((a, b) => (cellByCode[a] === cellByCode[b] ? a - b : cellByCode[a]! - cellByCode[b]!));
}

/** Of each predictor: places in the order with which it is 1, from the first up to the one behind the last. */
function rangesOf(variable: Variable, order: readonly number[]): (readonly [number, number])[] {
  const placeOf = new Uint32Array(order.length);
  order.forEach((code, place) => {
    placeOf[code] = place;
  });
  const only = (code: number): readonly [number, number] => [placeOf[code]!, placeOf[code]! + 1];
  const hole = holeCode(variable);
  const ranges: (readonly [number, number])[] = [];
  if (variable.kind === 'binary') ranges.push(variable.labels.length > 1 ? only(1) : [0, 0]);
  else if (variable.kind === 'categorical')
    for (let code = 0; code < predictorCount(variable) - (hole === null ? 0 : 1); code++) ranges.push(only(code));
  else {
    const cells = variable.values.length;
    const atoms = variable.atoms?.values.length ?? 0;
    // behind the known values come "other" and the missing value
    const known = cells + atoms;
    for (const cut of variable.cuts) ranges.push([cut < cells ? placeOf[cut]! : known, known]);
    for (let atom = 0; atom < atoms; atom++) ranges.push(only(cells + atom));
  }
  if (hole !== null) ranges.push(only(hole));
  return ranges;
}

/** The bytes of a code itself, the lower one first. */
function codeBytes(byte: number, codes: number): CodeWriter[] {
  const every = Array.from({ length: codes }, (_, code) => code);
  return [
    { byte, values: Uint8Array.from(every, (code) => code & 255) },
    { byte: byte + 1, values: Uint8Array.from(every, (code) => code >> 8) },
  ];
}
