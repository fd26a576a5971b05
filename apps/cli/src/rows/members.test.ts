import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argv, exclusiveOrRows, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

const path = (name: string): string => join(folder, name);

writeFileSync(path('train.csv'), exclusiveOrRows(150, 1));
writeFileSync(path('test.csv'), exclusiveOrRows(60, 2));
const out = path('run');
const words = argv`--test ${path('test.csv')} --leaves 16 --rounds 10 --folds 3 --threads 1 --quiet`;
const model = ['--model', 'lbarn', '--orderings', 'natural,chow-liu,random'];

describe('orchard train --members', () => {
  test('writes a mixture that every command takes, and that more members are added to', async () => {
    const two = await orchard('train', path('train.csv'), ...model, ...words, '--members', '2', '--out', out, '--json');
    expect(two.stderr).toBe('');
    expect(two.document).toMatchObject({
      judged: 'test',
      members: [{ ordering: 'natural' }, { ordering: 'chow-liu' }],
      network: { members: 2, selection: 'common', refit: true },
    });
    const { testLogLikelihood } = two.document['network'] as { testLogLikelihood: number };

    const scored = (await orchard('evaluate', out, path('test.csv'), '--json')).document;
    expect(scored['logLikelihood']).toBeCloseTo(testLogLikelihood, 9);
    const inspected = (await orchard('inspect', out, '--json')).document;
    expect(inspected).toMatchObject({ family: 'mixture', members: [{ weight: 0.5 }, { weight: 0.5 }] });
    expect((await orchard('sample', out, '--count', '20', '--out', path('drawn.csv'))).code).toBe(0);
    expect(readFileSync(path('drawn.csv'), 'utf8').trim().split('\n')).toHaveLength(21);
    writeFileSync(path('holes.csv'), 'a,b,c,d,e\n1,0,?,?,?\n?,1,0,?,1\n');
    const filled = await orchard('complete', out, path('holes.csv'), '--out', path('filled.csv'));
    expect(filled.code).toBe(0);
    expect(readFileSync(path('filled.csv'), 'utf8')).toMatch(/^a,b,c,d,e\n1,0,[01],[01],[01]\n[01],1,0,[01],1\n$/);
    const importance = (await orchard('importance', out, '--json')).document as {
      readonly judgedBy: { readonly split: string };
      readonly dimensions: readonly { readonly predictors: readonly { readonly share: number }[] }[];
    };
    expect(importance.judgedBy.split).toBe('test');
    expect(importance.dimensions).toHaveLength(5);
    const shares = importance.dimensions.map(({ predictors }) => predictors.reduce((sum, { share }) => sum + share, 0));
    for (const sum of shares) expect(sum === 0 || Math.abs(sum - 1) < 1e-9).toBe(true);
    expect(shares.some((sum) => sum > 0)).toBe(true);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('Members, and what each adds');
    expect(page).toContain('train.csv');

    for (const task of ['order/chow-liu', 'train/m1.3', 'select/m1.all', 'assemble/m0.common-refit']) {
      const replayed = (await orchard('replay', out, task, '--json')).document as {
        readonly task: string;
        readonly outputs: readonly { readonly stored: string }[];
      };
      expect([task, ...new Set(replayed.outputs.map(({ stored }) => stored))]).toEqual([task, 'same']);
    }

    const three = await orchard('select', out, '--members', '3', '--threads', '1', '--quiet', '--json');
    expect(three.document).toMatchObject({ runId: two.document['runId'], network: { members: 3 } });
    const before = two.document['members'] as readonly object[];
    expect((three.document['members'] as readonly object[]).slice(0, 2)).toEqual(
      before.map((own) => ({ ...own, weight: 1 / 3 })),
    );
    // what is not said stays: three members, by another selection
    const other = await orchard('select', out, '--select', 'individual', '--threads', '1', '--quiet', '--json');
    expect(other.document).toMatchObject({ network: { members: 3, selection: 'individual' } });
  });

  test('without test rows says that its figures are too good, and judges no importance by rows that were seen', async () => {
    const own = path('untested');
    const args = [...words.slice(2), '--committee', '--members', '1', '--folds', '2'];
    const told = await orchard('train', path('train.csv'), '--model', 'lbarn', ...args, '--out', own);
    expect(told.code).toBe(0);
    const shown = await orchard('train', path('train.csv'), '--model', 'lbarn', ...args, '--out', own, '--json');
    expect(shown.document).toMatchObject({ judged: 'validation', members: [{ folds: [0, 1], weight: 1 }] });
    expect(readFileSync(join(own, 'report.html'), 'utf8')).toContain('far too good');
    const { document } = await orchard('importance', own, '--json');
    expect(document['judgedBy']).toBeNull();
  });

  test.each([
    [['--members', '0'], /1 to 1024/],
    [['--orderings', 'natural,nearest'], /orderings/],
    [['--members', '2', '--ordering', 'random'], /orderings/],
    [['--members', '2', '--folds', '1000'], /fewer folds/i],
  ])('refuses %j', async (args, said) => {
    const refused = await orchard('train', path('train.csv'), '--model', 'lbarn', ...args, '--out', path('never'));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(said);
  });

  test('is not asked of a run of one network, and select says so', async () => {
    const one = path('one');
    await orchard('train', path('train.csv'), '--model', 'lbarn', ...words.slice(0, 4), '--quiet', '--out', one);
    const refused = await orchard('select', one, '--members', '2');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/Submit a run with members/);
  });
});
