import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { families } from '@orchard/registry';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { orchard, temporaryFolder, type Outcome } from '../../run.suite.js';

const folder = temporaryFolder();
// other processes compare too: what this one leaves behind is to be seen alone
beforeAll(() => vi.stubEnv('TMPDIR', folder));
afterAll(() => {
  vi.unstubAllEnvs();
});

const bits = join(folder, 'bits.csv');
const table = join(folder, 'table.csv');
const kept = join(folder, 'models');
const few = 'lbarn:leaves=2:rounds=20,chow-liu,marginals';
const compare = (data: string, ...words: string[]): Promise<Outcome> =>
  orchard('compare-models', data, '--threads', '1', '--no-config', ...words);

interface Model {
  readonly model: string;
  readonly logLikelihood: number;
  readonly standardError: number;
  readonly difference: number;
  readonly differenceStandardError: number | null;
  readonly seconds: number;
  readonly isWholeTime: boolean;
  readonly threads: number[];
  readonly bytes: number;
  readonly path: string | null;
  readonly answers: Record<string, string>;
}
const modelsOf = ({ document }: Outcome): readonly Model[] => document['models'] as Model[];
const recordIn = (model: string): string => join(kept, model, 'training-time.json');

beforeAll(() => {
  // b leans on a, and c on both
  const rows = Array.from({ length: 300 }, (_, row) => {
    const noise = (row * 7919) % 101;
    const a = noise & 1;
    const b = noise % 5 === 0 ? 1 - a : a;
    return [a, b, noise % 7 === 0 ? 1 : a & b, (noise >> 3) & 1].join(',');
  });
  writeFileSync(bits, ['a,b,c,d', ...rows].join('\n'));
  const measured = rows.map((row, at) => [
    at,
    row.startsWith('1') ? 'red' : 'blue',
    (((at * 7919) % 997) / 31.7).toFixed(4),
  ]);
  writeFileSync(table, [',colour,size', ...measured.map((row) => row.join(','))].join('\n'));
});

let first: Outcome;
beforeAll(async () => {
  first = await compare(bits, '--models', few, '--out', kept, '--json');
}, 60_000);

