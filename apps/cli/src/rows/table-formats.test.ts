import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
/** Enough of a model to see that a file is read. */
const short = ['--rounds', '2', '--members', '1', '--no-report', '--quiet'];

const cities = ['Kiel', 'Lund', 'Oslo'];
const rows = Array.from({ length: 40 }, (_, row) => ({
  city: cities[(row * 7) % 3]!,
  smoker: row % 3 === 0 ? 'yes' : 'no',
  height: (1.5 + ((row * 37) % 91) / 200).toFixed(3),
  children: (row * 3) % 4,
}));

function written(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const cells = (delimiter: string): string[] => [
  Object.keys(rows[0]!).join(delimiter),
  ...rows.map((row) => Object.values(row).join(delimiter)),
];
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../libs/core/dataset/src/table-files/fixtures/${name}`, import.meta.url));

describe('orchard train FILE without an option, then sample and evaluate', () => {
  it.each([
    ['commas', written('commas.csv', cells(','))],
    ['semicolons', written('semicolons.csv', cells(';'))],
    ['bars', written('bars.csv', cells('|'))],
    ['tabs', written('tabs.tsv', cells('\t'))],
    ['blanks', written('blanks.txt', cells(' '))],
    [
      'JSON lines',
      written(
        'rows.jsonl',
        rows.map((row) => JSON.stringify(row)),
      ),
    ],
    [
      'libsvm',
      written(
        'rows.libsvm',
        rows.map(({ height, children }) => `1 1:${height} 2:${String(children)}`),
      ),
    ],
    ...['forty.parquet', 'forty.feather', 'forty.arrows', 'forty.npy', 'forty.npz', 'forty-csr.npz'].map(
      (name): [string, string] => [name, fixture(name)],
    ),
  ])('%s', async (name, file) => {
    const run = join(folder, `run of ${name}`);
    const { code, stderr } = await orchard('train', file, '--out', run, ...short);
    expect([code, stderr]).toEqual([0, '']);
    expect(existsSync(join(run, 'network.msgpack'))).toBe(true);
    const drawn = await orchard('sample', run, '--count', '3', '--quiet');
    expect(drawn.stdout.trim().split('\n')).toHaveLength(4);
    const { document } = await orchard('evaluate', run, file, '--json');
    expect(document).toMatchObject({ rows: 40, rowsWithUnknown: 0 });
    expect(Number.isFinite(document['logLikelihood'])).toBe(true);
  });
});

describe('--format', () => {
  const misnamed = written(
    'rows.txt',
    rows.map((row) => JSON.stringify({ ...row, city: `, ${row.city}` })),
  );

  it('is what a table is read as, by every command that reads one', async () => {
    const run = join(folder, 'by format');
    expect(await orchard('train', misnamed, '--out', join(folder, 'no'), ...short)).toMatchObject({ code: 2 });
    const format = ['--format', 'jsonl'];
    expect(await orchard('train', misnamed, ...format, '--out', run, ...short)).toMatchObject({ code: 0 });
    expect((await orchard('describe', misnamed, ...format, '--json')).document).toMatchObject({ format: 'jsonl' });
    expect((await orchard('evaluate', run, misnamed, ...format, '--json')).document).toMatchObject({ rows: 40 });
    expect((await orchard('complete', run, misnamed, ...format, '--quiet')).stdout.split('\n')[0]).toBe(
      'city,smoker,height,children',
    );
    expect(await orchard('importance', run, misnamed, ...format)).toMatchObject({ code: 0 });
  });

  it('tsv is text with tabs, and what rows of bits are read from is a table where that is what it holds', async () => {
    const tabs = written('tabs.csv', cells('\t'));
    const { document } = await orchard('describe', tabs, '--format', 'tsv', '--json');
    expect(document).toMatchObject({ format: 'csv', rows: 40 });
    const args = ['train', fixture('forty.npy'), '--format', 'npy', '--out', join(folder, 'npy')];
    expect(await orchard(...args, ...short)).toMatchObject({ code: 0 });
  });

  it.each([
    [['describe', misnamed, '--format', 'parquet'], 'got text, expected parquet as asked'],
    [['describe', misnamed, '--format', 'idx'], '--format idx, which says how a file becomes rows of bits'],
    [
      ['train', misnamed, '--format', 'jsonl', '--threshold', '1', '--out', join(folder, 'no')],
      'options of tables beside options of rows of bits',
    ],
    [
      ['train', misnamed, '--format', 'jsonl', '--model', 'lbarn', '--out', join(folder, 'no')],
      '--model: got a table, with options of tables, expected rows of 0 and 1 alone',
    ],
    [['describe', misnamed, '--format', 'jsnol'], 'jsonl'],
  ])('%j is refused', async (args, said) => {
    const { code, stderr } = await orchard(...args, '--quiet');
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});

it('libsvm that counts from 0 is refused with the option that says so, and read with it', async () => {
  const file = written(
    'zero.libsvm',
    rows.map(({ height, children }) => `1 0:${height} 1:${String(children)}`),
  );
  const refused = await orchard('train', file, '--out', join(folder, 'no'), '--quiet');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--zero-based')]);
  const args = ['train', file, '--zero-based', '--out', join(folder, 'zero'), ...short];
  expect(await orchard(...args)).toMatchObject({ code: 0 });
});

describe('held-out rows with a hole in a column that had none in training', () => {
  const train = written('train.csv', cells(','));
  const holes = written(
    'holes.csv',
    cells(',').map((line, at) => (at === 3 ? line.replace(/1\.\d+/, '') : line)),
  );

  it('are left out of validation, which is said', async () => {
    const run = join(folder, 'with holes');
    const { code, stderr } = await orchard('train', train, '--valid', holes, '--out', run, ...short.slice(0, -1));
    expect(code).toBe(0);
    expect(stderr).toContain(
      '1 of 40 rows left out, with missing values in "height", where the training rows have none',
    );
    expect(stderr).toContain('40 train, 39 validate');
  });

  it('are integrated out by evaluate, with their error', async () => {
    const run = join(folder, 'whole');
    expect(await orchard('train', train, '--out', run, ...short)).toMatchObject({ code: 0 });
    const { document } = await orchard('evaluate', run, holes, '--json');
    expect(document).toMatchObject({ rows: 40, rowsWithUnknown: 1 });
    expect((await orchard('evaluate', run, holes)).stdout).toContain(
      '1 row with unknown values: integrated out by drawing, with an error of',
    );
  });
});

it('what is said of a column of mistakes names the flags', async () => {
  const file = written('mistake.csv', [
    'size,side',
    ...Array.from({ length: 60 }, (_, row) => `${row === 30 ? 'big' : String(row * row)},${row % 2 ? 'l' : 'r'}`),
  ]);
  const { stderr } = await orchard('describe', file, '--strict');
  expect(stderr).toContain('say that it marks a missing value (--missing), or that the column is categorical (--type)');
});
