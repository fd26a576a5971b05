import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '@orchard/numerics';
import { argv, orchard, rowsIn, temporaryFolder, type Outcome } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** A row of a made-up table: the size tells the height and the kind, with noise; the count is skewed, and mostly 0. */
function row(stream: RandomStream): readonly string[] {
  const size = 20 * stream.uniform();
  const height = 2 * size + 10 * (stream.uniform() - 0.5);
  const kind = size + 6 * stream.uniform() > 14 ? 'fir' : 'oak';
  const count = stream.below(3) > 0 ? 0 : Math.floor(30 * stream.uniform() ** 3);
  return [size.toFixed(2), height.toFixed(1), kind, String(count)];
}
const head = 'size,height,kind,count';
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(at(name), `${[head, ...lines].join('\n')}\n`);

const stream = new RandomStream(5, 1000);
const training = Array.from({ length: 1500 }, () => row(stream));
const heldOut = Array.from({ length: 300 }, () => row(stream));
/** Of each held-out row, two cells are missing. */
const hidden = heldOut.map((_, at) => [at % 4, (at + 1) % 4]);
write(
  'train.csv',
  training.map((cells) => cells.join(',')),
);
const gaps = heldOut.map((cells, at) => cells.map((cell, own) => (hidden[at]!.includes(own) ? '' : cell)).join(','));
write('gaps.csv', gaps);
/** Of what does not ask how often intervals hold. */
const few = 100;
write('few-gaps.csv', gaps.slice(0, few));

interface FilledCellOf {
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly low: string | null;
  readonly high: string | null;
  readonly probability: number;
}

const columns = head.split(',');
const truthOf = ({ row: number, column }: FilledCellOf): string => heldOut[number - 1]![columns.indexOf(column)]!;

