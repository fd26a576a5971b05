import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';
import { run } from '../../run.js';

const folder = temporaryFolder();

/** A CSV of coins, of which the last shows what the first does in `share` of the rows. */
function coins(name: string, columns: number, rows: number, seed: number, share = 0): string {
  const stream = new RandomStream(seed, 1);
  const lines = [Array.from({ length: columns }, (_, column) => `coin${String(column + 1)}`).join(',')];
  for (let row = 0; row < rows; row++) {
    const values = Array.from({ length: columns }, () => (stream.uniform() < 0.5 ? 1 : 0));
    if (stream.uniform() < share) values[columns - 1] = values[0]!;
    lines.push(values.join(','));
  }
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Answer {
  readonly dimensions: readonly {
    column: number;
    gain: number;
    beyondNoise: boolean;
    predictors: { column: number; share: number; beyondNoise: boolean | null }[];
    predictorsInAll: number;
  }[];
  readonly irrelevant: readonly unknown[];
  readonly judgedBy: Record<string, unknown> | null;
}

async function importance(...args: readonly string[]): Promise<Answer> {
  const { code, stderr, document } = await orchard('importance', ...args, '--json');
  // how far it is is said on a machine that is slow
  expect(stderr.replace(/^orchard: testing predictors, \d+ %\n/gm, '')).toBe('');
  expect(code).toBe(0);
  return document as unknown as Answer;
}

/** What a terminal is shown. */
async function shown(...args: readonly string[]): Promise<string> {
  let text = '';
  const stdout = { isTTY: true, columns: 100, write: (piece: string) => (text += piece) };
  expect(await run(['importance', ...args], { stdout, stderr: { write: () => true } })).toBe(0);
  return text;
}

describe('orchard importance', () => {
  const networks: Record<string, string> = {};
  beforeAll(async () => {
    const train = async (name: string, file: string, ...more: readonly string[]): Promise<void> => {
      const out = join(folder, name);
      const { code } = await orchard(...argv`train ${file} --out ${out} --rounds 60 --threads 1 --quiet ${more}`);
      expect(code).toBe(0);
      networks[name] = join(out, 'network.msgpack');
    };
    await train('fair', coins('fair.csv', 6, 600, 1));
    await train('told', coins('told.csv', 24, 1200, 2, 0.7), '--test', coins('told-test.csv', 24, 300, 3, 0.7));
  });

  it('gives six independent coins no share at all', async () => {
    const { dimensions, irrelevant, judgedBy } = await importance(networks['fair']!);
    expect(dimensions.map(({ beyondNoise, predictors }) => [beyondNoise, predictors])).toEqual(
      dimensions.map(() => [false, []]),
    );
    expect(irrelevant).toHaveLength(6);
    expect(judgedBy).toMatchObject({ split: 'validation', beforeRefit: true, rates: 'training rows', chance: 0.05 });
    const { stdout } = await orchard('importance', networks['fair']!);
    expect(stdout).not.toContain('%');
    expect(stdout.match(/no better than noise/g)).toHaveLength(6);
    expect(stdout).toContain('0 of 6 columns are predicted beyond noise');
  });

  it('finds what is told, by the test rows of its run or by rows that are given', async () => {
    const file = coins('fresh.csv', 24, 400, 9, 0.7);
    const elsewhere = join(folder, 'elsewhere.msgpack');
    copyFileSync(networks['told']!, elsewhere);
    for (const [args, split, rates] of [
      [[networks['told']!], 'test', 'training rows'],
      [[networks['told']!, file], 'data', 'training rows'],
      [[elsewhere, file], 'data', 'start of the network'],
    ] as const) {
      const { dimensions, judgedBy } = await importance(...args);
      expect(dimensions.filter(({ beyondNoise }) => beyondNoise).map(({ column }) => column)).toEqual([24]);
      expect(dimensions[23]!.predictors[0]).toMatchObject({ column: 1 });
      expect(dimensions[23]!.gain).toBeGreaterThan(0.1);
      expect(judgedBy).toMatchObject({ split, rates });
    }
  });

  it('marks a predictor in its row where held-out rows show it no better than noise', async () => {
    const { dimensions } = await importance(networks['told']!, '--top', '24');
    const marks = dimensions[23]!.predictors.map(({ column, beyondNoise }) => [column, beyondNoise]);
    expect(marks[0]).toEqual([1, true]);
    expect(marks.length).toBeGreaterThan(1);
    expect(marks.slice(1).every(([, isBeyond]) => isBeyond === false)).toBe(true);
    const row = (await orchard('importance', networks['told']!)).stdout.split('\n')[0]!;
    expect(row).toMatch(/^coin24 +0\.\d{4} {2}coin1 \d+\.\d %, coin\d+ \d\.\d % \(noise\?\)/);
  });

  it('marks noise among the shares of a table, by validation rows where there are no test rows', async () => {
    const stream = new RandomStream(5, 1);
    const lines = Array.from({ length: 2000 }, () => {
      const shade = ['light', 'dark', 'grey'][stream.below(3)]!;
      const [noise, other] = [stream.below(40), 'pqr'[stream.below(3)]!];
      return [shade, noise, other, stream.uniform() < 0.8 ? shade.length : stream.below(7)].join(',');
    });
    const file = join(folder, 'shades.csv');
    writeFileSync(file, ['shade,noise,other,size', ...lines].join('\n') + '\n');
    const out = join(folder, 'shades');
    await orchard(
      ...argv`train ${file} --out ${out} --members 1 --valid-fraction 0.4 --rounds 60 --leaves 4 --threads 1 --quiet --no-report`,
    );
    const { code, document } = await orchard('importance', out, '--json');
    expect(code).toBe(0);
    expect(document).toMatchObject({ split: 'validation', predictorsJudged: { rows: 800 } });
    const { variables } = document as unknown as {
      readonly variables: readonly {
        readonly variable: string;
        readonly predictors: readonly { readonly variable: string; readonly beyondNoise: boolean | null }[];
      }[];
    };
    const marks = variables.flatMap(({ predictors }) => predictors.map((one) => [one.variable, one.beyondNoise]));
    expect(marks.filter(([, isBeyond]) => isBeyond === true)).toEqual([['shade', true]]);
    const alone = join(folder, 'shades-alone.msgpack');
    copyFileSync(join(out, 'network.msgpack'), alone);
    expect((await orchard('importance', alone)).stdout).toContain('Shares are not tested against noise.');
  });

  it('answers for rows of 0 and 1 of another family, by their rates in the training rows', async () => {
    const out = join(folder, 'tree');
    await orchard(
      ...argv`train ${join(folder, 'told.csv')} --test ${join(folder, 'told-test.csv')} --model chow-liu --out ${out} --quiet`,
    );
    const { dimensions, judgedBy } = await importance(out);
    expect(judgedBy).toMatchObject({ split: 'test', rows: 300, rates: 'training rows' });
    const told = dimensions.filter(({ beyondNoise }) => beyondNoise);
    expect(told).toHaveLength(1);
    const [{ column, predictors }] = told as [Answer['dimensions'][number]];
    expect([column, predictors[0]!.column].sort((a, b) => a - b)).toEqual([1, 24]);
    const elsewhere = join(folder, 'tree.msgpack');
    copyFileSync(join(out, 'network.msgpack'), elsewhere);
    expect((await importance(elsewhere, join(folder, 'told-test.csv'))).judgedBy).toMatchObject({
      rates: 'the held-out rows',
    });
  });

  it('says so where there is nothing to judge by', async () => {
    const elsewhere = join(folder, 'alone.msgpack');
    copyFileSync(networks['fair']!, elsewhere);
    expect((await importance(elsewhere)).judgedBy).toBeNull();
    expect((await orchard('importance', elsewhere)).stdout).toContain('Not judged: there are no held-out rows here.');
  });

  it('refuses to judge by the rows that trained the network', async () => {
    await orchard(
      ...argv`train ${join(folder, 'fair.csv')} --valid ${join(folder, 'fresh.csv')} --columns 1-6
      --out ${join(folder, 'own')} --rounds 5 --threads 1 --quiet`,
    );
    const refused = await orchard('importance', join(folder, 'own', 'network.msgpack'), join(folder, 'fair.csv'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('training rows that the network was fitted on');
  });

  it('shows a terminal an excerpt and says how much more there is; a pipe gets all', async () => {
    const text = await shown(networks['told']!);
    expect(text).toContain('… and 4 more columns: --show 24 lists all, and so does a pipe');
    expect(text.split('\n')[0]).toMatch(/^coin24 +0\.\d{4} {2}coin1 \d/);
    expect(text).toContain('\u001b[2mcoin');
    expect((await shown(networks['told']!, '--show', '2')).match(/^\S*coin\d+ /gm)).toHaveLength(2);
    const { stdout } = await orchard('importance', networks['told']!);
    expect(stdout.match(/^coin\d+ /gm)).toHaveLength(24);
    expect(stdout).not.toContain('\u001b');
  });
});
