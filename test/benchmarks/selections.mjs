// node test/benchmarks/selections.mjs: what each selection is worth on rows that nothing was chosen on.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDataset } from '@orchard/dataset';
import { Network } from '@orchard/model';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { dataFolders, locate } from './peers/data.mjs';

const known = ['nltcs', 'msnbc', 'plants', 'audio', 'mushrooms', 'adult', 'dna', 'ocr_letters', 'binarized_mnist'];
const usage = `node test/benchmarks/selections.mjs [options] [set …]

  --data DIR       folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --shares LIST    shares of the training and validation rows to train on; all test rows are kept (1,0.25,0.0625)
  --threads N      threads (1)
  --json           one JSON document on standard output, the table on standard error

Trains the default preset and prints the mean test log-likelihood of each selection, without and with refit.
Sets: ${known.join(', ')}; without any, all but binarized_mnist.`;

const orchard = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));
const methods = ['individual', 'common', 'linearized'];

const text = { type: 'string' };
const given = readCommandLine(
  'bench:selections',
  usage,
  { data: text, shares: text, threads: text, json: { type: 'boolean' } },
  { allowPositionals: true },
);
const shares = (given.values.shares ?? '1,0.25,0.0625').split(',').map(Number);
if (!shares.every((share) => share > 0 && share <= 1))
  given.refuse(`got --shares ${given.values.shares}, expected shares above 0 and at most 1, with commas between.`);
const threads = given.whole('threads', { from: 1, otherwise: 1 });
const folders = dataFolders(given.folder('data'));
const { positionals } = given;
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) given.refuse(`no such set: ${unknown.join(', ')}; there are ${known.join(', ')}.`);
const sets = positionals.length > 0 ? positionals : known.slice(0, -1);
const print = given.values.json ? console.error : console.log;

function run(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [orchard, ...words.map(String), '--json', '--quiet'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(said)) : reject(new Error(`orchard ${words[0]} ended with ${code}`)),
    );
  });
}

/** A split with this share of its rows, evenly picked, so that a set sorted by something keeps its mixture. */
async function thinned(file, share, out) {
  if (share === 1) return file;
  const matrix = await readDataset(file);
  const count = Math.max(1, Math.round(matrix.rows * share));
  const rows = matrix.selectRows(Array.from({ length: count }, (_, at) => Math.floor((at * matrix.rows) / count)));
  const line = (_, row) => Array.from({ length: rows.dimensions }, (__, dim) => rows.get(row, dim)).join(',');
  await writeFile(out, `${Array.from({ length: count }, line).join('\n')}\n`);
  return out;
}

/** Mean and standard error of the paired differences. */
function pairedDifference(left, right) {
  const differences = left.map((value, row) => value - right[row]);
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(squares / (differences.length - 1) / differences.length) };
}

async function compare(set, share, folder) {
  const data = locate(set, folders);
  if (data === null) {
    console.error(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
    return null;
  }
  const test = data.train.replace('train.data.gz', 'test.data.gz');
  const train = await thinned(data.train, share, join(folder, 'train.data'));
  const valid = await thinned(data.valid, share, join(folder, 'valid.data'));
  const out = join(folder, 'run');
  const words = ['train', train, '--valid', valid, '--test', test, '--out', out, '--threads', threads, '--refit'];
  const { dataset, selections } = await run(...words, '--select', methods[0]);
  const rows = await readDataset(test);
  const likelihoods = {};
  for (const method of methods) {
    if (method !== methods[0]) await run('select', out, '--select', method, '--refit', '--threads', threads);
    likelihoods[method] = Network.from(await readFile(join(out, 'network.msgpack'))).logLikelihood(rows);
  }
  const figures = (read) => Object.fromEntries(methods.map((method) => [method, read(selections[method])]));
  return {
    set,
    share,
    dimensions: dataset.dimensions,
    rows: dataset.rows,
    valid: figures(({ validLogLikelihood }) => validLogLikelihood),
    test: figures(({ testLogLikelihood }) => testLogLikelihood),
    refitted: figures(({ refit }) => refit.testLogLikelihood),
    individualOver: Object.fromEntries(
      methods.slice(1).map((method) => [method, pairedDifference(likelihoods.individual, likelihoods[method])]),
    ),
  };
}

const heads = ['data', 'D', 'train', 'valid', ...methods, ...methods.map((method) => `${method}, refitted`)];
const signed = (value, decimals) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(decimals)}`;

function lineOf({ set, dimensions, rows, test, refitted, individualOver }) {
  const values = [...methods.map((method) => test[method]), ...methods.map((method) => refitted[method])];
  const best = Math.max(...values);
  const cells = values.map((value) => (value === best ? `**${value.toFixed(3)}**` : value.toFixed(3)));
  const over = methods.slice(1).map((method) => {
    const { mean, standardError } = individualOver[method];
    return `${signed(mean, 3)} ± ${standardError.toFixed(3)}`;
  });
  return `| ${[set, dimensions, rows.train, rows.valid, ...cells, ...over].join(' | ')} |`;
}

const results = [];
await runPlainly('bench:selections', async () => {
  const differences = methods.slice(1).map((method) => `individual − ${method}, refitted`);
  print(`| ${[...heads, ...differences].join(' | ')} |`);
  print(`|${[...heads, ...differences].map((_, at) => (at === 0 ? ' --- ' : ' ---: ')).join('|')}|`);
  for (const set of sets)
    for (const share of shares) {
      const folder = await mkdtemp(join(tmpdir(), 'orchard-selections-'));
      try {
        const result = await compare(set, share, folder);
        if (result === null) break;
        results.push(result);
        print(lineOf(result));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
});
if (given.values.json) console.log(JSON.stringify(results));
