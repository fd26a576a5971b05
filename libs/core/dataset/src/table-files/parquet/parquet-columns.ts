import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import { quote } from '../../errors.js';
import { cellOf, textOf } from '../typed-cells.js';
import { clockText, dayText, durationText, momentText, type TimeUnit } from '../iso-text.js';
import type { RawCell } from '../raw-table.js';
import { decimalCell } from '../../variables/number-format.js';
import type { TableContext } from '../table-options.js';

/** A column of a Parquet file, and how what hyparquet makes of its values becomes cells. */
export interface ParquetColumn {
  readonly name: string;
  /** What its cells are where they are not single values; null otherwise. */
  readonly unreadable: string | null;
  /** What its cells are, in a word; null where its type has none but missing values. */
  readonly kind: string | null;
  readonly hasFractions: boolean;
  readonly parsers: Partial<ParquetParsers>;
  readonly cellOf: (value: unknown) => RawCell;
}

/**
 * @param context of the file, for messages
 * @param duration the unit of the lengths of time that its whole numbers are; undefined where they are numbers
 */
export function parquetColumn(tree: SchemaTree, context: TableContext, duration?: TimeUnit): ParquetColumn {
  const { element } = tree;
  const { name, type, converted_type: converted, logical_type: logical } = element;
  const unreadable = unreadableIn(tree);
  const isUtc = logical?.type === 'TIMESTAMP' && logical.isAdjustedToUTC;
  const isDecimal = converted === 'DECIMAL' && (element.scale ?? 0) > 0;
  const hasFractions = type === 'DOUBLE' || type === 'FLOAT' || logical?.type === 'FLOAT16' || isDecimal;
  return {
    name,
    unreadable,
    kind: unreadable ?? kindOf(element, duration),
    hasFractions,
    parsers: parsersOf(isUtc, (bytes) =>
      textOf(bytes, { where: `${context.name}, column ${quote(name)}`, wordFor: context.wordFor }),
    ),
    cellOf: converterOf(element, duration),
  };
}

/** What a column holds that no table has; null of all others. */
function unreadableIn({ element, children }: SchemaTree): string | null {
  const { type, converted_type: converted = '', logical_type: logical, repetition_type: repetition } = element;
  const kind = logical?.type ?? '';
  if (children.length > 0 || repetition === 'REPEATED') return 'lists or records';
  if (['BSON', 'INTERVAL', 'JSON'].includes(converted) || ['GEOMETRY', 'GEOGRAPHY', 'VARIANT'].includes(kind))
    return `values of the type ${logical?.type ?? converted}`;
  const isRead = converted === 'DECIMAL' || kind === 'UUID' || kind === 'FLOAT16';
  return type === 'FIXED_LEN_BYTE_ARRAY' && !isRead ? 'bytes' : null;
}

function kindOf(
  { type, converted_type: converted, logical_type: logical }: SchemaElement,
  duration: TimeUnit | undefined,
): string | null {
  if (duration !== undefined && type === 'INT64') return 'durations';
  const asked = logical?.type ?? converted ?? '';
  if (asked === 'NULL') return null;
  if (asked.startsWith('TIMESTAMP') || type === 'INT96') return 'dates with times';
  if (asked.startsWith('TIME')) return 'times';
  if (asked === 'DATE') return 'dates';
  if (type === 'BOOLEAN') return 'truth values';
  const isNumber = asked === 'DECIMAL' || asked === 'FLOAT16' || type !== 'BYTE_ARRAY';
  return isNumber && asked !== 'UUID' ? 'numbers' : 'texts';
}

function parsersOf(isUtc: boolean, textOf: (bytes: Uint8Array) => string): Partial<ParquetParsers> {
  return {
    // a missing value comes as nothing
    stringFromBytes: (bytes: Uint8Array | undefined) => bytes && textOf(bytes),
    dateFromDays: dayText,
    timestampFromMilliseconds: (units) => momentText(units, 'ms', isUtc),
    timestampFromMicroseconds: (units) => momentText(units, 'us', isUtc),
    timestampFromNanoseconds: (units) => momentText(units, 'ns', isUtc),
  };
}

const UNITS: Readonly<Record<string, TimeUnit>> = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' };

function converterOf(
  { type, converted_type: converted, logical_type: logical, scale = 0 }: SchemaElement,
  duration: TimeUnit | undefined,
): (value: unknown) => RawCell {
  if (duration !== undefined && type === 'INT64')
    return (value) => (value === null || value === undefined ? null : durationText(value as bigint, duration));
  if (logical?.type === 'TIME' || converted === 'TIME_MILLIS' || converted === 'TIME_MICROS') {
    const unit = UNITS[logical?.type === 'TIME' ? logical.unit : converted!.slice('TIME_'.length)]!;
    return (value) => (value === null || value === undefined ? null : clockText(value as number | bigint, unit));
  }
  if (converted === 'DECIMAL')
    return (value) => (value === null || value === undefined ? null : decimalCell(unitsOf(value), scale));
  return cellOf;
}

/** A decimal without its point, of a number or of bytes, the highest first, in two's complement. */
function unitsOf(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  let units = 0n;
  for (const byte of value) units = (units << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * value.length, units);
}

/** The type of a column as its values are decoded: of decimals their units, which a product would round. */
export function decodedElement(element: SchemaElement): SchemaElement {
  if (element.converted_type !== 'DECIMAL') return element;
  const units = { ...element };
  delete units.converted_type;
  delete units.logical_type;
  return units;
}
