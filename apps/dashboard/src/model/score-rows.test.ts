import { describe, expect, test } from 'vitest';
import { csvOfRanks, placedRemark, ranked, scoreInPieces, type ScoredRow } from './score-rows.js';

const row = (logLikelihood: number, anomalyScore: number | null = null): ScoredRow => ({
  ...{ logLikelihood, anomalyScore },
  surprising: [],
});

test('the row with the highest anomaly score is the first, and equals share a rank', () => {
  const rows = ranked([1, 7, 3, 7, 2].map((score) => row(-9, score)));
  expect(rows.map((own) => [own.row, own.rank])).toEqual([
    [2, 1],
    [4, 1],
    [3, 3],
    [5, 4],
    [1, 5],
  ]);
  expect(csvOfRanks(rows)).toBe(
    'row,log_likelihood,rank,anomaly_score\n1,-9,5,1\n2,-9,1,7\n3,-9,3,3\n4,-9,1,7\n5,-9,4,2\n',
  );
});

test('without anomaly scores the least likely row is the first', () => {
  const rows = ranked([-1, -7].map((nats) => row(nats)));
  expect(rows.map((own) => own.row)).toEqual([2, 1]);
  expect(csvOfRanks(rows)).toContain('\n2,-7,1,\n');
});

test('a remark that names a row says where its piece begins', () => {
  const misfit = '1 cell that does not fit the column "age", counted as missing: "abc" in row 3';
  expect([placedRemark(misfit, 0), placedRemark(misfit, 1000)]).toEqual([misfit, `counted from row 1001: ${misfit}`]);
  const numbers = 'of "price" numbers as "12,5" are read as 13';
  expect(placedRemark(numbers, 1000)).toBe(numbers);
});

describe('rows are scored in pieces', () => {
  const given = Array.from({ length: 2500 }, (_, at) => at);

  test('of a thousand, in their order', async () => {
    const pieces: number[] = [];
    const told: number[] = [];
    const scored = await scoreInPieces(
      given,
      20,
      (piece) => {
        pieces.push(piece.length);
        return Promise.resolve(piece.map((own) => row(own as number)));
      },
      () => false,
      (rows) => told.push(rows),
    );
    expect(scored.map(({ logLikelihood }) => logLikelihood)).toEqual(given);
    expect([pieces, told]).toEqual([
      [1000, 1000, 500],
      [1000, 2000, 2500],
    ]);
  });

  test('of fewer where rows are wide or take more than is answered at once, and a refusal of one row ends it', async () => {
    const pieces: number[] = [];
    const most = (rows: number) => (piece: readonly unknown[]) => {
      pieces.push(piece.length);
      if (piece.length > rows) return Promise.reject(new Error('too much'));
      return Promise.resolve(piece.map((own) => row(own as number)));
    };
    const nothing = (): undefined => undefined;
    const scored = await scoreInPieces(given.slice(0, 600), 5000, most(60), () => true, nothing);
    expect(scored.map(({ logLikelihood }) => logLikelihood)).toEqual(given.slice(0, 600));
    expect(pieces.slice(0, 4)).toEqual([200, 100, 50, 50]);
    await expect(scoreInPieces(given, 20, most(0), () => true, nothing)).rejects.toThrow('too much');
    const third = (piece: readonly unknown[]) =>
      piece.includes(2100) ? Promise.reject(new Error('Got x at rows.100')) : most(1000)(piece);
    await expect(scoreInPieces(given, 20, third, () => false, nothing)).rejects.toThrow(
      'Counted from row 2001 of the file: Got x at rows.100',
    );
  });
});
