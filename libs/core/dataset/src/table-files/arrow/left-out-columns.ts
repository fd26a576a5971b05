import { fieldAt, tablesAt, targetAt } from './flat-tables.js';
import { columnOf, schemaAt, unreadType } from './schema-message.js';

/** How the messages of rows lay out a column, and the columns within it. */
interface Column {
  readonly isLeftOut: boolean;
  /** Of it and those within it. */
  readonly nodes: number;
  /** Buffers in their order: each is one, or those of a view, of which each message says how many there are. */
  readonly buffers: readonly ('one' | 'view')[];
  /** Dictionaries of it and those within it. */
  readonly dictionaries: readonly bigint[];
}

const CONTINUATION = Buffer.alloc(4, 255);
const NULL_TYPE = 1;
const UNION_TYPE = 14;
/** Of nodes and buffers: two numbers of 64 bits. */
const PAIR_BYTES = 16;
/** From this version on unions have no marks of missing values. */
const VERSION_5 = 4;

/** Buffers of a column, by Arrow's numbers of types; all others have two, and unions see below. */
const OWN_BUFFERS: Readonly<Record<number, number>> = {
  [NULL_TYPE]: 0,
  4: 3,
  5: 3,
  13: 1,
  16: 1,
  19: 3,
  20: 3,
  22: 0,
  25: 3,
  26: 3,
};
const VIEW_TYPES: ReadonlySet<number> = new Set([23, 24]);

/**
 * A stream of Arrow in which columns of types that are not read here are columns of nothing (`Null`): what is in them
 * is passed over. All other columns are as they were.
 *
 * @param bytes a stream, or a file of Arrow: a stream with so many bytes (`before`) in front, and a list behind it
 * @throws RangeError where the bytes are none
 */
export async function* leavingOutUnread(
  bytes: AsyncGenerator<Uint8Array, void>,
  before: number,
): AsyncGenerator<Uint8Array, void> {
  const queue = new ByteQueue(bytes);
  let columns: readonly Column[] = [];
  try {
    await queue.take(before);
    for (;;) {
      if (await queue.isEmpty()) return;
      let length = await queue.take(4);
      if (length.equals(CONTINUATION)) length = await queue.take(4);
      const head = Buffer.concat([CONTINUATION, length]);
      const size = length.readUInt32LE(0);
      if (size === 0) return yield head;
      const message = await queue.take(size);
      const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
      const table = view.getUint32(0, true);
      const bodyLength = fieldAt(view, table, 3);
      const body = await queue.take(bodyLength === 0 ? 0 : Number(view.getBigInt64(bodyLength, true)));
      const schema = schemaAt(view);
      if (schema !== null) columns = takeSchema(view, schema);
      else if (!isKept(view, columns)) continue;
      yield head;
      yield message;
      yield body;
    }
  } finally {
    await bytes.return();
  }
}

/** Turns the columns that are left out into columns of nothing. */
function takeSchema(view: DataView, schema: number): Column[] {
  const version = fieldAt(view, view.getUint32(0, true), 0);
  const isOld = version === 0 || view.getUint16(version, true) < VERSION_5;
  return tablesAt(view, schema, 1).map((field) => {
    const column = { ...layoutOf(view, field, isOld), isLeftOut: unreadType(columnOf(view, field).type) !== null };
    if (column.isLeftOut) {
      view.setUint8(fieldAt(view, field, 2), NULL_TYPE);
      const within = targetAt(view, field, 5);
      if (within !== 0) view.setUint32(within, 0, true);
    }
    return column;
  });
}

function layoutOf(view: DataView, field: number, isOld: boolean): Omit<Column, 'isLeftOut'> {
  const type = view.getUint8(fieldAt(view, field, 2));
  const within = tablesAt(view, field, 5).map((child) => layoutOf(view, child, isOld));
  const dictionaries = within.flatMap((each) => each.dictionaries);
  const dictionary = targetAt(view, field, 4);
  if (dictionary !== 0) {
    const id = fieldAt(view, dictionary, 0);
    return {
      nodes: 1,
      buffers: ['one', 'one'],
      dictionaries: [...dictionaries, id === 0 ? 0n : view.getBigInt64(id, true)],
    };
  }
  const own = type === UNION_TYPE ? unionBuffers(view, field, isOld) : (OWN_BUFFERS[type] ?? 2);
  return {
    nodes: within.reduce((sum, { nodes }) => sum + nodes, 1),
    buffers: [
      ...Array.from({ length: own }, () => 'one' as const),
      ...(VIEW_TYPES.has(type) ? ['view' as const] : []),
      ...within.flatMap(({ buffers }) => buffers),
    ],
    dictionaries,
  };
}

