import type { FilledCell } from '@orchard/analysis';
import type { TextColumn } from '../output/table-file.js';

/** A line for each missing value: `row,column,value,low,high,probability`; labels have neither low nor high. */
export function filledCellColumns(cells: readonly FilledCell[], nameOf: (index: number) => string): TextColumn[] {
  const column = (name: string, textOf: (cell: FilledCell) => string | null): TextColumn => ({
    name,
    texts: cells.map(textOf),
  });
  return [
    column('row', ({ row }) => String(row + 1)),
    column('column', ({ index }) => nameOf(index)),
    column('value', ({ value }) => value),
    column('low', ({ low }) => low),
    column('high', ({ high }) => high),
    column('probability', ({ probability }) => probability?.toPrecision(6) ?? null),
  ];
}
