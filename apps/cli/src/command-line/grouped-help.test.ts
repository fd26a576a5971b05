import { families } from '@orchard/registry';
import { describe, expect, it } from 'vitest';
import { orchard } from '../run.suite.js';

const helpOf = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout } = await orchard(...args);
  expect(code).toBe(0);
  return stdout;
};

/** The options below each heading of a help text. */
function groupsOf(help: string): Map<string, readonly string[]> {
  const sections = help.split(/^(?=\S.*:$)/m).map((section): [string, string[]] => {
    const heading = /^(.*):\n/.exec(section)?.[1] ?? '';
    return [heading, [...section.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag!)];
  });
  return new Map(sections.filter(([, flags]) => flags.length > 0));
}

const flagsOf = (help: string): string[] => [...groupsOf(help).values()].flat();

describe('the help of training', () => {
  it('shows the common options in groups, on one page', async () => {
    const help = await helpOf('train', '--help');
    expect([...groupsOf(help).keys()]).toEqual(['Data', 'Model', 'Tuning', 'Output', 'Run']);
    expect(flagsOf(help).length).toBeLessThanOrEqual(25);
    expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
    expect(flagsOf(help)).toEqual(expect.arrayContaining(['--valid', '--model', '--leaves', '--out', '--threads']));
    expect(flagsOf(help)).not.toContain('--max-line-bytes');
  });

  it('shows every option with --help-all, those of one model below its name', async () => {
    const groups = groupsOf(await helpOf('train', '--help-all'));
    const withOptions = families.all.filter(({ words }) => 'pseudoCount' in words.shape).map(({ name }) => name);
    expect(withOptions).toContain('cutset');
    for (const name of withOptions) expect(groups.get(`Model ${name}`)).toContain('--pseudo-count');
    expect(groups.get('Model lbarn')).toEqual(expect.arrayContaining(['--variant', '--no-refit']));
    expect(groups.get('Model compositional')).toContain('--start');
    expect(groups.get('Tuning')).toContain('--start');
    expect(groups.get('Data')).toContain('--max-line-bytes');
    const common = flagsOf(await helpOf('train', '--help'));
    expect([...groups.values()].flat()).toEqual(expect.arrayContaining(common));
  });

  it('shows the options of a model that is named before --help, and no others', async () => {
    const groups = groupsOf(await helpOf('train', '--model', 'mixture', '--help'));
    expect(groups.get('Model mixture')).toContain('--hierarchy');
    expect(groups.get('Tuning')).toEqual(['--seed']);
    expect([...groups.values()].flat()).not.toContain('--leaves');
    expect(await helpOf('train', '--model', 'marginals', '--help')).toMatch(/--seed <seed> +draws the rows/);
  });

  it('says of each option of a refit what it does itself, to the models that take it', async () => {
    const ofSparn = (await helpOf('train', '--model', 'sparn', '--help')).replace(/\s+/g, ' ');
    expect(ofSparn).toContain('--refit learn once more, from training and validation rows together');
    expect(ofSparn).toContain('--no-refit keep what training found');
    expect(ofSparn).not.toContain('Model lbarn');
    // sparn refuses it
    expect(ofSparn).not.toContain('--retrain');
    const ofLbarn = (await helpOf('train', '--model', 'lbarn', '--help')).replace(/\s+/g, ' ');
    expect(ofLbarn).toContain('--refit fit leaf values again');
    expect(ofLbarn).toContain('--no-refit keep what training found');
    expect(ofLbarn).toContain('--retrain instead of a refit, train again');
  });

  it('has each option once, but for those that models have in ways of their own', async () => {
    const groups = groupsOf(await helpOf('train', '--help-all'));
    const shared = [...groups].filter(([heading]) => !heading.startsWith('Model ')).flatMap(([, flags]) => flags);
    expect(new Set(shared).size).toBe(shared.length);
  });
});

it('no help is longer than a hundred lines, and each is shorter than all of its options', async () => {
  const commands = [...(await helpOf('help')).matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name!);
  expect(commands).toContain('compare-models');
  for (const command of commands) {
    const help = await helpOf(command, '--help');
    expect([command, help.split('\n').length < 100]).toEqual([command, true]);
    if (!help.includes('--help-all')) continue;
    expect(flagsOf(await helpOf(command, '--help-all')).length).toBeGreaterThan(flagsOf(help).length);
  }
});
