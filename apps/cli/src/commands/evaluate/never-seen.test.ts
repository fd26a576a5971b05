import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { describe, expect, it } from 'vitest';
import { orchard, rowsIn, temporaryFolder } from '../../run.suite.js';

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
    const options = model === 'tables' ? ['--rounds', '40', '--members', '1'] : [];
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
      // a count between those that training had is as expected as they are, so that it is no reason: one far off is
      const odd = column === 'count' ? [answer, label, 90] : unseen[column]!;
      const { document } = await orchard(
        ...['evaluate', out, write('worst.csv', [odd, ...rows]), '--worst', '1', '--top', '1', '--json'],
      );
      const [worst] = document['worst'] as readonly { row: number; reasons: readonly { column: string }[] }[];
      expect([worst!.row, worst!.reasons[0]!.column]).toEqual([1, column]);
    }
    const [gap, near, far] = await likelihoods([4, 9, 90].map((own) => [answer, label, own]));
    expect(gap!).toBeGreaterThan(near!);
    expect(near! - far!).toBeGreaterThan(5);
  });
});

describe.each(families.learning('table').map(({ name }) => name))(
  'a number that training never had, for a model of %s,',
  (model) => {
    it('says of the other columns what lies between what its neighbours say', async () => {
      // what a label is goes up and down with the count, and the greatest counts have another than the least
      const countsOf = { a: [0, 1, 50, 51], b: [2, 10, 11, 12] };
      const rows = Array.from({ length: 240 }, (_, row) => {
        const label = row % 2 === 0 ? 'a' : 'b';
        return [label, countsOf[row % 11 === 0 ? (label === 'a' ? 'b' : 'a') : label][(row >> 1) % 4]!] as const;
      });
      const csv = (name: string, cells: readonly (readonly (string | number)[])[]): string => {
        writeFileSync(at(name), `label,count\n${cells.map((row) => row.join(',')).join('\n')}\n`);
        return at(name);
      };
      const out = at(`between-${model}`);
      const fast: Readonly<Record<string, readonly string[]>> = {
        tables: ['--rounds', '40', '--members', '1'],
        sparn: ['--penalty', '2'],
      };
      const trained = await orchard(
        ...['train', csv('counts.csv', rows), '--model', model, '--type', 'count=ordered', '--out', out],
        ...['--no-report', '--quiet', ...(fast[model] ?? [])],
      );
      expect([trained.code, trained.stderr]).toEqual([0, expect.any(String)]);
      /** How much likelier label a is than b, nats, beside each count. */
      const oddsBeside = async (counts: readonly number[]): Promise<number[]> => {
        const asked = counts.flatMap((count) => [
          ['a', count],
          ['b', count],
        ]);
        const perRow = at('odds.csv');
        await orchard('evaluate', out, csv('asked.csv', asked), '--per-row', perRow, '--top', '0', '--quiet');
        const nats = rowsIn(readFileSync(perRow, 'utf8')).map((cells) => Number(cells[2]));
        return counts.map((_, index) => nats[2 * index]! - nats[2 * index + 1]!);
      };
      const cases = [
        [3, 2, 10],
        [7, 2, 10],
        [13, 12, 50],
        [40, 12, 50],
        // beyond the ends there is one neighbour
        [-4, 0, 0],
        [70, 51, 51],
      ] as const;
      const odds = await oddsBeside(cases.flat());
      for (const [index, [count]] of cases.entries()) {
        const [own, low, high] = odds.slice(3 * index, 3 * index + 3) as [number, number, number];
        const isBetween = own >= Math.min(low, high) - 1e-9 && own <= Math.max(low, high) + 1e-9;
        expect([count, isBetween, own, low, high]).toEqual([count, true, own, low, high]);
      }
      // the model has learned what the test is about
      if (['tables', 'chow-liu', 'boosted'].includes(model))
        expect(odds[1]! < 0 && odds[7]! < 0 && odds[8]! > 0).toBe(true);
    });
  },
);
