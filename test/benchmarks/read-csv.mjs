// npm run bench:read: CSV files of 0 and 1, and a table of mixed columns, read with @orchard/dataset and with pandas.read_csv, one core each,
// taking turns in one run, and the ratio of the median times. Then a large table as whole programs, by processor time: ours reads, encodes,
// counts and writes a model of marginals, pandas and DuckDB read. Both come from the Python of ORCHARD_BENCH_PYTHON, or from a virtual
// environment that is made once in the cache folder.
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';

const usage = `npm run bench:read [-- options]

  --repeats N   repetitions, of which the median counts (7)
  --rows N      rows of the large table (1000000)
  --json        one JSON document on standard output; the text then goes to standard error

The exit code is 1 where pandas is faster with rows of 0 and 1. ORCHARD_BENCH_PYTHON names a Python with pandas and duckdb; without it one is made in the cache folder.`;

const PANDAS = 'pandas==2.3.3';
const DUCKDB = 'duckdb==2.0.0';
const SELF = fileURLToPath(import.meta.url);
/** Width, rows, share of ones: images, a survey, one-hot data. */
const FILES = [
  { dimensions: 784, rows: 20_000, ones: 0.13 },
  { dimensions: 128, rows: 100_000, ones: 0.3 },
  { dimensions: 16, rows: 500_000, ones: 0.5 },
];

/** Labels, yes and no, whole numbers with holes, measurements, dates. */
const TABLE = { columns: 6, rows: 200_000 };

const PYTHON_READER = `
import sys, time, pandas
print("pandas " + pandas.__version__, flush=True)
for line in sys.stdin:
    path, dtype = line.split("\\t")
    started = time.perf_counter()
    if dtype.startswith("table"):
        known = {} if dtype.strip() == "table" else dict(
            dtype={"city": "category", "smoker": "category", "children": "float64", "height": "float64", "income": "float64"},
            parse_dates=["born"])
        frame = pandas.read_csv(path, **known)
        print(time.perf_counter() - started, frame.shape[0], frame.shape[1], int(frame.isna().sum().sum()), flush=True)
        continue
    frame = pandas.read_csv(path, header=None, dtype=None if dtype.strip() == "default" else dtype.strip())
    seconds = time.perf_counter() - started
    print(seconds, frame.shape[0], frame.shape[1], int(frame.to_numpy().sum()), flush=True)
`;

if (process.argv[2] === '--reader') await serve();
else await runPlainly('bench:read', compare);

/** The reader under test, in a process of its own: a path a line in, seconds and what was read out. */
async function serve() {
  const { openTable, readDataset, readTableSplits } = await import('../../libs/core/dataset/dist/index.js');
  console.log(`node ${process.version}`);
  for await (const line of createInterface({ input: process.stdin })) {
    const [path = '', mode] = line.split('\t');
    const started = performance.now();
    if (mode === 'table') {
      const train = await openTable(path);
      const { table, train: codes } = await readTableSplits({ train, valid: null, test: null }, {}, 0, {});
      await train.close();
      const seconds = (performance.now() - started) / 1000;
      const holes = table.variables.reduce((sum, variable) => sum + variable.holes, 0);
      console.log(seconds, codes.rows, table.variables.length, holes);
      continue;
    }
    const matrix = await readDataset(path, { header: false });
    const seconds = (performance.now() - started) / 1000;
    const ones = matrix.rowCounts().reduce((sum, count) => sum + count, 0);
    console.log(seconds, matrix.rows, matrix.dimensions, ones);
  }
}