/** The types of the values, where they are dense their places too, and once which values are missing. */
function unionBuffers(view: DataView, field: number, isOld: boolean): number {
  const union = targetAt(view, field, 3);
  const mode = union === 0 ? 0 : fieldAt(view, union, 0);
  const isDense = mode !== 0 && view.getUint16(mode, true) === 1;
  return (isDense ? 2 : 1) + (isOld ? 1 : 0);
}

/** Takes the cells of columns that are left out from a message. @returns whether it is still needed */
function isKept(view: DataView, columns: readonly Column[]): boolean {
  const message = view.getUint32(0, true);
  const header = targetAt(view, message, 2);
  const kind = view.getUint8(fieldAt(view, message, 1));
  if (kind === 3) takeCells(view, header, columns);
  if (kind !== 2) return true;
  const id = fieldAt(view, header, 0);
  const dictionary = id === 0 ? 0n : view.getBigInt64(id, true);
  return columns.some(({ isLeftOut, dictionaries }) => !isLeftOut && dictionaries.includes(dictionary));
}

/** From the message of some rows. */
function takeCells(view: DataView, batch: number, columns: readonly Column[]): void {
  const nodes = new ShorterList(view, targetAt(view, batch, 1), PAIR_BYTES);
  const buffers = new ShorterList(view, targetAt(view, batch, 2), PAIR_BYTES);
  const views = new ShorterList(view, targetAt(view, batch, 4), 8);
  for (const { isLeftOut, ...column } of columns) {
    nodes.pass(1, true);
    nodes.pass(column.nodes - 1, !isLeftOut);
    for (const buffer of column.buffers) {
      if (buffer === 'one') buffers.pass(1, !isLeftOut);
      else {
        buffers.pass(views.nextNumber(), !isLeftOut);
        views.pass(1, !isLeftOut);
      }
    }
  }
  for (const list of [nodes, buffers, views]) list.end();
}

/** A list in a message that is written over itself, without some of its items. */
class ShorterList {
  #read = 0;
  #written = 0;

  /** @param vector where its length stands; 0 where there is no list */
  constructor(
    private readonly view: DataView,
    private readonly vector: number,
    private readonly itemBytes: number,
  ) {}

  nextNumber(): number {
    return this.vector === 0 ? 0 : Number(this.view.getBigInt64(this.#place(this.#read), true));
  }

  pass(count: number, isKept: boolean): void {
    if (this.vector === 0) return;
    const [from, to] = [this.#place(this.#read), this.#place(this.#read + count)];
    if (this.#read + count > this.view.getUint32(this.vector, true)) throw new RangeError('a list that is too short');
    this.#read += count;
    if (!isKept) return;
    const { buffer, byteOffset, byteLength } = this.view;
    new Uint8Array(buffer, byteOffset, byteLength).copyWithin(this.#place(this.#written), from, to);
    this.#written += count;
  }

  end(): void {
    if (this.vector !== 0) this.view.setUint32(this.vector, this.#written, true);
  }

  #place(item: number): number {
    return this.vector + 4 + this.itemBytes * item;
  }
}

/** Bytes that come in chunks, taken in other ones. */
class ByteQueue {
  #rest: Buffer = Buffer.alloc(0);

  constructor(private readonly bytes: AsyncGenerator<Uint8Array, void>) {}

  async isEmpty(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#next());
  }

  /** Bytes of their own, at a multiple of 8. @throws RangeError where there are fewer */
  async take(count: number): Promise<Buffer> {
    const taken = Buffer.alloc(count);
    for (let at = 0; at < count;) {
      if (await this.isEmpty()) throw new RangeError('it ends too early');
      const copied = this.#rest.copy(taken, at, 0, count - at);
      this.#rest = this.#rest.subarray(copied);
      at += copied;
    }
    return taken;
  }

  async #next(): Promise<boolean> {
    for (;;) {
      const { value } = await this.bytes.next();
      if (value === undefined) return false;
      if (value.length === 0) continue;
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      return true;
    }
  }
}
