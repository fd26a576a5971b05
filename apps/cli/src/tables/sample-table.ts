import { sharesOf, SharesSampler } from '@orchard/analysis';
import type { Table } from '@orchard/contracts';
import { csvPieces, listNames, valuesOf, variablesWithPoint, type Texts } from '@orchard/dataset';
import type { RowSampler, RuledRows, TabularModel } from '@orchard/model';
import { sampleDocument } from '../documents/sample-document.js';
import { UsageError } from '../errors.js';
import { counted } from '../output/figures.js';
import { listInPieces } from '../output/json-pieces.js';
import type { Terminal } from '../output/terminal.js';
import { delimiterOf, encodeBatches, isTextEnding, tableFile, type TextColumn } from '../output/table-file.js';
import { writeOutput } from '../output/write-output.js';
import { rejectCopies, type Sampled } from '../rows/reject-copies.js';
import { keyOfTexts, keysOfFile } from './row-keys.js';
import { givenOf } from './given.js';
import { GivenSampler } from './given-sampler.js';
import { rulesFor, saidRules, type RuleOptions } from './rules.js';
import { asUsage, saidShares, sharesRemarks } from './shares.js';
import { sampledAtATime, SampledRows } from './sampled-rows.js';

export interface SampleTableOptions extends RuleOptions {
  readonly count: number;
  readonly seed: number;
  readonly out?: string;
  readonly given?: readonly string[];
  readonly shares?: readonly string[];
  /** A file whose rows are not sampled. */
  readonly rejectCopies?: string;
}

/** Rows beyond this are not for a terminal. */
const MOST_SHOWN = 100;

/**
 * Samples rows in the table's own words: the columns of the training file, in its order and formats. They are sampled,
 * put into words and written batch by batch.
 */
export async function sampleTable(
  { model, path }: { readonly model: TabularModel; readonly path: string },
  options: SampleTableOptions,
  terminal: Terminal,
): Promise<void> {
  const { count, seed, out, given = [], shares = [], rejectCopies: originals } = options;
  const { path: file, ending } = tableFile(out);
  const { table } = model;
  const keys = originals === undefined ? null : await keysOfFile(originals, table);
  const restrictions = givenOf(model, given);
  const samplerBy = (own: number): RowSampler =>
    given.length === 0 ? model.sampler(own) : new GivenSampler(model, own, restrictions);
  refuseTogether(options, saidRules(options));
  const byShares = shares.length === 0 ? null : sharesSampler(model, options);
  const ruled = await rulesUnlessAsked(model, path, options, terminal);
  const sampler = byShares ?? ruled?.sampler(seed) ?? samplerBy(seed);
  const batchRows = sampledAtATime(model.variables);
  const rows = new SampledRows(
    count,
    {
      next: (some) => sampler.next(some),
      wordsOf: (codes, firstRow) =>
        byShares?.wordsOf(codes, firstRow) ??
        ruled?.wordsOf(codes, seed, firstRow) ??
        valuesOf(codes, table, seed, restrictions, new Map(), firstRow),
    },
    batchRows,
  );
  const lost = table.leftOut.filter(({ countsFrom }) => countsFrom === undefined).map(({ name }) => name);
  if (lost.length > 0) terminal.note(`orchard: without ${listNames(lost)}, of which the model knows nothing`);
  const sampled: Sampled = {
    keyOf: (row) => {
      const texts = rows.row(row);
      return keyOfTexts(table, (index) => texts[index]!);
    },
    replace: (copies, own) => {
      const others = valuesOf(samplerBy(own).next(copies.length), table, own, restrictions);
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
    if (!isTextEnding(ending)) return encodeBatches(ending, columnBatches(rows.taken(shown), table));
    const pointed = variablesWithPoint(rows.looked(shown), table);
    return encoded(csvPieces(rows.taken(shown), table, pointed, delimiterOf(ending)));
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
    ...(byShares !== null && { pool: byShares.pool, effectiveRows: byShares.effectiveRows }),
  });
  if (file === undefined) await terminal.documentInPieces(said, { values: listInPieces(rowBatches(rows.taken())) });
  else terminal.document(said);
  const remarks =
    sampler instanceof GivenSampler
      ? sampler.remarks()
      : sampler instanceof SharesSampler
        ? sharesRemarks(sampler, model, count)
        : [];
  for (const remark of remarks) terminal.note(`orchard: ${remark}`);
}

/** @throws UsageError for ways to sample that know nothing of each other */
function refuseTogether(
  { given, shares, rejectCopies: originals }: SampleTableOptions,
  rules: readonly string[],
): void {
  const said = {
    '--rule': rules.length > 0,
    '--shares': shares !== undefined,
    '--given': given !== undefined,
    '--reject-copies': originals !== undefined,
  };
  const [one, other] = Object.entries(said).flatMap(([flag, isSaid]) => (isSaid ? [flag] : []));
  if (other === undefined || (one !== '--rule' && one !== '--shares')) return;
  const instead =
    one === '--rule' ? 'say it as a rule: --rule "bike = \'e-bike\'"' : 'give a share of 1: bike=e-bike:1';
  throw new UsageError({
    got: `${one} and ${other}`,
    expected: 'one of them',
    where: one,
    remedy: other === '--given' ? `Leave it out, and ${instead}.` : 'Leave one out.',
  });
}

/** The model under rules; rules that it was trained with are left, with a note, by ways to sample that know none. */
async function rulesUnlessAsked(
  model: TabularModel,
  path: string,
  options: SampleTableOptions,
  terminal: Terminal,
): Promise<RuledRows | null> {
  const other = Object.entries({
    '--shares': options.shares,
    '--given': options.given,
    '--reject-copies': options.rejectCopies,
  }).find(([, value]) => value !== undefined)?.[0];
  if (other === undefined) return (await rulesFor(model, path, options))?.ruled ?? null;
  if (model.table.rules !== undefined && options.rules !== false)
    terminal.note(`orchard: ${other} knows no rules: rows may break those that the model was trained with`);
  return null;
}

/** @throws UsageError for shares that no rows can have */
function sharesSampler(model: TabularModel, options: SampleTableOptions): SharesSampler {
  const { count, seed, shares = [] } = options;
  try {
    return new SharesSampler(model, sharesOf(model, saidShares(model, shares)), { count, seed });
  } catch (error) {
    throw asUsage(error);
  }
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
function* columnBatches(batches: Iterable<Texts>, table: Table): Generator<TextColumn[], void> {
  let first = 0;
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
