import { BitMatrix, csvField, readDataset } from '@orchard/dataset';
import { decode } from 'fast-png';
import { describe, expect, it, vi } from 'vitest';
import type { ColourEnvironment } from './colours.js';
import { drawContactSheet } from './contact-sheet.js';
import { bytes, count, counted, duration, errorInNats, nats, timeLeft, table, withDecimals } from './figures.js';
import { drawHalfBlocks } from './half-blocks.js';
import { ProgressDisplay } from './progress.js';
import { listInPieces } from './json-pieces.js';
import { Terminal, type OutputStream } from './terminal.js';
import { encodeBits, kindOfFile, shapeFor } from './write-rows.js';

/** Keeps what is written. */
class Recorder implements OutputStream {
  text = '';
  constructor(
    readonly isTTY = false,
    readonly columns = 80,
  ) {}
  write(text: string): void {
    this.text += text;
  }
}

const progress = {
  runId: 'r',
  stage: 'train',
  state: 'training',
  tasks: { done: 3, total: 10, called: 'dimensions' },
  trees: 3000,
  treesPerSecond: 1234.4,
  secondsLeft: 75,
  secondsLeftRange: { least: 38, most: 150 },
  logLikelihood: -12.3456,
} as const;

describe('Terminal', () => {
  it('keeps stdout for the one document under --json', () => {
    const [out, err] = [new Recorder(), new Recorder()];
    const terminal = new Terminal({ json: true, quiet: false }, out, err);
    terminal.result('for people');
    terminal.note('on the way');
    terminal.document({ a: 1 });
    expect(out.text).toBe('{"a":1}\n');
    expect(err.text).toBe('on the way\n');
  });

  it.each([
    { batches: [], remark: null },
    { batches: [[]], remark: 'said' },
    { batches: [[1]], remark: 'said' },
    {
      batches: [
        [['a\u202e', null]],
        [],
        [
          ['b', '1'],
          ['c', '2'],
        ],
      ],
      remark: null,
    },
  ])('prints a document whose list comes batch by batch as if it came whole: $batches', async ({ batches, remark }) => {
    const [whole, pieces, quiet] = [new Recorder(), new Recorder(), new Recorder()];
    const one = new Terminal({ json: true, quiet: true }, whole, new Recorder());
    const other = new Terminal({ json: true, quiet: true }, pieces, new Recorder());
    if (remark !== null) for (const terminal of [one, other]) terminal.remark(remark);
    one.document({ a: 'x', list: batches.flat() });
    await other.documentInPieces({ a: 'x' }, { list: listInPieces(batches) });
    expect(pieces.text).toBe(whole.text);
    const others = new Terminal({ json: false, quiet: true }, quiet, quiet);
    await others.documentInPieces({ a: 1 }, { list: listInPieces(batches) });
    expect(quiet.text).toBe('');
  });

  it('says nothing on stderr when quiet, but why it failed', () => {
    const [out, err] = [new Recorder(), new Recorder(true)];
    const terminal = new Terminal({ json: false, quiet: true }, out, err);
    terminal.note('on the way');
    terminal.status('working');
    terminal.complain('it broke');
    expect(err.text).toBe('it broke\n');
  });
});

