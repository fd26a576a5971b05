// npm run bench:sizes: how many rows the trainer has room for, by the number of columns of each kind, as its own sizes
// say.
import { threadsThatFit, trainingBytes } from '@orchard/kernel';
import { tables } from '@orchard/tables';
import { isRefusal } from '@orchard/refusal';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { markdownTable } from './markdown.mjs';

const usage = `npm run bench:sizes [-- options]

  --threads A,B  numbers of threads (1,2,16)
  --json         one JSON document on standard output

Prints a table of Markdown: the most rows, a tenth of which validates, that threads train in one memory of WebAssembly.`;

const LEAVES = 64;
const MEMORY_BYTES = 2 ** 32;
/** More are of no interest. */
const MOST_ROWS = 4e9;

const number = (cutPoints) => (name) => ({
  ...{ kind: 'ordered', name, holes: 0, measure: 'density', format: { type: 'number', decimals: 2, padded: false } },
  ...{ values: Array.from({ length: cutPoints + 1 }, (_, cell) => cell), counts: new Array(cutPoints + 1).fill(1) },
  ...{ edges: Array.from({ length: cutPoints + 2 }, (_, edge) => edge), range: [0, cutPoints + 1] },
  cuts: Array.from({ length: cutPoints }, (_, cut) => cut + 1),
});
const labels = (count) => (name) => ({
  ...{ kind: 'categorical', name, holes: 0, others: 0 },
  ...{ labels: Array.from({ length: count }, String), counts: new Array(count).fill(1) },
});

const asked = [
  ...[10, 28, 50, 200].map((columns) => ({ columns, of: 'numbers, 255 cut points', variable: number(255) })),
  ...[10, 28, 50, 200].map((columns) => ({ columns, of: 'numbers, 63 cut points', variable: number(63) })),
  ...[10, 50].map((columns) => ({ columns, of: 'categories, 10 labels', variable: labels(10) })),
  ...[16, 128, 784, 10_000].map((columns) => ({ columns, of: '0 and 1', variable: null })),
];

/** In how many bytes of one memory so many rows of these columns are trained on so many threads; null where in none. */
function bytesOf({ columns, variable }, rows, threads) {
  const valid = Math.ceil(rows / 10);
  try {
    if (variable === null) {
      const sizes = {
        train: { rows: rows - valid, dimensions: columns },
        valid: { rows: valid, dimensions: columns },
        test: null,
      };
      const fit = threadsThatFit(sizes, { leaves: LEAVES, threads, bytes: MEMORY_BYTES });
      return fit.threads < threads ? null : trainingBytes(sizes, { leaves: LEAVES, threads });
    }
    const table = { variables: variablesOf(columns, variable), columns: [], leftOut: [] };
    const facts = (of, count) => ({ id: of, rows: count, dimensions: 8 * columns, names: null, shape: null, table });
    const datasets = { train: facts('a'.repeat(64), rows - valid), valid: facts('b'.repeat(64), valid), test: null };
    const { runId, specification } = tables.resolve({ leaves: LEAVES, members: 1 }, datasets);
    const fit = tables.needs.memory({ id: runId, family: tables.name, specification, datasets }, threads);
    return fit.threads < threads || fit.bytes > MEMORY_BYTES ? null : fit.bytes;
  } catch (error) {
    if (isRefusal(error, 'too-large')) return null;
    throw error;
  }
}

const known = new Map();
function variablesOf(columns, variable) {
  const key = `${columns} ${variable('x').kind} ${variable('x').counts.length}`;
  if (!known.has(key))
    known.set(
      key,
      Array.from({ length: columns }, (_, column) => variable(`x${column}`)),
    );
  return known.get(key);
}

/** The most rows that fit, to two digits. */
function mostRows(columns, threads) {
  let [below, above] = [0, MOST_ROWS];
  while (above - below > Math.max(1, below / 1000)) {
    const middle = Math.floor((below + above) / 2);
    if (bytesOf(columns, Math.max(10, middle), threads) === null) above = middle;
    else below = middle;
  }
  return below;
}

/** Rounded down to two digits. */
const inWords = (rows) => {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(rows)) - 1);
  return (Math.floor(rows / unit) * unit).toLocaleString('en-US');
};

await runPlainly('bench:sizes', () => {
  const given = readCommandLine('bench:sizes', usage, { threads: { type: 'string' }, json: { type: 'boolean' } });
  const threads = (given.values.threads ?? '1,2,16').split(',').map(Number);
  if (!threads.every((count) => Number.isSafeInteger(count) && count > 0)) given.refuse('--threads takes numbers.');
  const found = asked.map((columns) => ({
    columns: columns.columns,
    of: columns.of,
    rows: threads.map((count) => mostRows(columns, count)),
  }));
  if (given.values.json) return console.log(JSON.stringify({ threads, sizes: found }));
  const heads = ['columns', 'of', ...threads.map((count) => `rows, ${count} ${count === 1 ? 'thread' : 'threads'}`)];
  console.log(
    markdownTable(
      heads,
      found.map(({ columns, of, rows }) => [columns, of, ...rows.map(inWords)]),
      2,
    ),
  );
});
