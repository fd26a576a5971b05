// npm run bench:roofline: what training moves and adds, beside what this machine can move and add at most.
import { loadavg } from 'node:os';
import { loadKernel } from '@orchard/kernel';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { markdownTable } from '../markdown.mjs';
import { dataFolders } from '../peers/data.mjs';
import * as bits from './bits.mjs';
import { measuredMachine } from './machine.mjs';
import * as tables from './tables.mjs';

const usage = `npm run bench:roofline [-- options]

  --tables     decisions of tables instead of rows of 0 and 1
  --repeats N  repetitions, of which the fastest counts (5)
  --data DIR   folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json       one JSON document on standard output; the table then goes to standard error`;

async function main() {
  const given = readCommandLine('bench:roofline', usage, {
    tables: { type: 'boolean' },
    repeats: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  });
  const repeats = given.whole('repeats', { from: 1, otherwise: 5 });
  const print = given.values.json ? console.error : console.log;
  const folders = dataFolders(given.folder('data'));
  const machine = await measuredMachine(repeats);
  const kernel = await loadKernel('wasm');
  const { measure, heads, lineOf } = given.values.tables ? tables : bits;
  print(
    `Triad: ${machine.bandwidth.toFixed(1)} GB/s, one thread. Thousands of additions a tree; milliseconds a tree.\n`,
  );
  const lines = await measure(kernel, machine, { folders, repeats, print });
  print(markdownTable(heads, lines.map(lineOf)));
  print(`\nLoad: ${loadavg()[0].toFixed(1)}.`);
  if (given.values.json) console.log(JSON.stringify({ bandwidth: machine.bandwidth, cases: lines }));
}

await runPlainly('bench:roofline', main);
