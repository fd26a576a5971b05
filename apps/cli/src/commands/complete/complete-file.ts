import { availableParallelism } from 'node:os';
import { RowFiller } from '@orchard/analysis';
import { columnsIn } from '@orchard/dataset';
import { ahead } from '@orchard/pipeline';
import { UsageError } from '../../output/errors.js';
import { completeDocument } from './complete-document.js';
import { firstSaid } from '../../options/flag-of-word.js';
import { counted } from '../../output/figures.js';
import { GrowingFields } from '../../output/growing-fields.js';
import { StageDisplay } from '../../output/stage-display.js';
import { encodeBatches, isTextEnding, tableFile, type TextColumn } from '../../output/table-file.js';
import type { Terminal } from '../../output/terminal.js';
import { encodeWritten } from '../../output/written-text.js';
import { writeOutput } from '../../output/write-output.js';
import { encodeBits, isKindOfBits, kindOfOut, type Kind } from '../../output/write-rows.js';
import { rulesFor, type ModelAtPath } from '../../run-folder/rules.js';
import { checkRowsToFill } from '../../rows/load-table-rows.js';
import { answeringOf, answerOf } from './answer-rows.js';
import type { CompleteTableOptions } from './complete.js';
import { fileToFill, remarksOf } from './file-to-fill.js';
import { rowsToComplete, type RowsToAnswer } from './rows-to-complete.js';
import { useFileToFill, type OpenedFile } from './use-file-to-fill.js';

/**
 * Fills in the missing values of rows, and nothing else: all other cells come out as they went in, and a text as it is
 * written. Whole rows of 0 and 1 are written as arrays and images too.
 */
export async function completeFile(
  { model, path, bytes = null }: ModelToFillBy,
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
    completeRows({ model, rules, bytes }, opened, kind, options, terminal),
  );
}

interface ModelToFillBy extends ModelAtPath {
  /** Its file, which threads open. @default rows are filled in by this thread alone */
  readonly bytes?: Uint8Array | null;
}

/** Whether something else is written than each row once. */
function isListing({ probabilities, interval, draws = 1, point, points }: CompleteTableOptions): boolean {
  const isOfDraws = draws > 1 && point === undefined && points === undefined;
  return probabilities === true || interval !== undefined || isOfDraws;
}

/** @throws UsageError for answers that are not sampled: they know no rules */
function refuseWithRules(options: CompleteTableOptions): void {
  const flag = firstSaid(options, ['probabilities', 'mostProbable']);
  if (flag === null) return;
  throw new UsageError({
    got: `${flag} under rules`,
    expected: 'samples, points or intervals, which follow the rules',
    where: flag,
    remedy: 'Leave it out (--draws 100 or --interval .9 shows the spread), or leave the rules: --no-rules.',
  });
}

async function completeRows(
  { model, rules, bytes }: Pick<RowFiller, 'model' | 'rules'> & { readonly bytes: Uint8Array | null },
  { table, readings, raw, places }: OpenedFile,
  kind: Kind,
  options: CompleteTableOptions,
  terminal: Terminal,
): Promise<void> {
  const out = options.out === '-' ? undefined : options.out;
  const count = await checkRowsToFill(table, model, terminal);
  const toFill = await fileToFill(raw, kind, options);
  const { written } = toFill;
  for (const remark of remarksOf(raw, toFill)) terminal.remark(remark);
  const { threads = availableParallelism() } = options;
  const display = new StageDisplay(terminal);
  const onProgress = (done: number): void => display.show('filling in missing values', done / count);
  const filler = new RowFiller(model, rules, bytes === null ? null : { bytes, threads, rows: count, onProgress });
  const answering = answeringOf({
    filler,
    options,
    columns: raw.columns,
    places,
    readings,
    file: toFill,
    wantsDocument: terminal.json,
  });
  let [all, missing] = [0, 0];
  // what the one document of --json has of every row
  const fields = new GrowingFields();
  const answers = async function* (): AsyncGenerator<readonly TextColumn[], void> {
    const most = (): number => Math.min(answering.rowsAtATime, filler.mostRows);
    const parts = rowsToComplete(model, table, raw, written, most);
    const work = async (rows: RowsToAnswer) => ({ rows, take: await answering.answer(rows) });
    for await (const { rows, take } of ahead(parts, () => filler.width, work)) {
      all += rows.matrix.rows;
      missing += rows.missing.length;
      const { columns, ofRows } = take();
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
    await filler.close();
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
