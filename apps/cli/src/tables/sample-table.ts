import type { Table } from '@orchard/contracts';
import { csvPieces, listNames, variablesWithPoint, type Texts } from '@orchard/dataset';
import { sampleDocument } from '../documents/sample-document.js';
import { counted } from '../output/figures.js';
import { listInPieces } from '../output/json-pieces.js';
import type { Terminal } from '../output/terminal.js';
import { delimiterOf, encodeBatches, isTextEnding, tableFile, type TextColumn } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { rejectCopies, type Sampled } from '../rows/reject-copies.js';
import { keyOfTexts, keysOfFile } from './row-keys.js';
import { choosing, type SampleOptions } from './choose-rows.js';
import type { ModelAtPath } from './rules.js';
import { sampledAtATime, SampledRows } from './sampled-rows.js';

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

/**
 * Samples rows in the table's own words: the columns of the training file, in its order and formats. They are sampled,
 * put into words and written batch by batch.
 */
export async function sampleTable(
  { model, path }: ModelAtPath,
  options: SampleOptions,
  terminal: Terminal,
): Promise<void> {
  const { count, seed, out, rejectCopies: originals } = options;
  const { path: file, ending } = tableFile(out);
  const { table } = model;
  const keys = originals === undefined ? null : await keysOfFile(originals, table);
  const chosen = await choosing({ model, path }, options, terminal);
  const rows = new SampledRows(count, chosen, sampledAtATime(model.variables));
  const lost = table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name);
  if (lost.length > 0) terminal.note(`orchard: without ${listNames(lost)}, of which the model knows nothing`);
  const sampled: Sampled = {
    keyOf: (row) => {
      const texts = rows.row(row);
      return keyOfTexts(table, (index) => texts[index]!);
    },
    replace: (copies, own) => {
      const others = chosen.again(own, copies.length);
      copies.forEach((row, at) => {
        rows.replace(
          row,
          others.map((column) => column[at]!),
        );
      });
    },
  };
  const rejected = keys === null ? null : rejectCopies(sampled, keys, { count, seed, file: originals! }, terminal);
  const encode = (shown: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array> => {
    if (!isTextEnding(ending)) return encodeBatches(ending, columnBatches(rows.taken(shown), table, options.first));
    const pointed = variablesWithPoint(rows.looked(shown), table);
    return encoded(csvPieces(rows.taken(shown), table, pointed, delimiterOf(ending), options.first));
  };
  const isExcerpt = out === undefined && terminal.showsResults && count > MOST_SHOWN;
  if (file !== undefined) {
    await writeOutput(file, '--out', encode(count));
    terminal.result(`${counted(count, 'row')} in ${file}`);
  } else if (!terminal.json) {
    await terminal.data(encode(isExcerpt ? MOST_SHOWN : count));
    if (isExcerpt)
      terminal.result(`… and ${counted(count - MOST_SHOWN, 'more row')}: --out FILE writes all, --out - prints them`);
  }
  const names = table.variables.map(({ name }) => name);
  const said = sampleDocument({
    rows: count,
    columns: names.length,
    names,
    seed,
    rejected,
    path: file ?? null,
    ...chosen.worth,
  });
  if (file === undefined) await terminal.documentInPieces(said, { values: listInPieces(rowBatches(rows.taken())) });
  else terminal.document(said);
  for (const remark of chosen.remarks()) terminal.note(`orchard: ${remark}`);
}

function* encoded(pieces: Iterable<string>): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const piece of pieces) yield encoder.encode(piece);
}

/** The same rows, row by row. */
function* rowBatches(batches: Iterable<Texts>): Generator<(string | null)[][], void> {
  for (const texts of batches)
    yield Array.from({ length: texts[0]?.length ?? 0 }, (_, row) => texts.map((column) => column[row]!));
}

/** The columns of the training file in its order, those that were left out excepted. */
function* columnBatches(batches: Iterable<Texts>, table: Table, firstRow = 0): Generator<TextColumn[], void> {
  let first = firstRow;
  for (const texts of batches) {
    yield columnsOf(texts, table, first);
    first += texts[0]?.length ?? 0;
  }
}

/** @param first the number of the first row, by which columns that count go on */
function columnsOf(texts: Texts, table: Table, first: number): TextColumn[] {
  const rows = texts[0]?.length ?? 0;
  return table.columns.flatMap((name): TextColumn[] => {
    const index = table.variables.findIndex((variable) => variable.name === name);
    if (index >= 0) return [{ name, texts: texts[index]!, variable: table.variables[index] }];
    const from = table.leftOut.find((column) => column.name === name)?.countsFrom;
    if (from === undefined) return [];
    return [{ name, texts: Array.from({ length: rows }, (_, row) => String(from + first + row)) }];
  });
}
