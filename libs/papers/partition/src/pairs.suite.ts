import { BitMatrix } from '@orchard/dataset';

/** The 32 rows of the thesis' synthetic experiment (4.5.1): five pairs of columns, each 01 or 10. */
export function everyPairing(): BitMatrix {
  const row = (number: number): string =>
    Array.from({ length: 5 }, (_, pair) => ((number >> pair) & 1 ? '10' : '01')).join('');
  return BitMatrix.fromRows(Array.from({ length: 32 }, (_, number) => row(number)));
}
