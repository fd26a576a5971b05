import { emptyEnsemble, Network, untold } from '@orchard/model';
import { describe, expect, test } from 'vitest';
import {
  askComplete,
  askSample,
  askScore,
  completeAnswerSchema,
  sampleAnswerSchema,
  scoreAnswerSchema,
} from './index.js';

/** Three independent columns, 1 by 3 in 4, 1 in 2 and 1 in 5: trees of no split know no more than their start. */
const network = new Network({
  names: ['a', 'b', 'c'],
  shape: null,
  ordering: Uint32Array.of(0, 1, 2),
  ensembles: [3, 1, 1 / 4].map((odds) => emptyEnsemble(odds)),
  specification: null,
  likelihoods: untold,
});
const rows = [
  [null, 1, null],
  [0, 0, 0],
];

/** As every answer is, it is what the schema says. */
const asked = async (words: object) => completeAnswerSchema.parse(await askComplete(network, { rows, ...words })).rows;

describe('rows of 0 and 1 are completed', () => {
  test('as often as is asked, each time as another seed does', async () => {
    const [first] = await asked({ draws: 3, seed: 4 });
    const bySeeds = await Promise.all([4, 5, 6].map((seed) => asked({ seed })));
    expect(first!.completions).toEqual(bySeeds.map(([row]) => row!.completions[0]));
    expect(first!.completion).toEqual(first!.completions[0]);
  });

  test('by the probabilities of each missing value, the more probable first', async () => {
    const [first, whole] = await asked({ probabilities: true });
    expect(Object.keys(first!.probabilities!)).toEqual(['a', 'c']);
    const { a, c } = first!.probabilities!;
    expect(a!.map(({ value }) => value)).toEqual(['1', '0']);
    expect(Math.abs(a![0]!.probability - 0.75)).toBeLessThan(0.1);
    expect(c!.map(({ value }) => value)).toEqual(['0', '1']);
    expect(c![0]!.probability + c![1]!.probability).toBeCloseTo(1, 12);
    expect(first!.completions).toEqual([]);
    expect(whole!.probabilities).toEqual({});
  });

  test('or refused where it would take too much', async () => {
    const many = Array.from({ length: 1000 }, () => [null, null, null]);
    await expect(askComplete(network, { rows: many, draws: 100, samples: 4096 })).rejects.toThrow('in one request');
  });
});

describe('rows of 0 and 1 are asked as those of a table', () => {
  const row = { a: 1, b: null, c: 0 };

  test('completed as objects by column, or as lists, as `form` says', async () => {
    const { names, misfits, rows } = completeAnswerSchema.parse(
      await askComplete(network, { rows: [row], form: 'objects', draws: 2 }),
    );
    expect([names, misfits]).toEqual([['a', 'b', 'c'], 0]);
    for (const completion of rows[0]!.completions) {
      expect(completion).toMatchObject({ a: 1, c: 0 });
      expect([0, 1]).toContain((completion as { b: number }).b);
    }
    const [lists] = completeAnswerSchema.parse(await askComplete(network, { rows: [row], draws: 2 })).rows;
    expect(lists!.completions).toEqual(rows[0]!.completions.map((one) => Object.values(one)));
    expect(rows[0]!.logEvidence).toBeCloseTo(Math.log((3 / 4) * (4 / 5)), 10);
  });

  test('sampled with given values, in either form', () => {
    const asked = { count: 5, seed: 3, given: { c: 1 } };
    const { rows, share } = sampleAnswerSchema.parse(askSample(network, asked));
    expect(rows.map((one) => (one as number[])[2])).toEqual([1, 1, 1, 1, 1]);
    expect(share).toBeCloseTo(0.2, 10);
    const objects = sampleAnswerSchema.parse(askSample(network, { ...asked, form: 'objects' }));
    expect(objects.rows.map((one) => Object.values(one))).toEqual(rows);
  });

  test('scored with what is unknown summed out, and with reasons by column', async () => {
    const answer = scoreAnswerSchema.parse(await askScore(network, { rows: [row, [0, 1, 1]] }));
    expect(answer.rows[0]!.logLikelihood).toBeCloseTo(Math.log((3 / 4) * (4 / 5)), 10);
    expect(answer.rows[1]!.surprising.map(({ column, dimension }) => [column, dimension])).toEqual([
      ['c', 2],
      ['a', 0],
    ]);
    expect(answer.rows[1]!.surprising[0]!.probability).toBeCloseTo(0.2, 10);
  });

  test('refused by their first value that is no bit, and by their width', async () => {
    await expect(askScore(network, { rows: [[0, 2, 1]] })).rejects.toThrow('rows.0.1');
    await expect(askScore(network, { rows: [[0, 1]] })).rejects.toThrow('3, one for each column');
    await expect(askComplete(network, { rows: [{ d: 1 }] })).rejects.toThrow('"d"');
  });
});
