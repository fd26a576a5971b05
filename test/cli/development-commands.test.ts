import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endOf, root, type Ended } from './orchard.js';

/** A wrong option that each of these refuses, and a wrong value where it has options that take one. */
const commands = [
  ['bench:peers', 'test/benchmarks/peers/main.mjs', ['--clock', 'sun']],
  ['bench:scoring', 'test/benchmarks/scoring.mjs', ['--data', 'no/such/folder']],
  ['bench:growth', 'test/benchmarks/growth.mjs', ['--data', 'no/such/folder']],
  ['bench:models', 'test/benchmarks/models.mjs', ['--threads', 'none']],
  ['bench:cluster', 'test/benchmarks/cluster/main.mjs', ['--only', 'fairness,unfairness']],
  ['bench:read', 'test/benchmarks/reading/main.mjs', ['--repeats', '0']],
  ['bench:responses', 'test/benchmarks/responses/main.mjs', ['--only', 'idle,busy']],
  ['accuracy', 'test/benchmarks/accuracy/main.mjs', ['--presets', 'best']],
  ['fuzz', 'test/fuzz/network-file.mjs', ['--file', 'no/such/file']],
  ['faults', 'test/faults/faults.mjs', ['--minutes', 'many']],
  ['oracles', 'test/oracles/oracles.mjs', ['--rounds', '']],
  ['paper', 'test/paper/main.mjs', ['--parts', 'table,abstract']],
  ['cluster', 'infra/cluster/main.mjs', ['--workers', 'many']],
  ['redis-cluster', 'test/queue/redis-cluster.mjs', ['on-six-nodes']],
  ['servers', 'infra/servers/install.mjs', ['install', 'no-such-server']],
  ['check:deployments', 'infra/check-deployments.mjs', ['everything']],
  ['check:kubernetes', 'infra/kubernetes/main.mjs', ['everything']],
  ['check:alerts', 'infra/alerts/main.mjs', ['--only', 'OrchardSleeps']],
  ['check:containers', 'infra/containers/main.mjs', ['--only', 'unit,ceph']],
] as const;

const run = (path: string, ...args: readonly string[]): Promise<Ended> =>
  endOf(process.execPath, [join(root, path), ...args]);

function expectRefusal({ code, stdout, stderr }: Ended, name: string): void {
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining(`${name}: `),
    `npm run ${name} -- --help shows what can be given.`,
  ]);
  expect(stdout).toBe('');
  expect(code).toBe(2);
}

