import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Outlier } from '@orchard/model';
import { argv, orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const colours = ['red', 'blue, dark', 'green'];

/** As pandas exports it: an index without a name, True/False, labels, decimals, dates, holes, an identifier. */
const rows = Array.from({ length: 120 }, (_, row) => [
  String(row),
  row % 3 === 0 ? 'True' : 'False',
  colours[(row * 7) % 3]!,
  (((row * 37) % 91) / 4).toFixed(2),
  `2024-0${String(1 + (row % 9))}-1${String((row * 3) % 10)}`,
  ['', '3', '4', '5'][(row * 5) % 4]!,
  `id-${String(row * row).padStart(6, '0')}`,
]);
const head = ['', 'ok', 'colour', 'size', 'day', 'stars', 'key'];

function write(name: string, delimiter: string, isQuoted = false, before = ''): string {
  const cell = (text: string): string => (isQuoted || text.includes(delimiter) ? `"${text}"` : text);
  const lines = [head, ...rows].map((cells) => cells.map(cell).join(delimiter));
  writeFileSync(at(name), `${before}${lines.join('\n')}\n`);
  return at(name);
}

const table = write('table.csv', ',');
const model = at('model');
const short = ['--rounds', '4', '--quiet'];

beforeAll(async () => {
  expect(await orchard('train', table, '--members', '1', '--out', model, ...short)).toMatchObject({ code: 0 });
});

describe('orchard train on a table, without an option', () => {
  it.each([
    ['semicolons', write('semicolons.csv', ';')],
    ['tabs', write('tabs.tsv', '\t')],
    ['bars', write('bars.txt', '|')],
    ['quotes and a byte order mark', write('excel.csv', ',', true, '\uFEFF')],
  ])('learns the same from %s', async (name, file) => {
    const out = at(`of ${name}`);
    expect(await orchard('train', file, '--members', '1', '--out', out, ...short)).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'network.msgpack'))).toEqual(readFileSync(join(model, 'network.msgpack')));
  });

  it.each(['pandas.csv', 'r.csv', 'excel.csv', 'snappy.parquet', 'plain.feather', 'columns.npz', 'pandas.jsonl'])(
    'says what it is to learn of %s',
    async (name) => {
      const file = fileURLToPath(
        new URL(`../../../../libs/core/dataset/src/table-files/fixtures/${name}`, import.meta.url),
      );
      const { code, document } = await orchard('describe', file, '--json');
      expect(code).toBe(0);
      expect((document['variables'] as unknown[]).length + (document['leftOut'] as unknown[]).length).toBeGreaterThan(
        0,
      );
    },
  );

  it('has each variable find its leaves where it is asked to, and says which', async () => {
    const out = at('leaves');
    const { code, stdout } = await orchard(
      ...argv`train ${table} --leaves auto --members 1 --rounds 6 --details
      --out ${out}`,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^nats per row +train +valid +leaves$/m);
    expect(stdout).toMatch(/^colour .* (4|16|64)$/m);
    expect(stdout).toContain('found by each variable on its validation rows, by quick trials');
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('found by each variable on its validation rows');
  });

  it('takes a file of 0 and 1 for rows of bits, to the bytes of --model lbarn', async () => {
    writeFileSync(at('bits.csv'), `a,b\n${'0,1\n1,0\n1,1\n'.repeat(20)}`);
    await orchard('train', at('bits.csv'), '--out', at('bits'), ...short);
    await orchard('train', at('bits.csv'), '--model', 'lbarn', '--out', at('lbarn'), ...short);
    expect(readFileSync(at('bits/network.msgpack'))).toEqual(readFileSync(at('lbarn/network.msgpack')));
  });
});

