import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable, type RawCell } from '@orchard/dataset';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Few distinct rows, so that samples are copies often. */
const rows = Array.from({ length: 240 }, (_, row) => [
  ['fir', 'oak', 'ash'][row % 3]!,
  String((row * 7) % 5),
  row % 2 === 0 ? 'True' : 'False',
  new Date((19_000 + (row % 40)) * 86_400_000).toISOString().slice(0, 10),
]);
writeFileSync(at('trees.csv'), `kind,age,tall,day\n${rows.map((cells) => cells.join(',')).join('\n')}\n`);
writeFileSync(at('gaps.csv'), 'kind,age,tall,day,note\nfir,,True,,a\n,3,False,2022-01-20,b\n');
writeFileSync(at('bits.csv'), `a,b,c\n${'0,1,1\n1,0,0\n1,1,1\n'.repeat(30)}`);
writeFileSync(at('bit-gaps.csv'), 'a,b,c\n0,?,1\n?,1,1\n');

beforeAll(async () => {
  for (const [file, out] of [
    ['trees.csv', 'run'],
    ['bits.csv', 'bits'],
    ['bits.csv', 'tree'],
  ] as const) {
    const { code, stderr } = await orchard(
      ...argv`train ${at(file)}
      ${out === 'tree' ? ['--model', 'chow-liu'] : ['--rounds', '8', '--members', '1']} --out ${at(out)} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }
}, 60_000);

async function cellsOf(file: string): Promise<{ columns: readonly string[]; rows: RawCell[][] }> {
  const raw = await openTable(file);
  const found: RawCell[][] = [];
  for await (const batch of raw.batches())
    for (let row = 0; row < batch.rows; row++) found.push(batch.columns.map((column) => column.at(row) ?? null));
  await raw.close();
  return { columns: raw.columns, rows: found };
}
/** As CSV has it, whatever the type. */
const textOf = (cell: RawCell): string =>
  // the readers have both for a missing value
  cell === null || String(cell) === 'NaN' ? '' : cell === true ? 'True' : cell === false ? 'False' : String(cell);

const endings = ['parquet', 'arrow', 'feather', 'json', 'jsonl'];

describe('--out rows.parquet, .arrow and .feather', () => {
  it.each([
    ['samples of a table', ['sample', 'run', '--count', '50']],
    ['samples of 0/1 data', ['sample', 'bits', '--count', '20']],
    ['rows filled in', ['complete', 'run', 'gaps.csv']],
    ['rows filled in several times', ['complete', 'run', 'gaps.csv', '--draws', '3']],
    ['medians', ['complete', 'run', 'gaps.csv', '--point', 'median']],
    ['intervals', ['complete', 'run', 'gaps.csv', '--interval', '0.8']],
    ['probabilities', ['complete', 'run', 'gaps.csv', '--probabilities']],
    ['0/1 data filled in', ['complete', 'bits', 'bit-gaps.csv']],
    ['intervals of 0/1 data', ['complete', 'bits', 'bit-gaps.csv', '--interval', '0.8']],
    ['probabilities of 0/1 data', ['complete', 'tree', 'bit-gaps.csv', '--probabilities']],
    ['scores of a table', ['evaluate', 'run', 'trees.csv', '--flag', '0.1', '--top', '2'], '--per-row'],
    ['scores of 0/1 data', ['evaluate', 'bits', 'bits.csv', '--top', '1'], '--per-row'],
    ['cross-fitted scores', ['outliers', 'trees.csv', '--folds', '2', '--top', '0', '--no-small-models'], '--per-row'],
    ['associations', ['associations', 'run', '--rows', '200']],
    ['importance of a table', ['importance', 'run']],
    ['importance of 0/1 data', ['importance', 'bits']],
  ])('hold what the CSV of the same rows holds: %s', async (_, [command, model, ...words], option = '--out') => {
    const args = [command!, at(model!), ...words.map((word) => (word.endsWith('.csv') ? at(word) : word)), '--quiet'];
    for (const ending of ['csv', ...endings]) {
      const { code, stderr } = await orchard(...args, option, at(`rows.${ending}`));
      expect(code, stderr).toBe(0);
    }
    const [names, ...lines] = readFileSync(at('rows.csv'), 'utf8').trim().split('\n');
    for (const ending of endings) {
      const typed = await cellsOf(at(`rows.${ending}`));
      expect(typed.columns.join(','), ending).toBe(names);
      expect(typed.rows, ending).toHaveLength(lines.length);
      lines.forEach((line, row) => {
        line.split(',').forEach((text, column) => {
          const own = textOf(typed.rows[row]![column]!);
          if (text !== own) expect(Number(own), ending).toBeCloseTo(Number(text), 9);
        });
      });
    }
  });

  it.each(endings)('have types: numbers, booleans and days are no texts (%s)', async (ending) => {
    await orchard('sample', at('run'), '--count', '5', '--out', at(`typed.${ending}`), '--quiet');
    const [first] = (await cellsOf(at(`typed.${ending}`))).rows;
    expect([typeof first![0], typeof first![2]]).toEqual(['string', 'boolean']);
    expect(Number.isInteger(Number(first![1]))).toBe(true);
    expect(first![3]).toMatch(/^2022-\d\d-\d\d/);
    const { code } = await orchard('evaluate', at('run'), at(`typed.${ending}`));
    expect(code).toBe(0);
  });
});

it('refuses another ending before any work, and says which there are', async () => {
  const { code, stderr } = await orchard('sample', at('run'), '--out', at('rows.xlsx'));
  expect([code, stderr]).toEqual([2, expect.stringContaining('.parquet, .arrow, .feather, .json')]);
  const png = await orchard('sample', at('run'), '--out', at('rows.png'));
  expect([png.code, png.stderr]).toEqual([2, expect.stringContaining('.parquet')]);
});

describe('sample --reject-copies', () => {
  it('samples no row of the file, as many rows as were asked for, and the same ones for the same seed', async () => {
    const originals = new Set(rows.map((cells) => cells.join(',')));
    const args = ['sample', at('run'), '--count', '300', '--seed', '3', '--out', '-'];
    const free = (await orchard(...args)).stdout.trim().split('\n').slice(1);
    expect(free.some((line) => originals.has(line))).toBe(true);
    const { stdout, stderr } = await orchard(...args, '--reject-copies', at('trees.csv'));
    const kept = stdout.trim().split('\n').slice(1);
    expect(kept).toHaveLength(300);
    expect(kept.filter((line) => originals.has(line))).toEqual([]);
    // the others are as without
    expect(kept.filter((line, row) => line === free[row])).toHaveLength(
      free.filter((line) => !originals.has(line)).length,
    );
    expect(stderr).toMatch(/\d+ samples that equal a row of .*trees\.csv sampled anew/);
    expect((await orchard(...args, '--reject-copies', at('trees.csv'))).stdout).toBe(stdout);
    const { document } = await orchard(
      ...argv`sample ${at('run')} --count 40
      --reject-copies ${at('trees.csv')} --json`,
    );
    expect(document['rejected']).toBeGreaterThan(0);
  });

  it('does so where something is given, and of 0/1 data', async () => {
    const given = ['--given', 'kind=fir', '--count', '30', '--out', '-', '--reject-copies', at('trees.csv')];
    const lines = (await orchard('sample', at('run'), ...given)).stdout.trim().split('\n').slice(1);
    expect(lines.every((line) => line.startsWith('fir,'))).toBe(true);
    const bits = await orchard('sample', at('bits'), '--count', '40', '--out', '-', '--reject-copies', at('bits.csv'));
    if (bits.code === 0) expect(bits.stdout).not.toMatch(/^(0,1,1|1,0,0|1,1,1)$/m);
    else expect(bits.stderr).toContain('each time');
  });

  it('ends where the model samples nothing else, and where the file is of other columns', async () => {
    const every = [0, 1].flatMap((a) => [0, 1].flatMap((b) => [0, 1].map((c) => [a, b, c].join(','))));
    writeFileSync(at('every.csv'), `a,b,c\n${every.join('\n')}\n`);
    const all = await orchard('sample', at('bits'), '--count', '4', '--reject-copies', at('every.csv'));
    expect([all.code, all.stderr]).toEqual([2, expect.stringContaining('each time')]);
    const other = await orchard('sample', at('run'), '--reject-copies', at('bits.csv'));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('got the column "kind"')]);
  });
});
