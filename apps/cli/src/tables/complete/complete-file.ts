import { columnsIn } from '@orchard/dataset';
import { UsageError } from '../../errors.js';
import { completeDocument } from '../../documents/complete-document.js';
import { counted } from '../../output/figures.js';
import { GrowingFields } from '../../output/growing-fields.js';
import { encodeBatches, isTextEnding, tableFile, type TextColumn } from '../../output/table-file.js';
import type { Terminal } from '../../output/terminal.js';
import { encodeWritten } from '../../output/written-text.js';
import { writeOutput } from '../../output/write-output.js';
import { encodeBits, isKindOfBits, kindOfOut, type Kind } from '../../output/write-rows.js';
import { rulesFor, type ModelAtPath } from '../rules.js';
import { checkRowsToFill } from '../load-table-rows.js';
import { answeringOf, answerOf } from './answer-rows.js';
import type { CompleteTableOptions, Given } from './answering.js';
import { fileToFill, remarksOf } from './file-to-fill.js';
import { rowsToComplete } from './rows-to-complete.js';
import { useFileToFill, type OpenedFile } from './use-file-to-fill.js';

/**
 * Fills in the missing values of rows, and nothing else: all other cells come out as they went in, and a text as it is
 * written. Whole rows of 0 and 1 are written as arrays and images too.
 */
export async function completeFile(
  { model, path }: ModelAtPath,
  file: string,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const rules = await rulesFor(model, path, options);
  if (rules !== null) refuseWithRules(options);
  // what cannot be written is refused before any row is read
  const kind = isListing(options) ? tableFile(options.out).ending : kindOfOut(model, options.out);
  const writesText = isTextEnding(kind);
  await useFileToFill(file, model, options, terminal, writesText, (opened) =>
    completeRows({ model, rules }, opened, kind, options, terminal),
  );
}

/** Whether something else is written than each row once. */
function isListing({ probabilities, interval, draws = 1, point, points }: CompleteTableOptions): boolean {
  const isOfDraws = draws > 1 && point === undefined && points === undefined;
  return probabilities === true || interval !== undefined || isOfDraws;
}

/** @throws UsageError for answers that are not sampled: they know no rules */
function refuseWithRules({ probabilities, mostProbable }: CompleteTableOptions): void {
  const asked = { '--probabilities': probabilities, '--most-probable': mostProbable };
  const flag = Object.entries(asked).find(([, value]) => value !== undefined)?.[0];
  if (flag === undefined) return;
  throw new UsageError({
    got: `${flag} under rules`,
    expected: 'samples, points or intervals, which follow the rules',
    where: flag,
    remedy: 'Leave it out (--draws 100 or --interval .9 shows the spread), or leave the rules: --no-rules.',
  });
}

async function completeRows(
  { model, rules }: Pick<Given, 'model' | 'rules'>,
  { table, readings, raw, places }: OpenedFile,
  kind: Kind,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const out = options.out === '-' ? undefined : options.out;
  await checkRowsToFill(table, model, terminal);
  const toFill = await fileToFill(raw, kind, options);
  const { written } = toFill;
  for (const remark of remarksOf(raw, toFill)) terminal.remark(remark);
  const answering = answeringOf({
    model,
    options,
    columns: raw.columns,
    places,
    readings,
    file: toFill,
    rules,
    wantsDocument: terminal.json,
  });
  let [all, missing] = [0, 0];
  // what the one document of --json has of every row
  const fields = new GrowingFields();
  const answers = async function* (): AsyncGenerator<readonly TextColumn[], void> {
    for await (const rows of rowsToComplete(model, table, raw, written, answering.rowsAtATime)) {
      all += rows.matrix.rows;
      missing += rows.missing.length;
      const { columns, ofRows } = answering.answer(rows);
      for (const [name, values] of Object.entries(ofRows)) await fields.addValues(name, values);
      if (model.ofBits !== undefined && out === undefined && terminal.json && !isListing(options))
        await fields.addValues('values', bitsIn(places.map((at) => columns[at]!)));
      yield columns;
    }
  };
  try {
    const bytes = encode();
    if (out !== undefined) await writeOutput(out, '--out', bytes);
    else if (!terminal.json) await terminal.data(bytes);
    else for await (const piece of bytes) await fields.addText('text', textOf(piece));
    const { how, document, warning } = answering.said();
    const of = `${counted(missing, 'missing value')} of ${counted(all, 'row')}`;
    terminal.note(`orchard: ${answerOf(options).words} of ${of}${out === undefined ? '' : `, in ${out}`}; ${how}`);
    if (warning !== undefined) terminal.note(`orchard: ${warning}`);
    const shown = out === undefined ? { text: '' } : {};
    const { name: answer } = answerOf(options);
    const whole = completeDocument({ rows: all, missing, answer, ...document, path: out ?? null, ...shown });
    await terminal.documentInPieces(whole, fields.inPieces());
  } finally {
    await fields.remove();
  }

  function encode(): AsyncIterable<Uint8Array> {
    if (written !== null) return encodeWritten(written, answers(), raw.columns.length);
    if (isKindOfBits(kind)) return encodeBits(kind, model.emptyRows(table.bits!.rows), answers());
    const hasNames = isListing(options) || columnsIn(model.ofBits ?? model).names !== null;
    return encodeBatches(kind, answers(), hasNames);
  }
}

/** Row by row. */
function bitsIn(columns: readonly TextColumn[]): number[][] {
  return Array.from({ length: columns[0]!.texts.length }, (_, row) => columns.map(({ texts }) => Number(texts[row])));
}

/** @param piece text in UTF-8, no character of it divided between two */
function textOf(piece: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece);
}
