import { nameOfDimension } from '@orchard/dataset';
import { fillBits } from '../fills/fill-bits.js';
import { drawsFor, type Point } from '../fills/fill-options.js';
import { filledCellColumns } from '../fills/filled-cells.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableFileWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { writeOutput } from '../output/write-output.js';
import { csvOfColumns, encodeTable, tableFile } from '../output/table-file.js';
import { encodeRows, kindOfFile, valuesOf } from '../output/write-rows.js';
import { loadMaskedRows, type LoadedNetwork } from './load-network.js';

interface PointOptions extends DatasetOptions, TableFileWords {
  readonly seed: number;
  readonly samples?: number;
  readonly draws?: number;
  readonly point?: Point;
  readonly interval?: number;
}

/** Fills in rows of 0 and 1 by the more probable value of each missing one, or lists these with their intervals. */
export async function completeByPoints(
  { network }: LoadedNetwork,
  data: string,
  options: PointOptions,
  out: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const { seed, samples = 256, point = 'median', interval } = options;
  const draws = drawsFor(interval, options.draws);
  const listing = interval === undefined ? null : tableFile(out);
  const kind = listing !== null || out === undefined ? '.csv' : kindOfFile(out);
  const { values, known } = await loadMaskedRows(data, network, options, terminal);
  const { cells, matrix, isExact } = fillBits(network, values, known, { seed, samples, draws, point, interval });
  const nameOf = (dim: number): string => nameOfDimension(dim, network.names);
  const listed = filledCellColumns(cells, nameOf);
  const bytes = listing === null ? await encodeRows(matrix, kind) : await encodeTable(listing.ending, listed);
  if (out === undefined) await terminal.data(bytes);
  else await writeOutput(out, '--out', bytes);
  const what = interval === undefined ? 'more probable values' : `intervals of ${String(interval)}`;
  terminal.note(
    `orchard: ${what} of ${counted(cells.length, 'missing value')} of ${counted(values.rows, 'row')}${out === undefined ? '' : `, in ${out}`}; ` +
      (isExact ? 'exactly' : `by ${counted(draws, 'sample')}`),
  );
  const shown = listing === null ? { values: valuesOf(matrix) } : { text: csvOfColumns(listed) };
  terminal.document({
    ...{ rows: values.rows, missing: cells.length, isExact, point, ...(isExact ? {} : { draws, seed }) },
    ...(interval !== undefined && {
      interval,
      cells: cells.map(({ row, index, ...filled }) => ({ row: row + 1, column: nameOf(index), ...filled })),
    }),
    path: out ?? null,
    ...(out === undefined ? shown : {}),
  });
}
