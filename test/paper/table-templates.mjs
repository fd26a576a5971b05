// Sections 2.1 to 2.3 of M. Goessling's thesis on the numbers of tables, beside a mixture of Gaussians.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Purpose, RandomStream } from '@orchard/numerics';
import { tablesPython } from '../benchmarks/tables/environment.mjs';
import { comparedKernels, METHODS } from './shrunken-kernels.mjs';

/** The columns of numbers of each table, but for row numbers. */
const TABLES = {
  cars: ['Miles_per_Gallon', 'Cylinders', 'Displacement', 'Horsepower', 'Weight_in_lbs', 'Acceleration'],
  'seattle-weather': ['precipitation', 'temp_max', 'temp_min', 'wind'],
  males: ['year', 'school', 'exper', 'wage'],
  hi: ['whrswk', 'experience', 'kidslt6', 'kids618', 'husby', 'wght'],
  diamonds: ['carat', 'depth', 'table', 'price', 'x', 'y', 'z'],
};
/** Most rows to learn from, to choose by and to test with; of fewer half, a quarter and a quarter. */
const MOST = [500, 500, 1000];
const BANDWIDTHS = Array.from({ length: 14 }, (_, at) => 0.03 * 1.35 ** at);
const PEER = 'mixture of Gaussians';
const TITLE = 'Thesis, 2.1 to 2.3: kernels of the numbers of five tables, shrunk along a tree of clusters';

/** @returns a section of the page: held-out nats of each table */
export async function tableTemplates({ data, quick }) {
  if (data === undefined) return { title: TITLE, notes: ['Left out: there is no folder of data sets (--data).'] };
  const seeds = Array.from({ length: quick ? 1 : 3 }, (_, seed) => seed);
  const draws = [];
  for (const [table, names] of Object.entries(TABLES)) {
    const rows = numbersOf(await readFile(join(data, 'tables', `${table}.csv`), 'utf8'), names);
    for (const seed of seeds) {
      const stream = new RandomStream(seed, Purpose.sample, 282);
      const points = pointsOf(rows, stream);
      draws.push({ table, points, figures: comparedKernels(points, BANDWIDTHS, stream) });
      console.error(`paper: numbers of ${table}, draw ${seed + 1} of ${seeds.length}`);
      await new Promise(setImmediate);
    }
  }
  const say = (what) => console.error(`paper: ${what}`);
  mixturesOf(tablesPython(say), draws).forEach((nats, at) => (draws[at].figures[PEER] = { nats }));
  const rows = Object.keys(TABLES).map((table) => {
    const own = draws.filter((draw) => draw.table === table);
    const mean = (of) => own.reduce((sum, { figures }) => sum + of(figures), 0) / own.length;
    const first = mean((figures) => figures[METHODS[0]].nats);
    const cells = [...METHODS.slice(1), PEER].map((method) => {
      const gain = (figures) => figures[method].nats - figures[METHODS[0]].nats;
      const error = Math.sqrt(mean((figures) => (gain(figures) - mean(gain)) ** 2) / Math.max(1, own.length - 1));
      return `${mean(gain).toFixed(3)} ± ${error.toFixed(3)}`;
    });
    return [table, `${own[0].points.train.length}`, `${TABLES[table].length}`, first.toFixed(3), ...cells];
  });
  return {
    title: TITLE,
    notes: [
      `Mean log-density of other rows, nats, of ${METHODS[0]}, and how much more the others have, with a standard error of ${seeds.length} draws of at most ${MOST.join(', ')} rows to learn from, to choose by and to test with. Rows without a missing number; each number is moved at random within the step to which its column is rounded, since kernels of equal numbers have no best bandwidth, then scaled to the training rows' mean and deviation. Validation rows choose bandwidth, penalty and share, and of the mixture (scikit-learn) 1 to 30 components and full or diagonal covariances.`,
    ],
    table: { head: ['table', 'rows', 'numbers', METHODS[0], ...METHODS.slice(1), PEER], rows },
  };
}

/** The numbers of these columns, of rows that lack none. */
function numbersOf(text, names) {
  const [head, ...lines] = text.trim().split(/\r?\n/).map(cellsOf);
  const places = names.map((name) => head.indexOf(name));
  return lines
    .map((cells) => places.map((place) => (cells[place] === '' ? NaN : Number(cells[place]))))
    .filter((row) => row.every(Number.isFinite));
}

/** No quote stands within quotes here. */
function cellsOf(line) {
  return Array.from(`,${line}`.matchAll(/,(?:"([^"]*)"|([^",]*))/g), ([, quoted, plain]) => quoted ?? plain);
}

function pointsOf(rows, stream) {
  const steps = rows[0].map((_, d) => {
    const values = [...new Set(rows.map((row) => row[d]))].sort((a, b) => a - b);
    return values.slice(1).reduce((least, value, at) => Math.min(least, value - values[at]), Infinity);
  });
  const left = [...rows];
  const take = (count) =>
    Array.from({ length: count }, () => {
      const at = stream.below(left.length);
      const [row] = left.splice(at, 1, left.at(-1));
      left.pop();
      return row.map((value, d) => value + steps[d] * (stream.uniform() - 0.5));
    });
  const [train, valid, test] = MOST.map((most, at) => Math.min(most, Math.floor(rows.length / [2, 4, 4][at]))).map(
    take,
  );
  const mean = train[0].map((_, d) => train.reduce((sum, row) => sum + row[d], 0) / train.length);
  const deviation = mean.map((centre, d) =>
    Math.sqrt(train.reduce((sum, row) => sum + (row[d] - centre) ** 2, 0) / train.length),
  );
  const scaled = (points) => points.map((row) => row.map((value, d) => (value - mean[d]) / deviation[d]));
  return { train: scaled(train), valid: scaled(valid), test: scaled(test) };
}

/** Mean test nats of the mixture that the validation rows choose, of each draw. */
function mixturesOf(python, draws) {
  const script = fileURLToPath(new URL('gaussian_mixtures.py', import.meta.url));
  const input = JSON.stringify(draws.map(({ points }) => points));
  return JSON.parse(execFileSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 24 }));
}
