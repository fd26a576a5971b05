import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main, type Ended } from './orchard.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orchard-habits-'));
  await writeFile(join(folder, 'rows.csv'), `a,b\n${'0,1\n1,0\n'.repeat(60)}`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command in a folder of its own. */
function orchardHere(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
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

    expect((await orchardHere(['select', 'run'])).code).toBe(0);
    expect(await readFile(join(folder, 'run/report.html'), 'utf8')).toMatch(section);
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