describe.each([
  ['tables', ['--rounds', '24', '--leaves', '4', '--members', '1']],
  ['tables of members', ['--rounds', '24', '--leaves', '4', '--members', '2']],
  ['chow-liu', ['--model', 'chow-liu']],
  ['marginals', ['--model', 'marginals']],
])('points and intervals of %s', (kind, words) => {
  const model = at(kind);
  const answers = new Map<string, Promise<Outcome>>();
  /** Rows filled in by these options, which several tests look at. */
  const filled = (...options: readonly string[]): Promise<Outcome> => {
    const key = options.join(' ');
    const answer = answers.get(key) ?? orchard('complete', model, at('few-gaps.csv'), ...options);
    answers.set(key, answer);
    return answer;
  };
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${at('train.csv')} ${words} --out ${model} --quiet
      --no-report`,
    );
    expect(code, stderr).toBe(0);
  });

  it('cover held-out cells at their level, as many beyond them on each side, and say how probable labels are', async () => {
    for (const level of [0.5, 0.9]) {
      const { document } = await orchard('complete', model, at('gaps.csv'), '--interval', String(level), '--json');
      const all = document['cells'] as FilledCellOf[];
      const labels = all.filter(({ column }) => column === 'kind');
      const said = labels.reduce((sum, { probability }) => sum + probability, 0) / labels.length;
      const right = labels.filter((cell) => cell.value === truthOf(cell)).length / labels.length;
      expect(Math.abs(said - right)).toBeLessThan(0.1);
      const cells = all.filter(({ low }) => low !== null);
      const below = cells.filter((cell) => Number(truthOf(cell)) < Number(cell.low)).length / cells.length;
      const above = cells.filter((cell) => Number(truthOf(cell)) > Number(cell.high)).length / cells.length;
      // 450 cells: two standard errors and what a model of 1,500 rows does not know
      expect(below + above).toBeLessThan(1 - level + 0.06);
      expect(Math.max(below, above)).toBeLessThan((1 - level) / 2 + 0.05);
      // of measurements nothing is given away
      const heights = cells.filter(({ column }) => column === 'height');
      const covered = heights.filter(
        (cell) => Number(truthOf(cell)) >= Number(cell.low) && Number(truthOf(cell)) <= Number(cell.high),
      );
      expect(covered.length / heights.length).toBeLessThan(level + 0.1);
      for (const { low, value, high } of cells)
        expect([Number(low) <= Number(value), Number(value) <= Number(high)]).toEqual([true, true]);
    }
  });

  it('fills the file in by points in the words of its columns, the same every time, and leaves the rest as it was', async () => {
    const errorOf = ({ stdout, code }: Outcome): number => {
      expect(code).toBe(0);
      const lines = rowsIn(stdout);
      let error = 0;
      lines.forEach((cells, number) => {
        expect(cells.join(',')).toMatch(/^-?\d+\.\d\d,-?\d+\.\d,(fir|oak),-?\d+$/);
        cells.forEach((cell, own) => {
          if (!hidden[number]!.includes(own)) expect(cell).toBe(heldOut[number]![own]);
          else if (own === 1) error += Math.abs(Number(cell) - Number(heldOut[number]![own]));
        });
      });
      return error;
    };
    const first = await filled('--point', 'median');
    const [median, mean, mode] = [
      errorOf(first),
      errorOf(await filled('--point', 'mean')),
      errorOf(await filled('--point', 'mode')),
    ];
    const sampled = errorOf(await filled());
    expect(Math.max(median, mean)).toBeLessThan(0.85 * sampled);
    expect(mode).toBeLessThan(1.1 * sampled);
    expect((await orchard('complete', model, at('few-gaps.csv'), '--point', 'median')).stdout).toBe(first.stdout);
    expect(first.stderr).toContain(kind.startsWith('tables') ? 'by 100 samples' : '; exactly');
  });

  it('fills single columns in by points of their own', async () => {
    const rowsOf = async (...options: readonly string[]) => rowsIn((await filled(...options)).stdout);
    const [own, medians, means] = [
      await rowsOf('--points', '"height"=mean,kind=mode'),
      await rowsOf('--point', 'median'),
      await rowsOf('--point', 'mean'),
    ];
    const height = columns.indexOf('height');
    own.forEach((cells, row) => {
      cells.forEach((cell, column) => expect(cell).toBe((column === height ? means : medians)[row]![column]));
    });
    expect(own.some((cells, row) => cells[height] !== medians[row]![height])).toBe(true);
  });

  it('lists one line for each missing value, with --out too', async () => {
    const { stdout } = await orchard('complete', model, at('few-gaps.csv'), '--interval', '0.9', '--quiet');
    const [names, ...lines] = stdout.trim().split('\n');
    expect([names, lines.length]).toEqual(['row,column,value,low,high,probability', 2 * few]);
    expect(lines.some((line) => /^\d+,kind,(fir|oak),,,0?1?\.?\d+$/.test(line))).toBe(true);
  });
});

it('fills two measurements in by their mean where it is asked, two whole numbers by the more probable one', async () => {
  const lines = Array.from({ length: 300 }, (_, row) => `${row % 4 === 0 ? '-0.25' : '0.5'},${String(+(row % 3 > 0))}`);
  writeFileSync(at('two.csv'), `side,flag\n${lines.join('\n')}\n`);
  writeFileSync(at('two-gaps.csv'), 'side,flag\n,1\n0.5,\n');
  const run = at('two');
  expect((await orchard(...argv`train ${at('two.csv')} --model marginals --out ${run} --quiet --no-report`)).code).toBe(
    0,
  );
  const filled = async (...words: readonly string[]) =>
    (await orchard('complete', run, at('two-gaps.csv'), '--quiet', ...words)).stdout.trim().split('\n').slice(1);
  const [[mean, flag], of] = [await filled('--point', 'mean'), await filled('--points', 'side=mean')];
  expect(mean).toMatch(/^0\.[23]\d,1$/);
  expect([flag, ...of]).toEqual(['0.5,1', mean, flag]);
  expect(await filled('--point', 'median')).toEqual(['0.5,1', '0.5,1']);
  const [ofMean] = await filled('--point', 'mean', '--interval', '0.9');
  expect(ofMean).toBe(`1,side,${mean!.split(',')[0]!},-0.25,0.5,1.00000`);
});

describe('what cannot be asked together', () => {
  it('refuses too few draws for an interval, before any work', async () => {
    const { code, stderr } = await orchard(
      ...argv`complete ${at('nowhere')} ${at('gaps.csv')} --interval 0.99
      --draws 100`,
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('at least 199')]);
  });

  it('refuses columns that are none, points that are none, and means of labels', async () => {
    const refused = async (words: string): Promise<string> => {
      const { code, stderr } = await orchard('complete', at('marginals'), at('gaps.csv'), '--points', words);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('heigth=mean')).toMatch(
      /--points: got the column "heigth", expected a column of the model\. .*height/,
    );
    expect(await refused('height=middle')).toContain('"middle" for "height", expected mean, median, mode');
    expect(await refused('kind=mean')).toContain('the mean of "kind", a column of labels');
    expect(await refused('height')).toContain('what is asked of it, as wage=mean');
    expect(await refused('height=mean,height=mode')).toContain('twice');
  });

  it('refuses points beside probabilities, and shares that are none', async () => {
    const both = await orchard('complete', at('nowhere'), at('gaps.csv'), '--point', 'mean', '--probabilities');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with option')]);
    const share = await orchard('complete', at('nowhere'), at('gaps.csv'), '--interval', '90');
    expect([share.code, share.stderr]).toEqual([2, expect.stringContaining('a number between 0 and 1')]);
  });
});

describe.each([
  ['lbarn', ['--rounds', '60']],
  ['chow-liu', ['--model', 'chow-liu']],
])('points and intervals of 0/1 data: %s', (kind, words) => {
  const bitsOf = (own: RandomStream): number[] => {
    const first = own.below(2);
    return [first, own.uniform() < 0.85 ? first : 1 - first, own.below(2), Number(own.uniform() < 0.97)];
  };
  const own = new RandomStream(9, 1000);
  const held = Array.from({ length: 200 }, () => bitsOf(own));
  const model = at(`bits-${kind}`);
  beforeAll(async () => {
    const all = Array.from({ length: 1000 }, () => bitsOf(own).join(','));
    writeFileSync(at('bits.csv'), `a,b,c,d\n${all.join('\n')}\n`);
    const gaps = held.map((bits, number) =>
      bits.map((bit, place) => (place === 1 + (number % 3) ? '?' : bit)).join(','),
    );
    writeFileSync(at('bit-gaps.csv'), `a,b,c,d\n${gaps.join('\n')}\n`);
    expect((await orchard('train', at('bits.csv'), ...words, '--out', model, '--quiet', '--no-report')).code).toBe(0);
  });

  it('holds what was hidden as often as it says', async () => {
    const { document } = await orchard('complete', model, at('bit-gaps.csv'), '--interval', '0.8', '--json');
    const cells = document['cells'] as FilledCellOf[];
    expect(cells).toHaveLength(200);
    const truth = ({ row: number, column }: FilledCellOf): number => held[number - 1]!['abcd'.indexOf(column)]!;
    const covered = cells.filter((cell) => Number(cell.low) <= truth(cell) && truth(cell) <= Number(cell.high)).length;
    expect(covered / 200).toBeGreaterThan(0.75);
    for (const { column, low, high } of cells) {
      if (column === 'c') expect([low, high]).toEqual(['0', '1']);
      if (column === 'd') expect([low, high]).toEqual(['1', '1']);
    }
  });

  it('fills in the more probable value', async () => {
    const { stdout, stderr } = await orchard('complete', model, at('bit-gaps.csv'), '--point', 'median');
    const lines = rowsIn(stdout).map((cells) => cells.map(Number));
    lines.forEach((bits, number) => {
      if (number % 3 === 0) expect(bits[1]).toBe(bits[0]);
      if (number % 3 === 2) expect(bits[3]).toBe(1);
    });
    expect(stderr).toContain(kind === 'lbarn' ? 'by 100 samples' : '; exactly');
  });
});
