import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from './run.suite.js';

const folder = temporaryFolder();
afterEach(() => rmSync(join(folder, 'out'), { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

let train: string;
let valid: string;
beforeAll(() => {
  train = file('train.csv', 'a,b,c\n1,0,1\n0,1,1\n1,1,0\n0,0,1\n');
  valid = file('valid.csv', 'a,b,c\n1,0,0\n0,1,1\n');
});

it('a file whose name begins as options do is named so that it is one', async () => {
  // such a name is one of the folder that the command runs in
  const name = `-rows-${String(process.pid)}.csv`;
  writeFileSync(name, 'a,b\n1,2\n');
  try {
    const { stderr, code } = await orchard('describe', name);
    expect(stderr).toContain(`unknown option '${name}'`);
    expect(stderr).toContain(`The file of that name is ./${name}.`);
    expect(code).toBe(2);
  } finally {
    rmSync(name);
  }
});

/** Every refusal: exit code 2, one document with all its parts, the reason on stderr, and nothing written. */
async function expectRefusal(args: readonly string[], message: RegExp): Promise<void> {
  const outcome = await orchard(...args, '--json');
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(2);
  expect(outcome.document).toEqual({
    error: {
      message: expect.stringMatching(message),
      got: expect.any(String),
      expected: expect.any(String),
      where: expect.toSatisfy((where) => where === null || typeof where === 'string'),
      remedy: expect.any(String),
    },
  });
  expect(outcome.stdout.trimEnd()).not.toContain('\n');
  expect(existsSync(join(folder, 'out'))).toBe(false);
}

describe('the command line', () => {
  it.each([
    ['--help'],
    ...['train', 'evaluate', 'sample', 'complete', 'importance', 'inspect', 'select', 'demo'].map((command) => [
      command,
      '--help',
    ]),
  ])('has help with examples: %s %s', async (...args) => {
    const { code, stdout } = await orchard(...args.filter((arg) => arg !== undefined));
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n {2}\$ orchard /);
  });

  it('states the defaults of training options', async () => {
    const help = (await orchard('train', '--help-all')).stdout.replace(/\s+/g, ' ');
    for (const [flag, values] of [
      ['--leaves <J>', 'default: auto, of 4, 16, 64; tables: 8; paper: 16'],
      ['--shrinkage <nu>', 'default: 0.05; tables: 0.2, under 5,000 rows 0.05; paper: 0.02'],
      ['--rounds <T>', 'default: 2000; paper: 1000'],
      ['--max-leaf-value <value>', 'default: 2; paper: off'],
      ['--start <odds>', 'default: base-rate; tables: auto; paper: half'],
    ])
      expect(help).toMatch(new RegExp(`${flag!} [^<]*\\(${values!}\\)`));
  });

  it('tells its version', async () => {
    expect(await orchard('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('orchard help is orchard --help, and orchard help CMD is orchard CMD --help', async () => {
    const [help, ofSample] = [await orchard('help'), await orchard('help', 'sample')];
    expect([help.code, ofSample.code]).toEqual([0, 0]);
    expect(help.stdout).toBe((await orchard('--help')).stdout);
    expect(ofSample.stdout).toBe((await orchard('sample', '--help')).stdout);
    expect(ofSample.stdout).toContain('Usage: orchard sample [options] <NETWORK>');
  });

  it('help of a command that there is not is refused with those that are', async () => {
    const { code, stdout, stderr } = await orchard('help', 'smaple');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/got "smaple", expected one of the commands: describe, .* Did you mean "sample"\?/);
  });

  it('-v is --version, and -o is --out of every command that has one', async () => {
    expect((await orchard('-v')).stdout).toBe((await orchard('--version')).stdout);
    const { stdout: help } = await orchard('help');
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
    const helps = await Promise.all(commands.map(async (name) => (await orchard('help', name)).stdout));
    const outs = helps.flatMap((text) => text.match(/^ {2}(-o, )?--out <.*$/gm) ?? []);
    expect(outs.length).toBeGreaterThan(6);
    for (const line of outs) expect(line).toMatch(/^ {2}-o, --out </);
  });

  it('answers no command with the help, as a refusal', async () => {
    const { code, stdout, stderr } = await orchard();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: orchard');
  });

  it.each<[string[], RegExp]>([
    [['grow'], /unknown command 'grow'.* See orchard --help, or orchard COMMAND --help/],
    [['train', '--out', 'out'], /got no TRAIN, expected TRAIN, or --query/],
    [
      ['train', 'x.csv', '--leafs', '3', '--out', 'out'],
      /unknown option '--leafs', expected .* Did you mean --leaves\?/,
    ],
    [['sample'], /got no NETWORK, which is needed.* See orchard sample --help/],
    [['judge', 'rows.csv'], /got no --train <file>, which is needed.* See orchard judge --help/],
  ])('refuses what it does not know: %j', async (args, message) => {
    await expectRefusal(args, message);
  });
});

describe('orchard train refuses', () => {
  it.each<[string[], RegExp]>([
    [['--leaves', '1'], /--leaves: got .*, expected .* 2 to 65536/],
    [['--leaves', '2.5'], /--leaves/],
    [['--rounds', '0'], /--rounds: got .*, expected .* 1 to 100000/],
    [['--rounds', '1000000'], /--rounds/],
    [['--shrinkage', '0'], /--shrinkage: got .*, expected .* above 0 and at most 1/],
    [['--shrinkage', 'NaN'], /--shrinkage: got "NaN"/],
    [['--shrinkage', '1.5'], /--shrinkage/],
    [['--start', 'middle'], /--start/],
    [['--min-leaf-weight=-1'], /--min-leaf-weight/],
    [['--max-leaf-value', '0'], /--max-leaf-value/],
    [['--max-leaf-value', '601'], /--max-leaf-value/],
    [['--l2=-0.5'], /--l2/],
    [['--feature-fraction', '0'], /--feature-fraction/],
    [['--feature-fraction', '2'], /--feature-fraction/],
    [['--patience', '1.5'], /--patience/],
    [['--preset', 'fast'], /--preset: got .*, expected a preset: paper, default, accurate or single-tree/],
    [['--select', 'best'], /--select: got .*, expected a selection: individual, common/],
    [['--seed', '-1'], /--seed/],
    [['--seed', '9007199254740993'], /--seed/],
    [['--threads', '0'], /--threads: got "0", expected a whole number from 1/],
    [['--threads', 'all'], /--threads/],
    [['--valid-fraction', '1'], /--valid-fraction: got "1", expected a number between 0 and 1/],
    [['--test-fraction', '0'], /--test-fraction: got "0", expected a number between 0 and 1/],
    [['--format', 'xml'], /--format: got "xml", expected csv, tsv/],
    [['--header', 'maybe'], /--header/],
    [['--binarize', 'round'], /--binarize/],
    [['--threshold', 'high'], /--threshold: got "high", expected a finite number/],
    [['--shape', '28'], /--shape: got "28", expected height x width/],
    [['--scale', '0'], /--scale: got "0", expected a number above 0/],
    [['--max-line-bytes', '3'], /more than 3 bytes.*--max-line-bytes/],
    [['--dimensions', '5'], /--dimensions: got 3 dimensions in .*, expected 5/],
    [['--shape', '2x2'], /shape|2 ?x ?2/],
    [['--max-cells', '0'], /--max-cells/],
    [['--max-cells', '5'], /cells|5/],
    [['--columns', 'a,nowhere'], /nowhere/],
    [['--one-hot', 'nowhere'], /"nowhere" of --one-hot, expected a number from 1 to 3 or one of "a", "b", "c"/],
    [['--one-hot', 'nowhere', '--header', 'yes'], /nowhere/],
    [['--ordering', 'missing.txt'], /--ordering: got "missing.txt", and no such file is there/],
    [['--report-dimension', 'nowhere'], /--report-dimension: got "nowhere", expected the name of a column/],
    [['--report-dimension', '4'], /--report-dimension: got "4"/],
    [['--threshold', '0.5', '--binarize', 'bernoulli'], /--threshold and --binarize bernoulli/],
  ])('%j', async (options, message) => {
    await expectRefusal(['train', train, '--valid', valid, '--out', join(folder, 'out'), ...options], message);
  });

  it('validation rows given twice over', async () => {
    await expectRefusal(
      ['train', train, '--valid', valid, '--valid-fraction', '0.5', '--out', join(folder, 'out')],
      /--valid and --valid-fraction/,
    );
    await expectRefusal(
      ['train', train, '--test', valid, '--test-fraction', '0.5', '--out', join(folder, 'out')],
      /--test and --test-fraction/,
    );
  });

  it('standard input for two splits', async () => {
    await expectRefusal(['train', '-', '--valid', '-', '--out', join(folder, 'out')], /standard input for two splits/);
  });

  it.each<[string, string | Uint8Array, RegExp]>([
    ['a ragged row', 'a,b\n1,0\n0\n', /bad:3/],
    ['an empty file', '', /empty/],
    ['a header and no rows', 'a,b\n', /got .*expected/],
    ['UTF-16 without a mark', Buffer.from('a,b\n1,0\n', 'utf16le'), /--encoding/],
    ['truncated gzip', gzipSync('a,b\n1,0\n0,1\n').subarray(0, 20), /gzip/],
    ['a line without end', `a,b\n${'1'.repeat(2 ** 24 + 10)}`, /line/],
  ])('%s', async (_, content, message) => {
    const path = file('bad', content);
    const loose = new RegExp(message.source.replace('bad:', '.*bad.*'), 's');
    await expectRefusal(['train', path, '--valid', valid, '--format', 'csv', '--out', join(folder, 'out')], loose);
  });

  it.each([
    ['a value that is not 0 or 1', 'a,b\n1,0\n0,2\n', /line 3.*"?2"?.*0/s],
    ['a missing value', 'a,b\n1,?\n0,1\n', /\?/],
  ])('%s, where rows of bits were promised', async (_, content, message) => {
    const out = join(folder, 'out');
    await expectRefusal(['train', file('bad', content), '--valid', valid, '--model', 'lbarn', '--out', out], message);
  });

  it('a missing file, and a folder', async () => {
    await expectRefusal(['train', join(folder, 'none.csv'), '--out', join(folder, 'out')], /none\.csv.*no such file/);
    await expectRefusal(['train', folder, '--out', join(folder, 'out')], /a folder of train\.csv, valid\.csv/);
  });

  it('splits of other columns, by name', async () => {
    const other = file('other.csv', 'a,b,d\n1,0,0\n0,1,1\n');
    await expectRefusal(['train', train, '--valid', other, '--out', join(folder, 'out')], /without .*c.*with .*d/s);
  });

  it('splits of another number of columns', async () => {
    const other = file('other.data', '1,0\n0,1\n');
    await expectRefusal(['train', train, '--valid', other, '--out', join(folder, 'out')], /2 columns/);
  });

  it('an ordering that is none', async () => {
    for (const [content, message] of [
      ['a\nb\n', /2 columns/],
      ['a\nb\nd\n', /"d"/],
      ['1\n2\n2\n', /"2" twice/],
      ['0\n1\n3\n', /"3"/],
    ] as const) {
      const ordering = file('ordering.txt', content);
      await expectRefusal(
        ['train', train, '--valid', valid, '--ordering', ordering, '--out', join(folder, 'out')],
        message,
      );
    }
  });

  it('a file where the folder should be', async () => {
    const inTheWay = file('in-the-way', '');
    await expectRefusal(['train', train, '--valid', valid, '--out', inTheWay], /--out: got .*in-the-way/);
    await expectRefusal(['train', train, '--valid', valid, '--out', ''], /--out: got an empty name/);
  });
});

describe('the other commands refuse', () => {
  const isText = /NETWORK: got .*valid\.csv, which is text that begins with "a,b,c", expected a network file/;

  it.each(['evaluate', 'complete'])('what is no network: %s', async (command) => {
    await expectRefusal([command, join(folder, 'none.msgpack'), valid], /a network file/);
    await expectRefusal([command, valid, valid], isText);
  });

  it.each(['sample', 'importance', 'inspect'])('what is no network: %s', async (command) => {
    await expectRefusal([command, join(folder, 'none.msgpack')], /a network file/);
    await expectRefusal([command, folder], /NETWORK: got the folder .*, which has no network\.msgpack, expected/);
    await expectRefusal([command, valid], isText);
  });

  it('a folder without a finished run', async () => {
    mkdirSync(join(folder, 'empty'));
    await expectRefusal(
      ['select', join(folder, 'empty')],
      /empty, a folder without a run, expected the folder of a fin/,
    );
    await expectRefusal(
      ['select', join(folder, 'nowhere')],
      /nowhere, which is not there, expected the folder of a fin/,
    );
    await expectRefusal(['select', valid], /valid\.csv, which is a file, expected the folder of a finished run/);
    mkdirSync(join(folder, 'begun', 'store'), { recursive: true });
    await expectRefusal(['select', join(folder, 'begun')], /whose? training has not finished.*train command again/);
    await expectRefusal(['inspect', join(folder, 'begun')], /no network\.msgpack, whose training has not finished/);
    mkdirSync(join(folder, 'fetched'));
    writeFileSync(join(folder, 'fetched', 'summary.json'), '{}');
    await expectRefusal(['select', join(folder, 'fetched')], /no store .* orchard fetch --select/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it.each<[string[], RegExp]>([
    [['sample', 'n', '--count', '0'], /--count/],
    [['sample', 'n', '--seed', 'x'], /--seed/],
    [
      ['sample', 'n', '--out', 'x.jpg'],
      /--out: got the ending \.jpg, expected \.csv, (\.\w+, )+\.parquet, (\.\w+, )+\.npy, \.png/,
    ],
    [['complete', 'n', 'd', '--samples', '0'], /--samples/],
    [['complete', 'n', 'd', '--out', 'x'], /a name without an ending/],
    [['evaluate', 'n', 'd', '--top', '-1'], /--top/],
    [['importance', 'n', '--top', '0'], /--top/],
    [['inspect', 'n', '--entropy-ordering', 'up'], /--entropy-ordering/],
    [['demo', '--rows', '10'], /--rows/],
    [['select', 'd', '--select', 'best'], /--select/],
  ])('%j', async (args, message) => {
    await expectRefusal(args, message);
  });
});
