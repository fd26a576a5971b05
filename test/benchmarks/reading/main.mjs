// npm run bench:read: files of 0 and 1 and a table of mixed columns, read beside pandas and DuckDB, on one core each,
// taking turns in one run.
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { pythonWith } from '../peers/environment.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';
import { compareBits } from './bits.mjs';
import { isPinned } from './one-core.mjs';
import { compareTables } from './tables.mjs';

const usage = `npm run bench:read [-- options]

  --repeats N   repetitions, of which the median counts (7)
  --rows N      rows of the table of mixed columns (1000000)
  --only PARTS  bits, tables (default both)
  --json        one JSON document on standard output; the text then goes to standard error

The exit code is 1 where pandas reads rows of 0 and 1 faster, or reading a table takes more than 3 times pandas' processor time.
ORCHARD_BENCH_PYTHON names a Python with pandas and duckdb; without it one is made in the cache folder.`;

const pins = ['pandas==3.1.1', 'numpy==2.4.6', 'python-dateutil==4.0.0', 'duckdb==2.0.0'];

const { values, ...given } = readCommandLine('bench:read', usage, {
  repeats: { type: 'string' },
  rows: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean' },
});
const repeats = given.whole('repeats', { from: 1, otherwise: 7 });
const rows = given.whole('rows', { from: 1000, otherwise: 1_000_000 });
const parts = given.someOf('only', ['bits', 'tables']);
const print = values.json ? console.error : console.log;

await runPlainly('bench:read', async () => {
  const python = process.env.ORCHARD_BENCH_PYTHON || pythonWith(pins, console.error);
  const setting = { folder: temporaryFolder('bench-read'), python, repeats, print };
  print(`node ${process.version}, ${isPinned() ? 'one core' : 'not pinned to a core'}, median of ${repeats}`);
  const bits = parts.includes('bits') ? await compareBits(setting) : null;
  const tables = parts.includes('tables') ? compareTables({ ...setting, rows }) : null;
  if (values.json) console.log(JSON.stringify({ node: process.version, pinned: isPinned(), repeats, bits, tables }));
  process.exitCode = (bits === null || bits.isFaster) && (tables === null || tables.ratio <= 3) ? 0 : 1;
});
