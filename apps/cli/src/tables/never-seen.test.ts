import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** An answer that follows from the class, a class of three labels, a count of 1 to 8 without 4 and 5. */
const cells = (row: number): [answer: string, label: string, count: number] => [
  row % 3 === 0 ? 'deny' : 'approve',
  'abc'[row % 3]!,
  [1, 2, 3, 6, 7, 8][(row * 7 + (row >> 3)) % 6]!,
];
const write = (name: string, rows: readonly (readonly (string | number)[])[]): string => {
  writeFileSync(at(name), `answer,label,count\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  return at(name);
};
const train = write(
  'train.csv',
  Array.from({ length: 360 }, (_, row) => cells(row)),
);

describe.each(['tables', 'chow-liu', 'marginals'])('a value that training never had, for a model of %s,', (model) => {
  it('makes a row less likely than any value that it had, in every kind of column, with a reason', async () => {
    const out = at(model);
    const options = model === 'tables' ? ['--rounds', '40'] : [];
    const trained = await orchard('train', train, '--model', model, '--out', out, '--no-report', '--quiet', ...options);
    expect(trained.code).toBe(0);
    const likelihoods = async (rows: readonly (readonly (string | number)[])[]): Promise<number[]> => {
      const perRow = at('scores.csv');
      await orchard('evaluate', out, write('rows.csv', rows), '--per-row', perRow, '--top', '1', '--quiet');
      return rowsIn(readFileSync(perRow, 'utf8')).map((cells) => Number(cells[2]));
    };
    const [answer, label, count] = cells(5);
    const known: Readonly<Record<string, readonly (readonly (string | number)[])[]>> = {
      answer: ['deny', 'approve'].map((own) => [own, label, count]),
      label: ['a', 'b', 'c'].map((own) => [answer, own, count]),
      count: [1, 2, 3, 6, 7, 8].map((own) => [answer, label, own]),
    };
    const unseen: Readonly<Record<string, readonly (string | number)[]>> = {
      answer: ['maybe', label, count],
      label: [answer, 'z', count],
      count: [answer, label, 4],
    };
    for (const [column, rows] of Object.entries(known)) {
      const [own, ...others] = await likelihoods([unseen[column]!, ...rows]);
      expect([column, own! < Math.min(...others)]).toEqual([column, true]);
      const { document } = await orchard(
        ...['evaluate', out, write('worst.csv', [unseen[column]!, ...rows]), '--worst', '1', '--top', '1', '--json'],
      );
      const [worst] = document['worst'] as readonly { row: number; reasons: readonly { column: string }[] }[];
      expect([worst!.row, worst!.reasons[0]!.column]).toEqual([1, column]);
    }
    const [gap, near, far] = await likelihoods([4, 9, 90].map((own) => [answer, label, own]));
    expect(gap!).toBeGreaterThan(near!);
    expect(near! - far!).toBeGreaterThan(5);
  });
});
