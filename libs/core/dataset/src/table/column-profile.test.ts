import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RepeatedCells, type RawColumn } from '../table-files/raw-column.js';
import type { RawCell } from '../table-files/raw-table.js';
import { ColumnProfile, type Wanted } from './column-profile.js';
import { inferKind } from './kinds.js';

/** Cells of every kind that a column may have, those of one column mostly of one kind. */
const cells = fc
  .constantFrom(
    ['1', '2', '3', '10', '2.50', '7.25'],
    ['2024-01-02', '2024-03-04', '2024-01-02T10:00:00Z', '2024-01-02T11:30:00.5Z', '2024-01-02T10:00:00+02:00'],
    ['yes', 'no', 'maybe'],
    ['00501', '10115', '04109'],
    ['$1.50', '$2,000.25', '3.75'],
    ['08:30', '17:45:10'],
  )
  .chain((words) => {
    const other = fc.constantFrom('1', 'x', '2024-05-06', '12:00', '', '1e400', '007', '9007199254740993');
    const cell = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<RawCell>(...words) },
      { weight: 1, arbitrary: other },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    return fc.array(cell, { minLength: 1, maxLength: 60 });
  });

/** The same cells as places of words, of which each batch may bring more. */
function repeated(column: readonly RawCell[], batchRows: number): readonly RawColumn[] {
  const words: RawCell[] = [];
  const batches: RawColumn[] = [];
  for (let first = 0; first < column.length; first += batchRows) {
    const places = column.slice(first, first + batchRows).map((cell) => {
      if (!words.includes(cell)) words.push(cell);
      return words.indexOf(cell);
    });
    batches.push(new RepeatedCells(words, Uint16Array.from(places)));
  }
  return batches;
}

/** All that a profile says. */
function saidBy(profile: ColumnProfile): unknown {
  return {
    ...profile,
    labels: [...profile.labels],
    byNumber: [...profile.ofNumbers.byNumber],
    said: [
      profile.values,
      profile.distinct,
      profile.ofNumbers.areAllCounted,
      profile.ofNumbers.isSampled,
      profile.areMostlyDistinct,
    ],
    numbers: [...profile.ofNumbers.sorted()],
    form: profile.written.most(undefined),
    kind: inferKind(profile, 'x', { where: 'x.csv' }),
  };
}

function expectAlike(
  column: readonly RawCell[],
  wanted: Wanted,
  batchRows: number,
  splitOf: Uint8Array | null = null,
): void {
  const [oneByOne, byWords] = [new ColumnProfile(1, 0, null, wanted), new ColumnProfile(1, 0, null, wanted)];
  column.forEach((cell, row) => {
    if (splitOf === null || splitOf[row] === 0) oneByOne.add(cell);
  });
  let first = 0;
  for (const batch of repeated(column, batchRows)) {
    byWords.addColumn(batch, batch.length, splitOf, first);
    first += batch.length;
  }
  byWords.end();
  expect(saidBy(byWords)).toEqual(saidBy(oneByOne));
}

test('words that repeat are counted as the same cells one by one are', () => {
  const wanted = fc.record<Wanted>({
    labels: fc.constantFrom<Wanted['labels']>(true, false, 'unlessMany'),
    numbers: fc.boolean(),
    sample: fc.boolean(),
  });
  fc.assert(
    fc.property(cells, wanted, fc.integer({ min: 1, max: 20 }), fc.boolean(), (column, asked, batchRows, isSplit) => {
      const splitOf = isSplit ? Uint8Array.from(column, (_, row) => (row % 3 === 1 ? 1 : 0)) : null;
      expectAlike(column, asked, batchRows, splitOf);
    }),
    { numRuns: 400 },
  );
});

test.each<Wanted['labels']>([true, false, 'unlessMany'])(
  'also when there are more of them than are counted (labels: %s)',
  (labels) => {
    const words = Array.from({ length: 4200 }, (_, word) => (word % 2 === 0 ? `word ${word}` : `${word}`));
    expectAlike([...words.slice(0, 50), ...words, ...words], { labels, numbers: true, sample: true }, 1000);
    expectAlike([...words, ...words.slice(0, 300)], { labels, numbers: true, sample: false }, 1000);
  },
);
