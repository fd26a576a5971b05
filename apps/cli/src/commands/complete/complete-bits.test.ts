import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { argv, orchard, rowsIn, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

/** Column b is a in seven of eight rows; c is on its own. */
const lines = Array.from(
  { length: 160 },
  (_, row) => `${row % 2},${row % 8 === 0 ? 1 - (row % 2) : row % 2},${(row >> 3) & 1}`,
);
writeFileSync(path('train.csv'), `a,b,c\n${lines.join('\n')}\n`);
writeFileSync(path('gaps.csv'), 'a,b,c\n1,?,0\n?,?,?\n');

describe('a model that tells exactly', () => {
  const out = path('run');
  beforeAll(async () => {
    const trained = await orchard(
      ...argv`train ${path('train.csv')} --model chow-liu --out ${out}
      --pseudo-count 2`,
    );
    expect(trained.stderr).not.toContain('expected');
    expect(trained.code).toBe(0);
  });

  test('gives each blank’s probabilities, by the counts', async () => {
    const { stdout, stderr, code } = await orchard('complete', out, path('gaps.csv'), '--probabilities');
    expect([code, stderr]).toEqual([0, 'orchard: probabilities of 4 missing values of 2 rows; exactly\n']);
    const [head, ...rows] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    expect(head).toEqual(['row', 'column', 'value', 'probability']);
    expect(rows.map((row) => row.slice(0, 3).join(','))).toEqual(
      expect.arrayContaining(['1,b,1', '1,b,0', '2,a,0', '2,a,1', '2,b,1', '2,c,0']),
    );
    expect(rows).toHaveLength(8);
    const ofFirst = rows.filter(([row, column]) => row === '1' && column === 'b').map((row) => Number(row[3]));
    expect(ofFirst[0]! + ofFirst[1]!).toBeCloseTo(1, 5);
    expect(ofFirst[0]).toBeGreaterThan(0.9);
  });

  test('gives the most probable values together, with how probable the row is then', async () => {
    const { stdout } = await orchard('complete', out, path('gaps.csv'), '--most-probable');
    expect(stdout).toMatch(/^a,b,c\n1,1,0\n([01]),\1,[01]\n$/);
    const file = path('most.csv');
    const { document } = await orchard('complete', out, path('gaps.csv'), '--most-probable', '--json', '--out', file);
    expect(readFileSync(file, 'utf8')).toBe(stdout);
    const scored = (await orchard('evaluate', out, file, '--per-row', path('rows.csv'), '--json')).code;
    expect(scored).toBe(0);
    expect(document).toMatchObject({ rows: 2, path: file });
    expect(Math.max(...(document['logLikelihood'] as number[]))).toBeLessThan(0);
  });

  test('writes a text back as it stands: its delimiter, names, columns in their order, known cells', async () => {
    writeFileSync(path('gaps.tsv'), 'c\ta\tb\n0\t1\t?\n1\t?\t1.0\n');
    const { stdout, code } = await orchard('complete', out, path('gaps.tsv'), '--most-probable');
    expect([code, stdout]).toEqual([0, 'c\ta\tb\n0\t1\t1\n1\t1\t1.0\n']);
    const again = path('filled.tsv');
    expect((await orchard('complete', out, path('gaps.tsv'), '--most-probable', '--out', again)).code).toBe(0);
    expect(readFileSync(again, 'utf8')).toBe(stdout);
    await orchard('complete', out, path('gaps.tsv'), '--most-probable', '--out', path('filled.npy'));
    const header = readFileSync(path('filled.npy')).toString('latin1');
    expect(header).toContain("'shape': (2, 3)");
    expect([...readFileSync(path('filled.npy')).subarray(-6)]).toEqual([1, 1, 0, 1, 1, 1]);
  });

  test('keeps text without names without them, whatever it is written to', async () => {
    writeFileSync(path('bare.csv'), `${lines.join('\n')}\n`);
    writeFileSync(path('bare-gaps.csv'), '1,?,0\n');
    const bare = path('bare');
    await orchard(...argv`train ${path('bare.csv')} --model chow-liu --out ${bare} --pseudo-count 2 --quiet`);
    expect((await orchard('complete', bare, path('bare-gaps.csv'), '--most-probable')).stdout).toBe('1,1,0\n');
    await orchard('complete', bare, path('bare-gaps.csv'), '--most-probable', '--out', path('bare-filled.tsv'));
    expect(readFileSync(path('bare-filled.tsv'), 'utf8')).toBe('1\t1\t0\n');
  });

  test('takes points of single columns, and says which models follow rules', async () => {
    const refused = await orchard('complete', out, path('gaps.csv'), '--rule', "c = '0'");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('without one order of its columns')]);
    const points = await orchard('complete', out, path('gaps.csv'), '--points', 'a=mode');
    expect([points.code, rowsIn(points.stdout)[0]]).toEqual([0, ['1', '1', '0']]);
    const mean = await orchard('complete', out, path('gaps.csv'), '--points', 'a=mean');
    expect([mean.code, mean.stderr]).toEqual([2, expect.stringContaining('a column of labels')]);
  });

  test('is asked for where another kind of model cannot, and tables where rows are no bits', async () => {
    const few = ['--leaves', '2', '--rounds', '3', '--quiet'];
    await orchard('train', path('train.csv'), '--model', 'lbarn', '--out', path('other'), ...few);
    const refused = await orchard('complete', path('other'), path('gaps.csv'), '--most-probable');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/--most-probable: .*lbarn, expected .*chow-liu/),
    ]);
    writeFileSync(path('words.csv'), 'a,b\nx,1\ny,2\n');
    const { code, stderr } = await orchard('train', path('words.csv'), '--model', 'cutset', '--out', path('none'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--model tables or marginals or chow-liu')]);
    const unknown = await orchard('train', path('train.csv'), '--forest', '--model', 'lbarn', '--out', path('none'));
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('got --forest')]);
  });
});

