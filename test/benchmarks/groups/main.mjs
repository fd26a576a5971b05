// npm run bench:groups: what collapses, shifts or is swapped in one group of ninety, by scores given the group, by scores
// of whole rows, and by what people use for it.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exp, log, RandomStream } from '@orchard/numerics';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { markdownTable } from '../markdown.mjs';
import { learning, olderPandas, pythonWith } from '../peers/environment.mjs';
import { median } from '../statistics.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';

const usage = `npm run bench:groups -- [options]

  --rows N     rows of the table (9000)
  --seeds N    tables, each with a seed of its own (3)

Sales by region and type: nine regions, the first with most rows, and ten types, each of the ninety pairs with a level
and a spread of its own. One row in a hundred is an incident. Printed is the share of the incidents within the first 1 % of
the rows by their scores, the median over the tables; on standard error the share in each table.

Isolation forests and Mahalanobis distances are scikit-learn's, in the Python of ORCHARD_BENCH_PYTHON or in an
environment of the benchmark's own. Of labels the pooled forest has a column each; the distances know none.`;

const [REGIONS, TYPES, EVERY, INCIDENT] = [9, 10, 100, 37];
const STREAM = 0x67727073;
const peers = join(import.meta.dirname, 'peers.py');
const orchard = join(import.meta.dirname, '../../../apps/cli/bin/orchard.mjs');

/** What happens to the value and the orders of a sale of one group; `other` is a value of another group. */
const incidents = {
  'a value collapses by 80 %': ([value, orders]) => [0.2 * value, orders],
  'a value shifts to three times': ([value, orders]) => [3 * value, orders],
  'a value is swapped with another group': ([, orders], other) => [other, orders],
  'value and orders are swapped': ([value, orders]) => [orders, Math.round(value)],
};
const scores = {
  'orchard, given region and type': ['--given-columns', 'region,type'],
  'orchard, of whole rows': [],
};

/** Writes a table; returns the numbers of the rows that are incidents, from 1. */
function makeTable(file, { rows, seed, incident }) {
  const stream = new RandomStream(seed, STREAM);
  const uniform = () => stream.uniform();
  // Box and Muller, by their cosine
  const normal = () => Math.sqrt(-2 * log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const groups = Array.from({ length: REGIONS * TYPES }, () => [exp(3 + 4 * uniform()), 0.05 + 0.25 * uniform()]);
  const sale = (group) => groups[group][0] * exp(groups[group][1] * normal());
  const odd = new Set();
  const lines = Array.from({ length: rows }, (_, row) => {
    const region = Math.floor(REGIONS * uniform() ** 1.7);
    const type = Math.floor(TYPES * uniform());
    const usual = sale(region * TYPES + type);
    const orders = Math.round(usual / 5 + 3 * normal());
    const isOdd = row % EVERY === INCIDENT;
    if (isOdd) odd.add(row + 1);
    const usualSale = [usual, Math.max(0, orders)];
    const other = sale(Math.floor(groups.length * uniform()));
    const [value, own] = isOdd ? incident(usualSale, other) : usualSale;
    return [`r${region}`, `t${type}`, value.toFixed(2), own, (10 * uniform()).toFixed(1)].join(',');
  });
  writeFileSync(file, `region,type,value,orders,noise\n${lines.join('\n')}\n`);
  return odd;
}

/** The share of the incidents within as many rows with the highest scores, by method. */
function sharesFound(file, odd, python) {
  const shareOf = (rows) => rows.filter((row) => odd.has(row)).length / odd.size;
  const ours = Object.entries(scores).map(([name, words]) => {
    const command = ['outliers', file, '--count', String(odd.size), '--top', '0', '--json', '--quiet', ...words];
    const { outliers } = JSON.parse(execFileSync(process.execPath, [orchard, ...command], { encoding: 'utf8' }));
    return [name, shareOf(outliers.map(({ row }) => row))];
  });
  const said = JSON.parse(execFileSync(python, [peers, file, String(odd.size)], { encoding: 'utf8' }));
  return [...ours, ...Object.entries(said).map(([name, rows]) => [name, shareOf(rows)])];
}

await runPlainly('bench:groups', () => {
  const given = readCommandLine('bench:groups', usage, { rows: { type: 'string' }, seeds: { type: 'string' } });
  const rows = given.whole('rows', { from: 1000, otherwise: 9000 });
  const seeds = given.whole('seeds', { from: 1, otherwise: 3 });
  const say = (text) => console.error(text);
  const python = process.env.ORCHARD_BENCH_PYTHON || pythonWith([...learning, ...olderPandas], say);
  const folder = temporaryFolder('groups');
  /** By method and incident, the share of each table. */
  const found = new Map();
  Object.entries(incidents).forEach(([name, incident], at) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const file = join(folder, `${seed}.csv`);
      const shares = sharesFound(file, makeTable(file, { rows, seed, incident }), python);
      for (const [method, share] of shares) {
        if (!found.has(method))
          found.set(
            method,
            Object.keys(incidents).map(() => []),
          );
        found.get(method)[at].push(share);
      }
      say(`${name}, seed ${seed}: ${shares.map(([method, share]) => `${method} ${share.toFixed(2)}`).join('; ')}`);
    }
  });
  const lines = [...found].map(([method, shares]) => [method, ...shares.map((own) => median(own).toFixed(2))]);
  console.log(markdownTable(['share of incidents in the first 1 %', ...Object.keys(incidents)], lines));
});