describe('a model of a table', () => {
  it('draws rows in the columns, order and formats of the training file', async () => {
    const { stdout } = await orchard('sample', model, '--count', '50', '--out', '-', '--quiet');
    const [names, ...drawn] = stdout.trim().split('\n');
    expect(names).toBe('Unnamed: 0,ok,colour,size,day,stars');
    expect(drawn).toHaveLength(50);
    for (const line of drawn)
      expect(line).toMatch(/^\d+,(True|False),(red|"blue, dark"|green),-?\d+\.\d\d,\d{4}-\d\d-\d\d,[345]?$/);
  });

  it('draws what is given in quotes: labels with commas', async () => {
    for (const [given, expected] of [
      ['colour="blue, dark",stars=4..', /^\d*,(True|False),"blue, dark",.*,[45]\.?0?(,|$)/],
      [' "colour" = red | "blue, dark" , "stars"=4', /^\d*,(True|False),(red|"blue, dark"),.*,4\.?0?(,|$)/],
    ] as const) {
      const { code, stdout } = await orchard('sample', model, '--given', given, '--count', '20', '--out', '-');
      expect(code).toBe(0);
      const drawn = stdout.trim().split('\n').slice(1);
      expect(drawn).toHaveLength(20);
      expect(drawn.filter((line) => !expected.test(line))).toEqual([]);
      expect(stdout).toContain('blue, dark');
    }
  });

  it('draws holes where something else is given, as without', async () => {
    const { stdout } = await orchard('sample', model, '--given', 'ok=True', '--count', '200', '--out', '-');
    const stars = rowsIn(stdout).map((cells) => cells.at(-1));
    // of the training rows a quarter
    expect(stars.filter((text) => text === '').length).toBeGreaterThan(20);
    expect(stars.filter((text) => text !== '').length).toBeGreaterThan(100);
  });

  it('draws what is given', async () => {
    const given = 'colour=red|green,stars=4..';
    const { code, stdout } = await orchard('sample', model, '--given', given, '--count', '40', '--out', '-');
    expect(code).toBe(0);
    for (const line of stdout.trim().split('\n').slice(1)) expect(line).toMatch(/,(red|green),.*,[45]$/);
  });

  it('fills blanks alone, several times where asked, or says what each may be', async () => {
    writeFileSync(at('blanks.csv'), 'ok,colour,size,day,stars,more\nTrue,?,2.50,2024-01-10,?,kept\n');
    const { stdout } = await orchard('complete', model, at('blanks.csv'), '--draws', '3', '--quiet');
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(4);
    lines
      .slice(1)
      .forEach((line, draw) =>
        expect(line).toMatch(
          new RegExp(`^${String(draw + 1)},True,(red|"blue, dark"|green),2.50,2024-01-10,[345],kept$`),
        ),
      );
    const said = await orchard('complete', model, at('blanks.csv'), '--probabilities', '--quiet');
    const shares = rowsIn(said.stdout).filter(([row, column]) => row === '1' && column === 'colour');
    const sum = shares.reduce((all, cells) => all + Number(cells.at(-1)), 0);
    expect(sum).toBeCloseTo(1, 2);
  });

  it('shows the most unusual rows, flags a share, and writes the score of each row', async () => {
    const args = [model, table, '--worst', '2', '--flag', '0.05', '--per-row', at('scores.csv'), '--top', '1'];
    const { code, document } = await orchard('evaluate', ...args, '--json');
    expect(code).toBe(0);
    expect(document['worst']).toHaveLength(2);
    expect(document['flagged']).toHaveLength(6);
    const lines = readFileSync(at('scores.csv'), 'utf8').trim().split('\n');
    expect(lines[0]).toBe(
      'row,score,logLikelihood,outlier,column1,value1,probability1,expected1,expectedLow1,expectedHigh1,expectedLabel1,surprise1',
    );
    expect(lines).toHaveLength(121);
    expect((await orchard('evaluate', ...args)).stdout).toMatch(/^row \d+: score \d+\.\d+; \S.* is .* expected /m);
  });

  it('names a missing value where training had none, and a cell that does not fit its column, as what is unusual', async () => {
    const [names, usual] = readFileSync(table, 'utf8').split('\n') as [string, string];
    const broken = usual.replace(/,(\d+\.\d\d),/, ',1xx19,');
    const missing = usual.replace(/,(\d+\.\d\d),/, ',,');
    writeFileSync(at('broken.csv'), `${[names, broken, missing, usual].join('\n')}\n`);
    const { document, stderr } = await orchard('evaluate', model, at('broken.csv'), '--worst', '2', '--json');
    expect(stderr).toContain('1 cell that does not fit the column "size", counted as missing');
    expect(document['newCells']).toEqual([
      { column: 'size', unseen: 0, misfits: 1, example: { row: 1, text: '1xx19' } },
    ]);
    const worst = document['worst'] as Outlier[];
    expect(worst.map(({ row, cells }) => [row, cells[0]!.column, cells[0]!.value]).sort()).toEqual([
      [1, 'size', '1xx19'],
      [2, 'size', null],
    ]);
    expect(worst[0]!.cells[0]!.expected).toMatch(/\d/);
  });

  it('warns where the model learned from the rows', async () => {
    expect((await orchard('evaluate', model, table, '--worst', '1')).stderr).toContain('orchard outliers');
    const some = readFileSync(table, 'utf8').split('\n').slice(0, 60).join('\n');
    writeFileSync(at('some.csv'), `${some}\n`);
    expect((await orchard('evaluate', model, at('some.csv'), '--worst', '1')).stderr).not.toContain('orchard outliers');
  });

  it('says the same of rows wherever they stand in a file that is larger than what is held of it', async () => {
    const [names, ...own] = readFileSync(table, 'utf8').trimEnd().split('\n');
    const times = 320;
    writeFileSync(at('long.csv'), `${[names, ...Array.from({ length: times }, () => own).flat()].join('\n')}\n`);
    const scores = async (file: string, ...more: string[]) => {
      const run = await orchard('evaluate', model, file, '--per-row', at('long-scores.csv'), '--json', ...more);
      expect(run.code).toBe(0);
      const lines = readFileSync(at('long-scores.csv'), 'utf8').trimEnd().split('\n').slice(1);
      return { document: run.document, lines: lines.map((line) => line.slice(line.indexOf(',') + 1)) };
    };
    const once = await scores(table, '--worst', '1');
    const shown = 40;
    const long = await scores(at('long.csv'), '--worst', String(shown));
    expect(long.lines).toHaveLength(times * own.length);
    // the first row of each part too
    const scored = (lines: readonly string[]): string[][] => lines.map((line) => line.split(',').slice(0, 2));
    const repeated = Array.from({ length: times }, () => scored(once.lines)).flat();
    expect(scored(long.lines)).toEqual(repeated);
    const [worst] = once.document['worst'] as Outlier[];
    const all = long.document['worst'] as Outlier[];
    expect(all.map(({ score }) => score)).toEqual(Array.from({ length: shown }, () => worst!.score));
    const numbers = all.map(({ row }) => row);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const equal = all.filter(({ row }) => (row - worst!.row) % own.length === 0);
    expect(equal.length).toBeGreaterThanOrEqual(shown / 2);
    for (const { cells } of equal) expect(cells).toEqual(worst!.cells);
  });

  it('is no better than itself', async () => {
    const { code, document } = await orchard('compare', model, model, table, '--json');
    expect(code).toBe(0);
    expect(document).toMatchObject({ rows: 120, difference: 0 });
  });
});

