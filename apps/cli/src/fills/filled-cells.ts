import { csvField } from '../output/write-rows.js';
import type { FilledCell } from './fill-options.js';

/** `row,column,value,low,high,probability`, a line for each missing value; labels have neither low nor high. */
export function filledCellsCsv(cells: readonly FilledCell[], nameOf: (index: number) => string): string {
  const lines = cells.map(({ row, index, value, low, high, probability }) => {
    const texts = [nameOf(index), value, low ?? '', high ?? ''].map(csvField);
    return [String(row + 1), ...texts, probability?.toPrecision(6) ?? ''].join(',');
  });
  return `${['row,column,value,low,high,probability', ...lines].join('\n')}\n`;
}
