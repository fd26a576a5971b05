// npm run bench:groups: what collapses, shifts or is swapped in one group of ninety, by scores given the group and by
// scores of whole rows.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exp, log, RandomStream } from '@orchard/numerics';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { markdownTable } from './markdown.mjs';
import { median } from './statistics.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const usage = `npm run bench:groups -- [options]

  --rows N     rows of the table (9000)
  --seeds N    tables, each with a seed of its own (3)

Sales by region and type: nine regions, the first with most rows, and ten types, each of the ninety pairs with a level
and a spread of its own. One row in a hundred is an incident. Printed is the share of the incidents among as many rows
with the highest scores, the median over the tables.`;

const [REGIONS, TYPES, EVERY, INCIDENT] = [9, 10, 100, 37];
const STREAM = 0x67727073;
const orchard = join(import.meta.dirname, '../../apps/cli/bin/orchard.mjs');

/** What happens to a sale of one group. */
const incidents = {
  'collapses by 80 %': (value) => 0.2 * value,
  'shifts to three times': (value) => 3 * value,
  'swapped with another group': (value, other) => other,
};
const scores = {
  'given region and type': ['--given-columns', 'region,type'],
  'of whole rows, the same model': ['--model', 'tables'],
  'of whole rows, as usual': [],
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
    const value = isOdd ? incident(usual, sale(Math.floor(groups.length * uniform()))) : usual;
    return [`r${region}`, `t${type}`, value.toFixed(2), orders, (10 * uniform()).toFixed(1)].join(',');
  });
  writeFileSync(file, `region,type,value,orders,noise\n${lines.join('\n')}\n`);
  return odd;
}

function shareFound(file, odd, words) {
  const command = ['outliers', file, '--count', String(odd.size), '--top', '0', '--json', '--quiet', ...words];
  const { outliers } = JSON.parse(execFileSync(process.execPath, [orchard, ...command], { encoding: 'utf8' }));
  return outliers.filter(({ row }) => odd.has(row)).length / odd.size;
}

await runPlainly('bench:groups', () => {
  const given = readCommandLine('bench:groups', usage, { rows: { type: 'string' }, seeds: { type: 'string' } });
  const rows = given.whole('rows', { from: 1000, otherwise: 9000 });
  const seeds = given.whole('seeds', { from: 1, otherwise: 3 });
  const folder = temporaryFolder('groups');
  const lines = Object.entries(incidents).map(([name, incident]) => {
    const found = Object.values(scores).map(() => []);
    for (let seed = 1; seed <= seeds; seed++) {
      const file = join(folder, `${seed}.csv`);
      const odd = makeTable(file, { rows, seed, incident });
      Object.values(scores).forEach((words, at) => found[at].push(shareFound(file, odd, words)));
      console.error(`${name}, seed ${seed}: ${found.map((shares) => shares.at(-1).toFixed(2)).join(', ')}`);
    }
    return [name, ...found.map((shares) => median(shares).toFixed(2))];
  });
  console.log(markdownTable(['incident', ...Object.keys(scores)], lines));
});