describe('colours', () => {
  const escape = '\u001b[';
  /** What a program says in such an environment, to a terminal or not. */
  const said = (environment: ColourEnvironment, isTTY: boolean): string => {
    const [out, err] = [new Recorder(isTTY), new Recorder(isTTY)];
    const terminal = new Terminal({ json: false, quiet: false }, out, err, environment);
    terminal.result('result');
    terminal.faint('less');
    terminal.note('orchard: warning: few rows');
    terminal.complain('orchard: it broke');
    return out.text + err.text;
  };
  const plain = 'result\nless\norchard: warning: few rows\norchard: it broke\n';
  const coloured = `result\n${escape}2mless${escape}22m\norchard: ${escape}33mwarning:${escape}39m few rows\n${escape}31morchard:${escape}39m it broke\n`;

  it.each<[string, ColourEnvironment, boolean, boolean]>([
    ['are for terminals', {}, true, true],
    ['are not for files and pipes', {}, false, false],
    ['are not for those who say NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['are there where NO_COLOR is empty', { NO_COLOR: '' }, true, true],
    ['are everywhere for FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
    ['are nowhere for FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['are where they were for an empty FORCE_COLOR', { FORCE_COLOR: '' }, false, false],
    ['are not there where both are said', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['are not for a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('%s', (_, environment, isTTY, expected) => {
    expect(said(environment, isTTY)).toBe(expected ? coloured : plain);
  });

  it('leave the document of --json and rows of data as they are', async () => {
    const out = new Recorder();
    const environment = { FORCE_COLOR: '1' };
    new Terminal({ json: true, quiet: false }, out, new Recorder(), environment).document({
      error: 'orchard: warning:',
    });
    await new Terminal({ json: false, quiet: false }, out, new Recorder(), environment).data([Buffer.from('a,b\n')]);
    expect(out.text).toBe('{"error":"orchard: warning:"}\na,b\n');
  });

  it('are not all of it: a dumb terminal gets lines, none redrawn', () => {
    expect(
      new Terminal({ json: false, quiet: false }, new Recorder(), new Recorder(true), { TERM: 'dumb' }).interactive,
    ).toBe(false);
  });
});

describe('ProgressDisplay', () => {
  it('writes plain lines, one in five seconds, where stderr is no terminal', () => {
    const err = new Recorder();
    let now = 0;
    const display = new ProgressDisplay(new Terminal({ json: false, quiet: false }, new Recorder(), err), () => now);
    display.show(progress);
    now = 4_000;
    display.show(progress);
    now = 5_000;
    display.show({ ...progress, tasks: { ...progress.tasks, done: 4 } });
    const end = { ...progress, tasks: { ...progress.tasks, done: 10 } };
    for (let again = 0; again < 2; again++) display.show(end);
    display.stop();
    expect(err.text).toBe(
      'orchard: training 3/10 dimensions · 1,234 trees/s · 38 s to 3 min left · -12.35 nats per held-out row\n' +
        'orchard: training 4/10 dimensions · 1,234 trees/s · 38 s to 3 min left · -12.35 nats per held-out row\n' +
        'orchard: training 10/10 dimensions · 1,234 trees/s · -12.35 nats per held-out row\n',
    );
  });

  it('says in a stage without news for how long it has been there', () => {
    vi.useFakeTimers();
    const err = new Recorder();
    const display = new ProgressDisplay(new Terminal({ json: false, quiet: false }, new Recorder(), err));
    display.show({ ...progress, secondsLeft: null, tasks: { ...progress.tasks, total: 0 } });
    vi.advanceTimersByTime(10_000);
    display.show({ ...progress, stage: 'done' });
    vi.advanceTimersByTime(10_000);
    display.stop();
    vi.useRealTimers();
    expect(err.text).toBe('orchard: training\norchard: training · for 4.5 s\norchard: training · for 9.0 s\n');
  });

  it('says for how long a stage goes on that reports and counts nothing', () => {
    const err = new Recorder();
    let now = 0;
    const display = new ProgressDisplay(new Terminal({ json: false, quiet: false }, new Recorder(), err), () => now);
    const ordering = { ...progress, stage: 'order', state: 'ordering', tasks: { done: 0, total: 0, called: 'order' } };
    for (now = 0; now <= 5_000; now += 500) display.show(ordering);
    display.stop();
    expect(err.text).toBe('orchard: ordering\norchard: ordering · for 4.5 s\n');
  });

  it('redraws one line on a terminal and leaves none behind', () => {
    const err = new Recorder(true, 60);
    const terminal = new Terminal({ json: false, quiet: false }, new Recorder(), err, {});
    const display = new ProgressDisplay(terminal, () => 0);
    display.show(progress);
    display.stop();
    terminal.note('done');
    expect(err.text).toMatch(/^\r\u001b\[K.*…\r\u001b\[Kdone\n$/);
  });
});

describe('drawing', () => {
  const images = BitMatrix.fromRows(['110100', '111111', '000000'], { shape: [3, 2] });

  it('puts two pixels of a column into one character', () => {
    expect(drawHalfBlocks(images, [3, 2], 6, 2)).toBe('▀█  ██\n    ▀▀');
  });

  it('writes images as a grey PNG with every pixel of ink there', () => {
    const { width, height, data, channels } = decode(drawContactSheet(images, [3, 2]));
    expect(channels).toBe(1);
    expect(data).toHaveLength(width * height);
    expect(data.filter((grey) => grey < 50)).toHaveLength((3 + 6) * 16);
  });
});

describe('rows as files', () => {
  it('are read back as they were', async () => {
    const rows = BitMatrix.fromRows(['101', '010', '111']);
    const columns = ['101', '011', '101'].map((texts, at) => ({ name: String(at), texts: [...texts] }));
    const batches = [
      columns.map((own) => ({ ...own, texts: own.texts.slice(0, 2) })),
      columns.map((own) => ({ ...own, texts: own.texts.slice(2) })),
    ];
    const bytes = encodeBits('.npy', BitMatrix.create(3, 3), batches);
    expect((await readDataset({ name: 'rows.npy', bytes })).bytes).toEqual(rows.bytes);
  });

  it('are told by the ending, and nothing else is accepted', () => {
    expect(kindOfFile('a/b.CSV')).toBe('.csv');
    expect(() => kindOfFile('samples.jpg')).toThrow(
      '.csv, .txt, .tsv, .tab, .parquet, .arrow, .feather, .json, .jsonl, .ndjson, .npy, .png',
    );
    expect(() => kindOfFile('samples')).toThrow('without an ending');
  });

  it('are no images without a shape', () => {
    expect(() => shapeFor(BitMatrix.fromRows(['101']))).toThrow('without a shape');
  });

  it('quote what would break a line', () => {
    expect(['a', 'a,b', 'a"b', ' a', 'a\nb'].map((text) => csvField(text))).toEqual([
      'a',
      '"a,b"',
      '"a""b"',
      '" a"',
      '"a\nb"',
    ]);
  });
});

it('writes figures as people do', () => {
  expect([0, 999, 1000, 1234567].map(count)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([counted(1, 'row'), counted(2, 'row')]).toEqual(['1 row', '2 rows']);
  expect([0.04, 9.96, 59.4, 75, 3723].map(duration)).toEqual(['0.0 s', '10.0 s', '59 s', '1 min 15 s', '1 h 2 min']);
  expect([-0.0004, 0, -0.0006, 12.345, -1234.5].map(nats)).toEqual(['0.000', '0.000', '-0.001', '12.35', '-1235']);
  expect([-0.00004, 0.00004, -0.00006].map((value) => withDecimals(value, 4))).toEqual(['0.0000', '0.0000', '-0.0001']);
  expect([0, 0.0123].map(errorInNats)).toEqual(['less than 0.001 nats', 'up to 0.012 nats']);
  expect([12, 1234, 12345678].map(bytes)).toEqual(['12 bytes', '1.2 kB', '12.3 MB']);
  expect(
    table(
      ['a', 'b'],
      [
        ['xx', '1'],
        ['y', '22'],
      ],
    ),
  ).toBe('a    b\nxx   1\ny   22');
  const left = [
    [4, 4.2],
    [20, 50],
    [50, 180],
    [240, 960],
    [600, 12_000],
  ].map(([least, most]) => timeLeft(100, { least: least!, most: most! }));
  expect(left).toEqual([
    '4 to 5 s left',
    '20 to 50 s left',
    '50 s to 3 min left',
    '4 to 16 min left',
    '10 min to 3 h left',
  ]);
  expect(timeLeft(75, null)).toBe('1 min 15 s left');
});
