import { folderOfTest } from '@orchard/storage/testing';
import { expect, it } from 'vitest';
import { offeredCommands } from '../answer/offered-commands.js';
import { AllowedFolders } from './allowed-folders.js';
import { commandTools } from './command-tools.js';
import { commandGrammar } from './tools.js';

const grammar = await commandGrammar();
const tools = new Map(commandTools(grammar, true).map((tool) => [tool.name, tool]));

/**
 * Values that are no paths, by what help calls them: a name that is new has to be looked at before an assistant may
 * fill it in.
 */
const noPaths = [
  ...[
    'list',
    'kinds',
    'n',
    'share',
    'seed',
    'value',
    'how',
    'when',
    'what',
    'character',
    'mark',
    'format',
    'HxW',
    'N',
    'rule',
  ],
  ...['order', 'name', 'J', 'T', 'M', 'F', 'D', 'K', 'nu', 'odds', 'w', 'lambda', 'rate', 'rounds', 'columns'],
  ...[
    'selection',
    'column',
    'direction',
    'state',
    'text',
    'time',
    'url',
    'RUN',
    'key=value',
    'priority',
    'part',
    'id',
    'sql',
  ],
];

it('of every value of every command that is offered it is known whether it is a path', () => {
  for (const { name, options, arguments: all } of grammar.commands) {
    if (!Object.hasOwn(offeredCommands, name)) continue;
    const values = [...options.flatMap(({ value }) => value ?? []), ...all];
    const open = values.filter((value) => value.paths === null && !noPaths.includes(value.name));
    expect(
      open.map((value) => value.name),
      name,
    ).toEqual([]);
  }
});

it('fields are typed by what reads the option, and those that are required are', () => {
  const { properties, required } = tools.get('train')!.inputSchema as {
    properties: Record<string, unknown>;
    required: string[];
  };
  expect(required).toEqual(['train', 'out']);
  expect(properties).toMatchObject({
    threads: { type: 'integer', minimum: 1, maximum: 1024 },
    'valid-fraction': { type: 'number' },
    'no-report': { type: 'boolean' },
    exclude: { type: 'array', items: { type: 'string' } },
    model: { enum: expect.arrayContaining(['tables', 'lbarn']) as string[] },
  });
  expect(Object.keys(properties)).not.toContain('max-predictors');
  expect(Object.keys(properties)).not.toContain('config');
});

it('threads are listed where a tool trains, and taken where it does not', async () => {
  const evaluate = tools.get('evaluate')!;
  expect(evaluate.inputSchema).not.toHaveProperty('properties.threads');
  const folder = folderOfTest();
  const words = await evaluate.wordsOf({ network: folder, data: folder, threads: 1 }, new AllowedFolders([folder]));
  expect(words.join(' ')).toContain('--threads 1');
});

it('an input becomes the command line that says the same', async () => {
  const folder = folderOfTest();
  const folders = new AllowedFolders([folder]);
  const [home] = folders.folders as [string];
  const fields = { train: '.', out: 'run', type: ['a=ordered', 'b=binary'], exclude: ['c', 'd'], rounds: 7 };
  const words = await tools.get('train')!.wordsOf({ ...fields, 'no-report': true, force: false, bins: 9 }, folders);
  expect(words.join(' ')).toBe(
    `train --no-config --out ${home}/run --no-report --rounds 7 --type a=ordered --type b=binary --exclude c,d --bins 9 -- ${home}`,
  );
  // an ordering is a word or a file
  const ordered = await tools.get('train')!.wordsOf({ ...fields, ordering: 'auto' }, folders);
  expect(ordered).toContain('auto');
  await expect(tools.get('train')!.wordsOf({ ...fields, ordering: '/etc/passwd' }, folders)).rejects.toThrow('--allow');
  await expect(tools.get('train')!.wordsOf({ ...fields, exclude: ['a,b'] }, folders)).rejects.toThrow(
    'none with a comma',
  );
  await expect(tools.get('train')!.wordsOf({ ...fields, rounds: [1, 2] }, folders)).rejects.toThrow(
    'expected one value',
  );
});

it('a field that there is not is refused with those that say what the command works on', async () => {
  const folders = new AllowedFolders([folderOfTest()]);
  await expect(tools.get('sample')!.wordsOf({ model: 'run' }, folders)).rejects.toThrow(
    'got "model", expected a field of sample. It works on network. The tool `help` lists all options of a command.',
  );
});
