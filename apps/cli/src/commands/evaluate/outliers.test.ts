import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outlier } from '@orchard/model';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** A price that is ten times the size, with a colour by size; two rows break one rule each. */
const rows = Array.from({ length: 150 }, (_, row) => {
  const size = 1 + ((row * 7) % 9);
  return [String(size), String(10 * size), size < 4 ? 'red' : size < 7 ? 'green' : 'blue'];
});
rows[40] = ['2', '90', 'red'];
rows[90] = ['9', '90', 'red'];
writeFileSync(at('table.csv'), `size,price,colour\n${rows.map((cells) => cells.join(',')).join('\n')}\n`);

/** Four equal bits in a row, but for one row. */
const bits = Array.from({ length: 120 }, (_, row): string => (row % 2 === 0 ? '1,1,1,1' : '0,0,0,0'));
bits[30] = '1,0,1,1';
writeFileSync(at('bits.csv'), `a,b,c,d\n${bits.join('\n')}\n`);

describe.each([['the usual model'], ['--model chow-liu']])('orchard outliers on a table, by %s', (words) => {
  const model = words.startsWith('--') ? words.split(' ') : [];

  it('shows the rows that break a rule first, and which cell does', async () => {
    const { code, document } = await orchard('outliers', at('table.csv'), '--json', '--count', '2', ...model);
    expect(code).toBe(0);
    const outliers = document['outliers'] as Outlier[];
    expect(outliers.map(({ row }) => row).sort((a, b) => a - b)).toEqual([41, 91]);
    const [price, colour] = [41, 91].map((row) => outliers.find((one) => one.row === row)!.cells[0]!);
    expect(price).toMatchObject({ column: 'price', value: '90' });
    expect(price!.probability).toBeLessThan(0.1);
    expect(colour).toMatchObject({ column: 'colour', value: 'red' });
    expect(colour!.expected).toMatch(/^blue/);
  });
});

