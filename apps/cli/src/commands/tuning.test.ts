import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argv, exclusiveOrRows, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();

const path = (name: string): string => join(folder, name);

writeFileSync(path('train.csv'), exclusiveOrRows(150, 1));
writeFileSync(path('test.csv'), exclusiveOrRows(60, 2));
const words = ['--test', path('test.csv'), '--model', 'lbarn', '--rounds', '12', '--threads', '1'];

test("orchard train --leaves search is the paper's search: on the screen and on the page", async () => {
  const out = path('searched');
  const search = ['--preset', 'paper', '--leaves', 'search', '--details'];
  const searched = await orchard('train', path('train.csv'), ...words, ...search, '--out', out);
  expect(searched.stdout).toMatch(
    /^leaves {3}\d+ by [\d.]+; tried too: .*\(nats per row, leaves by shrinkage, trained in full on 4 dimensions\)$/m,
  );
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('each trained as the network was');
  const refused = await orchard(
    ...argv`train ${path('train.csv')} --model tables --leaves search
    --out ${path('none')}`,
  );
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('leaves')]);
});

describe('orchard train --leaves auto --feature-fraction auto --ordering auto', () => {
  const out = path('run');

  test('says what it chose and what else it tried, on the screen and on the page', async () => {
    const told = await orchard(
      ...argv`train ${path('train.csv')} ${words} --leaves auto
      --feature-fraction auto --ordering auto --details --out ${out}`,
    );
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/^leaves {3}\d+; tried too: .*\(nats per row, quick trials of 2 dimensions\)$/m);
    expect(told.stdout).toMatch(/^feature fraction [\d.]+; tried too: .*quick trials of 2 dimensions\)$/m);
    expect(told.stdout).toMatch(/^ordering [a-z-]+; tried too: .*quick trials of all dimensions\)$/m);
    expect(told.stderr).toContain('screening');
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('What was tried, and chosen');

    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as {
      tuned: { leaves: { chosen: number } };
    };
    const { leaves } = summary.tuned;
    const inspected = (await orchard('inspect', out, '--json')).document;
    expect(inspected['specification']).toMatchObject({ leaves: leaves.chosen, tuning: { leaves: [4, 16, 64] } });
    // which dimensions were tried is drawn by the seed
    const tried = readdirSync(join(out, 'store'), { recursive: true, encoding: 'utf8' })
      .map((name) => basename(name))
      .find((name) => name.startsWith(`leaves-${String(leaves.chosen)}.`));
    for (const task of [
      `screen/${String(tried)}`,
      'settle/leaves',
      'settle/fraction',
      'order/greedy',
      'screen/ordering-hubs.2',
      'train/3',
    ]) {
      const replayed = (await orchard('replay', out, task, '--json')).document as {
        readonly task: string;
        readonly outputs: readonly { readonly stored: string }[];
      };
      expect([task, ...new Set(replayed.outputs.map(({ stored }) => stored))]).toEqual([task, 'same']);
    }
    const importance = await orchard('importance', out, '--json');
    expect(importance.document).toMatchObject({ judgedBy: { split: 'test' } });
    const other = await orchard('select', out, '--select', 'individual', '--threads', '1', '--json');
    expect(other.stderr).toContain(`the model, summary and report in ${out} are replaced`);
    expect(other.document).toMatchObject({ tuned: summary.tuned, network: { selection: 'individual' } });
  });

  test('is another run than one that was told, and says so', async () => {
    const refused = await orchard('train', path('train.csv'), ...words, '--leaves', '4', '--out', out);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--leaves auto, now 4');
    expect(refused.stderr).toContain('--feature-fraction auto, now 0.5');
    expect(refused.stderr).toContain('--ordering auto, now natural');
  });

  test.each([
    ['--feature-fraction', 'auto'],
    ['--ordering', 'auto'],
    ['--preset', 'single-tree'],
  ])('%s %s is refused for a table, in words', async (option, value) => {
    const args = ['--rounds', '2', '--out', path('never'), '--model', 'tables', option, value];
    const refused = await orchard('train', path('train.csv'), ...args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('options of --model tables');
    expect(refused.stderr).toContain(value);
  });
});

describe('orchard train --preset accurate', () => {
  test('is members of leaves that it finds, and every part of it can be said otherwise', async () => {
    const out = path('accurate');
    const args = ['--preset', 'accurate', '--members', '2', '--select', 'common', '--out', out, '--json'];
    const { document } = await orchard('train', path('train.csv'), ...words, ...args);
    expect(document).toMatchObject({
      members: [{ ordering: 'natural' }, { ordering: 'reversed' }],
      network: { members: 2, selection: 'common' },
      tuned: { ordering: null },
    });
    const { stdout } = await orchard('train', '--help');
    expect(stdout).toContain('accurate');
  });
});
