import { BitMatrix } from '@orchard/dataset';
import { emptyEnsemble, Network, untold } from '@orchard/model';
import { folderOfTest } from '@orchard/storage/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exampleOf, runExample } from './examples.js';

test.each(['papers/boosted', 'papers/compositional', 'papers/partition', 'learning/em', 'learning/density-boosting'])(
  'the example of %s gives the figures in its remarks',
  async (lib) => {
    const example = await exampleOf(`libs/${lib}/README.md`);
    const said = [...example.matchAll(/const (\w+) = .*; \/\/ ([\d.]+(?:, [\d.]+)*)/g)];
    expect(said.length).toBeGreaterThan(1);
    const names = said.map(([, name]) => name!);
    const found = await runExample(example, { folder: folderOfTest() }, names.join(', '));
    for (const [, name, figures] of said) {
      const values = [found[name!] as number | Float64Array].flatMap((value) =>
        typeof value === 'number' ? value : [...value],
      );
      expect(values).toHaveLength(figures!.split(', ').length);
      for (const [at, figure] of figures!.split(', ').entries())
        expect(values[at], name).toBeCloseTo(Number(figure), figure.length > 5 ? 4 : 3);
    }
  },
);

test('of the data sets prints what its remarks say', async () => {
  const example = await exampleOf('libs/core/dataset/README.md');
  const said = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, remark]) => remark);
  expect(said.length).toBeGreaterThan(5);
  const folder = folderOfTest();
  const survey = 'id,smoker,age,city\n7,1,1,Lund\n8,0,0,Kiel\n9,0,1,Lund\n10,1,0,Lund\n';
  writeFileSync(join(folder, 'survey.csv.gz'), gzipSync(survey));
  writeFileSync(join(folder, 'test.csv'), 'age,city=Lund,city=Kiel,smoker\n0,1,0,1\n');
  writeFileSync(join(folder, 'unfinished.csv'), 'a,b\n1,?\n0,1\n');
  const printed: string[] = [];
  await runExample(example, { folder, console: { log: (...values: unknown[]) => printed.push(values.join(' ')) } }, '');
  expect(printed).toEqual(said);
});

/** Coins that are tossed by themselves. */
const coins = (count: number): Network =>
  new Network({
    ...{ names: null, shape: null, specification: null, likelihoods: untold },
    ordering: Uint32Array.from({ length: count }, (_, dimension) => dimension),
    ensembles: Array.from({ length: count }, () => emptyEnsemble(1)),
  });

test('of the model runs as it stands, in ten lines', async () => {
  const example = await exampleOf('libs/core/model/README.md');
  expect(example.match(/^./gm)!.length).toBeLessThanOrEqual(10);
  const printed: unknown[][] = [];
  const console = { log: (...values: unknown[]) => printed.push(values) };
  await runExample(example, { console, readFileSync: () => coins(4).toBytes() }, '');
  expect(printed.map(([, value]) => (value as ArrayLike<number>).length)).toEqual([2, 4, 12, 8, 4]);
  const completed = printed[3]![1] as Uint8Array;
  expect([completed[0], completed[1], completed[7]]).toEqual([0, 1, 0]);
});

test('of the questions', async () => {
  const example = await exampleOf('libs/serving/questions/README.md');
  const found = await runExample(example, { model: coins(2) }, 'scored, sampled, completed');
  expect(found).toMatchObject({ sampled: { rows: [{}, {}] }, completed: { rows: [{}] } });
  const { rows } = found.scored as { rows: { logLikelihood: number }[] };
  expect(rows[0]!.logLikelihood).toBeCloseTo(-2 * Math.LN2, 12);
});

test('of LBARN: a run, and a selection', async () => {
  const run = await exampleOf('libs/families/lbarn/README.md', 'runLocally');
  const { summary, network } = (await runExample(run, { folder: folderOfTest() }, 'summary, network')) as {
    summary: { network: { bytes: number } };
    network: Uint8Array;
  };
  expect(summary).toMatchObject({ dataset: { rows: { train: 4, valid: 2, test: null } } });
  expect(summary.network.bytes).toBe(network.length);

  const selection = await exampleOf('libs/families/lbarn/README.md', 'import { select }');
  const said = /rounds: Uint32Array (\[.*?\]), validLogLikelihood: (-?\d+)/.exec(selection)!;
  expect(await runExample(selection, {}, 'rounds, validLogLikelihood')).toEqual({
    rounds: Uint32Array.from(JSON.parse(said[1]!) as number[]),
    validLogLikelihood: Number(said[2]),
  });
});

test('of the pipeline', async () => {
  const example = await exampleOf('libs/tasks/pipeline/README.md');
  const { rows, squares } = await runExample(example, { folder: folderOfTest() }, 'rows, squares');
  expect((rows as BitMatrix).equals(BitMatrix.fromRows(['0011', '1100', '0011']))).toBe(true);
  expect(squares).toEqual([1, 4, 9]);
});

test('of the storage', async () => {
  const example = await exampleOf('libs/tasks/storage/README.md');
  const given = { folder: folderOfTest(), bytes: Uint8Array.of(1, 2, 3, 4, 5) };
  expect(await runExample(example, given, 'first, second, head, names')).toEqual({
    ...{ first: 'created', second: 'exists', head: Uint8Array.of(1, 2, 3, 4), names: ['runs/7f/curves'] },
  });
});
