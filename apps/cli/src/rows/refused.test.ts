import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

const sizeOf = (row: number): string => (((row * 37) % 61) / 4).toFixed(2);
const colourOf = (row: number): string => ['red', 'blue', 'green'][(row * 7) % 3]!;
const okOf = (row: number): string => (row % 3 === 0 ? 'no' : 'yes');

/** 60 rows under a header, a cell each by these. */
function csv(header: string, ...cells: readonly ((row: number) => string)[]): string {
  const lines = Array.from({ length: 60 }, (_, row) => cells.map((cell) => cell(row)).join(','));
  return `${header}\n${lines.join('\n')}\n`;
}

const plain = csv('ok,colour,size', okOf, colourOf, sizeOf);
const [head, ...lines] = plain.trimEnd().split('\n');
const table = write('table.csv', plain);

describe('a file that is no table is refused alike by describe and train', () => {
  it.each([
    ['a web page', '<!doctype html><html><body>404, not found</body></html>\n', 'got a web page'],
    ['names alone', 'ok,colour,size\n', 'got names ("ok", "colour", "size") and no row'],
    [
      'remarks above the names',
      ['# exported', '# by Ann', head, ...lines].join('\n'),
      'Skip the first 2 lines (--skip), or pass over all lines that begin with "#" (--comment).',
    ],
    [
      'holes alone',
      csv(
        'a,b',
        () => '',
        () => '',
      ),
      'Say what a column is (--type), or give another file.',
    ],
  ])('%s', async (_what, text, said) => {
    const file = write('no-table.csv', text);
    for (const args of [
      ['describe', file],
      ['train', file, '--out', at('none')],
    ]) {
      const { code, stdout, stderr } = await orchard(...args, '--quiet');
      expect([args[0], code, stdout]).toEqual([args[0], 2, '']);
      expect(stderr).toContain(said);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(existsSync(at('none'))).toBe(false);
  });
});

it('names that come again are passed over, and said by every command that reads the rows', async () => {
  const file = write('joined.csv', [head, ...lines.slice(0, 30), head, ...lines.slice(30)].join('\n'));
  const note = 'Line 32, which repeats the names of line 1, is passed over.';
  expect((await orchard('describe', file)).stdout).toContain(note);
  expect((await orchard('train', file, '--model', 'marginals', '--out', at('joined'))).stderr).toContain(note);
  const evaluated = await orchard('evaluate', at('joined'), file);
  expect(evaluated.stdout).toContain('60 rows');
  expect(evaluated.stderr).toContain(note);
});

describe('cells that do not fit their column', () => {
  it.each([
    [
      'a number beyond numbers',
      csv('ok,x', okOf, (row) => (row === 6 ? '1e400' : sizeOf(row))),
      '1 cell is not read as numbers, as "1e400" in row 7: missing',
    ],
    [
      'a typo among numbers',
      csv('ok,x', okOf, (row) => (row === 6 ? '1xx19' : sizeOf(row))),
      '1 cell is not read as numbers, as "1xx19" in row 7: missing',
    ],
    [
      'a day that no calendar has',
      csv('ok,x', okOf, (row) => (row === 6 ? '2023-02-30' : `2023-0${String(1 + (row % 9))}-1${String(row % 10)}`)),
      '1 cell is not read as dates, as "2023-02-30" in row 7: missing',
    ],
    [
      'dates in several zones',
      csv('ok,x', okOf, (row) => `2023-01-01T10:${String(row).padStart(2, '0')}:00${row % 2 ? 'Z' : '+02:00'}`),
      'times in several zones are read, and written, as UTC',
    ],
  ])(
    'are missing, which train, describe and the report say, and refused with --strict: %s',
    async (_what, text, how) => {
      const file = write('warts.csv', text);
      const described = await orchard('describe', file, '--json');
      const [variable] = (described.document['variables'] as { name: string; warnings: string[] }[]).filter(
        ({ name }) => name === 'x',
      );
      expect(variable!.warnings).toContain(how);
      const trained = await orchard('train', file, '--model', 'marginals', '--out', at('warts'), '--force');
      expect(trained).toMatchObject({ code: 0 });
      expect(trained.stderr).toContain(`of "x" ${how}`);
      const report = readFileSync(join(at('warts'), 'report.html'), 'utf8');
      expect(report).toContain('Cells that are not read as they stand');
      const summary = JSON.parse(readFileSync(join(at('warts'), 'summary.json'), 'utf8')) as { mended: unknown };
      expect(summary.mended).toEqual([{ name: 'x', how }]);
      const sampled = await orchard('sample', at('warts'), '--count', '5', '--out', '-');
      expect(sampled).toMatchObject({ code: 0 });
      for (const args of [
        ['describe', file, '--strict'],
        ['train', file, '--strict', '--out', at('none')],
        ['outliers', file, '--strict'],
        ['check', file, '--strict'],
      ]) {
        const { code, stderr } = await orchard(...args, '--quiet');
        expect([args[0], code]).toEqual([args[0], 2]);
        expect(stderr).toContain('column "x"');
      }
    },
  );
});

describe('cells that do not fit the column of a model', () => {
  const good = write('all-fit.csv', csv('ok,x', okOf, sizeOf));
  const odd = write(
    'one-misfit.csv',
    csv('ok,x', okOf, (row) => (row === 6 ? '1xx19' : sizeOf(row))),
  );

  it('are missing, and refused with --strict, by every command that reads rows for it', async () => {
    const run = at('strict');
    await orchard('train', good, '--model', 'marginals', '--no-report', '--out', run);
    for (const args of [
      ['evaluate', run, odd],
      ['evaluate', run, odd, '--missing-means', 'unknown', '--worst', '2'],
      ['complete', run, odd, '--out', at('filled.csv')],
      ['compare', run, run, odd],
      ['check', odd, '--baseline', run],
      ['judge', good, '--train', odd, '--test', good],
      ['judge', odd, '--train', good, '--test', good],
      ['train', good, '--test', odd, '--model', 'marginals', '--no-report', '--out', at('held-out')],
    ]) {
      const { code, stderr } = await orchard(...args, '--strict', '--quiet');
      expect([args[0], code]).toEqual([args[0], 2]);
      expect(stderr).toContain('1xx19');
    }
    expect((await orchard('evaluate', run, odd)).stderr).toContain('1 cell that does not fit the column "x"');
  });
});

it('numbers and dates as people write them are learned, given, and sampled in the same form', async () => {
  const rows = Array.from({ length: 120 }, (_, row) => {
    const day = `${String(1 + (row % 28))}/${String(1 + (row % 12))}/2023`;
    return `${okOf(row)},"$${String(1 + (row % 3))},${String(100 + ((row * 37) % 800))}.50",${day}`;
  });
  const file = write('written.csv', `ok,price,day\n${rows.join('\n')}\n`);
  const trained = await orchard('train', file, '--model', 'marginals', '--no-report', '--out', at('written'));
  expect(trained.stderr).toContain('of "price" numbers as "$1,100.50" are read as 1100.5');
  expect(trained.stderr).toContain('of "day" dates as "1/1/2023" are read as 2023-01-01');
  const { stdout } = await orchard('sample', at('written'), '--count', '40', '--out', '-');
  const [, ...sampled] = stdout.trimEnd().split('\n');
  expect(sampled).toHaveLength(40);
  for (const line of sampled) expect(line).toMatch(/^(?:yes|no),"?\$[\d,]+\.\d0?"?,\d{1,2}\/\d{1,2}\/2023$/);
  expect(await orchard('evaluate', at('written'), file)).toMatchObject({ code: 0 });
});

describe('what is left out, or shown in part, says so', () => {
  it.each([
    ['numbers beyond 1e300', (row: number) => `${String(row + 1)}e305`, 'numbers, some beyond 1e300, as "1e305"'],
    ['names', (row: number) => `name ${String(row)}`, 'texts are mostly distinct: names or free text'],
  ])('%s', async (_what, cell, said) => {
    const { code, stdout } = await orchard('describe', write('left-out.csv', csv('ok,x', okOf, cell)));
    expect(code).toBe(0);
    expect(stdout).toContain('x is left out: its ');
    expect(stdout).toContain(said);
  });

  it('a label as long as a book', async () => {
    const text = csv('ok,t', okOf, (row) => (row === 3 ? 'long '.repeat(20_000) : 'short'));
    const { stdout } = await orchard('describe', write('long.csv', text));
    expect(stdout).toContain('…');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(200);
  });

  it('one number alone', async () => {
    const { document } = await orchard(
      'describe',
      write(
        'constant.csv',
        csv('ok,n', okOf, () => '7'),
      ),
      '--json',
    );
    expect(document['variables']).toContainEqual(expect.objectContaining({ values: '7', warnings: ['constant'] }));
  });

  it('columns that are called as what every object has', async () => {
    const file = write('proto.csv', csv('__proto__,constructor,toString', okOf, colourOf, sizeOf));
    const { code, document } = await orchard('describe', file, '--type', 'constructor=categorical', '--json');
    expect(code).toBe(0);
    expect((document['variables'] as { name: string; kind: string }[]).map(({ name, kind }) => [name, kind])).toEqual([
      ['__proto__', 'binary'],
      ['constructor', 'categorical'],
      ['toString', 'ordered'],
    ]);
  });
});

describe('a model and what is not for its kind', () => {
  const short = ['--rounds', '2', '--quiet'];
  const model = at('model');
  const bits = at('bits');
  const bitRows = write('bits.csv', `a,b\n${'0,1\n1,0\n1,1\n'.repeat(20)}`);
  const swapped = write('swapped.csv', csv('size,ok,colour', sizeOf, okOf, colourOf));
  const odd = write('odd.csv', csv('ok,"si\nze"', okOf, sizeOf));

  beforeAll(async () => {
    for (const [file, out, ...more] of [
      [table, model, '--members', '1'],
      [bitRows, bits],
      [swapped, at('swapped')],
      [write('fewer.csv', csv('ok,colour', okOf, colourOf)), at('fewer')],
      [table, at('coarse'), '--bins', '4'],
      [table, at('labels'), '--type', 'size=categorical'],
      [table, at('few'), '--max-categories', '2'],
      [odd, at('odd')],
    ] as const)
      expect(await orchard('train', file, '--out', out, ...short, ...more)).toMatchObject({ code: 0 });
  });

  it.each([
    [['evaluate', model, table, '--threshold', '0.5'], '--threshold, which says how a file becomes rows of bits'],
    [['evaluate', model, table, '--columns', 'ok'], '--columns, which says'],
    [['complete', model, table, '--one-hot', 'colour'], '--one-hot, which says'],
    [['importance', model, table, '--binarize', 'bernoulli'], '--binarize, which says'],
    [['describe', table, '--one-hot', 'colour'], '--one-hot, which says'],
    [['evaluate', bits, bitRows, '--delimiter', ';'], '--delimiter, which says how the file of a table is read'],
    [['complete', bits, bitRows, '--decimal', ','], '--decimal, which says'],
    [['complete', model, table, '--out', at('x.png')], 'expected a name that ends in .csv'],
    [['inspect', model, '--entropy-ordering', 'increasing', '--out', at('x.txt')], 'a model of the family tables'],
    [['inspect', model, '--dimensions'], 'a model of the family tables'],
    [
      ['compare', model, bits, table],
      'B: got a model of rows of 0 and 1 of 2 columns, without "ok", "colour", "size", with "a", "b"',
    ],
    [
      ['compare', model, at('fewer'), table],
      'B: got the model of a table of 2 columns, without "size", expected the 3 columns of A',
    ],
    [['compare', at('fewer'), model, table], 'with "size", expected the 2 columns of A'],
    [['compare', model, at('labels'), table], 'B: got "size" as single values, of which it has masses'],
    [['compare', model, table, table], 'B: got'],
    [['describe', model], `got ${model}, a model of the family tables, expected a table`],
    [['describe', join(model, 'network.msgpack')], 'inspect'],
    [
      ['train', table, '--no-refit', '--out', at('x')],
      '--model tables: got --refit, --no-refit or --retrain, expected what a model',
    ],
    [['train', table, '--ordering', 'entropy', '--out', at('x')], '"ordering": got "entropy"'],
    [['train', table, '--committee', '--out', at('x')], 'the mean of several lines is not one line'],
    [['train', table, '--pseudo-count', '2', '--out', at('x')], 'got --pseudo-count'],
    [
      ['train', table, '--weights', 'size', '--out', at('x')],
      'Row weights are --row-weights size; --weights are those',
    ],
    [['train', table, '--weights', 'em', '--out', at('x')], 'Leave it out.'],
    [['train', table, '--ordering', 'nosuch', '--out', at('x')], 'got "nosuch", and no such file is there, expected'],
    [['train', table, '--ordering', 'randon', '--out', at('x')], 'Did you mean "random"?'],
  ])('%j is refused in one line', async (args, said) => {
    const { code, stdout, stderr } = await orchard(...args, '--quiet');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(at('x.png')) || existsSync(at('x.txt'))).toBe(false);
  });

  it('columns in another order are compared by name', async () => {
    const there = await orchard('compare', model, at('swapped'), table, '--json');
    const back = await orchard('compare', at('swapped'), model, table, '--json');
    expect([there.code, back.code]).toEqual([0, 0]);
    const columns = ({ document }: typeof there): Map<string, number> =>
      new Map(
        (document['columns'] as { name: string; difference: number }[]).map((each) => [each.name, each.difference]),
      );
    for (const [name, difference] of columns(there)) expect(columns(back).get(name)).toBeCloseTo(-difference, 12);
    const sum = [...columns(there).values()].reduce((all, each) => all + each, 0);
    expect(there.document['difference']).toBeCloseTo(sum, 12);
  });

  it('bins are compared as densities, and labels that one model does not tell apart are said', async () => {
    expect((await orchard('compare', model, at('coarse'), table)).stderr).not.toContain('apart');
    expect((await orchard('compare', model, at('few'), table)).stderr).toContain('tell other values of "colour" apart');
  });

  it('a line break in a name begins no line', async () => {
    const { stdout } = await orchard('evaluate', at('odd'), odd, '--worst', '1');
    expect(stdout).toContain('the densities of si\\u000aze, which');
    expect(stdout).not.toContain('\nze');
    expect(readFileSync(odd, 'utf8')).toContain('\nze');
  });
});

it('a list that is given twice is both, not the second alone', async () => {
  const { stdout } = await orchard('describe', table, '--exclude', 'ok', '--exclude', 'size');
  expect(stdout).toContain('ok is left out: it was excluded');
  expect(stdout).toContain('size is left out: it was excluded');
});
