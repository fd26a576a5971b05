import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard, temporaryFolder, type Outcome } from '../run.suite.js';

const folder = temporaryFolder();

const rows = join(folder, 'survey.csv');
const run = join(folder, 'run');
const train = (out: string, ...options: string[]): Promise<Outcome> =>
  orchard('train', rows, '--out', out, '--threads', '1', '--no-refit', '--rounds', '4', ...options);
const names = ['network.msgpack', 'summary.json', 'report.html'];
const contentOf = (out: string): string[] => names.map((name) => readFileSync(join(out, name), 'latin1'));
const report = (out: string): string => readFileSync(join(out, 'report.html'), 'utf8');

let first: Outcome;
beforeAll(async () => {
  // of four columns the second leans on the first, and the last says nothing
  const lines = Array.from({ length: 120 }, (_, row) => [
    row & 1,
    row % 5 === 0 ? (row >> 1) & 1 : row & 1,
    (row >> 2) & 1,
    0,
  ]);
  writeFileSync(rows, ['smoker,drinker,sport,age', ...lines.map((line) => line.join(','))].join('\n') + '\n');
  first = await train(run);
});

describe('a second train into the folder of a run', () => {
  it('of another specification is refused with all options that differ, both values, and touches nothing', async () => {
    const before = [contentOf(run), readdirSync(run), readdirSync(join(run, 'store', 'datasets'))];
    const refused = await train(run, '--leaves', '3', '--seed', '2', '--json');
    expect(refused.code).toBe(2);
    const { got, remedy } = refused.document['error'] as Record<string, string>;
    expect(got).toContain(`${run}, in which network.msgpack, summary.json, report.html are of another run (`);
    expect(got).toMatch(
      /training rows 108 x 4 \(\w{12}\), now 108 x 4 \(\w{12}\); .*--leaves auto, now 3; --feature-fraction auto, now 0.5; --seed 0, now 2$/,
    );
    expect(got).not.toContain('--rounds');
    expect(remedy).toBe('Name another folder, or give --force to replace these files.');
    expect([contentOf(run), readdirSync(run), readdirSync(join(run, 'store', 'datasets'))]).toEqual(before);
  });

  it('tells options that are given now alone, or were before alone, and parts of those that have parts', async () => {
    const differencesFrom = async (out: string, ...options: string[]): Promise<string> => {
      const { code, document } = await train(out, '--json', ...options);
      expect(code).toBe(2);
      return (document['error'] as { got: string }).got.replace(/^.*\(\w{12}\): /, '');
    };
    const mixture = ['--leaves', '3', '--feature-fraction', '1', '--members', '2'];
    expect(await differencesFrom(run, ...mixture, '--variant', 'exclusive=found')).toBe(
      '--leaves auto, now 3; --feature-fraction auto, now 1; --variant exclusive not given, now found; --members 1, now several',
    );
    expect(await differencesFrom(run, '--ordering', 'auto')).toBe('--ordering natural, now auto');
    expect(await differencesFrom(run, '--preset', 'accurate', '--variant', 'exclusive=none')).toBe(
      '--members 1, now several; leaves of the trials 4,16,64, now 2,4,8,16,32,64; feature fractions of the trials 0.5,1, now 0.5,1,0.25',
    );
    const mixed = join(folder, 'mixed');
    expect((await train(mixed, ...mixture, '--variant', 'exclusive=found')).code).toBe(0);
    expect(await differencesFrom(mixed, ...mixture)).toBe('--variant exclusive found, now not given');
    expect(
      await differencesFrom(
        mixed,
        ...mixture,
        '--variant',
        'exclusive=found',
        '--folds',
        '2',
        '--orderings',
        'natural,random',
      ),
    ).toBe(
      '--orderings natural,reversed,greedy,hubs,random,chow-liu,random,random, now natural,random; --folds 8, now 2',
    );
    const products = ['--no-report', '--model', 'mixture'];
    const several = join(folder, 'several');
    expect((await orchard('train', rows, '--out', several, ...products, '--components', '1,2')).code).toBe(0);
    const { stderr } = await orchard('train', rows, '--out', several, ...products, '--components', '3');
    expect(stderr).toContain(': --components 1,2, now 3, expected');
  });

  it('of the same specification goes on, with another selection and title too', async () => {
    const before = contentOf(run);
    const again = await train(run);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('training 0/4')]);
    expect(again.stderr).toContain('continues the run of');
    expect(contentOf(run)).toEqual(before);
    expect((await train(run, '--select', 'common', '--title', 'Habits')).code).toBe(0);
    expect((await orchard('select', run, '--no-refit')).code).toBe(0);
    expect(contentOf(run).slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('replaces the files with --force, and says what it replaces', async () => {
    const copy = join(folder, 'copy');
    cpSync(run, copy, { recursive: true });
    const forced = await train(copy, '--leaves', '3', '--force');
    expect(forced.code).toBe(0);
    expect(forced.stderr).toMatch(
      /the files of another run \(\w{12}\) in .*copy are replaced; --leaves auto, now 3; --feature-fraction auto, now 0.5\n/,
    );
    expect((await train(copy, '--leaves', '3')).code).toBe(0);
  });

  it('is refused in a folder without a store by what the network says, and beside files that no run wrote', async () => {
    const fetched = join(folder, 'fetched');
    mkdirSync(fetched);
    for (const name of names) copyFileSync(join(run, name), join(fetched, name));
    expect((await train(fetched, '--leaves', '3')).stderr).toContain('--leaves 4, now 3');
    rmSync(join(fetched, 'summary.json'));
    expect((await train(fetched, '--leaves', '3')).stderr).toContain('--leaves 4, now 3');
    // stopped between network and summary: the same command goes on
    expect((await train(fetched)).code).toBe(0);
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'report.html'), 'mine');
    const { code, stderr } = await train(foreign);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('report.html is of another run: what it was made of is unknown'),
    ]);
    expect([report(foreign), readdirSync(foreign)]).toEqual(['mine', ['report.html']]);
  });

  it('goes on where nothing was written yet but artefacts', async () => {
    const begun = join(folder, 'begun');
    cpSync(join(run, 'store'), join(begun, 'store'), { recursive: true });
    expect((await train(begun, '--leaves', '3')).code).toBe(0);
  });
});

