import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeClasses, posterior } from '@orchard/analysis';
import { openTable } from '@orchard/dataset';
import { describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';
import { labelsOf } from './class-labels.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Two colours agree in one class and differ in the other: no column alone tells the class. */
function rowsOf(count: number, first: number): string[] {
  return Array.from({ length: count }, (_, row) => {
    const number = row + first;
    const a = number % 2;
    const isSame = number % 3 !== 0;
    return [`c${String(a)}`, `c${String(isSame ? a : 1 - a)}`, isSame ? 'same' : 'other'].join(',');
  });
}
writeFileSync(at('train.csv'), `a,b,kind\n${rowsOf(180, 0).join('\n')}\n`);
writeFileSync(at('test.csv'), `a,b,kind\n${[...rowsOf(60, 1), 'c0,c1,', 'c0,c0,never'].join('\n')}\n`);
writeFileSync(at('rows.csv'), 'a,b\nc0,c1\nc1,c1\n');
writeFileSync(at('few.csv'), `a,b,kind\n${[...rowsOf(60, 0), 'c0,c0,rare'].join('\n')}\n`);

const models = at('classes');
const trained = orchard(
  ...['classify', at('train.csv'), '--by', 'kind', '--test', at('test.csv'), '--model', 'chow-liu'],
  ...['--out', models, '--json'],
);

describe('orchard classify', () => {
  it('tells the class of test rows by how their columns depend on each other', async () => {
    const { code, document } = await trained;
    expect(code).toBe(0);
    expect(document['classes']).toEqual([
      { label: 'other', rows: 60 },
      { label: 'same', rows: 120 },
    ]);
    const figures = {
      errorRate: 0,
      rows: 60,
      unknown: 2,
      confusion: [
        [20, 0],
        [0, 40],
      ],
    };
    expect(document['figures']).toMatchObject(figures);
    const { logLikelihood } = document['figures'] as { logLikelihood: number };
    expect(logLikelihood).toBeLessThan(0);
    expect(logLikelihood).toBeGreaterThan(-0.1);
    expect(document['predicted']).toEqual([
      { label: 'other', rows: 21 },
      { label: 'same', rows: 41 },
    ]);
  });

  it('says of no fold that it scores the rows, nor how the column of classes would be kept', async () => {
    const { stderr } = await trained;
    expect(stderr).toContain('orchard: "kind" is left out: it was excluded\n');
    expect(stderr).not.toContain('fold');
  });

  it('tells the class of other rows later, with the probability of each', async () => {
    await trained;
    expect(existsSync(join(models, 'class-2', 'network.msgpack'))).toBe(true);
    const words = ['classify', at('rows.csv'), '--with', models, '--per-row', at('classified.csv')];
    const { code, stdout } = await orchard(...words);
    expect(code).toBe(0);
    expect(stdout).toContain('2 rows classified');
    const lines = readFileSync(at('classified.csv'), 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('row,class,P(other),P(same)');
    const cells = lines.slice(1).map((line) => line.split(','));
    expect(cells.map(([row, own]) => [row, own])).toEqual([
      ['1', 'other'],
      ['2', 'same'],
    ]);
    for (const [, , other, same] of cells) expect(Number(other) + Number(same)).toBeCloseTo(1, 12);
  });

  it('writes the class of each row as Parquet where the name ends so', async () => {
    await trained;
    const file = at('classified.parquet');
    expect(await orchard('classify', at('rows.csv'), '--with', models, '--per-row', file)).toMatchObject({ code: 0 });
    const raw = await openTable(file);
    try {
      expect([raw.format, raw.columns]).toEqual(['parquet', ['row', 'class', 'P(other)', 'P(same)']]);
      expect(await labelsOf(raw, 'class')).toEqual(['other', 'same']);
    } finally {
      await raw.close();
    }
  });

  it('prints the error rate and what is taken for what', async () => {
    await trained;
    const { stdout } = await orchard('classify', at('test.csv'), '--with', models);
    expect(stdout).toContain('62 rows classified; the class of 2 rows is not known');
    expect(stdout).toMatch(/error rate +0 % of 60 rows/);
    expect(stdout).toMatch(/class +as other +as same/);
  });

  it.each([
    ['few.csv', ['--by', 'kind', '--out', at('none')], '1 row of the class rare'],
    ['train.csv', ['--by', 'kin', '--out', at('none')], 'Did you mean "kind"?'],
    ['train.csv', ['--by', 'kind'], 'neither --test nor --out'],
    ['train.csv', [], 'neither --by nor --with'],
    ['rows.csv', ['--with', at('nowhere')], 'no classes.json'],
    ['rows.csv', ['--with', at('nowhere'), '--test', at('test.csv')], '--test and --with'],
  ])('refuses %s with %j', async (file, words, message) => {
    const { code, stderr } = await orchard('classify', at(file), ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('orchard classify by a model of 0/1 data', () => {
  // three columns agree in one class only, and one is as good as constant
  const bits = (row: number): string => {
    const own = row % 2;
    const [a, b, c] = row % 3 === 0 ? [own, 1 - own, own] : [own, own, own];
    return [a * 200, b * 200, c * 200, row === 0 ? 200 : 0, row % 3 === 0 ? 9 : 4].join(',');
  };
  const linesOf = (count: number): string =>
    `a,b,c,d,digit\n${Array.from({ length: count }, (_, row) => bits(row)).join('\n')}\n`;
  const how = ['--model', 'mixture', '--hierarchy', 'none', '--components', '2', '--pseudo-count', '0.1'];

  it('takes the other columns as 0 and 1, also those of other rows later', async () => {
    writeFileSync(at('bits.csv'), linesOf(120));
    writeFileSync(at('bits-later.csv'), 'digit,d,c,b,a\n4,0,200,200,200\n9,0,200,0,200\n');
    const kept = at('classes-of-bits');
    const words = ['classify', at('bits.csv'), '--by', 'digit', '--threshold', '127', ...how, '--out', kept, '--json'];
    expect((await orchard(...words)).document['classes']).toEqual([
      { label: '4', rows: 80 },
      { label: '9', rows: 40 },
    ]);
    const later = await orchard('classify', at('bits-later.csv'), '--with', kept, '--threshold', '127', '--json');
    expect(later.document['figures']).toMatchObject({ rows: 2, errorRate: 0 });
  });

  it.each([
    [how, '"200"'],
    [[...how, '--threshold', '127', '--bins', '9'], '--bins, with a model of 0/1 data'],
    [[...how, '--threshold', '127', '--exclude', 'e'], 'got the column "e"'],
  ])('refuses %j', async (words, message) => {
    writeFileSync(at('bits-few.csv'), linesOf(60));
    const { code, stderr } = await orchard(
      ...argv`classify ${at('bits-few.csv')} --by digit --out ${at('no')}
      ${words}`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("Bayes' rule", () => {
  const priors = [Math.log(0.25), Math.log(0.75)];

  it('weighs likelihoods by the shares of the classes, however small they are', () => {
    const [first, second] = posterior(priors, Float64Array.of(-2000, -2000 - Math.log(2)));
    expect(first).toBeCloseTo(0.4, 12);
    expect(second).toBeCloseTo(0.6, 12);
  });

  it('says the shares of a row that no model allows', () => {
    const [first, second] = posterior(priors, Float64Array.of(-Infinity, -Infinity));
    expect(first).toBeCloseTo(0.25, 12);
    expect(second).toBeCloseTo(0.75, 12);
  });

  it('has no figures where no class is known', () => {
    const classified = { probabilities: [Float64Array.of(0.4, 0.6)], predicted: [1] };
    expect(judgeClasses([null], ['a', 'b'], classified)).toBeNull();
    expect(judgeClasses(['a'], ['a', 'b'], classified)).toMatchObject({
      errorRate: 1,
      confusion: [
        [0, 1],
        [0, 0],
      ],
    });
  });
});