describe.each(commands)('npm run %s', (name, path, wrongValue) => {
  // that it starts and reads its options is what its refusal shows each time
  it('tells its usage', { tags: 'nightly' }, async () => {
    const { code, stdout, stderr } = await run(path, '--help');
    expect(stdout).toContain(`npm run ${name}`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it(`refuses ${wrongValue.join(' ')}, in words`, async () => {
    const ended = await run(path, ...wrongValue);
    expectRefusal(ended, name);
    expect(ended.stderr).toContain(wrongValue.at(-1));
  });
});

it('npm run accuracy, as all that read their options alike, refuses one that it does not have, in words', async () => {
  const ended = await run('test/benchmarks/accuracy/main.mjs', '--no-such-option');
  expectRefusal(ended, 'accuracy');
  expect(ended.stderr).toContain("Unknown option '--no-such-option'.");
});

it('npm run test:api tells that its options are those of schemathesis', async () => {
  const { code, stdout } = await run('test/api/schemathesis.mjs', '--help');
  expect(stdout).toContain('npm run test:api');
  expect(code).toBe(0);
});

it('setup refuses a Node that lacks what the programs call, and names the oldest that has it', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.12.2' } })";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(root, 'infra/setup.mjs')];
  const ended = await endOf(process.execPath, args);
  expect(ended.stderr).toContain('Orchard needs Node 20.13 or later');
  expect(ended.code).toBe(1);
});

describe('an install of packages', () => {
  /** A clone of the scripts alone, whose npm removes all packages and then does what it is told to. */
  function clone(npm: string): { readonly folder: string; readonly environment: Record<string, string> } {
    const folder = mkdtempSync(join(tmpdir(), 'orchard-install-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ['libs/core/model/node_modules/left', 'apps', 'infra/programs', 'node_modules/left'])
      mkdirSync(join(folder, name), { recursive: true });
    const scripts = ['setup', 'made-anew', 'one-at-a-time', 'process-group'].map((name) => `infra/${name}.mjs`);
    for (const name of [...scripts, 'package.json']) copyFileSync(join(root, name), join(folder, name));
    for (const name of ['package-lock.json', 'tsconfig.base.json']) writeFileSync(join(folder, name), '{}');
    mkdirSync(join(folder, 'bin'));
    const script = `#!/bin/sh\nrm -rf node_modules libs/*/*/node_modules && mkdir node_modules && touch node_modules/half\n${npm}\n`;
    writeFileSync(join(folder, 'bin/npm'), script, { mode: 0o755 });
    writeFileSync(join(folder, 'bin/npx'), '#!/bin/sh\n', { mode: 0o755 });
    return { folder, environment: { PATH: `${join(folder, 'bin')}:${process.env['PATH']!}` } };
  }
  const packagesIn = (folder: string): string[] => readdirSync(join(folder, 'node_modules'));
  const setUp = (folder: string, environment: Record<string, string>) =>
    spawn(process.execPath, [join(folder, 'infra/setup.mjs')], { env: { ...process.env, ...environment } });

  it('that is stopped, or fails, leaves those that were there', async () => {
    const stopped = clone('sleep 60');
    const child = setUp(stopped.folder, stopped.environment);
    await expect.poll(() => packagesIn(stopped.folder)).toEqual(['half']);
    child.kill('SIGTERM');
    await once(child, 'close');
    const failed = clone('exit 1');
    await once(setUp(failed.folder, failed.environment), 'close');
    for (const { folder } of [stopped, failed]) {
      expect(packagesIn(folder)).toEqual(['left']);
      expect(packagesIn(join(folder, 'libs/core/model'))).toEqual(['left']);
      for (const own of [folder, join(folder, 'libs/core/model')])
        expect(readdirSync(own).filter((name) => name.startsWith('node_modules'))).toEqual(['node_modules']);
    }
  });

  it('that was killed brings them back before the next one, and one that ends leaves its own', async () => {
    const { folder, environment } = clone('touch node_modules/.package-lock.json');
    mkdirSync(join(folder, 'node_modules.before/left'), { recursive: true });
    rmSync(join(folder, 'node_modules/left'), { recursive: true });
    const [code] = (await once(setUp(folder, environment), 'close')) as [number];
    expect(code).toBe(0);
    expect(packagesIn(folder)).toEqual(['.cache', '.package-lock.json', 'half']);
    expect(existsSync(join(folder, 'node_modules.before'))).toBe(false);
  });

  it('that two commands ask for at once is made once, for which the second waits and says so', async () => {
    const { folder, environment } = clone('echo >> installs; sleep 2; touch node_modules/.package-lock.json');
    const said: string[] = [];
    const ended = [1, 2].map(async () => {
      const child = setUp(folder, environment);
      child.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)));
      const [code] = (await once(child, 'close')) as [number];
      return code;
    });
    expect(await Promise.all(ended)).toEqual([0, 0]);
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('\n');
    expect(said.join('')).toContain('waiting for another command that sets up this clone');
  });
});

it('imports nothing that a lib does not export, in any script: the compiler does not read them', async () => {
  const scripts = execFileSync('git', ['ls-files', '*.mjs'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const missing: string[] = [];
  for (const script of scripts) {
    for (const [, names = '', lib = ''] of readFileSync(join(root, script), 'utf8').matchAll(
      /^import \{([^}]*)\} from '(@orchard\/[^']*)';/gm,
    )) {
      const exported = (await import(lib)) as object;
      for (const name of names.split(',').map((one) => one.trim().split(' as ')[0]!))
        if (name !== '' && !(name in exported)) missing.push(`${script}: ${name} of ${lib}`);
    }
  }
  expect(missing).toEqual([]);
});