describe('orchard compare-models', () => {
  it('trains each model as orchard train does, on rows split by the same words', async () => {
    expect([first.code, first.document['rows']]).toEqual([0, { train: 210, valid: 30, test: 60 }]);
    const out = join(folder, 'alone');
    const words = ['--test-fraction', '0.2', '--model', 'lbarn', '--leaves', '2', '--rounds', '20', '--json'];
    const alone = await orchard('train', bits, '--out', out, '--threads', '1', ...words);
    const same = modelsOf(first).find(({ model }) => model.startsWith('lbarn'))!;
    expect(readFileSync(join(same.path!, 'network.msgpack'))).toEqual(readFileSync(join(out, 'network.msgpack')));
    const { testLogLikelihood, bytes } = alone.document['network'] as Record<string, number>;
    expect(same.logLikelihood).toBeCloseTo(testLogLikelihood!, 12);
    expect(same.bytes).toBe(bytes);
  });

  it('puts the likeliest first, and says of the others what they lack', () => {
    const models = modelsOf(first);
    const means = models.map(({ logLikelihood }) => logLikelihood);
    expect(means).toEqual([...means].sort((one, other) => other - one));
    expect([models[0]!.difference, models[0]!.differenceStandardError]).toEqual([0, null]);
    const last = models.at(-1)!;
    expect(last.model).toBe('marginals');
    const [, other] = models;
    expect(other!.difference).toBeCloseTo(other!.logLikelihood - models[0]!.logLikelihood, 12);
    expect(first.document['best']).toBe(models[0]!.model);
  });

  it('says what is answered exactly by what the model can be asked', () => {
    const answers = Object.fromEntries(modelsOf(first).map(({ model, answers: own }) => [model, own]));
    const always = { likelihood: 'exact', sample: 'exact' };
    expect(answers).toEqual({
      'lbarn:leaves=2:rounds=20': { ...always, conditionals: 'drawn', mostProbable: 'none' },
      'chow-liu': { ...always, conditionals: 'exact', mostProbable: 'exact' },
      marginals: { ...always, conditionals: 'exact', mostProbable: 'exact' },
    });
  });

  it('keeps every model as a folder that other commands take, and takes it as it is the next time', async () => {
    expect(readdirSync(kept).sort()).toEqual(['chow-liu', 'lbarn-leaves=2-rounds=20', 'marginals']);
    expect(existsSync(join(kept, 'marginals', 'report.html'))).toBe(true);
    expect((await orchard('inspect', join(kept, 'chow-liu'))).code).toBe(0);
    const again = await compare(bits, '--models', few, '--out', kept, '--json');
    expect(again.document).toEqual(first.document);
    expect(again.stderr.match(/it was trained before, and is there/g)).toHaveLength(3);
    const { stdout } = await compare(bits, '--models', few, '--out', kept);
    const best = modelsOf(first)[0]!.path!;
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`inspect ${best}$`));
  });

  it('prints a page on request, every row of it as wide as its head, and says elsewhere how to go on', async () => {
    const { stdout, stderr } = await compare(bits, '--models', few, '--out', kept, '--markdown');
    const lines = stdout.split('\n').filter((line) => line.startsWith('|'));
    expect(lines).toHaveLength(5);
    expect(new Set(lines.map((line) => line.split(' | ').length))).toEqual(new Set([10]));
    expect(stdout).toMatch(/\n- Mean nats per row of 60 test rows/);
    expect([stdout.includes('inspect'), stderr.includes(`Kept in ${kept}`)]).toEqual([false, true]);
  });

  it('says where a training was killed that it took longer than is known, and on how many threads', async () => {
    const record = JSON.parse(readFileSync(recordIn('marginals'), 'utf8')) as Record<string, unknown>;
    writeFileSync(
      recordIn('marginals'),
      JSON.stringify({ ...record, seconds: 50, isDone: false, isWholeTime: false, threads: [2] }),
    );
    const again = await compare(bits, '--models', few, '--out', kept, '--json');
    const marginals = modelsOf(again).find(({ model }) => model === 'marginals')!;
    expect([marginals.isWholeTime, marginals.threads, marginals.seconds > 50]).toEqual([false, [2, 1], true]);
    const { stdout } = await compare(bits, '--models', few, '--out', kept);
    expect(stdout).toMatch(/^marginals .*> 50 s/m);
    expect(stdout).toContain('Trained before on other threads: marginals (2, 1).');
    // without a record what is there is no training of this command
    rmSync(recordIn('marginals'));
    const found = modelsOf(await compare(bits, '--models', few, '--out', kept, '--json'));
    expect(found.filter(({ isWholeTime }) => !isWholeTime).map(({ model }) => model)).toEqual(['marginals']);
  });

  it('refuses the folder of another run before it trains any', async () => {
    const refused = await compare(bits, '--models', few, '--out', kept, '--seed', '3');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/of another run \(.*--force/)]);
    expect(refused.stderr).not.toContain('model 1 of 3');
    const forced = await compare(bits, '--models', 'marginals', '--out', kept, '--seed', '3', '--force', '--json');
    expect(forced.code).toBe(0);
  });

  it('without models is every kind that learns such rows, whatever the release knows', async () => {
    const { code, stdout, stderr } = await compare(bits, '--test-fraction', '0.5');
    expect(code).toBe(0);
    const able = families.all.filter(({ learns }) => (learns ?? ['bits']).includes('bits')).map(({ name }) => name);
    const lines = stdout.slice(0, stdout.indexOf('\n\n')).split('\n').slice(1);
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([...able].sort());
    // and answers what its family says that all its models do
    for (const { name, answers } of families.learning('bits')) {
      const told = answers?.conditionals === 'exact' ? 'any conditional' : 'conditionals by drawing';
      expect(stdout).toMatch(
        new RegExp(`^${name} +${told}${answers?.mostProbable === 'exact' ? '.*most probable' : ''}`, 'm'),
      );
      // only what no figure recommends is marked
      const isMarked = new RegExp(`^${name} +.*conditional.*; experimental$`, 'm').test(stdout);
      expect([name, isMarked]).toEqual([name, ['boosted', 'compositional', 'partition'].includes(name)]);
    }
    expect(stdout).toContain('Not tried, since they learn tables alone: tables.');
    expect(stdout).toMatch(
      /Not tried: lbarn:paper, lbarn:accurate, lbarn:single-tree \(--models names them; --accurate /,
    );
    expect(stdout).toMatch(/ train \S+bits\.csv --model \S+ --out run\n$/);
    // data are warned of once, not once a model
    expect(stderr.match(/warning: 30 rows validate/g)).toHaveLength(1);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('orchard-compare-models-'))).toEqual([]);
  }, 60_000);

  it('tells of a model that refuses the rows, goes on with the others, and ends with 1', async () => {
    const mixed = await compare(table, '--models', 'cutset,tables:rounds=5', '--json');
    expect(mixed.code).toBe(1);
    const [only] = modelsOf(mixed);
    expect([only!.model, mixed.document['missing']]).toEqual([
      'tables:rounds=5',
      [expect.objectContaining({ model: 'cutset', got: 'a table, whose bits are codes of its variables' })],
    ]);
    expect(mixed.document['error']).toMatchObject({ message: '1 model of 2 could not be trained: cutset' });
    const none = await compare(table, '--models', 'cutset,mixture', '--bins', '8', '--json');
    expect([none.code, none.document['error']]).toEqual([2, expect.objectContaining({ got: expect.any(String) })]);
  });

  it('reads rows of bits behind an index as pandas writes it, and rows of bits as a table where models of tables are named', async () => {
    const indexed = join(folder, 'indexed.csv');
    const [head, ...lines] = readFileSync(bits, 'utf8').split('\n');
    writeFileSync(indexed, [`,${head!}`, ...lines.map((line, row) => `${String(row)},${line}`)].join('\n'));
    const { code, stderr, document } = await compare(indexed, '--models', 'marginals', '--json');
    expect([code, document['best'], stderr]).toEqual([0, 'marginals', expect.stringContaining('rows of bits')]);
    // what is told to be typed next takes the same file
    const trained = await orchard('train', indexed, '--model', 'marginals', '--out', join(folder, 'next'));
    expect([trained.code, trained.stderr]).toEqual([0, expect.stringContaining('every column is 0 and 1')]);
    const asTable = await compare(bits, '--models', 'tables:rounds=2', '--json');
    expect([asTable.code, asTable.document['best']]).toEqual([0, 'tables:rounds=2']);
  });

  it('of a table has every kind that learns tables, in the same units, and says which does not', async () => {
    const few = join(folder, 'few.csv');
    const words = Array.from({ length: 80 }, (_, row) => `${['x', 'y', 'z'][row % 3]!},${row % 6 < 3 ? 'on' : 'off'}`);
    writeFileSync(few, `kind,state\n${words.join('\n')}\n`);
    const { code, stdout } = await compare(few);
    expect(code).toBe(0);
    const lines = stdout.slice(0, stdout.indexOf('\n\n')).split('\n').slice(1);
    const named = lines.map((line) => line.split(' ')[0]);
    expect(named.toSorted()).toEqual(
      families
        .learning('table')
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(stdout).toMatch(/^chow-liu +any conditional, most probable rows; /m);
    expect(stdout).toMatch(/^tables +conditionals by drawing; /m);
    expect(stdout).toMatch(/^sparn +conditionals by drawing; .*; experimental$/m);
    expect(stdout).toContain('Not tried, since they learn rows of 0 and 1 alone: lbarn, ');
    // rows of bits are read as a table where one of the models learns nothing else
    const mixed = await compare(bits, '--models', 'tables:rounds=2,chow-liu', '--json');
    expect([mixed.code, modelsOf(mixed).length]).toEqual([0, 2]);
  }, 60_000);

  it('of a table has its densities in the figures, the same as its run', async () => {
    const out = join(folder, 'tables');
    const told = await compare(table, '--models', 'tables:rounds=5', '--bins', '8', '--out', out, '--json');
    const summary = JSON.parse(readFileSync(join(out, 'tables-rounds=5', 'summary.json'), 'utf8')) as {
      readonly network: { readonly testLogLikelihood: number };
    };
    const [only] = modelsOf(told);
    expect(only!.logLikelihood).toBeCloseTo(summary.network.testLogLikelihood, 9);
    expect(only).not.toHaveProperty('bitsPerDimension');
    expect(told.stderr).toContain('is left out: ');
    const { stdout } = await compare(table, '--models', 'tables:rounds=5', '--bins', '8', '--out', out);
    expect(stdout).toContain('Numbers in bins have densities, in the units of their columns');
  });

  it('refuses what cannot be written to, and models that are none, before it trains', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const [words, message] of [
      [['--out', file], /--out: got/],
      [['--out', ''], /--out: got an empty name/],
      [['--models', ''], /--models: got no model/],
      [['--models', 'lbarn,lbarn'], /got lbarn twice/],
      [['--models', 'chow-liu:leaves=3'], /got --leaves, expected what a model of the family chow-liu/],
      [
        ['--models', 'marginals:seed=3'],
        /got --seed, expected none of such options, as models of the family marginals have none/,
      ],
    ] as const) {
      const { code, stderr, stdout } = await compare(bits, ...words);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    }
  });
});
