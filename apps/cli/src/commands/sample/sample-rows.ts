import type { Table } from '@orchard/contracts';
import { columnsIn, csvPieces, listNames, type BitMatrix, type Texts } from '@orchard/dataset';
import { sampleDocument } from './sample-document.js';
import { counted } from '../../output/figures.js';
import { drawHalfBlocks } from '../../output/half-blocks.js';
import { listInPieces } from '../../output/json-pieces.js';
import type { Terminal } from '../../output/terminal.js';
import { delimiterOf, encodeBatches, isTextEnding, type TextColumn } from '../../output/table-file.js';
import { writeOutput } from '../../output/write-output.js';
import { encodeBits, isKindOfBits, kindOfOut, setBits } from '../../output/write-rows.js';
import { rejectCopies, type Sampled } from './reject-copies.js';
import { choosing, type SampleOptions } from './choose-rows.js';
import { rowKeys } from './row-keys.js';
import type { ModelAtPath } from '../../run-folder/rules.js';
import { sampledAtATime, SampledRows } from '@orchard/analysis';

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

/**
 * Samples rows in the model's own words: the columns of the training file, in its order and formats; those of 0 and 1
 * may be an array or images. They are sampled, put into words and written batch by batch.
 */
export async function sampleRows(
  { model, path }: ModelAtPath,
  options: SampleOptions,
  terminal: Terminal,
): Promise<void> {
  const { count, seed, out, rejectCopies: originals } = options;
  const file = out === '-' ? undefined : out;
  const kind = kindOfOut(model, out);
  const { table, ofBits } = model;
  const { names } = columnsIn(ofBits ?? model);
  const keys = originals === undefined ? null : await rowKeys(originals, model, terminal);
  const chosen = await choosing({ model, path }, options, terminal);
  const rows = new SampledRows(count, chosen, sampledAtATime(model.variables));
  const lost = table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name);
  if (lost.length > 0) terminal.note(`orchard: without ${listNames(lost)}, of which the model knows nothing`);
  const replace: Sampled['replace'] = (copies, own) => {
    const others = chosen.again(own, copies.length);
    copies.forEach((row, at) => {
      rows.replace(
        row,
        others.map((column) => column[at]!),
      );
    });
  };
  const rejected =
    keys === null
      ? null
      : rejectCopies(
          { keyOf: (row) => keys.keyOf(rows.row(row)), replace },
          keys.ofFile,
          { count, seed, file: originals! },
          terminal,
        );
  const encode = (shown: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
    const columns = columnBatches(rows.taken(shown), table, options.first);
    if (isKindOfBits(kind)) return encodeBits(kind, model.emptyRows(shown), columns);
    if (!isTextEnding(kind)) return encodeBatches(kind, columns);
    const how = { delimiter: delimiterOf(kind), firstRow: options.first, hasNames: names !== null };
    return encoded(csvPieces(rows.taken(shown), table, how));
  };
  const isShown = out === undefined && terminal.showsResults;
  const shape = ofBits?.shape ?? null;
  if (file !== undefined) {
    await writeOutput(file, '--out', encode(count));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (!terminal.json) {
    const shown = isShown ? Math.min(count, MOST_SHOWN) : count;
    if (isShown && shape !== null)
      terminal.result(drawHalfBlocks(bitsIn(rows.taken(shown), model.emptyRows(shown)), shape, terminal.columns));
    else await terminal.data(encode(shown));
    if (shown < count)
      terminal.result(`… and ${counted(count - MOST_SHOWN, 'more row')}: --out FILE writes all, --out - prints them`);
  }
  const said = sampleDocument({
    rows: count,
    columns: model.variables,
    names,
    seed,
    rejected,
    path: file ?? null,
    ...chosen.worth,
  });
  const values = rowBatches(rows.taken(), ofBits !== undefined);
  if (file === undefined) await terminal.documentInPieces(said, { values: listInPieces(values) });
  else terminal.document(said);
  for (const remark of chosen.remarks()) terminal.note(`orchard: ${remark}`);
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

/** Rows of 0 and 1 as bits. @param rows zeros, as many as come */
function bitsIn(batches: Iterable<Texts>, rows: BitMatrix): BitMatrix {
  let first = 0;
  for (const texts of batches) {
    setBits(rows, first, texts);
    first += texts[0]!.length;
  }
  return rows;
}

/** The same rows, row by row, 0 and 1 as numbers. */
function* rowBatches(batches: Iterable<Texts>, areBits: boolean): Generator<(string | number | null)[][], void> {
  const cellOf = areBits ? Number : (text: string | null) => text;
  for (const texts of batches)
    yield Array.from({ length: texts[0]?.length ?? 0 }, (_, row) => texts.map((column) => cellOf(column[row]!)));
}

/** The columns of the training file in its order, those that were left out excepted but for those that count. */
function* columnBatches(batches: Iterable<Texts>, table: Table, firstRow = 0): Generator<TextColumn[], void> {
  const places = new Map(table.variables.map(({ name }, index) => [name, index]));
  const counters = new Map(table.leftOut.map(({ name, countsFrom }) => [name, countsFrom]));
  let first = firstRow;
  for (const texts of batches) {
    const rows = texts[0]?.length ?? 0;
    yield table.columns.flatMap((name): TextColumn[] => {
      const index = places.get(name);
      if (index !== undefined) return [{ name, texts: texts[index]!, variable: table.variables[index] }];
      const from = counters.get(name);
      if (from === undefined) return [];
      return [{ name, texts: Array.from({ length: rows }, (_, row) => String(from + first + row)) }];
    });
    first += rows;
  }
}
