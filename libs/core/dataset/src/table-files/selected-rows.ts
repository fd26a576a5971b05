import { NumberCells, RepeatedCells, type RawColumn } from './raw-column.js';
import type { RawBatch, RawCell, RawTable } from './raw-table.js';

/**
 * Tables of some of a table's rows, which are kept in memory: one pass, whichever rows and how many tables. Cells come
 * as they do from the table, so that columns are made of them alike.
 *
 * @param rowsOfEach of each table, the numbers of its rows, ascending
 */
export async function tablesOfRows(raw: RawTable, rowsOfEach: readonly Uint32Array[]): Promise<RawTable[]> {
  const tables = rowsOfEach.map((rows) => ({ rows, next: 0, batches: [] as RawBatch[] }));
  let first = 0;
  for await (const { rows, columns } of raw.batches()) {
    for (const table of tables) {
      const from = table.next;
      while (table.next < table.rows.length && table.rows[table.next]! < first + rows) table.next++;
      if (table.next === from) continue;
      const places = table.rows.subarray(from, table.next).map((row) => row - first);
      table.batches.push({ rows: places.length, columns: columns.map((column) => cellsAt(column, places)) });
    }
    first += rows;
  }
  return tables.map(({ batches }) => {
    const own = withOwnWords(batches);
    return {
      ...raw,
      bits: undefined,
      knownBits: undefined,
      withEmptyTexts: undefined,
      async *batches() {
        await Promise.resolve();
        yield* own;
      },
      close: () => Promise.resolve(),
    };
  });
}

function cellsAt(column: RawColumn, places: Uint32Array): RawColumn {
  if (column instanceof RepeatedCells)
    return new RepeatedCells(
      column.words,
      Uint16Array.from(places, (place) => column.places[place]!),
    );
  if (column instanceof NumberCells)
    return new NumberCells(
      Float64Array.from(places, (place) => column.numbers[place]!),
      Uint8Array.from(places, (place) => column.decimals[place]!),
    );
  if (column instanceof Float64Array) return Float64Array.from(places, (place) => column[place]!);
  if (column.length === 0) return [];
  return Array.from(places, (place): RawCell => column.at(place) ?? null);
}

/** Of repeated cells the words that these rows have, in their order: of more, all would be looked at. */
function withOwnWords(batches: readonly RawBatch[]): RawBatch[] {
  const columns =
    batches[0]?.columns.map((_, index) => ownWordsOf(batches.map((batch) => batch.columns[index]!))) ?? [];
  return batches.map(({ rows }, at) => ({ rows, columns: columns.map((own) => own[at]!) }));
}

function ownWordsOf(cells: readonly RawColumn[]): RawColumn[] {
  const used = new Set<number>();
  for (const own of cells) {
    if (!(own instanceof RepeatedCells)) continue;
    for (const place of own.places) used.add(place);
  }
  const places = Uint16Array.from(used).sort();
  const placeOf = new Map(Array.from(places, (place, at) => [place, at]));
  const repeated = cells.findLast((own) => own instanceof RepeatedCells);
  const words = Array.from(places, (place) => repeated!.words[place]!);
  return cells.map((own) =>
    own instanceof RepeatedCells
      ? new RepeatedCells(
          words,
          own.places.map((place) => placeOf.get(place)!),
        )
      : own,
  );
}