async function compare() {
  const given = readCommandLine('bench:read', usage, {
    repeats: { type: 'string' },
    rows: { type: 'string' },
    json: { type: 'boolean' },
  });
  const repeats = given.whole('repeats', { from: 1, otherwise: 7 });
  const rows = given.whole('rows', { from: 1000, otherwise: 1_000_000 });
  const { json } = given.values;
  const print = json ? console.error : console.log;
  const folder = mkdtempSync(join(tmpdir(), 'orchard-read-csv-'));
  const ours = reader(process.execPath, [SELF, '--reader']);
  const theirs = reader(findPython(), ['-c', PYTHON_READER]);
  try {
    const versions = [await ours.line(), await theirs.line()];
    const pinned = pinning().length > 0;
    print(`${versions.join(' against ')}, ${pinned ? 'one core' : 'not pinned to a core'}, median of ${repeats}`);
    const measure = async (path, { rows, columns }, readers) => {
      const seconds = readers.map(() => []);
      const seen = new Set();
      for (let repeat = 0; repeat <= repeats; repeat++) {
        for (const [i, [, process_, mode]] of readers.entries()) {
          const [time, ...read] = (await process_.ask(`${path}\t${mode}`)).split(' ').map(Number);
          seen.add(read.join(' '));
          if (repeat > 0) seconds[i].push(time); // the first warms up
        }
      }
      if (seen.size !== 1) throw new Error(`The readers read different things: ${[...seen].join(' | ')}`);
      const [mine, ...peers] = seconds.map(median);
      const megabytes = statSync(path).size / 1e6;
      const rates = Object.fromEntries(readers.map(([name], i) => [name, megabytes / median(seconds[i])]));
      const ratio = Math.min(...peers) / mine;
      const said = Object.entries(rates).map(([name, rate]) => `${name} ${rate.toFixed(rate < 10 ? 1 : 0)} MB/s`);
      print(`${rows} x ${columns}: ${said.join(', ')}; ${ratio.toFixed(ratio < 1 ? 2 : 1)} times the faster pandas`);
      return { rows, megabytes, megabytesPerSecond: rates, ratio };
    };
    const files = [];
    for (const file of FILES) {
      const path = join(folder, `${file.dimensions}.csv`);
      writeFileSync(path, makeCsv(file));
      const { rows, dimensions } = file;
      const found = await measure(path, { rows, columns: dimensions }, [
        ['orchard', ours, 'exact'],
        ['pandas', theirs, 'default'],
        ['pandas uint8', theirs, 'uint8'],
      ]);
      files.push({ ...found, dimensions });
    }
    const path = join(folder, 'table.csv');
    writeFileSync(path, makeTable(TABLE.rows));
    print('a table: kinds told, cells and labels counted, rows encoded, beside columns that are read alone');
    const table = await measure(path, TABLE, [
      ['orchard', ours, 'table'],
      ['pandas', theirs, 'table'],
      ['pandas, types given', theirs, 'table typed'],
    ]);
    const programs = comparePrograms(folder, rows, repeats, print);
    const ratios = files.map(({ ratio }) => ratio);
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    print(`ratio to pandas.read_csv, geometric mean: ${mean.toFixed(1)} (goal: at least 1)`);
    if (json) console.log(JSON.stringify({ versions, pinned, repeats, files, table, programs, ratio: mean }));
    process.exitCode = Math.min(...ratios) >= 1 ? 0 : 1;
  } finally {
    ours.stop();
    theirs.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program, and prints the processor time that it took, in seconds, and the most memory, in KiB. */
const MEASURED = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
`;

/** Whole programs, starts counted, taking turns: of a table of ten mixed columns the processor time of each, the median. */
function comparePrograms(folder, rows, repeats, print) {
  const path = join(folder, 'large.csv');
  writeLargeTable(path, rows);
  const python = findPython();
  const cli = fileURLToPath(new URL('../../apps/cli/program/main.js', import.meta.url));
  const out = join(folder, 'run');
  const orchard = [process.execPath, cli, 'train', path, '--model', 'marginals', '--no-report', '--quiet'];
  const duckdb = `import duckdb; duckdb.execute("set threads = 1"); duckdb.execute("create table t as select * from read_csv('${path}')")`;
  const programs = {
    orchard: [...orchard, '--threads', '1', '--force', '--out', out],
    pandas: [python, '-c', `import pandas; pandas.read_csv('${path}')`],
    duckdb: [python, '-c', duckdb],
  };
  const seconds = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  const memory = {};
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, [command, ...args]] of Object.entries(programs)) {
      rmSync(out, { recursive: true, force: true });
      const [first, ...rest] = [...pinning(), python, '-c', MEASURED, command, ...args];
      const { status, stdout } = spawnSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      if (status !== 0) throw new Error(`${name} failed`);
      const [used, most] = stdout.trim().split(' ').map(Number);
      seconds[name].push(used);
      memory[name] = most / 1024;
    }
  }
  const medians = Object.fromEntries(Object.entries(seconds).map(([name, all]) => [name, median(all)]));
  const said = Object.entries(medians).map(
    ([name, used]) => `${name} ${used.toFixed(2)} s, ${memory[name].toFixed(0)} MiB`,
  );
  const ratio = medians.orchard / medians.pandas;
  print(`${rows} x 10 as whole programs, processor time: ${said.join('; ')}`);
  print(`orchard (read, encoded, counted) takes ${ratio.toFixed(1)} times pandas (read); goal: at most 3`);
  return { rows, seconds: medians, mebibytes: memory, ratio };
}

/** A process that answers lines with lines, pinned to one core where the system can. */
function reader(command, args) {
  const [first, ...rest] = [...pinning(), command, ...args];
  const child = spawn(first, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command} ended without an answer`);
    return value;
  };
  const ask = (question) => {
    child.stdin.write(`${question}\n`);
    return line();
  };
  return { line, ask, stop: () => child.kill() };
}

