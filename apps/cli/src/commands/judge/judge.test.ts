import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RandomStream } from '@orchard/numerics';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const stream = new RandomStream(8, 1000);
/** Sizes tell heights and kinds. */
function row(): string {
  const size = 10 * stream.uniform();
  const height = stream.below(15) === 0 ? '' : (2 * size + 3 * stream.uniform()).toFixed(2);
  return `${size.toFixed(2)},${height},${size + 2 * stream.uniform() > 6 ? 'fir' : 'oak'}`;
}
const write = (name: string, rows: readonly string[]): void =>
  writeFileSync(at(name), `size,height,kind\n${rows.join('\n')}\n`);
const rows = (count: number): string[] => Array.from({ length: count }, row);
const train = rows(900);
write('train.csv', train);
write('test.csv', rows(400));
write('same.csv', rows(900));
// each column by itself
const parts = [0, 1, 2].map((part) => rows(900).map((line) => line.split(',')[part]!));
write(
  'shuffled.csv',
  parts[0]!.map((size, own) => [size, parts[1]![own], parts[2]![own]].join(',')),
);
write('copied.csv', [...rows(600), ...train.slice(0, 300)]);

interface Judged {
  readonly c2st: number;
  readonly auc: { readonly heldOut: number; readonly heldOutOfTraining: number };
  readonly shape: number;
  readonly trend: number;
  readonly dcrShare: number;
  readonly copies: number;
  readonly copiesOfHeldOut: number;
  readonly findings: readonly string[];
  readonly nearest: readonly { readonly distance: number; readonly row: number; readonly trainingRow: number }[];
  readonly membership: {
    readonly gap: number;
    readonly auc: number;
    readonly rowsAtRisk: readonly { readonly row: number }[];
  } | null;
}

const files = ['--train', at('train.csv'), '--test', at('test.csv')];
async function judged(name: string, ...options: readonly string[]): Promise<readonly [Judged, number]> {
  const { document, code } = await orchard('judge', at(name), ...files, ...options, '--json');
  return [document as unknown as Judged, code];
}

describe('orchard judge', () => {
  it('finds rows of the same distribution real and no copies', async () => {
    const [same, code] = await judged('same.csv');
    expect([code, same.findings]).toEqual([0, []]);
    expect(same.c2st).toBeGreaterThan(0.9);
    expect(Math.min(same.shape, same.trend)).toBeGreaterThan(0.93);
    expect(Math.abs(same.auc.heldOut - same.auc.heldOutOfTraining)).toBeLessThan(0.06);
    expect(Math.abs(same.dcrShare - 0.5)).toBeLessThan(0.06);
    expect(same.copies).toBeLessThan(0.02);
    expect(same.membership).toBeNull();
  });

  it('tells columns that are right one by one and wrong together', async () => {
    const [shuffled] = await judged('shuffled.csv');
    expect(shuffled.shape).toBeGreaterThan(0.93);
    expect(shuffled.trend).toBeLessThan(0.85);
    expect(shuffled.c2st).toBeLessThan(0.4);
  });

  it('finds copies of training rows, names them, and ends with exit code 3', async () => {
    const [copied, code] = await judged('copied.csv', '--top', '2');
    expect(code).toBe(3);
    expect(copied.copies).toBeGreaterThan(0.32);
    // 400 of the 900 training rows are compared, as there are 400 held-out ones
    expect(copied.dcrShare).toBeGreaterThan(0.55);
    expect(copied.findings).toHaveLength(2);
    expect(copied.nearest).toHaveLength(2);
    for (const { distance, row: number, trainingRow } of copied.nearest) {
      expect(distance).toBe(0);
      const lineOf = (name: string, of: number): string => readFileSync(at(name), 'utf8').split('\n')[of]!;
      expect(lineOf('copied.csv', number)).toBe(lineOf('train.csv', trainingRow));
    }
  });

  it('prints each figure with what is best and what it measures', async () => {
    const { stdout, stderr } = await orchard('judge', at('same.csv'), ...files, '--rows', '500', '--top', '1');
    expect(stdout).toMatch(/^900 samples, 900 training rows, 400 held-out rows$/m);
    for (const name of ['C2ST', 'AUC, held-out rows', 'Shape', 'Trend', 'DCR share', 'exact copies'])
      expect(stdout).toMatch(new RegExp(`^${name} +[\\d.]`, 'm'));
    // the held-out figure first: copies have the best C2ST
    expect(stdout.indexOf('AUC, held-out rows')).toBeLessThan(stdout.indexOf('C2ST'));
    expect(stderr).toContain('500 rows of samples, drawn at random, are looked at (--rows)');
  });

  it('refuses files that do not go together, and too few rows', async () => {
    writeFileSync(at('other.csv'), `size,kind\n${'1,fir\n2,oak\n'.repeat(30)}`);
    const other = await orchard('judge', at('other.csv'), ...files);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('no column "height"')]);
    write('few.csv', rows(5));
    const few = await orchard('judge', at('few.csv'), ...files);
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining('5 rows')]);
    expect((await orchard('judge', at('same.csv'), '--train', at('train.csv'))).code).toBe(2);
    expect((await orchard('judge', '-', ...files)).stderr).toContain('standard input');
  });
});