describe('a report', () => {
  it('is called by the data file, says where rows came from, and keeps its title through a select', async () => {
    const named = join(folder, 'named');
    await train(named);
    expect(report(named)).toContain('<h1>survey.csv</h1>');
    expect(report(named)).toContain('<dt>validation rows from</dt><dd>survey.csv, a share of 0.1 drawn by seed 0</dd>');
    const { document } = await train(named, '--title', 'Habits & <ages>', '--json');
    expect(document['runId']).toBe((await train(join(folder, 'other'), '--json')).document['runId']);
    await orchard('select', named, '--select', 'common', '--no-refit');
    expect(report(named)).toContain('<h1>Habits &#38; &#60;ages&#62;</h1>');
    await orchard('select', named, '--title', 'Ages', '--no-refit');
    expect(report(named)).toContain('<h1>Ages</h1>');
  });
});

describe('warnings', () => {
  it('are said on the way, once each, and kept in the summary and the report', () => {
    for (const sentence of [/12 rows validate: /, /1 column has one value in all 108 training rows \("age"\)/])
      expect(first.stderr.match(new RegExp(`^orchard: warning: ${sentence.source}`, 'gm'))).toHaveLength(1);
    const { warnings } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as {
      warnings: { code: string; message: string }[];
    };
    expect(warnings.map(({ code }) => code)).toEqual(['few-validation-rows', 'constant-columns', 'rounds-limit']);
    for (const { message } of warnings) expect(first.stderr).toContain(`orchard: warning: ${message}\n`);
    expect(report(run)).toContain('<h2>Warnings</h2><ul><li>12 rows validate: ');
  });
});

describe('a folder as NETWORK', () => {
  it('is its network, for every command that asks one', async () => {
    const network = join(run, 'network.msgpack');
    for (const [command, ...rest] of [
      ['inspect'],
      ['evaluate', rows],
      ['sample', '--count', '3'],
      ['complete', rows],
      ['importance'],
    ] as const) {
      const [byFolder, byFile] = [run, network].map((path) => orchard(command, path, ...rest, '--json'));
      expect((await byFolder!).code).toBe(0);
      expect((await byFolder!).stdout).toBe((await byFile!).stdout);
    }
  });
});

describe('a column that is no column', () => {
  it('is answered with what it may mean', async () => {
    const { code, stderr } = await orchard('importance', run, '--dimension', 'smokr');
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--dimension: got "smokr", expected the name of a column ("smoker", "drinker", "sport", "age"), or its number from 1 to 4. Did you mean "smoker"?',
    );
    expect((await orchard('importance', run, '--dimension', 'weight')).stderr).toContain(
      'Columns: "smoker", "drinker"',
    );
  });
});

describe('orchard runs with folders', () => {
  it('lists the run of each, two folders with the same one both, and says which have none', async () => {
    const below = join(folder, 'many');
    for (const name of ['one', 'two']) cpSync(run, join(below, name), { recursive: true });
    mkdirSync(join(below, 'three', 'store'), { recursive: true });
    const { code, stderr, document } = await orchard('runs', below, run, '--json');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^orchard: .*three is left out: .*in whose store no run has begun/);
    const { runs } = document as { runs: { folder: string; id: string; state: string; family: string }[] };
    const { runId } = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8')) as { runId: string };
    expect(runs.map(({ folder: path, id, state, family }) => [path, id, state, family])).toEqual(
      [join(below, 'one'), join(below, 'two'), run].map((path) => [path, runId, 'done', 'lbarn']),
    );
    const { stdout } = await orchard('runs', below);
    expect(stdout).toMatch(
      /^folder +run +state +begun \(UTC\) +model +wanted\n.*one +\w{12} +done .* lbarn .*\n.*two .*\n$/,
    );
    expect((await orchard('runs', below, '--state', 'failed')).stdout).toBe('no runs\n');
  });

  it('refuses what is no folder, and folders beside a coordinator; without either it says what there is', async () => {
    expect(await orchard('runs', rows)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('which is not a folder'),
    });
    const both = await orchard('runs', run, '--server', 'http://127.0.0.1:1');
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('got --server and folders') });
    const { code, stderr } = await orchard('runs', '--server', '');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Runs of this machine: orchard runs DIR.')]);
  });
});

describe('options that messages advise', () => {
  it('are called as the command line does', async () => {
    const grey = join(folder, 'grey.csv');
    writeFileSync(grey, 'a,b\n0.5,1\n0,1\n');
    const { stderr } = await orchard('train', grey, '--model', 'lbarn', '--out', join(folder, 'none'));
    expect(stderr).toContain(
      'give a threshold (--threshold), or binarize at random with a seed (--binarize bernoulli, --seed).',
    );
  });
});
