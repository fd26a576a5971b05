import type { TypedColumn } from '@orchard/dataset';
import { perRowLines, UNDER_RULES, type PerRow, type UnusualCell } from '@orchard/model';
import { counted } from '../../output/figures.js';
import { encodeTyped, isTextEnding, listingEnding } from '../../output/table-file.js';
import type { Terminal } from '../../output/terminal.js';
import { writeOutput } from '../../output/write-output.js';

/**
 * Writes `row,score,logLikelihood[,logLikelihoodUnderRules][,outlier],column1,value1,probability1,expected1,expectedLow1,expectedHigh1,
 * expectedLabel1,surprise1,…`; of rows that are not
 * explained the cells are empty. As Parquet or Arrow where the name ends so, and as CSV otherwise.
 */
export async function writePerRow(file: string, rows: PerRow, terminal: Terminal): Promise<void> {
  const ending = listingEnding(file);
  const content = isTextEnding(ending) ? bytesOf(perRowLines(rows)) : encodeTyped(ending, writtenColumns(rows));
  await writeOutput(file, '--per-row', content);
  const { scores, top, explained } = rows;
  const isPartial = top > 0 && explained.size < scores.length;
  terminal.note(
    `orchard: the score of each row in ${file}${isPartial ? `; cells of the ${counted(explained.size, 'row')} with the highest scores` : ''}`,
  );
}

async function* bytesOf(lines: Iterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const line of lines) yield await Promise.resolve(encoder.encode(line));
}

function numberOrMissing(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function textOf(value: TypedColumn['values'][number]): string | null {
  return value === null ? null : String(value);
}

function writtenColumns({ scores, logLikelihoods, underRules = null, flagged, top, explained }: PerRow): TypedColumn[] {
  const rows = Array.from(scores.keys());
  const column = (name: string, type: TypedColumn['type'], values: TypedColumn['values']): TypedColumn => ({
    name,
    type,
    values,
  });
  const cells = Array.from({ length: top }, (_, at) => {
    const of = (part: keyof UnusualCell): TypedColumn['values'] =>
      rows.map((row) => explained.get(row)?.[at]?.[part] ?? null);
    const name = (part: string): string => `${part}${String(at + 1)}`;
    return [
      column(name('column'), 'text', of('column')),
      column(name('value'), 'text', of('value')),
      column(name('probability'), 'number', of('probability')),
      column(name('expected'), 'text', of('expected')),
      // numbers of one row's column, and dates of another's
      column(name('expectedLow'), 'text', of('expectedLow').map(textOf)),
      column(name('expectedHigh'), 'text', of('expectedHigh').map(textOf)),
      column(name('expectedLabel'), 'text', of('expectedLabel')),
      column(name('surprise'), 'number', of('surprise')),
    ];
  });
  return [
    column(
      'row',
      'whole',
      rows.map((row) => BigInt(row + 1)),
    ),
    column('score', 'number', Array.from(scores)),
    column('logLikelihood', 'number', Array.from(logLikelihoods)),
    ...(underRules === null ? [] : [column(UNDER_RULES, 'number', Array.from(underRules, numberOrMissing))]),
    ...(flagged === null ? [] : [column('outlier', 'whole', Array.from(flagged, BigInt))]),
    ...cells.flat(),
  ];
}
