import { extname } from 'node:path';
import { listNames, type RawTable, type TypeInFile, type WrittenText } from '@orchard/dataset';
import { isTextEnding, type TypedEnding } from '../../output/table-file.js';
import { isKindOfBits, type Kind } from '../../output/write-rows.js';
import { answerOf } from './answer-rows.js';
import type { FileToFill } from './answering.js';
import type { CompleteTableOptions } from './complete.js';

/** What of a file matters to those that write it back. @param ending of the file that is written */
export async function fileToFill(raw: RawTable, ending: Kind, options: CompleteTableOptions): Promise<FileToFill> {
  const types = hasTypes(ending) ? await typesOf(raw, ending) : null;
  return {
    areTyped: raw.format !== 'csv',
    isText: !hasTypes(ending),
    types,
    mixed: types?.flatMap(({ isMixed }, at) => (isMixed === true ? [at] : [])) ?? [],
    unreadable: new Set(raw.unreadable?.keys() ?? []),
    written: hasTypes(ending) ? null : writtenBack(raw, ending, options),
  };
}

/** Arrays and images of 0 and 1 are made of words, as texts are. */
function hasTypes(ending: Kind): ending is TypedEnding {
  return !isKindOfBits(ending) && !isTextEnding(ending);
}

/** What is said of a file that is not written back whole, or as it was: one sentence each. */
export function remarksOf(raw: RawTable, { unreadable, mixed, written }: FileToFill): string[] {
  const remarks: string[] = [];
  if (unreadable.size > 0) {
    const named = [...unreadable].map((at) => raw.columns[at]!);
    const [which, are] = named.length === 1 ? ['the column', 'is'] : ['the columns', 'are'];
    const cells = [...new Set(raw.unreadable!.values())].join(', ');
    remarks.push(`${which} ${listNames(named)} ${are} not written: ${cells}`);
  }
  if (mixed.length > 0) {
    const named = listNames(mixed.map((at) => raw.columns[at]!));
    remarks.push(
      `cells of ${named} are texts, numbers or truth values in one column: all of them are written as texts`,
    );
  }
  if (written !== null && written.comment !== null)
    remarks.push(`lines that begin with ${JSON.stringify(written.comment)} are not written`);
  if (written !== null && written.encoding !== null)
    remarks.push(`the text is written in UTF-8, with its mark; the file is ${written.encoding}`);
  return remarks;
}

/**
 * How the text of the file is written, where one of the same kind is asked for; null where what is written is not
 * a copy of the file, or of another kind: tabs are not written to a file that is called CSV, unless they stood in
 * one.
 */
function writtenBack({ written, name }: RawTable, ending: string, options: CompleteTableOptions): WrittenText | null {
  const { name: answer } = answerOf(options);
  if (written === undefined || answer === 'intervals' || answer === 'probabilities') return null;
  const { out = '-' } = options;
  if (out === '-' || ending === extname(name).toLowerCase() || ending === '.txt') return written;
  const isOfEnding = ending === '.csv' ? [',', ';', '|'].includes(written.delimiter) : written.delimiter === '\t';
  return isOfEnding ? written : null;
}

const JSON_ENDINGS: ReadonlySet<string> = new Set(['.json', '.jsonl', '.ndjson']);

/** Of each column its type, where the file says it; of JSON, which says it cell by cell, where JSON is written. */
async function typesOf(
  raw: RawTable,
  ending: string,
): Promise<readonly (TypeInFile & { readonly isMixed?: boolean })[] | null> {
  const { kinds, fractions } = raw;
  if (kinds !== undefined) return kinds.map((kind, at) => ({ kind, hasFractions: fractions?.has(at) === true }));
  if (raw.format !== 'jsonl' || !JSON_ENDINGS.has(ending)) return null;
  const found = raw.columns.map(() => new Set<string>());
  for await (const { rows, columns } of raw.batches())
    columns.forEach((column, at) => {
      for (let row = 0; row < Math.min(rows, column.length); row++) {
        const cell = column.at(row) ?? null;
        if (cell !== null) found[at]!.add(typeof cell);
      }
    });
  return found.map((types) => ({ kind: kindOfCells(types), hasFractions: false, isMixed: types.size > 1 }));
}

function kindOfCells(types: ReadonlySet<string>): string | null {
  if (types.size === 0) return null;
  if (types.size > 1 || types.has('string')) return 'texts';
  return types.has('number') ? 'numbers' : 'truth values';
}