describe('orchard outliers', () => {
  it('finds the row of bits that is unlike the others, and the bit', async () => {
    const { document } = await orchard('outliers', at('bits.csv'), '--json', '--count', '1');
    const [outlier] = document['outliers'] as Outlier[];
    expect(outlier).toMatchObject({ row: 31, cells: [{ column: 'b', value: '0' }] });
    expect(outlier!.cells[0]!.expected).toMatch(/^1 /);
  });

  it('writes a score for each row, flags the share that is asked for, and keeps the models where it is told', async () => {
    const [scores, out] = [at('scores.csv'), at('models')];
    const words = ['--model', 'marginals', '--flag', '0.02', '--per-row', scores, '--out', out, '--top', '1'];
    const { code, stdout, stderr } = await orchard('outliers', at('table.csv'), ...words);
    expect([code, stderr]).toEqual([0, expect.stringContaining('3 rows flagged')]);
    expect(stderr).toContain('150 rows in 5 folds: the model of the others scores each');
    expect(stderr).not.toContain('validate');
    expect(stdout).toContain('150 rows, each scored by a model that did not learn from it (marginals, 5 folds)');
    const [head, ...lines] = readFileSync(scores, 'utf8').trimEnd().split('\n');
    expect(head).toBe(
      'row,score,logLikelihood,outlier,column1,value1,probability1,expected1,expectedLow1,expectedHigh1,expectedLabel1,surprise1',
    );
    expect(lines).toHaveLength(150);
    expect(lines.filter((line) => line.split(',')[3] === '1')).toHaveLength(3);
    expect(existsSync(join(out, 'fold-5', 'network.msgpack'))).toBe(true);
  });

  it('shows as many rows as are asked for, the highest score first', async () => {
    const { document } = await orchard(
      ...argv`outliers ${at('table.csv')} --json --count 150 --top 0
      --model chow-liu`,
    );
    const scores = (document['outliers'] as Outlier[]).map(({ score }) => score);
    expect(scores).toHaveLength(150);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it('asks for more rows, and for no option that it has not', async () => {
    writeFileSync(at('few.csv'), 'a,b\n1,x\n3,y\n2,x\n');
    for (const command of ['outliers', 'check']) {
      const { code, stderr } = await orchard(command, at('few.csv'), '--quiet');
      expect([code, stderr]).toEqual([2, expect.stringContaining('got 3 rows, expected at least 5, of which')]);
      expect(stderr).not.toContain('--valid');
    }
  });

  it('refuses standard input, since the rows are read more than once', async () => {
    expect(await orchard('outliers', '-')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('to a file first'),
    });
  });
});

describe('orders', () => {
  const noise = (row: number, salt: number): number => ((row * 7919 + salt * 104729) % 100_003) / 100_003;
  const orders = Array.from({ length: 400 }, (_, row) => {
    const amount = Math.exp(4 + noise(row, 1) + noise(row, 2) + 2 * noise(row, 3));
    const status = noise(row, 5) < 0.7 ? 'paid' : 'open';
    return [`C${String(Math.floor(150 * noise(row, 4)))}`, amount.toFixed(2), status];
  });
  orders[70]![1] = '9000';
  writeFileSync(at('orders.csv'), `customer,amount,status\n${orders.map((cells) => cells.join(',')).join('\n')}\n`);

  it('that are large are unusual by their amount, no more than few rows can say, and never by their customer', async () => {
    const { document } = await orchard('outliers', at('orders.csv'), '--json');
    const [first, ...others] = document['outliers'] as Outlier[];
    expect(first!.row).toBe(71);
    expect(first!.cells[0]).toMatchObject({ column: 'amount', value: '9000' });
    expect(first!.score).toBeLessThan(60);
    for (const { cells } of others) {
      expect(cells.length).toBeGreaterThan(0);
      // one cell at least, and beside it such as say something
      for (const { surprise } of cells.slice(1)) expect(surprise).toBeGreaterThan(1);
    }
  });
});

it('a value far out has the chance of one so far out, as orchard check has it, also where the rest expects the outermost cell', async () => {
  const amounts = Array.from({ length: 300 }, (_, row) => {
    const noise = ((row * 7919) % 1009) / 1009;
    return row % 20 === 7 ? ['wholesale', 400 + 100 * noise] : ['shop', 10 + 50 * noise];
  });
  amounts[67]![1] = 5000;
  writeFileSync(at('amounts.csv'), `kind,amount\n${amounts.map((cells) => cells.join(',')).join('\n')}\n`);
  const { document } = await orchard('outliers', at('amounts.csv'), '--json', '--count', '1');
  const [{ row, cells }] = document['outliers'] as [Outlier];
  const amount = cells.find(({ column }) => column === 'amount')!;
  expect(row).toBe(68);
  expect(amount.expectedHigh).toBeGreaterThan(400);
  expect(amount.expectedHigh).toBeLessThan(600);
  expect(amount.probability).toBeLessThan(0.05);
  expect(amount.surprise).toBeGreaterThan(0);
});

describe('orchard outliers --contamination', () => {
  it('trains once more without the rows that look worst, so that rows that are alike do not hide one another', async () => {
    // a tenth of the rows break the rule in the same way
    const some = Array.from({ length: 150 }, (_, row) => {
      const size = 1 + ((row * 7) % 9);
      return row % 10 === 3 ? [String(size), '5'] : [String(size), String(10 * size)];
    });
    writeFileSync(at('alike.csv'), `size,price\n${some.map((cells) => cells.join(',')).join('\n')}\n`);
    const scoresOf = async (share: string): Promise<Map<number, number>> => {
      const words = ['--model', 'chow-liu', '--contamination', share, '--count', '150', '--top', '0', '--json'];
      const { code, document } = await orchard('outliers', at('alike.csv'), ...words);
      expect(code).toBe(0);
      return new Map((document['outliers'] as Outlier[]).map(({ row, score }) => [row, score]));
    };
    const [once, twice] = [await scoresOf('0'), await scoresOf('0.1')];
    const mean = (scores: Map<number, number>): number => {
      const own = [...scores].filter(([row]) => (row - 1) % 10 === 3);
      return own.reduce((sum, [, score]) => sum + score, 0) / own.length;
    };
    expect(mean(twice)).toBeGreaterThan(mean(once) + 1);
  });
});

describe('small models', () => {
  // a third of the rows are outliers that are all alike in one column: a model of all rows has learned them
  const many = Array.from({ length: 240 }, (_, row) => {
    const noise = (salt: number): number => ((row * 7919 + salt * 104729) % 1009) / 1009;
    if (row % 3 !== 1) return [4 + noise(1) + noise(2), 4 + noise(3) + noise(4), 4 + noise(5) + noise(6)];
    return [10 * noise(1), 10 * noise(3), row % 2 === 0 ? 0 : 10 * noise(5)];
  });
  const isOdd = (row: number): boolean => (row - 1) % 3 === 1;
  writeFileSync(
    at('many.csv'),
    `a,b,c\n${many.map((cells) => cells.map((cell) => cell.toFixed(4)).join(',')).join('\n')}\n`,
  );
  const found = async (...words: string[]): Promise<{ share: number; outliers: Outlier[]; smallModels: number }> => {
    const { document } = await orchard('outliers', at('many.csv'), '--json', '--count', '80', '--top', '3', ...words);
    const outliers = document['outliers'] as Outlier[];
    const share = outliers.filter(({ row }) => isOdd(row)).length / outliers.length;
    return { share, outliers, smallModels: document['smallModels'] as number };
  };

  let usual: ReturnType<typeof found>;
  beforeAll(async () => {
    usual = found();
    await usual;
  });

  it('find outliers that are too many for the folds, and name the cells that the score is made of', async () => {
    const [all, folds] = [await usual, await found('--no-small-models')];
    const [named, both] = [await found('--model', 'chow-liu'), await found('--model', 'marginals', '--small-models')];
    expect([all, folds, named, both].map(({ smallModels }) => smallModels)).toEqual([32, 0, 0, 32]);
    expect(all.share).toBeGreaterThan(folds.share + 0.05);
    // a row may be unusual though no cell of it is, given all others
    expect(all.outliers.filter(({ cells }) => cells.length === 0).length).toBeLessThan(20);
    for (const { cells } of all.outliers) {
      // no reason is what is expected
      for (const { value, expectedLow, expectedHigh } of cells)
        expect(Number(value) < Number(expectedLow) || Number(value) > Number(expectedHigh)).toBe(true);
      const nats = cells.map(({ surprise }) => surprise);
      expect(nats).toEqual(nats.toSorted((a, b) => b - a));
    }
  });

  it('give the same scores again, and others with another seed', async () => {
    const scoresOf = ({ outliers }: Awaited<typeof usual>) => outliers.map(({ score }) => score);
    const [first, again, other] = [await usual, await found(), await found('--seed', '2')].map(scoresOf);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('are left out of a file of few rows', async () => {
    writeFileSync(
      at('few.csv'),
      `a,b\n${many
        .slice(0, 15)
        .map(([a, b]) => `${a!.toFixed(2)},${b!.toFixed(2)}`)
        .join('\n')}\n`,
    );
    const { code, document } = await orchard('outliers', at('few.csv'), '--json');
    expect([code, document['smallModels']]).toEqual([0, 0]);
  });
});
