import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchard, rowsIn, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** The size tells the kind and the day; some kinds are not known. */
const lines = Array.from({ length: 300 }, (_, row) => {
  const size = (row * 37) % 100;
  const kind = row % 13 === 0 ? '' : ['fir', 'oak', 'ash'][Math.floor(size / 34)]!;
  const day = new Date((19_000 + size) * 86_400_000).toISOString().slice(0, 10);
  return `${kind},${(size + (row % 4) / 4).toFixed(2)},${day},${size > 50 ? 'yes' : 'no'}`;
});
writeFileSync(at('trees.csv'), `kind,size,day,tall\n${lines.join('\n')}\n`);
writeFileSync(at('holes.csv'), 'kind,size,day,tall\n?,12.25,?,?\noak,?,?,yes\n');

describe.each(['chow-liu', 'marginals'])('orchard train --model %s on a table', (family) => {
  const model = at(family);
  beforeAll(async () => {
    const args = ['train', at('trees.csv'), '--model', family, '--test-fraction', '0.2', '--out', model];
    const { code, stdout } = await orchard(...args);
    expect(code).toBe(0);
    // validation rows chose nothing
    expect(stdout).not.toContain('Validation rows chose');
  });

  it('draws the rows that validate by the seed, and has no other use for it', async () => {
    const train = async (seed: string): Promise<string> => {
      const out = at(`${family}-${seed}`);
      const args = ['train', at('trees.csv'), '--model', family, '--seed', seed, '--no-report', '--out', out];
      const { code, stderr } = await orchard(...args);
      expect([code, stderr]).toEqual([0, expect.stringContaining(`drawn by seed ${seed}`) as string]);
      return readFileSync(join(out, 'network.msgpack'), 'base64');
    };
    expect(await train('1')).not.toBe(await train('2'));
  });

  it('draws rows in the table’s words, also where something is given', async () => {
    const { stdout } = await orchard('sample', model, '--count', '40', '--out', '-', '--quiet');
    const [names, ...drawn] = stdout.trim().split('\n');
    expect([names, drawn.length]).toEqual(['kind,size,day,tall', 40]);
    for (const line of drawn) expect(line).toMatch(/^(fir|oak|ash|),-?\d+\.\d\d,\d{4}-\d\d-\d\d,(yes|no)$/);
    const given = await orchard('sample', model, '--given', 'kind=fir|oak,size=30..40', '--count', '30', '--out', '-');
    for (const line of given.stdout.trim().split('\n').slice(1)) expect(line).toMatch(/^(fir|oak),(3\d\.\d\d|40\.00),/);
    expect(given.stderr).not.toContain('particles');
  });

  it('fills blanks exactly, and tells exactly what each may be', async () => {
    const { stdout, stderr } = await orchard('complete', model, at('holes.csv'), '--draws', '2');
    expect(stderr).toContain('2 rows exactly');
    expect(stdout.trim().split('\n')[1]).toMatch(/^1,(fir|oak|ash),12.25,\d{4}-\d\d-\d\d,(yes|no)$/);
    const said = await orchard('complete', model, at('holes.csv'), '--probabilities');
    expect(said.stderr).toContain('probabilities of 5 missing values of 2 rows; exactly');
    const shares = rowsIn(said.stdout).filter(([row, column]) => row === '1' && column === 'kind');
    expect(shares).toHaveLength(3);
    expect(shares.reduce((all, cells) => all + Number(cells.at(-1)), 0)).toBeCloseTo(1, 4);
    if (family === 'chow-liu') expect(shares[0]!.join()).toMatch(/^1,kind,fir,0\.9/);
  });

  it('refuses to draw and to tell at once', async () => {
    for (const options of [
      ['--most-probable', '--draws', '2'],
      ['--probabilities', '--draws', '2'],
      ['--probabilities', '--most-probable'],
    ]) {
      const { code, stderr } = await orchard('complete', model, at('holes.csv'), ...options);
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used with option')]);
    }
  });

  it('numbers draws in a column of a name of its own', async () => {
    writeFileSync(at('drawn.csv'), 'draw,kind,size,day,tall,_draw\n7,?,12.25,?,?,8\n');
    const { stdout } = await orchard('complete', model, at('drawn.csv'), '--draws', '2', '--quiet');
    const [names, first, second] = stdout.split('\n');
    expect(names).toBe('__draw,draw,kind,size,day,tall,_draw');
    expect([first, second]).toEqual([
      expect.stringMatching(/^1,7,.*,8$/) as string,
      expect.stringMatching(/^2,7,.*,8$/) as string,
    ]);
  });

  it('scores rows with their densities as the run says, holes integrated out without an error, and names odd rows', async () => {
    const { document } = await orchard('evaluate', model, at('trees.csv'), '--worst', '1', '--json');
    const summary = JSON.parse(readFileSync(join(model, 'summary.json'), 'utf8')) as {
      readonly likelihoods: Record<'train' | 'valid' | 'test', number>;
      readonly dataset: { readonly rows: Record<'train' | 'valid' | 'test', number> };
      readonly variables: readonly { readonly name: string; readonly test: number }[];
    };
    const { likelihoods, dataset, variables } = summary;
    const splits = ['train', 'valid', 'test'] as const;
    const sum = splits.reduce((all, split) => all + likelihoods[split] * dataset.rows[split], 0);
    expect(document['logLikelihood']).toBeCloseTo(sum / 300, 9);
    expect(variables.map(({ name }) => name)).toEqual(['kind', 'size', 'day', 'tall']);
    expect(variables.reduce((all, { test }) => all + test, 0)).toBeCloseTo(likelihoods.test, 9);
    expect(document['worst']).toEqual([expect.objectContaining({ reasons: expect.any(Array) as unknown })]);
    const unknown = await orchard('evaluate', model, at('holes.csv'), '--missing-means', 'unknown');
    expect(unknown.stdout).toContain('with an error of less than 0.001 nats');
  });

  it('gives the most probable values together, nothing drawn', async () => {
    const { stdout, stderr } = await orchard('complete', model, at('holes.csv'), '--most-probable');
    expect(stderr).toContain('most probable values of 5 missing values of 2 rows; exactly');
    expect(stdout.trim().split('\n')[1]).toMatch(/^(fir|oak|ash),12.25,\d{4}-\d\d-\d\d,(yes|no)$/);
    expect(stdout.trim().split('\n')[2]).toMatch(/^oak,\d+\.\d\d,\d{4}-\d\d-\d\d,yes$/);
    if (family === 'chow-liu') expect(stdout).toMatch(/^fir,12.25,.*,no$/m);
    const args = ['complete', model, at('holes.csv'), '--most-probable', '--seed', '7', '--json'];
    const { document } = await orchard(...args);
    expect(document).toMatchObject({ rows: 2, missing: 5, path: null, text: stdout });
    expect(Math.max(...(document['logProbabilityOfCodes'] as number[]))).toBeLessThan(0);
  });
});

it('what a column leans on is told, by name', async () => {
  const { document } = await orchard('importance', at('chow-liu'), '--json');
  const variables = document['variables'] as { variable: string; predictors: { variable: string }[] }[];
  const tall = variables.find(({ variable }) => variable === 'tall')!;
  expect(tall.predictors.map(({ variable }) => variable)).not.toContain('tall');
  expect(tall.predictors.length).toBeGreaterThan(0);
});
