import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

const path = (name: string): string => join(folder, name);

/** Rows of four columns; the last is mostly the first. */
const rows = Array.from({ length: 160 }, (_, row) => {
  const [a, b, c] = [row % 2, (row >> 1) % 2, (row >> 2) % 2];
  return [a, b, c, row % 9 === 0 ? 1 - a : a].join(',');
});
writeFileSync(path('train.csv'), `a,b,c,d\n${rows.join('\n')}\n`);
const train = (...words: string[]) =>
  orchard('train', path('train.csv'), '--model', 'lbarn', '--threads', '1', '--details', ...words);

describe('orchard train with what the paper names beside its own training', () => {
  test('says what was chosen, on the screen, in the summary and on the page', async () => {
    const out = path('logistic');
    const words = [
      '--start',
      'logistic',
      '--variant',
      'gradients=first',
      '--leaves',
      '2',
      '--rounds',
      '9',
      '--out',
      out,
    ];
    const { code, stdout } = await train(...words);
    expect(code).toBe(0);
    expect(stdout).toContain('first order');
    expect(stdout).toMatch(/^start +logistic: \d+ weights?; lambda [\d.]+ of \d/m);
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as { variant: object };
    expect(summary.variant).toMatchObject({
      gradients: 'first',
      logistic: { penalties: expect.any(Array) as unknown },
    });
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    for (const said of ['first order (gradient boosting)', 'logistic regression, ']) expect(page).toContain(said);
  });

  test('leaves trees out while others are found, and says so', async () => {
    const out = path('dropout');
    const { code, stdout } = await train('--variant', 'dropout=0.2', '--leaves', '2', '--rounds', '9', '--out', out);
    expect(code).toBe(0);
    expect(stdout).toContain('each round left out earlier trees with probability 0.2 (DART)');
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('0.2: chance of each earlier tree');
    const refused = await train('--variant', 'dropout=1', '--out', path('none'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--variant dropout')]);
  });

  test('looks at few predictors, and says what that loses', async () => {
    const out = path('few');
    const words = ['--variant', 'max-predictors=1', '--leaves', '2', '--rounds', '9', '--out', out];
    const { code, stdout } = await train(...words);
    expect(code).toBe(0);
    expect(stdout).toContain('predictors at most 1, those of the most mutual information; 2 dimensions have more');
    expect(stdout).toMatch(
      /Against all of them about [-+]\d[\d.e-]* ± \d[\d.e-]* nats per row,\n.*quick trials of 2 of/,
    );
    expect(stdout).not.toContain('Chosen by validation rows.');
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('Predictors that were left out');
    const near = await train('--variant', 'near-predictors=1', '--leaves', '2', '--rounds', '9', '--out', path('near'));
    expect(near.stdout).toContain('predictors at most 1, the nearest columns; 2 dimensions have more');
    const page = readFileSync(join(path('near'), 'report.html'), 'utf8');
    expect(page).toContain('at most 1 of those before it, the nearest columns;');
    const refused = await train('--variant', 'max-predictors=0', '--out', path('none'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--variant max-predictors')]);
  });

  test('tells of exclusive columns, and says of how many, or that there are none', async () => {
    const labels = Array.from({ length: 120 }, (_, row) => [0, 1, 2].map((label) => (row % 3 === label ? 1 : 0)));
    writeFileSync(path('labels.csv'), `a,b,c\n${labels.map((row) => row.join(',')).join('\n')}\n`);
    const words = [
      '--model',
      'lbarn',
      '--threads',
      '1',
      '--variant',
      'exclusive=found',
      '--leaves',
      '2',
      '--rounds',
      '5',
      '--details',
    ];
    const { code, stdout } = await orchard('train', path('labels.csv'), ...words, '--out', path('labels'));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^exclusive 2 columns predicted by others of their group, but for a probability of \d\.\de-3$/m,
    );
    const page = readFileSync(join(path('labels'), 'report.html'), 'utf8');
    expect(page).toContain('base rate, and 2 columns decided by exclusive ones before them');
    const none = await train('--variant', 'exclusive=found', '--leaves', '2', '--rounds', '5', '--out', path('coins'));
    expect(none.stdout).toContain('exclusive no group of columns found');
  });

  test('grows single trees, and says which pseudocounts it tried', async () => {
    const out = path('single');
    const { code, stdout } = await train('--preset', 'single-tree', '--leaves', '8', '--out', out);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^pseudocount [\d.]+; tried too: /m);
    expect(stdout).toContain('what is called trees above are its splits');
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('added to both counts of a leaf');
    const given = await train(
      ...argv`--preset single-tree --pseudo-count 2 --criterion likelihood --leaves 8
      --out ${path('given')}`,
    );
    expect(given.stdout).toContain('a single tree a column by gains in likelihood, 2 added to both counts of a leaf');
    expect(readFileSync(join(path('given'), 'report.html'), 'utf8')).toMatch(/grown by the gain in.*likelihood/s);
    const refused = await train('--pseudo-count', '2', '--out', path('none'));
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--preset single-tree')]);
  });

  test('refuses what does not go together, with a remedy, and writes nothing', async () => {
    const penalty = await train('--variant', 'start-penalty=3', '--out', path('none'));
    expect([penalty.code, penalty.stderr]).toEqual([2, expect.stringContaining('--start logistic')]);
    const other = await orchard(
      ...argv`train ${path('train.csv')} --model sparn --variant gradients=first
      --out ${path('none')}`,
    );
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/--variant gradients.*Leave it out/s)]);
  });
});

test('ways of training are said together or one by one; their former flags are answered, with the present form', async () => {
  const small = ['--leaves', '2', '--rounds', '3', '--threads', '1'];
  const runIdOf = async (out: string, ...words: string[]): Promise<readonly [string, string]> => {
    const { stderr } = await orchard('train', path('train.csv'), ...small, ...words, '--out', path(out));
    return [(JSON.parse(readFileSync(join(path(out), 'summary.json'), 'utf8')) as { runId: string }).runId, stderr];
  };
  const [together, quiet] = await runIdOf('together', '--variant', 'dropout=0.2,max-predictors=2');
  const [apart] = await runIdOf('apart', '--variant', 'dropout=0.2', '--variant', 'max-predictors=2');
  const [former, said] = await runIdOf('former', '--dropout', '0.2', '--max-predictors', '2');
  expect([apart, former]).toEqual([together, together]);
  expect(said).toContain('--dropout is now --variant dropout=0.2; this release still answers the former form');
  expect(said).toContain('--variant max-predictors=2');
  expect(quiet).not.toContain('is now');
});

test.each([
  ['dropuot=0.2', /NAME=VALUE.*dropout/s],
  ['dropout', /NAME=VALUE/],
  ['dropout=0.2,dropout=0.3', /dropout twice/],
])('--variant %s is refused', async (variant, said) => {
  const { code, stderr } = await train('--variant', variant, '--out', path('none'));
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
});

test('a word that several kinds of model have takes the values of each, which the kind that is trained checks', async () => {
  const small = ['--rounds', '2', '--leaves', '2'];
  const boosted = ['--model', 'boosted', '--components', '2', '--weak', 'network', '--edges', '1', '--threads', '1'];
  const { code } = await orchard(
    ...argv`train ${path('train.csv')} ${boosted} --start uniform
    --out ${path('uniform')}`,
  );
  expect(code).toBe(0);
  const refused = await train('--start', 'uniform', ...small, '--out', path('refused'));
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("'half' (odds 1)");
  const unknown = await train('--start', 'sideways', ...small, '--out', path('refused'));
  expect(unknown.stderr).toContain('--start: got');
});