function pinning() {
  return spawnSync('taskset', ['-c', '0', 'true']).status === 0 ? ['taskset', '-c', '0'] : [];
}

function findPython() {
  if (process.env.ORCHARD_BENCH_PYTHON) return process.env.ORCHARD_BENCH_PYTHON;
  const home = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'orchard');
  const environment = join(home, [PANDAS, DUCKDB].join('-').replaceAll('==', '-'));
  const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const ready = join(environment, 'ready');
  if (!existsSync(ready)) {
    mkdirSync(home, { recursive: true });
    run('python3', ['-m', 'venv', environment]);
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PANDAS, DUCKDB]);
    writeFileSync(ready, '');
  }
  return python;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed; set ORCHARD_BENCH_PYTHON to a Python with pandas`);
}

/** The same numbers from 0 to 1 on every machine: a xorshift generator of its own. */
function uniforms() {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function makeCsv({ dimensions, rows, ones }) {
  const bytes = Buffer.alloc(rows * dimensions * 2, ',');
  const uniform = uniforms();
  for (let row = 0, at = 0; row < rows; row++) {
    for (let dim = 0; dim < dimensions; dim++, at += 2) bytes[at] = uniform() < ones ? 49 : 48;
    bytes[at - 1] = 10;
  }
  return bytes;
}

function makeTable(rows) {
  const uniform = uniforms();
  const below = (count) => Math.floor(count * uniform());
  const lines = Array.from({ length: rows }, () => {
    const born = new Date(Date.UTC(1940, 0, 1 + below(25_000))).toISOString().slice(0, 10);
    const cells = [`city ${below(40)}`, below(4) ? 'no' : 'yes', uniform() < 0.05 ? '' : below(6)];
    return [...cells, (1.5 + uniform() / 2).toFixed(2), (1000 * -Math.log(1 - uniform())).toFixed(3), born].join(',');
  });
  return `city,smoker,children,height,income,born\n${lines.join('\n')}\n`;
}

/** Whole numbers, labels, yes and no, money, lengths, days, labels in quotes, scores with holes, counts, and waiting times with NA. */
function writeLargeTable(path, rows) {
  const uniform = uniforms();
  const below = (count) => Math.floor(count * uniform());
  const jobs = ['clerk', 'nurse', '"teacher, primary"', 'driver', 'cook', 'engineer'];
  const file = openSync(path, 'w');
  writeSync(file, 'age,city,smoker,income,height,seen,job,score,children,delay\n');
  for (let first = 0; first < rows; first += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, rows - first) }, () =>
      [
        18 + below(70),
        `city ${below(60)}`,
        below(3) ? 'no' : 'yes',
        (1000 + 9000 * uniform()).toFixed(2),
        (150 + 50 * uniform()).toFixed(1),
        new Date(Date.UTC(2020, 0, 1 + below(1500))).toISOString().slice(0, 10),
        jobs[below(6)],
        uniform() < 0.05 ? '' : (2 * uniform() - 1).toFixed(6),
        below(5),
        uniform() < 0.02 ? 'NA' : Math.floor(-100 * Math.log(1 - uniform())),
      ].join(','),
    );
    writeSync(file, `${lines.join('\n')}\n`);
  }
  closeSync(file);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
