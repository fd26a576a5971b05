import { temporaryFolder } from '@orchard/storage/testing';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { summarySchema, type Seconds, type Summary } from '@orchard/contracts';
import { readDataset } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { beforeAll, describe, expect, it } from 'vitest';
import packageFile from '../../apps/cli/package.json' with { type: 'json' };
import { dataFile, documentOf, mushrooms, orchard, root, sha256Of, start } from './orchard.js';
import { argv } from '../../infra/command-line.mjs';

const folder = temporaryFolder();
let run: string;
/** What is used of the document. */
type Trained = Summary & { readonly seconds: Seconds };
let trained: Trained;
let network: string;

const settings = ['--leaves', '8', '--rounds', '60', '--shrinkage', '0.2', '--seed', '3'];
const train = (out: string, ...more: string[]): string[] => argv`train ${dataFile('mushrooms', 'train')}
  --valid ${dataFile('mushrooms', 'valid')} --test ${dataFile('mushrooms', 'test')} --out ${out} ${settings}
  ${more}`;
/** Of what is not about the model: 300 rows, and as many of the 112 columns as are asked for. */
async function short(out: string, columns: number, ...more: string[]): Promise<string[]> {
  const files = (['train', 'valid', 'test'] as const).map(async (split) => {
    const file = join(folder, `${split}-${String(columns)}.csv`);
    await writeFile(file, mushrooms(split, split === 'train' ? 300 : 100, columns).join('\n'));
    return file;
  });
  const [rows, valid, test] = await Promise.all(files);
  return argv`train ${rows!} --valid ${valid!} --test ${test!} --out ${out} --leaves 8 --rounds 5 ${more}`;
}
const artefacts = ['network.msgpack', 'summary.json', 'report.html'] as const;
const hashes = (directory: string): string[] => artefacts.map((name) => sha256Of(directory, name));

beforeAll(async () => {
  run = join(folder, 'run');
  network = join(run, 'network.msgpack');
  trained = await documentOf<Trained>(...train(run, '--threads', '2'));
});

describe('orchard train', () => {
  it('prints what summary.json says, and where the model lies', async () => {
    const summary = summarySchema.parse(JSON.parse(await readFile(join(run, 'summary.json'), 'utf8')));
    expect(trained).toMatchObject({ ...summary, network: { ...summary.network, path: network } });
    expect(trained.dataset).toMatchObject({ dimensions: 112, rows: { train: 2000, valid: 500, test: 5624 } });
    expect(trained.network).toMatchObject({
      path: network,
      sha256: sha256Of(network),
      selection: 'common',
      refit: true,
    });
    expect(trained.selections.common.rounds).toBeGreaterThan(0);
    expect(trained.selections.linearizedBackward.refit?.testLogLikelihood).toBeLessThan(-9);
    expect(trained.seconds.refit).toBeGreaterThan(0);
  });

  it('learns: far better than independent columns, near the best of the paper', () => {
    expect(trained.network.testLogLikelihood).toBeGreaterThan(-11.5);
    expect(trained.network.testLogLikelihood).toBeLessThan(-9.4);
  });

  it('writes the same bytes again, by another number of threads', async () => {
    const again = join(folder, 'again');
    await documentOf(...train(again, '--threads', '1'));
    expect(hashes(again)).toEqual(hashes(run));
  });

  it('writes no time, path or thread count into what is to be the same bytes', async () => {
    for (const name of ['summary.json', 'report.html']) {
      const text = await readFile(join(run, name), 'utf8');
      expect(text.includes(folder)).toBe(false);
      expect(/20\d\d-\d\d-\d\d|threads/.exec(text)).toBeNull();
    }
    expect(existsSync(join(run, 'timings.json'))).toBe(true);
  });

  it('tells its progress in plain lines where stderr is no terminal, and nothing when quiet', async () => {
    const spoken = await orchard(...(await short(join(folder, 'spoken'), 40)));
    expect(spoken.code).toBe(0);
    expect(spoken.stderr).toMatch(
      /^orchard: training 40\/40 dimensions · .*trees\/s · -\d+\.\d+ nats per held-out row$/m,
    );
    expect(spoken.stderr).not.toContain('\u001b');
    expect(spoken.stdout.trimEnd().split('\n')).toHaveLength(5);
    const quiet = await orchard(...(await short(join(folder, 'quiet'), 40, '--quiet', '--details')));
    expect(quiet).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\* common /m) as string });
  });

  it('takes no limit of leaf values, and greys of a CSV as probabilities', async () => {
    const greys = join(folder, 'greys.csv');
    await writeFile(greys, '0,255,128\n255,0,64\n255,255,200\n0,0,3\n'.repeat(20));
    const out = join(folder, 'grey');
    const words = ['--binarize', 'bernoulli', '--scale', '255', '--max-leaf-value', 'off', '--rounds', '3'];
    await documentOf('train', greys, '--out', out, ...words);
    const document = await documentOf('inspect', join(out, 'network.msgpack'));
    expect(document).toMatchObject({ dimensions: 3, specification: { maxLeafValue: null } });
  });

  it('keeps what is done on Ctrl-C, says how to go on, and ends in the same bytes', async () => {
    const broken = join(folder, 'broken');
    const { child, ended } = start(...train(broken, '--json'));
    const stored = (): string[] => {
      const store = join(broken, 'store');
      return existsSync(store) ? readdirSync(store, { recursive: true }).map(String) : [];
    };
    const kept = expect.stringMatching(/conditionals.+/) as string;
    await expect.poll(stored, { interval: 5 }).toContainEqual(kept);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { message: expect.stringContaining('Interrupted'), remedy: expect.stringContaining('the same command') },
    });
    expect(stderr).toContain(join(broken, 'store'));
    expect(existsSync(join(broken, 'network.msgpack'))).toBe(false);
    await documentOf(...train(broken));
    expect(hashes(broken)).toEqual(hashes(run));
  });
});