describe('what cannot be done is refused in one line', () => {
  mkdirSync(at('is-a-folder'));
  writeFileSync(at('empty.csv'), '');
  it.each([
    [['train', table, '--type', 'colour=categorial', '--out', at('x')], 'Did you mean "categorical"?'],
    [['train', table, '--type', 'colours=binary', '--out', at('x')], 'Did you mean "colour"?'],
    [['train', table, '--type', 'colour=ordered', '--out', at('x')], 'column "colour"'],
    [['train', table, '--bins', '9', '--threshold', '0.5', '--out', at('x')], 'Leave out --type, --bins'],
    [['train', at('empty.csv'), '--out', at('x')], 'expected at least one row'],
    [['describe', at('nosuch.csv')], 'no such file'],
    [['describe', at('is-a-folder')], 'got a folder without a file'],
    [['sample', model, '--given', 'color=red'], 'Did you mean "colour"?'],
    [['sample', model, '--given', 'colour=violet'], 'It had red, blue, dark, green'],
    [['sample', model, '--given', 'colour=blue, dark'], 'in double quotes what has a comma'],
    [['sample', model, '--given', 'colour="blue, black"'], 'It had red, blue, dark, green'],
    [['sample', model, '--given', 'colour="red'], 'got "\\"red" for colour'],
    [['sample', model, '--given', 'size=big'], 'got "big" for size, expected a number'],
    [['sample', model, '--given', 'ok='], 'training had no missing values there'],
    [['sample', model, '--out', at('x.png')], '.csv'],
    [['sample', model, '--out', at('no/such/folder/x.csv')], 'x.csv'],
    [['evaluate', model, at('blanks-of-others.csv')], 'no such file'],
  ])('%j', async (args, said) => {
    const { code, stdout, stderr } = await orchard(...args, '--quiet');
    expect([1, 2]).toContain(code);
    expect(stdout).toBe('');
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