describe('a model of trees', () => {
  const out = path('trees');
  beforeAll(async () => {
    const { code } = await orchard(
      ...argv`train ${path('train.csv')} --model lbarn --leaves 4 --rounds 20 --out ${out} --quiet --no-report`,
    );
    expect(code).toBe(0);
  });

  test('gives the probabilities of missing values by samples', async () => {
    const { stdout, stderr, code } = await orchard('complete', out, path('gaps.csv'), '--probabilities');
    expect([code, stderr]).toEqual([0, expect.stringContaining('probabilities of 4 missing values of 2 rows; by 200')]);
    const ofB = rowsIn(stdout).filter(([row, column]) => row === '1' && column === 'b');
    expect(ofB[0]!.slice(2, 3)).toEqual(['1']);
    expect(Number(ofB[0]![3])).toBeGreaterThan(0.7);
  });

  test('follows rules', async () => {
    const { stdout, stderr, code } = await orchard('complete', out, path('gaps.csv'), '--rule', "c != '0'");
    expect([code, stderr]).toEqual([0, expect.stringContaining('samples of 4 missing values of 2 rows')]);
    expect(rowsIn(stdout)[1]![2]).toBe('1');
  });

  test('fills each row in several times, numbered, each time as another seed does', async () => {
    const { stdout } = await orchard('complete', out, path('gaps.csv'), '--draws', '3');
    const lines = rowsIn(stdout);
    expect(stdout.split('\n')[0]).toBe('draw,a,b,c');
    expect(lines.map(([draw]) => draw)).toEqual(['1', '2', '3', '1', '2', '3']);
    for (const seed of [0, 1, 2]) {
      const alone = await orchard('complete', out, path('gaps.csv'), '--seed', String(seed));
      expect(rowsIn(alone.stdout)).toEqual([seed, 3 + seed].map((at) => lines[at]!.slice(1)));
    }
  });
});
