import { temporaryFolder } from '@orchard/storage/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { Terminal } from '../output/terminal.js';
import { declareCommand } from './add-command.js';
import { option } from './option.js';
import { list, oneOf, wholeNumber } from './values.js';
import { ConfiguredCommand, configuredBy, type Configured } from './configured-command.js';

// without the suite of whole command lines, which loads all of the program
const folder = temporaryFolder();
const path = join(folder, 'options.toml');

interface Outcome {
  readonly options: Record<string, unknown>;
  readonly configured: Configured | null;
  readonly stderr: string;
}

/** Two commands, and what one of them is called with beside a file that holds `text`. */
function parse(text: string | Uint8Array, ...args: readonly string[]): Outcome {
  writeFileSync(path, text);
  let stderr = '';
  const terminal = new Terminal(
    { json: false, quiet: args.includes('--quiet') },
    { write: () => true },
    { write: (said) => (stderr += said) },
  );
  const program = new ConfiguredCommand('orchard', terminal)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  const declared = (name: string, options: () => readonly Option[]): void =>
    declareCommand({ name, description: '', options, examples: [] }, () => undefined)(program, terminal);
  declared('grow', () => [
    option('-r, --rounds <n>', '', wholeNumber(1, 100)),
    option('--max-age <n>', '', wholeNumber(1, 100)),
    option('--kind <kind>', '', oneOf(['oak', 'ash'])),
  ]);
  declared('pick', () => [option('--seed <n>', '', wholeNumber(0, 9))]);
  const [grow] = program.commands as [Command];
  grow
    .option('--only <list>', '', (items: string, before: string[] | undefined) => [...(before ?? []), ...list(items)])
    .option('--prune')
    .option('--no-prune')
    .option('--force')
    .requiredOption('--out <dir>', '');
  for (const command of program.commands) command.exitOverride().action(() => undefined);
  program.parse(['grow', '--config', path, ...args], { from: 'user' });
  return { options: grow.opts(), configured: configuredBy(grow), stderr };
}

const refusal = (text: string | Uint8Array, ...args: readonly string[]): string => {
  try {
    parse(text, ...args);
  } catch (error) {
    return String(error instanceof Error ? error.message : error).replaceAll(path, 'FILE');
  }
  return 'nothing was refused';
};

describe('a file of options', () => {
  it('gives what the command line does not, the words below a command before those at the top', () => {
    const text = 'rounds = 3\nout = "a"\nseed = 1\n[grow]\nmax-age = 7\nrounds = 4\nonly = ["x", 2]\nprune = false\n';
    const { options, configured, stderr } = parse(text, '--max-age', '8', '--only', 'y');
    expect(options).toMatchObject({ rounds: 4, out: 'a', maxAge: 8, only: ['y'], prune: false });
    expect(options).not.toHaveProperty('seed');
    expect(configured).toEqual({ file: path, words: { '--out': 'a', '--rounds': '4', '--prune': 'false' } });
    expect(stderr).toBe(
      `orchard: options of ${path}: --out a --rounds 4 --prune false; not --max-age, --only, which the command line has\n`,
    );
  });

  it('is read in the same way as the command line, short flags and lists among it', () => {
    const { options } = parse('[grow]\nrounds = 1e1\nkind = "ash"\nonly = "x, y"\nout = "o"\n', '-r', '5');
    expect(options).toMatchObject({ rounds: 5, kind: 'ash', only: ['x', 'y'], out: 'o' });
  });

  it('is not read with --no-config or for help, and is told of in no word with --quiet', () => {
    expect(parse('nonsense', '--out', 'o', '--no-config').configured).toBe(null);
    expect(refusal('nonsense', '--help')).toBe('(outputHelp)');
    expect(parse('out = "o"', '--quiet').stderr).toBe('');
  });

  it('does not make up for what nobody gives', () => {
    expect(refusal('rounds = 3')).toMatch(/required option '--out <dir>' not specified/);
  });
});

describe('a file of options is refused, with its line,', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    [
      'for a word that no command has',
      '\n# more\nruonds = 3\n',
      /^FILE, line 3: got "ruonds", .*Did you mean "rounds"\?$/,
    ],
    ['for an underscore', '[grow]\n\nmax_age = 3\n', /^FILE, line 3: got "max_age", .* Did you mean "max-age"\?$/],
    [
      'for the word of another command',
      '[grow]\nseed = 3\n',
      /^FILE, line 2: got "seed", .*orchard help grow lists them/,
    ],
    [
      'for a word in a command that is not called',
      '[pick]\nrounds = 3\n',
      /^FILE, line 2: got "rounds", expected an option of orchard pick/,
    ],
    [
      'for a command that there is not',
      'rounds = 3\n[gorw]\n',
      /^FILE, line 2: got \[gorw\], .*: grow, pick\. Did you mean "grow"\?$/,
    ],
    [
      'for a name of every object',
      'constructor = 3\n',
      /^FILE, line 1: got "constructor", expected an option of some command/,
    ],
    [
      'for the negative of a word',
      '[grow]\nno-prune = true\n',
      /^FILE, line 2: got "no-prune", .* Write prune = false\.$/,
    ],
    [
      'for what is said each time',
      'force = true\n',
      /^FILE, line 1: got force, .*what replaces files is said each time/,
    ],
    [
      'for a value out of range',
      'only = [\n  "x",\n]\n\nrounds = 101\n',
      /^FILE, line 5, rounds: got "101", expected a whole number from 1 to 100/,
    ],
    ['for another word', 'kind = "elm"\n', /^FILE, line 1, kind: got "elm", expected oak, ash/],
    [
      'for a text where true or false is wanted',
      '[grow]\nprune = "no"\n',
      /^FILE, line 2, prune: got "no", expected true or false/,
    ],
    [
      'for true where a value is wanted',
      'rounds = true\n',
      /^FILE, line 1, rounds: got true, expected a text in quotes, or a number/,
    ],
    [
      'for a list where one is wanted',
      'rounds = [1]\n',
      /^FILE, line 1, rounds: got \[1\], expected a text in quotes, or a number/,
    ],
    ['for a date', 'out = 2026-01-01\n', /^FILE, line 1, out: got "2026-01-01/],
    [
      'for a comma in an item',
      'only = ["a,b"]\n',
      /^FILE, line 1, only: got "a,b", expected an item of its own for each/,
    ],
    ['for a table in a table', '[grow.deep]\nx = 1\n', /^FILE, line 1: got "deep"/],
    ['where it is no TOML', 'rounds = 3\nout: o\n', /^FILE, line 2: got .*, expected TOML/],
  ])('%s', (_, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  it('and without one where it cannot be read at all', () => {
    expect(refusal(Uint8Array.of(0x6f, 0xff))).toMatch(/^--config: got FILE, which is not UTF-8/);
    expect(refusal('#'.repeat(2 ** 20 + 1))).toMatch(/^--config: got FILE, which has 1048577 bytes/);
    expect(refusal('', '--config', folder)).toMatch(/^--config: got .*, which cannot be read \(EISDIR/);
    expect(refusal('', '--config', join(folder, 'none'))).toMatch(
      /^--config: got .*none, which cannot be read \(ENOENT/,
    );
  });
});
