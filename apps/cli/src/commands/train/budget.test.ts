import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../../run.suite.js';
import { rungsOf, secondsOf, type BudgetFacts, type Rung } from '@orchard/analysis';
import { time } from '../../options/times.js';

const folder = temporaryFolder();
const at = (...names: string[]): string => join(folder, ...names);
const rows = Array.from({ length: 200 }, (_, row) => [row % 4, ((row * 7) % 9) + (row % 4), (row * 13) % 11].join(','));
writeFileSync(at('rows.csv'), `a,b,c\n${rows.join('\n')}\n`);

const train = async (out: string, ...words: string[]) => {
  const said = ['--out', at(out), '--rounds', '10', '--threads', '1', '--quiet', '--no-report', '--json', ...words];
  const { code, document, stderr } = await orchard('train', at('rows.csv'), ...said);
  expect([code, stderr]).toEqual([0, '']);
  return { facts: document['budget'] as BudgetFacts, model: readFileSync(at(out, 'network.msgpack')), document };
};

describe('orchard train --budget', () => {
  it('trains the likeliest settings that fit, and the model is that of these options', async () => {
    const { facts, model } = await train('long', '--budget', '1h');
    expect(facts.rungs.map(({ state }) => state)).toEqual(['trained', 'trained', 'trained']);
    expect(facts.chosen).toBe('--preset accurate');
    expect(model.equals((await train('named', '--preset', 'accurate')).model)).toBe(true);
  });

  it('has a Chow-Liu tree where even the default settings are too much, and continues with a longer one', async () => {
    const short = await train('short', '--budget', '0.001s');
    expect(short.facts.rungs.map(({ state }) => state)).toEqual(['trained', 'left out', 'left out']);
    expect([short.facts.chosen, short.document['family']]).toEqual(['--model chow-liu', 'chow-liu']);
    expect((await train('short', '--budget', '1h')).facts.chosen).toBe('--preset accurate');
  });

  it('says in the report what was chosen and left out', async () => {
    const words = ['--out', at('page'), '--rounds', '10', '--budget', '0.001', '--quiet'];
    const { stdout } = await orchard('train', at('rows.csv'), ...words);
    expect(stdout).toMatch(/Trained --model chow-liu: spent [\d.]+ s, more than the budget of 0\.0 s\./);
    const page = readFileSync(at('page', 'report.html'), 'utf8');
    expect(page).toContain('<h2>Budget of time</h2>');
    expect(page).toContain('default settings: left out');
  });

  it('refuses what it chooses itself', async () => {
    const refused = await orchard('train', at('rows.csv'), '--out', at('no'), '--budget', '5m', '--members', '2');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--budget and --members')]);
    const other = await orchard('train', at('rows.csv'), '--out', at('no'), '--budget', '5m', '--model', 'marginals');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--model marginals')]);
  });
});

describe('rungs', () => {
  const named = (rungs: readonly Rung[]): string[] => rungs.map(({ name }) => name);

  it('take members one after another, each as long as the default settings or as those of the last rung', () => {
    const [, usual, two, four, eight] = rungsOf('table', 50_000, 20) as [Rung, Rung, Rung, Rung, Rung];
    expect(named([usual, two])).toEqual(['default settings', '--preset accurate --members 2']);
    expect(secondsOf(usual, [])).toBeNull();
    const trained = [{ rung: usual, seconds: 10 }];
    expect(secondsOf(two, trained)).toBe(20);
    trained.push({ rung: two, seconds: 24 });
    expect(secondsOf(four, trained)).toBe(24);
    trained.push({ rung: four, seconds: 20 });
    expect(secondsOf(eight, trained)).toBe(40);
  });

  it('are fewer where tables have members by default', () => {
    for (const rows of [200, 4999])
      expect(named(rungsOf('table', rows, 20))).toEqual(['--model chow-liu', 'default settings', '--preset accurate']);
    expect(rungsOf('bits', 200, 20)).toHaveLength(5);
  });

  it('begin with the columns alone where pairs of them are too many for the first, which has no limit', () => {
    const first = named(rungsOf('table', 100, 3000)).slice(0, 3);
    expect(first).toEqual(['--model marginals', '--model chow-liu', 'default settings']);
  });
});

it('a time has a unit, or is in seconds', () => {
  const read = time('--budget');
  expect(['90', '90s', '5m', '2min', '1.5h', ' .5 h'].map((text) => read(text))).toEqual([
    90, 90, 300, 120, 5400, 1800,
  ]);
  for (const text of ['', '0', '5 days', '-1m', 'm']) expect(() => read(text)).toThrow('a time above 0');
});
