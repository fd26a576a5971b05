import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Outlier } from '@orchard/model';
import { orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

test('orchard evaluate --worst shows the most unusual rows of 0 and 1, and the cells that make them so', async () => {
  // the last column is the first; the second is a coin
  const rows = Array.from({ length: 100 }, (_, row) => [row % 2, (row >> 1) % 2, row % 2].join(','));
  writeFileSync(at('rows.csv'), `a,coin,end\n${rows.join('\n')}\n`);
  writeFileSync(at('new.csv'), 'a,coin,end\n0,0,0\n1,1,0\n1,0,1\n');
  const train = ['--model', 'chow-liu', '--threads', '1', '--quiet', '--out', at('model')];
  expect(await orchard('train', at('rows.csv'), ...train)).toMatchObject({ code: 0 });
  const { stdout } = await orchard('evaluate', at('model'), at('new.csv'), '--worst', '2', '--top', '1');
  const shown = stdout.split('\n').filter((line) => line.startsWith('row '));
  expect(shown).toHaveLength(2);
  expect(shown[0]).toMatch(/^row 2: score \d\.\d{3}; (end is 0|a is 1) \(\d[\d.e-]* %; expected [01] \(\d+ %\)\)$/);
  const { document } = await orchard('evaluate', at('model'), at('new.csv'), '--worst', '1', '--json');
  const [worst] = document['worst'] as Outlier[];
  expect(worst!.row).toBe(2);
  // the coin is as usual as it can be
  expect(worst!.cells.map(({ column }) => column).sort()).toEqual(['a', 'end']);
  expect(worst!.cells[0]!.probability).toBeLessThan(0.1);
  expect(worst!.score).toBeGreaterThan(1);
  expect(worst!.logLikelihood).toBeLessThan(-4);
});

test('orchard evaluate --flag and --per-row are the same for rows of 0 and 1 as for tables', async () => {
  const { document } = await orchard(
    ...['evaluate', at('model'), at('new.csv'), '--flag', '0.3', '--per-row', at('scores.csv'), '--top', '1', '--json'],
  );
  expect(document['flagged']).toEqual([2]);
  const [head, first, second] = readFileSync(at('scores.csv'), 'utf8').split('\n');
  expect(head).toBe(
    'row,score,logLikelihood,outlier,column1,value1,probability1,expected1,expectedLow1,expectedHigh1,expectedLabel1,surprise1',
  );
  expect(first).toMatch(/^1,[\d.]+,-[\d.]+,0,,,,,,,,$/);
  expect(second).toMatch(/^2,[\d.]+,-[\d.]+,1,(a,1|end,0),/);
});

test('orchard evaluate warns where the model learned from the rows, in whatever format they come', async () => {
  const { stderr } = await orchard('evaluate', at('model'), at('rows.csv'), '--worst', '1');
  expect(stderr).toContain(`the model learned from these rows`);
  expect(stderr).toContain(`orchard outliers ${at('rows.csv')}`);
  writeFileSync(at('rows.tsv'), readFileSync(at('rows.csv'), 'utf8').replaceAll(',', '\t'));
  expect((await orchard('evaluate', at('model'), at('rows.tsv'), '--worst', '1')).stderr).toContain('learned from');
  expect((await orchard('evaluate', at('model'), at('new.csv'), '--worst', '1')).stderr).not.toContain('learned from');
});

test('orchard evaluate warns so of plain likelihoods and of a target too', async () => {
  const warning = 'the model learned from these rows, so they are too likely by it. Give others';
  expect((await orchard('evaluate', at('model'), at('rows.csv'))).stderr).toContain(warning);
  expect((await orchard('evaluate', at('model'), at('rows.csv'), '--target', 'end')).stderr).toContain(warning);
  expect((await orchard('evaluate', at('model'), at('new.csv'))).stderr).not.toContain('learned from');
});

describe('rows of 0 and 1 are asked what tables are', () => {
  const bits = Array.from({ length: 400 }, (_, row) => {
    const [a, coin] = [row % 2, (row >> 1) % 2];
    return [a, coin, row === 7 ? 1 - a : a].join(',');
  });
  writeFileSync(at('wrong.csv'), `a,coin,end\n${bits.join('\n')}\n`);

  test('check finds a wrong bit, by models of the file or by one of earlier rows', async () => {
    const own = await orchard('check', at('wrong.csv'), '--folds', '2', '--false-alarms', '0.001', '--json', '--quiet');
    const byModel = await orchard('check', at('wrong.csv'), '--baseline', at('model'), '--json', '--quiet');
    for (const { code, stderr, document } of [own, byModel]) {
      expect(code, stderr).toBe(3);
      const cells = document['cells'] as { row: number; column: string }[];
      expect(cells.map(({ row }) => row).filter((row) => row !== 8)).toEqual([]);
      expect(cells[0]).toMatchObject({ row: 8, value: cells[0]!.column === 'a' ? '1' : '0' });
    }
    const refused = await orchard('check', at('wrong.csv'), '--model', 'lbarn');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('rows of 0 and 1 alone')]);
  }, 60_000);

  test('outliers and evaluate say what is unusual given columns', async () => {
    const words = ['--given-columns', 'a', '--json', '--quiet'];
    const found = await orchard('outliers', at('wrong.csv'), ...words, '--folds', '2', '--count', '1');
    expect(found.code, found.stderr).toBe(0);
    expect(found.document['outliers']).toMatchObject([{ row: 8, cells: [{ column: 'end', value: '0' }] }]);
    const train = ['--model', 'lbarn', '--rounds', '40', '--leaves', '4', '--quiet', '--no-report'];
    expect((await orchard('train', at('wrong.csv'), ...train, '--out', at('trees'))).code).toBe(0);
    const scored = await orchard('evaluate', at('trees'), at('wrong.csv'), ...words, '--worst', '1');
    expect(scored.document['worst']).toMatchObject([{ row: 8, cells: [{ column: 'end', value: '0' }] }]);
    const last = await orchard('evaluate', at('trees'), at('wrong.csv'), '--given-columns', 'end', '--worst', '1');
    expect([last.code, last.stderr]).toEqual([2, expect.stringContaining('--ordering first:end')]);
  }, 60_000);

  test('evaluate integrates unknown bits out, as it does unknown cells', async () => {
    writeFileSync(at('unknown.csv'), 'a,coin,end\n1,,1\n,,\n');
    const { code, document } = await orchard(
      ...['evaluate', at('model'), at('unknown.csv'), '--missing-means', 'unknown', '--json', '--quiet'],
    );
    expect([code, document['rowsWithUnknown']]).toEqual([0, 2]);
    // of a row of which nothing is known the probability is 1; a and end are one coin
    expect(2 * (document['logLikelihood'] as number)).toBeCloseTo(Math.log(0.5), 1);
  });

  test('associations are those of the columns', async () => {
    const { document } = await orchard('associations', at('model'), '--json');
    const [strongest] = document['pairs'] as { variables: string[]; strength: number }[];
    expect(strongest!.variables).toEqual(['a', 'end']);
    expect(strongest!.strength).toBeGreaterThan(0.9);
  });
});