it('is the command that npm links as orchard', async () => {
  const linked = join(root, 'apps/cli', packageFile.bin.orchard);
  const { stdout } = await promisify(execFile)(process.execPath, [linked, '--version']);
  expect(stdout).toBe(`${packageFile.version}\n`);
});

describe('a network file', () => {
  it('is evaluated to the figure that training gave', async () => {
    const document = await documentOf('evaluate', network, dataFile('mushrooms', 'test'));
    expect(document).toMatchObject({ rows: 5624, likelihoodIs: null, densityLogLikelihood: 0, rowsWithUnknown: 0 });
    expect(document['columns']).toHaveLength(112);
    expect(document['logLikelihood']).toBeCloseTo(trained.network.testLogLikelihood!, 9);
    expect(document['bitsPerColumn']).toBeCloseTo(-trained.network.testLogLikelihood! / Math.LN2 / 112, 9);
  });

  it('names for each row the columns that surprise most', async () => {
    const scores = join(folder, 'scores.csv');
    await documentOf('evaluate', network, dataFile('mushrooms', 'valid'), '--per-row', scores, '--top', '2');
    const lines = (await readFile(scores, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(501);
    expect(lines[0]).toBe(
      'row,score,logLikelihood,column1,value1,probability1,expected1,expectedLow1,expectedHigh1,expectedLabel1,surprise1,' +
        'column2,value2,probability2,expected2,expectedLow2,expectedHigh2,expectedLabel2,surprise2',
    );
    const [number, score, likelihood, column, value, probability, , , , , surprise, , , , , , , , less] = lines[7]!
      .split(',')
      .map(Number);
    expect(number).toBe(7);
    const matrix = (await readDataset(dataFile('mushrooms', 'valid'))).selectRows([6]);
    const model = Network.from(await readFile(network));
    const [own] = model.logLikelihood(matrix);
    expect(likelihood).toBeCloseTo(own!, 9);
    expect(value).toBe(matrix.get(0, column! - 1));
    // the probability of a cell given all other columns: of the two rows that have them
    const other = matrix.selectRows([0]);
    other.set(0, column! - 1, value === 0 ? 1 : 0);
    const [flipped] = model.logLikelihood(other);
    expect(probability).toBeCloseTo(1 / (1 + Math.exp(flipped! - own!)), 9);
    expect(surprise).toBeGreaterThan(less!);
    expect(score).toBeGreaterThan(0);
  });

  it('draws the same rows for the same seed, as CSV and as NPY', async () => {
    const csv = join(folder, 'samples.csv');
    const npy = join(folder, 'samples.npy');
    await documentOf('sample', network, '--count', '300', '--seed', '5', '--out', csv);
    await documentOf('sample', network, '--count', '300', '--seed', '5', '--out', npy);
    const [fromCsv, fromNpy] = [await readDataset(csv), await readDataset(npy)];
    expect(fromCsv.rows).toBe(300);
    expect(fromNpy.equals(fromCsv)).toBe(true);
    const { logLikelihood } = await documentOf<{ logLikelihood: number }>('evaluate', network, csv);
    // the network's own draws are about as likely as real rows
    expect(Math.abs(logLikelihood - trained.network.testLogLikelihood!)).toBeLessThan(1);
    const shown = await documentOf<{ values: number[][] }>('sample', network, '--count', '2', '--seed', '5');
    expect(shown.values).toEqual([0, 1].map((row) => Array.from({ length: 112 }, (_, dim) => fromCsv.get(row, dim))));
  });

  it('completes what is missing and leaves what is known', async () => {
    const rows = mushrooms('valid', 4).map((line) => line.split(','));
    const holes = join(folder, 'holes.csv');
    const masked = rows.map((row, at) =>
      row.map((value, dim) => (at < 2 ? (dim >= 100 ? '?' : value) : dim % 9 === 0 ? '' : value)),
    );
    await writeFile(holes, masked.map((row) => `${row.join(',')}\n`).join(''));
    const document = await documentOf<Record<string, unknown>>('complete', network, holes, '--seed', '1');
    expect(document).toMatchObject({ rows: 4, missing: 2 * 12 + 2 * 13, exactRows: 2, samples: 256 });
    const values = document['values'] as number[][];
    masked.forEach((row, at) =>
      row.forEach((value, dim) => {
        if (value === '0' || value === '1') expect(values[at]![dim]).toBe(Number(value));
      }),
    );
    expect(await documentOf('complete', network, holes, '--seed', '1')).toEqual(document);
  });

  it('says what predicts a column', async () => {
    const fresh = join(folder, 'fresh.csv');
    await writeFile(fresh, mushrooms('test', 100).join('\n'));
    const { dimensions, irrelevant } = await documentOf<{
      dimensions: { column: number; predictors: { column: number; share: number }[] }[];
      irrelevant: unknown[];
    }>('importance', network, fresh, '--top', '200');
    expect(dimensions).toHaveLength(112);
    for (const { column, predictors } of dimensions) {
      const sum = predictors.reduce((total, { share }) => total + share, 0);
      if (predictors.length > 0) expect(sum).toBeCloseTo(1, 9);
      expect(predictors.every((predictor) => predictor.column < column)).toBe(true);
    }
    expect(irrelevant.length).toBeGreaterThan(0);
    const one = await documentOf<{ dimensions: (typeof dimensions)[number][] }>(
      ...['importance', network, fresh, '--dimension', '76', '--top', '200'],
    );
    // of one column fewer predictors are tested at once, so that more of them stand out from noise
    const shares = dimensions[75]!.predictors.map(({ column, share }) => ({ column, share }));
    expect(one.dimensions).toMatchObject([{ column: 76, predictors: shares }]);
  });

  it('is inspected: its run, its trees, its bytes', async () => {
    const document = await documentOf('inspect', network, '--dimensions');
    expect(document).toMatchObject({
      sha256: trained.network.sha256,
      bytes: trained.network.bytes,
      dimensions: 112,
      ordering: 'natural',
      trees: trained.selections.common.trees,
      specification: { leaves: 8, rounds: 60, seed: 3 },
    });
    expect(document['conditionals']).toHaveLength(112);
  });

  it('gives an ordering that another run can be trained by', async () => {
    const ordering = join(folder, 'ordering.txt');
    await documentOf('inspect', network, '--entropy-ordering', 'decreasing', '--out', ordering);
    const out = join(folder, 'ordered');
    await documentOf(...(await short(out, 112, '--no-report', '--ordering', ordering)));
    const { ordering: used } = await documentOf<{ ordering: number[] }>('inspect', join(out, 'network.msgpack'));
    expect(used.map(String)).toEqual((await readFile(ordering, 'utf8')).trim().split('\n'));
  });
});

describe('orchard select', () => {
  it('makes another network of the run without training, and the first again, byte for byte', async () => {
    const first = hashes(run);
    const individual = await documentOf<Trained>('select', run, '--select', 'individual', '--no-refit');
    expect(individual.runId).toBe(trained.runId);
    expect(individual.network).toMatchObject({ selection: 'individual', refit: false });
    expect(individual.network.testLogLikelihood).toBeCloseTo(trained.selections.individual.testLogLikelihood!, 4);
    expect(individual.seconds.train).toBe(0);
    const { logLikelihood } = await documentOf<{ logLikelihood: number }>(
      'evaluate',
      network,
      dataFile('mushrooms', 'test'),
    );
    expect(logLikelihood).toBeCloseTo(individual.network.testLogLikelihood!, 9);
    expect(hashes(run)).not.toEqual(first);
    await documentOf('select', run);
    expect(hashes(run)).toEqual(first);
  });
});

describe('columns with names', () => {
  const csvOf = (head: readonly string[], rows: readonly (readonly number[])[]): string =>
    [head, ...rows].map((row) => `${row.join(',')}\n`).join('');

  it('are found by name in another order, and told when they are missing', async () => {
    const bits = Array.from({ length: 256 }, (_, row) => [row & 1, (row >> 1) & 1, row & 1 & ((row >> 2) & 1)]);
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const rows = await file('named.csv', csvOf(['left', 'middle', 'right'], bits));
    const turned = await file(
      'turned.csv',
      csvOf(
        ['right', 'left', 'middle'],
        bits.map(([a, b, c]) => [c!, a!, b!]),
      ),
    );
    const short = await file(
      'short.csv',
      csvOf(
        ['left', 'right'],
        bits.map(([a, , c]) => [a!, c!]),
      ),
    );
    const out = join(folder, 'named');
    await documentOf('train', rows, '--out', out, '--valid-fraction', '0.3', '--rounds', '20', '--leaves', '4');
    const named = join(out, 'network.msgpack');
    expect(await documentOf('evaluate', named, turned)).toEqual(await documentOf('evaluate', named, rows));
    const refused = await orchard('evaluate', named, short);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('"middle"') });
    const report = await readFile(join(out, 'report.html'), 'utf8');
    expect(report.includes('What decides right')).toBe(true);
  });
});
