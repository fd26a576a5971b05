import { DataType, DateUnit, makeVector, Precision, TimeUnit, type Data, type Field, type Vector } from 'apache-arrow';
import { clockText, dayText, durationText, momentText, type TimeUnit as Unit } from '../iso-text.js';
import type { RawCell } from '../raw-table.js';
import { decimalCell } from '../../variables/number-format.js';
import { cellOf, textOf, type ColumnPlace } from '../typed-cells.js';

/** Units of time, by Arrow's numbers of them. */
export const UNITS: Readonly<Record<TimeUnit, Unit>> = {
  [TimeUnit.SECOND]: 's',
  [TimeUnit.MILLISECOND]: 'ms',
  [TimeUnit.MICROSECOND]: 'us',
  [TimeUnit.NANOSECOND]: 'ns',
};

/** What the cells of a column are where they are not single values; null otherwise. */
export function unreadableCells({ type }: Field): string | null {
  const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  const isPlain =
    DataType.isNull(inner) ||
    DataType.isInt(inner) ||
    DataType.isFloat(inner) ||
    DataType.isBool(inner) ||
    DataType.isUtf8(inner) ||
    DataType.isLargeUtf8(inner) ||
    DataType.isUtf8View(inner);
  const isTyped =
    DataType.isDecimal(type) ||
    DataType.isDate(type) ||
    DataType.isTime(type) ||
    DataType.isTimestamp(type) ||
    DataType.isDuration(type);
  return isPlain || isTyped ? null : `values of the type ${String(type)}`;
}

/** What the cells of a column are, in a word; null where its type has none but missing values. */
export function kindOf({ type }: Field): string | null {
  const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  if (DataType.isNull(inner)) return null;
  if (DataType.isBool(inner)) return 'truth values';
  if (DataType.isTimestamp(inner)) return 'dates with times';
  if (DataType.isDate(inner)) return inner.unit === DateUnit.DAY ? 'dates' : 'dates with times';
  if (DataType.isTime(inner)) return 'times';
  if (DataType.isDuration(inner)) return 'durations';
  return DataType.isInt(inner) || DataType.isFloat(inner) || DataType.isDecimal(inner) ? 'numbers' : 'texts';
}

export function hasFractions({ type }: Field): boolean {
  const inner = DataType.isDictionary(type) ? (type.dictionary as DataType) : type;
  return DataType.isFloat(inner) || (DataType.isDecimal(inner) && inner.scale > 0);
}

/** A century of days. */
const MOST_DAYS = 36_525;

/**
 * Makes cells of a column's data in a record batch; what it makes of a dictionary it keeps for the batches that share
 * it.
 */
export class ArrowCells {
  #dictionary: Vector | null = null;
  #words: RawCell[] = [];
  constructor(private readonly place: ColumnPlace) {}

  /** Texts of days: a column has the same ones again and again. */
  readonly #days = new Map<number, string>();

  /** The cells of rows `from ... to - 1`. */
  cells(data: Data, from: number, to: number): RawCell[] {
    const of = this.#reader(data);
    const isWhole = data.nullCount === 0;
    return Array.from({ length: to - from }, (_, i) => (isWhole || data.getValid(from + i) ? of(from + i) : null));
  }

  #reader(data: Data): (row: number) => RawCell {
    const type = data.type as DataType;
    const values = data.values as ArrayLike<number> & ArrayLike<bigint>;
    if (DataType.isTimestamp(type)) {
      const unit = UNITS[type.unit];
      const isUtc = type.timezone !== null && type.timezone !== undefined && type.timezone !== '';
      return (row) => momentText(values[row]!, unit, isUtc);
    }
    if (DataType.isDate(type))
      return type.unit === DateUnit.DAY
        ? (row) => this.#day(Number(values[row]))
        : (row) => momentText(values[row]!, 'ms', false);
    if (DataType.isTime(type)) {
      const unit = UNITS[type.unit];
      return (row) => clockText(values[row]!, unit);
    }
    if (DataType.isDuration(type)) {
      const unit = UNITS[type.unit];
      return (row) => durationText(values[row]!, unit);
    }
    if (DataType.isDecimal(type)) {
      const words = type.bitWidth / 32;
      return (row) => decimal(values as ArrayLike<number>, row * words, words, type.scale);
    }
    if (DataType.isDictionary(type)) {
      const dictionary = data.dictionary!;
      if (dictionary !== this.#dictionary) {
        this.#words = dictionary.data.flatMap((part) => this.cells(part, 0, part.length));
        this.#dictionary = dictionary;
      }
      const words = this.#words;
      return (row) => words[Number(values[row])] ?? null;
    }
    const isAsStored = DataType.isInt(type) || (DataType.isFloat(type) && type.precision !== Precision.HALF);
    if (isAsStored) return (row) => cellOf(values[row]);
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
      const { valueOffsets } = data;
      const bytes = values as unknown as Uint8Array;
      return (row) => textOf(bytes.subarray(Number(valueOffsets[row]), Number(valueOffsets[row + 1])), this.place);
    }
    const vector = makeVector(data);
    return (row) => cellOf(vector.get(row));
  }

  #day(days: number): string {
    const known = this.#days.get(days);
    if (known !== undefined) return known;
    if (this.#days.size === MOST_DAYS) this.#days.clear();
    const text = dayText(days);
    this.#days.set(days, text);
    return text;
  }
}

/**
 * A whole number of so many words, the lowest first, in two's complement, with the decimal point moved by the scale.
 */
function decimal(words: ArrayLike<number>, from: number, count: number, scale: number): RawCell {
  let value = 0n;
  for (let i = count - 1; i >= 0; i--) value = (value << 32n) | BigInt(words[from + i]! >>> 0);
  return decimalCell(BigInt.asIntN(32 * count, value), scale);
}