describe('orchard judge --model', () => {
  const model = at('model');
  beforeAll(async () => {
    // many trees of many leaves, and validation rows that are the training rows: it learns them by heart
    const deep = [
      '--rounds',
      '60',
      '--leaves',
      '64',
      '--shrinkage',
      '0.5',
      '--members',
      '1',
      '--valid',
      at('train.csv'),
    ];
    const { code, stderr } = await orchard('train', at('train.csv'), ...deep, '--out', model, '--quiet', '--no-report');
    expect(code, stderr).toBe(0);
  }, 60_000);

  it('shows what the likelihood gives away, and the rows most at risk', async () => {
    const [{ membership }] = await judged('same.csv', '--model', model, '--top', '4');
    const { gap, auc, rowsAtRisk } = membership!;
    expect(gap).toBeGreaterThan(0.05);
    expect(auc).toBeGreaterThan(0.5);
    expect(rowsAtRisk).toHaveLength(4);
    const perRow = ['--per-row', at('risks.csv')];
    const { stdout } = await orchard('judge', at('same.csv'), ...files, '--model', model, ...perRow);
    const [head, ...lines] = readFileSync(at('risks.csv'), 'utf8').trim().split('\n');
    expect([head, lines.length]).toEqual(['row,log_likelihood,excess', 900]);
    const excesses = lines.map((line) => Number(line.split(',')[2]));
    expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(excesses.map((_, row) => row + 1));
    expect(excesses.indexOf(Math.max(...excesses)) + 1).toBe(rowsAtRisk[0]!.row);
    expect((await orchard('judge', at('same.csv'), ...files, ...perRow)).stderr).toContain('--per-row without --model');
    expect(stdout).toMatch(/^likelihood gap +\d\.\d+ ± /m);
    expect(stdout).toMatch(/^membership AUC +0\.\d+ /m);
    expect(stdout).toMatch(
      /^training row \d+ is \d+\.\d+ nats likelier than the held-out rows that are most like it$/m,
    );
  });
});

it('judges rows of 0 and 1 too', async () => {
  const bits = (count: number): string =>
    `a,b,c\n${Array.from({ length: count }, () => {
      const first = stream.below(2);
      return `${String(first)},${String(stream.below(9) > 0 ? first : 1 - first)},${String(stream.below(2))}`;
    }).join('\n')}\n`;
  for (const name of ['bits-train.csv', 'bits-test.csv', 'bits.csv']) writeFileSync(at(name), bits(300));
  const model = at('bits-model');
  expect((await orchard('train', at('bits-train.csv'), '--rounds', '20', '--out', model, '--quiet')).code).toBe(0);
  const words = ['--train', at('bits-train.csv'), '--test', at('bits-test.csv'), '--model', model, '--json'];
  const { document, code } = await orchard('judge', at('bits.csv'), ...words);
  expect([code, document['copies'], document['copiesOfHeldOut']]).toEqual([0, 1, 1]);
  expect(Math.abs((document['membership'] as { gap: number }).gap)).toBeLessThan(0.2);
});
