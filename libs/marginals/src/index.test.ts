import { BitMatrix, readDataset } from '@orchard/dataset';
import { describeDensityModel } from '@orchard/model/conformance';
import { registerDataset, runLocally } from '@orchard/pipeline';
import { FilesystemStore } from '@orchard/storage';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Marginals, marginals } from './index.js';

describeDensityModel('marginals', {
  codec: marginals.codec,
  make: (variables) => {
    const rates = Float64Array.from(
      { length: variables.dimensions },
      (_, dim) => (dim + 1) / (variables.dimensions + 1),
    );
    return new Marginals(variables, rates, null, { train: null, valid: null, test: null });
  },
});

/** Mean test nats of counts + 1 over N + 2, by an implementation of its own. */
const nats = {
  nltcs: -9.2336,
  msnbc: -6.7701,
  plants: -31.2662,
  audio: -49.3369,
  dna: -100.3881,
  mushrooms: -34.2315,
  adult: -25.7721,
};
const root = fileURLToPath(new URL('../../../', import.meta.url));
const parents = [process.env['ORCHARD_DATA'] ?? join(root, '../shared/data'), join(root, 'test/data')];

test.for(Object.entries(nats))('a whole run on %s tells what is known of it', async ([name, known], { skip }) => {
  const folder = parents.map((parent) => join(parent, name)).find((one) => existsSync(one));
  if (folder === undefined) return skip(`${name} is in none of ${parents.join(', ')} (ORCHARD_DATA)`);
  const place = await mkdtemp(join(tmpdir(), 'orchard-marginals-'));
  const store = await FilesystemStore.open(place);
  const read = async (split: string) => registerDataset(store, await readDataset(join(folder, `${split}.data.gz`)));
  const datasets = { train: await read('train'), valid: await read('valid'), test: await read('test') };
  const done = await runLocally({ store, family: marginals, ...marginals.resolve({}, datasets) });
  expect(done.summary.network.testLogLikelihood).toBeCloseTo(known, 4);
  const report = await marginals.report(store, done.run, {});
  expect(/test[^]{0,200}?(\d+\.\d+)/.exec(report)?.[1]).toBe((-done.summary.network.testLogLikelihood!).toFixed(3));
  await rm(place, { recursive: true });
});

test('what it tells of unknown values is what the sum over all rows gives', () => {
  const columns = { dimensions: 3, names: null, shape: null };
  const model = new Marginals(columns, Float64Array.of(0.2, 0.7, 0.5), null, { train: null, valid: null, test: null });
  const all = BitMatrix.fromRows(Array.from({ length: 8 }, (_, row) => row.toString(2).padStart(3, '0')));
  const chances = model.logLikelihood(all).map(Math.exp);
  for (const mask of ['000', '010', '101', '111']) {
    const row = '110';
    const [values, known] = [BitMatrix.fromRows([row]), BitMatrix.fromRows([mask])];
    const fits = (other: number): boolean =>
      [...mask].every((bit, at) => bit === '0' || all.get(other, at) === +row[at]!);
    const total = chances.reduce((sum, chance, other) => sum + (fits(other) ? chance : 0), 0);
    const { rates, logEvidence } = model.marginals(values, known);
    expect(logEvidence[0]).toBeCloseTo(Math.log(total), 12);
    for (let dim = 0; dim < 3; dim++) {
      const ones = chances.reduce((sum, p, other) => sum + (fits(other) && all.get(other, dim) === 1 ? p : 0), 0);
      expect(rates[dim]).toBeCloseTo(ones / total, 12);
    }
    const { matrix, logLikelihood } = model.mostProbable(values, known);
    const best = Math.max(...chances.filter((_, other) => fits(other)));
    expect(logLikelihood[0]).toBeCloseTo(Math.log(best), 12);
    expect(model.logLikelihood(matrix)).toEqual(logLikelihood);
  }
});
