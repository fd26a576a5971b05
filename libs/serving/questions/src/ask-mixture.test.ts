import { codeCount } from '@orchard/dataset';
import { randomVariables, tableOfVariables } from '@orchard/dataset/conformance/tables';
import { mixtureOf } from '@orchard/members';
import { emptyEnsemble, untold } from '@orchard/model';
import { TableModel } from '@orchard/tables';
import { describe, expect, test } from 'vitest';
import { families } from '@orchard/registry';
import { askComplete, askSample, askScore } from './index.js';

/** As its file is read by every program. */
const mixture = (() => {
  const variables = randomVariables(3, 4);
  const head = { table: tableOfVariables(variables), specification: null, likelihoods: untold };
  const members = [1, 2, 3].map((odds) => {
    const ensembles = variables.map((variable) =>
      Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(odds)),
    );
    return new TableModel({ ...head, ordering: Uint32Array.of(0, 1, 2, 3), ensembles });
  });
  const weights = Float64Array.of(0.5, 0.25, 0.25);
  return families.openModel(mixtureOf({ ...head, members, weights }).toBytes());
})();

describe('a mixture of models of a table is asked in the words of the table', () => {
  const { rows } = askSample(mixture, { count: 5, seed: 2 }) as { rows: Record<string, string | number | null>[] };
  const names = mixture.table!.variables.map(({ name }) => name);

  test('draws rows, and says how likely they are and what is odd of them', async () => {
    expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => names));
    const scored = await askScore(mixture, { rows, top: 2 });
    expect(scored.rows.length).toBe(5);
    for (const { logLikelihood } of scored.rows) expect(logLikelihood).toBeLessThan(0);
  });

  test('scores how unusual rows are; a column that a row lacks counts nothing and is no reason', async () => {
    const ask = async (row: object) => (await askScore(mixture, { rows: [row], top: 9 })).rows[0]!;
    const absent = Object.fromEntries(mixture.table!.variables.map(({ name }) => [name, null]));
    expect((await ask({})).logLikelihood).toBeCloseTo(0, 12);
    expect((await ask(absent)).logLikelihood).toBeLessThan(0);
    const { anomalyScore } = await ask(rows[0]!);
    expect(anomalyScore).toBeGreaterThanOrEqual(0);
    const gap = Object.fromEntries(Object.entries(rows[0]!).filter(([name]) => name !== names[1]));
    const { anomalyScore: without, surprising } = await ask(gap);
    expect(without).toBeLessThanOrEqual(anomalyScore! + 1e-9);
    expect(surprising.length).toBeGreaterThan(0);
    expect(surprising.map(({ column }) => column)).not.toContain(names[1]);
  });

  test('draws rows of which something is given', () => {
    const [name] = names as [string];
    const value = rows[0]![name]!;
    const given = askSample(mixture, { count: 4, seed: 2, given: { [name]: value } }) as {
      rows: Record<string, unknown>[];
      share: number;
    };
    expect(given.rows.map((row) => row[name])).toEqual([value, value, value, value]);
    expect(given.share).toBeGreaterThan(0);
  });

  test('fills what is unknown several times, and says how probable each value is', async () => {
    const gap = Object.fromEntries(Object.entries(rows[0]!).filter(([name]) => name !== names[1]));
    const { rows: filled } = await askComplete(mixture, { rows: [gap], draws: 3 });
    expect(filled[0]!.completions.map((row) => Object.keys(row))).toEqual([names, names, names]);
    const answer = await askComplete(mixture, { rows: [gap], probabilities: true });
    const shares = answer.rows[0]!.probabilities![names[1]!]!.map(({ probability }) => probability);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
  });
});
