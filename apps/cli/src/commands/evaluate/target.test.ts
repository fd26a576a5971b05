import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetScores } from '@orchard/model';
import { beforeAll, describe, expect, it } from 'vitest';
import { exclusiveOrRows, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** The size tells the kind and, but for some days, the day. */
const lineOf = (row: number): string => {
  const size = (row * 37) % 100;
  const day = new Date((19_000 + size + ((row * 7) % 5)) * 86_400_000).toISOString().slice(0, 10);
  return `${['fir', 'oak', 'ash'][Math.floor(size / 34)]!},${(size + ((row * 13) % 40) / 40).toFixed(3)},${day}`;
};
const linesOf = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, row) => lineOf(from + row));
writeFileSync(at('train.csv'), `kind,size,day\n${linesOf(0, 400).join('\n')}\n`);
writeFileSync(at('test.csv'), `kind,size,day\n${linesOf(400, 600).join('\n')}\n`);
writeFileSync(at('gaps.csv'), `kind,size,day\n${[...linesOf(400, 420), 'oak,,2022-03-01', ',44.125,?'].join('\n')}\n`);
writeFileSync(at('none.csv'), 'kind,size,day\nfir,,2022-01-12\n');
writeFileSync(at('bits.csv'), exclusiveOrRows(200, 1));

interface Evaluated {
  readonly columns: readonly { readonly name: string; readonly nats: number }[];
  readonly target: TargetScores;
}

async function evaluated(model: string, file: string, ...words: readonly string[]): Promise<Evaluated> {
  const { code, stderr, document } = await orchard('evaluate', at(model), at(file), '--json', '--quiet', ...words);
  expect(code, stderr).toBe(0);
  return document as unknown as Evaluated;
}

async function train(file: string, out: string, ...words: readonly string[]): Promise<void> {
  const args = ['train', at(file), '--threads', '1', '--no-report', '--quiet', '--out', at(out), ...words];
  const { code, stderr } = await orchard(...args);
  expect(code, stderr).toBe(0);
}

describe('orchard evaluate --target', () => {
  beforeAll(async () => {
    await train('train.csv', 'marginals', '--model', 'marginals');
    await train('train.csv', 'trees', '--rounds', '40', '--leaves', '8', '--members', '1');
    await train('train.csv', 'chow-liu', '--model', 'chow-liu');
  }, 120_000);

  it.each(['kind', 'size', 'day'])('of independent columns the log score of %s is that of the column', async (name) => {
    const { columns, target } = await evaluated('marginals', 'test.csv', '--target', name);
    expect([target.column, target.rows, target.missing, target.incomplete]).toEqual([name, 200, 0, 0]);
    expect(target.logScore).toBeCloseTo(columns.find((column) => column.name === name)!.nats, 9);
  });

  it('of the last column in the order it is the conditional of that column', async () => {
    const { columns, target } = await evaluated('trees', 'test.csv', '--target', 'day');
    expect(target.logScore).toBeCloseTo(columns[2]!.nats, 9);
  });

  it.each(['trees', 'chow-liu'])(
    '%s predicts what other columns tell better than independent columns',
    async (model) => {
      for (const name of ['kind', 'size', 'day']) {
        const { target } = await evaluated(model, 'test.csv', '--target', name);
        const { target: alone } = await evaluated('marginals', 'test.csv', '--target', name);
        expect(target.logScore).toBeGreaterThan(alone.logScore! + 0.3);
        if (name === 'kind') {
          expect(target.labels!.logLoss).toBe(-target.logScore!);
          expect(target.labels!.brier).toBeLessThan(alone.labels!.brier / 2);
          expect(target.labels!.accuracy).toBeGreaterThan(0.85);
          continue;
        }
        expect(target.numbers!.unit).toBe(name === 'day' ? 'days' : null);
        expect(target.numbers!.crps).toBeLessThan(alone.numbers!.crps / 2);
        // that of even values from 0 to 100 is a sixth of their range
        expect(alone.numbers!.crps).toBeGreaterThan(15);
        expect(alone.numbers!.crps).toBeLessThan(19);
        const [half, most] = alone.numbers!.intervals;
        expect([half!.share, most!.share]).toEqual([0.5, 0.9]);
        expect(half!.coverage).toBeGreaterThan(0.42);
        expect(half!.coverage).toBeLessThan(0.58);
        expect(most!.coverage).toBeGreaterThan(0.85);
        expect(half!.width).toBeGreaterThan(42);
        expect(most!.width).toBeLessThan(98);
      }
    },
  );

  it('leaves out rows without the column, and sums out what is unknown beside it', async () => {
    const { target } = await evaluated('chow-liu', 'gaps.csv', '--target', 'size');
    expect([target.rows, target.missing, target.incomplete]).toEqual([21, 1, 1]);
    expect(target.logScore).toBeGreaterThan(-6);
    const { stdout, stderr } = await orchard('evaluate', at('chow-liu'), at('gaps.csv'), '--target', 'size');
    expect(stdout).toContain('size given all other columns, in 21 rows; 1 row without a value left out:');
    expect(stdout).toMatch(/interval of 90 % +holds \d+\.\d % of the values, mean width/);
    expect(stderr).toContain('1 row with unknown values in other columns');
  });

  it('weighs rows', async () => {
    const twice = linesOf(400, 420).map((line, row) => `${line},${String(1 + (row % 2))}`);
    writeFileSync(at('weighed.csv'), `kind,size,day,times\n${twice.join('\n')}\n`);
    const repeated = linesOf(400, 420).flatMap((line, row) => (row % 2 === 0 ? [line] : [line, line]));
    writeFileSync(at('repeated.csv'), `kind,size,day\n${repeated.join('\n')}\n`);
    const weighed = await evaluated('trees', 'weighed.csv', '--target', 'size', '--row-weights', 'times');
    const whole = await evaluated('trees', 'repeated.csv', '--target', 'size');
    expect(weighed.target.numbers!.crps).toBeCloseTo(whole.target.numbers!.crps, 12);
    expect(weighed.target.logScore).toBeCloseTo(whole.target.logScore!, 12);
  });

  it('takes rows of 0 and 1 as columns of labels', async () => {
    await train('bits.csv', 'bits', '--rounds', '40', '--leaves', '4');
    const { target } = await evaluated('bits', 'bits.csv', '--target', 'c');
    expect([target.measure, target.numbers, target.rows]).toEqual(['mass', null, 200]);
    expect(target.labels!.logLoss).toBe(-target.logScore!);
  });

  it.each([
    [['--target', 'sizes'], 'Did you mean "size"?'],
    [['--target', 'size', '--rule', 'size <= 50'], 'Leave the rules out.'],
  ])('refuses %j in words', async (words, remedy) => {
    const { code, stderr } = await orchard('evaluate', at('trees'), at('test.csv'), ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(remedy)]);
  });

  it('refuses a file in which no row has the column', async () => {
    const { code, stderr } = await orchard('evaluate', at('trees'), at('none.csv'), '--target', 'size');
    expect(code).not.toBe(0);
    expect(stderr).toContain('no row with a value of "size"');
  });
});
