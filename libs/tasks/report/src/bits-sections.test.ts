import { BitMatrix } from '@orchard/dataset';
import type { DensityModel } from '@orchard/model';
import { randomNetwork } from '@orchard/model/conformance/networks';
import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import { bitSections } from './bits-sections.js';
import { reportOnModel } from './report-on-model.js';

const network = randomNetwork({ dimensions: 9, trees: 6, leaves: 6, seed: 3 });
const splits = { train: network.sample(400, 1), valid: network.sample(200, 2), test: network.sample(300, 3) };
const runId = 'a'.repeat(64);

/** The text of each section by its heading. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const { document } = parseHTML(page);
  return new Map(
    [...document.querySelectorAll('section')].map((one) => [
      one.querySelector('h2')?.textContent ?? '',
      one.textContent,
    ]),
  );
}

describe('a report on rows of 0 and 1', () => {
  test('has the sections of a table: dependences, marginals, unusual rows, copies, what predicts each column', async () => {
    const sections = sectionsOf(await reportOnModel({ runId, model: network, splits }));
    for (const heading of [
      'Columns that depend on each other most',
      'What each column is predicted from',
      'Each variable: data beside samples',
      'Dependences: data beside samples',
      'The most unusual test rows',
      'Are the samples copies?',
      'The variables: what others predict, and what is noise',
    ])
      expect([...sections.keys()]).toContain(heading);
  });

  test('names the row that is least like its columns first, with the value that is unusual', async () => {
    const odd = network.sample(300, 3);
    const scores = network.score(odd, { top: 1 });
    const worst = [...scores.logLikelihood.keys()].sort(
      (one, other) => scores.logLikelihood[one]! - scores.logLikelihood[other]!,
    );
    const text = sectionsOf(await reportOnModel({ runId, model: network, splits })).get('The most unusual test rows')!;
    const named = [...text.matchAll(/test row (\d+) /g)].map(([, row]) => Number(row));
    expect(named).toHaveLength(10);
    expect(worst.slice(0, 20).map((row) => row + 1)).toContain(named[0]!);
  });

  test('counts how often training rows have each value', async () => {
    const rows = BitMatrix.fromRows(
      Array.from({ length: 50 }, (_, row) => Array(9).fill(row < 20 ? 1 : 0) as (0 | 1)[]),
    );
    const { columns } = await bitSections(
      { model: network, splits: { ...splits, train: rows } },
      { predictors: false },
    );
    expect(columns.join('')).toContain('40 %');
  });

  test('says what a model does not say: shares of columns in the likelihood, and predictors', async () => {
    const whole: DensityModel = {
      family: 'whole',
      dimensions: 9,
      names: null,
      shape: null,
      specification: network.specification,
      likelihoods: network.likelihoods,
      logLikelihood: (rows) => network.logLikelihood(rows),
      score: (rows) => ({ ...network.score(rows), surprise: new Float64Array(0), columns: new Uint32Array(0), top: 0 }),
      sample: (count, seed) => network.sample(count, seed),
      sampler: (seed) => network.sampler(seed),
      complete: (values, bits, options) => network.complete(values, bits, options),
      summary: () => network.summary(),
      toBytes: () => network.toBytes(),
    };
    const page = await reportOnModel({ runId, model: whole, splits });
    const sections = sectionsOf(page);
    expect(sections.get('The most unusual test rows')).toContain('not how much each of its columns adds');
    expect(sections.get('What each column is predicted from')).toContain('family whole do not say it');
    expect(sections.get('Dependences: data beside samples')).toContain('Strongest in the data');
    expect(page).not.toMatch(/NaN|undefined/);
  });

  test('of very many columns leaves these sections out, and says so', async () => {
    const wide = randomNetwork({ dimensions: 10_001, trees: 1, leaves: 2, seed: 1 });
    const rows = wide.sample(4, 1);
    const { columns, rows: ofRows } = await bitSections(
      { model: wide, splits: { train: rows, valid: rows, test: null } },
      { predictors: true },
    );
    expect(columns.join('')).toMatch(/not shown of 10\s001 columns/);
    expect(ofRows).toEqual([]);
  });
});
