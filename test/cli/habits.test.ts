import { temporaryFolder } from '@orchard/storage/testing';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import cliPackage from '../../apps/cli/package.json' with { type: 'json' };
import { endOf, main, type Ended } from './orchard.js';

const folder = temporaryFolder();
beforeAll(() => writeFile(join(folder, 'rows.csv'), `a,b\n${'0,1\n1,0\n'.repeat(60)}`));

/** Runs a command in a folder of its own. */
function orchardHere(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...environment };
  return endOf(process.execPath, [main, ...args], { cwd: folder, env });
}

describe('where there is an orchard.toml', () => {
  it('training takes its words, says so on stderr, and keeps them in labels and report, of select too', async () => {
    await writeFile(join(folder, 'orchard.toml'), '[train]\nout = "run"\nthreads = 2\ntitle = "a < b"\n');
    const trained = await orchardHere(['train', 'rows.csv', '--model', 'marginals', '--threads', '1']);
    expect(trained.stderr).toContain(
      'orchard: options of orchard.toml: --out run --title "a < b"; not --threads, which the command line has\n',
    );
    expect(trained.code).toBe(0);
    const section = /<h2>Options of orchard\.toml<\/h2>.*<dt>--title<\/dt><dd>a &lt; b<\/dd><\/dl>/;
    expect(await readFile(join(folder, 'run/report.html'), 'utf8')).toMatch(section);
    const labels = JSON.parse(await readFile(join(folder, 'run/labels.json'), 'utf8')) as Record<string, unknown>;
    expect(labels['configured']).toEqual({ file: 'orchard.toml', words: { '--out': 'run', '--title': 'a < b' } });

    const again = await orchardHere(['select', 'run', '--json']);
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).not.toHaveProperty('configured');
    expect(await readFile(join(folder, 'run/report.html'), 'utf8')).toMatch(section);

    await writeFile(join(folder, 'orchard.toml'), '[select]\nthreads = 1\n[sample]\ncount = 3\n');
    const chosen = { file: 'orchard.toml', words: { '--threads': '1' } };
    const selected = await orchardHere(['select', 'run', '--json']);
    expect(JSON.parse(selected.stdout)).toMatchObject({ configured: chosen });
    const report = await readFile(join(folder, 'run/report.html'), 'utf8');
    expect(report).toMatch(section);
    expect(report).toMatch(/asked for, a file gave these options\.<\/p><dl><dt>--threads<\/dt><dd>1<\/dd>/);
    const both = JSON.parse(await readFile(join(folder, 'run/labels.json'), 'utf8')) as Record<string, unknown>;
    expect(both).toMatchObject({ configured: labels['configured'], chosen });
    const drawn = await orchardHere(['sample', 'run', '--out', 'drawn.csv', '--json']);
    expect(JSON.parse(drawn.stdout)).toMatchObject({ configured: { file: 'orchard.toml', words: { '--count': '3' } } });
  });

  it('no command writes outside of that folder by its words, unless the file was named', async () => {
    await writeFile(join(folder, 'orchard.toml'), `[train]\n\nout = "run/../../elsewhere"\n`);
    const refused = await orchardHere(['train', 'rows.csv']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^orchard: orchard\.toml, line 3, out: got "run\/\.\.\/\.\.\/elsewhere", expected a place below/,
    );
    await writeFile(join(folder, 'orchard.toml'), `[train]\nout = "${join(folder, 'run')}"\n`);
    expect((await orchardHere(['train', 'none.csv'])).stderr).toContain('expected a place below');
    expect((await orchardHere(['train', 'none.csv', '--config', 'orchard.toml'])).stderr).toContain('none.csv');
  });
});

describe('a start', () => {
  /** All that a file of the program imports before it runs. */
  const importedBy = async (name: string, found = new Set<string>()): Promise<Set<string>> => {
    found.add(name);
    const code = await readFile(join(dirname(main), name), 'utf8');
    for (const [, next] of code.matchAll(/^import .*"\.\/([^"]+)";$/gm))
      if (!found.has(next!)) await importedBy(next!, found);
    return found;
  };

  it('says the version without reading what the commands need', async () => {
    expect(await orchardHere(['--version'])).toEqual({ code: 0, stdout: `${cliPackage.version}\n`, stderr: '' });
    expect(await orchardHere(['-v'])).toMatchObject({ code: 0, stdout: `${cliPackage.version}\n` });
    const names = [...(await importedBy('main.js'))];
    expect(names.filter((name) => /zod|commander|run\.js|model|pipeline/.test(name))).toEqual([]);
    expect([...(await importedBy('cli-run.js'))]).toContain('all-models.js');
  });

  it('keeps what Node compiled in the folder for caches, where Node can, and does without one', async () => {
    const cache = join(folder, 'cache');
    expect((await orchardHere(['help'], { XDG_CACHE_HOME: cache })).code).toBe(0);
    const kept = await readdir(join(cache, 'orchard/compiled')).catch(() => []);
    expect(kept.length > 0).toBe('enableCompileCache' in module);
    const without = await orchardHere(['help'], { XDG_CACHE_HOME: '/proc/nowhere' });
    expect(without).toEqual(await orchardHere(['help'], { XDG_CACHE_HOME: cache }));
    expect(without.stderr).toBe('');
  });
});

describe('training without a report', () => {
  it('makes the same model and no page, and leaves none of another model there', async () => {
    const words = ['train', 'rows.csv', '--no-config', '--model', 'chow-liu', '--threads', '1'];
    const [seen, unseen] = [join(folder, 'seen'), join(folder, 'unseen')];
    expect((await orchardHere([...words, '--out', seen])).stdout).toContain('\nreport   ');
    const { code, stdout } = await orchardHere([...words, '--out', unseen, '--no-report']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('report');
    expect(await readdir(unseen)).toEqual((await readdir(seen)).filter((name) => name !== 'report.html'));
    for (const name of ['network.msgpack', 'summary.json'])
      expect((await readFile(join(unseen, name))).equals(await readFile(join(seen, name))), name).toBe(true);
    expect((await orchardHere([...words, '--forest', '--out', seen, '--no-report', '--force'])).code).toBe(0);
    expect(await readdir(seen)).not.toContain('report.html');
    // and the page is made when it is asked for
    expect((await orchardHere([...words, '--out', unseen])).code).toBe(0);
    expect(await readdir(unseen)).toContain('report.html');
  });

  it('takes no column that the report is to show', async () => {
    const words = ['--no-config', '--out', 'none', '--no-report', '--report-dimension', 'a'];
    const refused = await orchardHere(['train', 'rows.csv', ...words]);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^orchard: orchard train: got --report-dimension and --no-report, expected one of/);
  });
});
