import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../run.suite.js';
import { quoted } from '@orchard/refusal';
import { roff } from './roff.js';

const folder = temporaryFolder();
mkdirSync(join(folder, 'a folder'));
writeFileSync(join(folder, 'rows of it.csv'), '');

const isMissing = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined;
const scriptFor = async (shell: string): Promise<string> => (await orchard('completion', shell)).stdout;
/** Runs a program of that shell in a folder with one file and one folder. */
const within = (shell: string, ...args: readonly string[]): string =>
  execFileSync(shell, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Command lines up to the cursor, and all that is offered there. */
const offered: readonly (readonly [line: string, ...words: string[]])[] = [
  ['orchard tr', 'train'],
  ['orchard help sam', 'sample'],
  ['orchard completion ', 'bash', 'fish', 'zsh'],
  ['orchard sample --g', '--given'],
  ['orchard train x.csv --mode', '--model'],
  ['orchard train --header ', 'auto', 'no', 'yes'],
  ['orchard train --preset ac', 'accurate'],
  ['orchard status '],
];

describe.skipIf(isMissing('bash'))('in bash', () => {
  it('completes commands, options, their words and folders, and leaves files to bash', async () => {
    // bash hands "=" over as a word
    const lines = [
      ...offered.map(([line]) => line.split(' ')),
      ...['orchard train --header = n', 'orchard train -o ', 'orchard train -o a', 'orchard train '].map((line) =>
        line.split(' '),
      ),
    ];
    const tries = lines.map((words) => `try ${words.map((word) => `'${word}'`).join(' ')}`);
    const driver = `try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _orchard 2> /dev/null; printf '[%s]' "\${COMPREPLY[@]}"; echo; }`;
    const said = within('bash', '-c', [await scriptFor('bash'), driver, ...tries].join('\n'));
    const expected = offered.map(([, ...words]) => words);
    const found = said.trimEnd().split('\n');
    expect(found.map((line) => line.slice(1, -1).split('][').sort().join(' ').trim())).toEqual([
      ...expected.map((words) => words.join(' ')),
      ...['no', 'a folder', 'a folder', ''],
    ]);
  });
});

describe.skipIf(isMissing('fish'))('in fish', () => {
  it('completes commands, options, their words, files and folders', async () => {
    const lines = [
      ...offered.map(([line]) => line),
      'orchard train --header=n',
      'orchard train -o ',
      'orchard train r',
    ];
    const tries = lines.map((line) => `echo (complete -C'${line}' | string split -f1 \\t | sort | string join '][')`);
    const said = within('fish', '--no-config', '-c', [await scriptFor('fish'), ...tries].join('\n'));
    expect(said.trimEnd().split('\n')).toEqual([
      ...offered.map(([, ...words]) => words.join('][')),
      ...['--header=no', 'a folder/', 'rows of it.csv'],
    ]);
  });
});

describe.skipIf(isMissing('zsh'))('in zsh', () => {
  it('completes in a terminal: commands, options, their words and folders', async () => {
    writeFileSync(join(folder, '_orchard'), await scriptFor('zsh'));
    const lines = ['orchard tr', 'orchard train --preset ac', 'orchard train -o a', 'orchard help sam'];
    const setup = `PS1=; autoload -Uz compinit; compinit -u -D; source ./_orchard; orchard() { print -r -- "<$*>" }`;
    const driver = `zmodload zsh/zpty; zpty z zsh -f -i
      zpty -w z ${quoted(`${setup}; print rea""dy`)}
      zpty -r z out '*ready*'
      ${lines.map((line) => `zpty -w -n z '${line}'$'\\t\\n'; zpty -r z out '*<*>*'; print -r -- "$out"`).join('\n')}`;
    const said = within('zsh', '-f', '-c', driver);
    expect(said.match(/<.*>/g)).toEqual([
      '<train>',
      '<train --preset accurate>',
      // zsh takes the slash back at the end of a line
      '<train -o a folder>',
      '<help sample>',
    ]);
  });
});

it('refuses a shell that it knows nothing of', async () => {
  expect(await orchard('completion', 'csh')).toMatchObject({
    code: 2,
    stderr: 'orchard: SHELL: got "csh", expected bash, zsh, fish. Did you mean "zsh"?\n',
  });
});

const pages = async (): Promise<string[]> => {
  const { stdout: help } = await orchard('help');
  const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  expect(commands).toContain('train');
  return Promise.all(
    [[], ...commands.map((name) => [name])].map(async (args) => (await orchard('man', ...args)).stdout),
  );
};

describe('the manual pages', () => {
  it('have every option of a command with its help, and its examples', async () => {
    const { stdout: help } = await orchard('sample', '--help-all');
    const { code, stdout: page } = await orchard('man', 'sample');
    expect(code).toBe(0);
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
    expect(flags).toContain('--given');
    for (const flag of flags) expect(page).toContain(roff(flag));
    expect(page).toContain('Sample new rows from a model');
    expect(page).toContain('$ orchard sample run/network.msgpack \\-\\-count 8\n      print them');
  });

  it('are the same at each call, and name no date', async () => {
    expect(await pages()).toEqual(await pages());
  });

  it('are written to a folder, that of the whole and one of every command, or one alone', async () => {
    const manual = join(folder, 'share/man1');
    expect(await orchard('man', '--out', manual)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const names = readdirSync(manual);
    expect(names).toEqual(expect.arrayContaining(['orchard.1', 'orchard-train.1', 'orchard-compare-models.1']));
    expect(names.map((name) => readFileSync(join(manual, name), 'utf8')).sort()).toEqual((await pages()).sort());
    expect((await orchard('man', 'gc', '--out', join(manual, 'one'))).code).toBe(0);
    expect(readdirSync(join(manual, 'one'))).toEqual(['orchard-gc.1']);
    const { code, stderr } = await orchard('man', '--out', join(manual, 'orchard.1'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^orchard: --out: got .*orchard\.1, which is a file, expected a folder to write to\./);
    expect((await orchard('man', '--out', '/proc/no/such')).code).toBe(2);
  });

  it('show what roff would obey', () => {
    expect(roff(".so\n'x\\n -1 …")).toBe("\\&.so\n\\&'x\\en \\-1 \\[u2026]");
  });

  it('refuse a command that there is not', async () => {
    const { code, stderr } = await orchard('man', 'trian');
    expect(code).toBe(2);
    expect(stderr).toMatch(/COMMAND: got "trian", expected one of the commands: .* Did you mean "train"\?/);
  });

  it.skipIf(isMissing('groff'))('are read by groff without a warning', async () => {
    for (const input of await pages()) {
      const { status, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], { input, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    }
  });
});
