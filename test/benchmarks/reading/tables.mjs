// A table of mixed columns as whole programs, by processor time, starts counted: ours reads, encodes, counts and writes
// a model of marginals; pandas and DuckDB read.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../statistics.mjs';
import { onOneCore, uniforms } from './one-core.mjs';

/** Runs a program, and prints the processor time that it took, in seconds, and its greatest memory, in KiB. */
const MEASURE = `
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
`;

const cli = fileURLToPath(new URL('../../../apps/cli/program/main.js', import.meta.url));

export function compareTables({ folder, python, repeats, rows, print }) {
  const path = join(folder, 'table.csv');
  const out = join(folder, 'run');
  writeTable(path, rows);
  const train = ['train', path, '--model', 'marginals', '--no-report', '--quiet', '--threads', '1', '--out', out];
  const duckdb = `import duckdb; duckdb.execute("set threads = 1"); duckdb.execute("create table t as select * from read_csv('${path}')")`;
  const programs = {
    orchard: [process.execPath, cli, ...train],
    pandas: [python, '-c', `import pandas; pandas.read_csv('${path}')`],
    duckdb: [python, '-c', duckdb],
  };
  const seconds = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  const mebibytes = {};
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, program] of Object.entries(programs)) {
      rmSync(out, { recursive: true, force: true });
      const [first, ...rest] = [...onOneCore, python, '-c', MEASURE, ...program];
      const { status, stdout } = spawnSync(first, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      if (status !== 0) throw new Error(`${name} failed`);
      const [used, most] = stdout.trim().split(' ').map(Number);
      seconds[name].push(used);
      mebibytes[name] = most / 1024;
    }
  }
  const medians = Object.fromEntries(Object.entries(seconds).map(([name, all]) => [name, median(all)]));
  const shown = Object.entries(medians).map(
    ([name, used]) => `${name} ${used.toFixed(2)} s, ${mebibytes[name].toFixed(0)} MiB`,
  );
  const ratio = medians.orchard / medians.pandas;
  print(`${rows} x 10 mixed columns, processor time and memory: ${shown.join('; ')}`);
  print(`orchard (read, encode, count) takes ${ratio.toFixed(1)} times pandas (read); goal: at most 3`);
  return { rows, seconds: medians, mebibytes, ratio };
}

/**
 * Whole numbers, labels, yes and no, money, lengths, days, labels in quotes, scores with missing values, counts,
 * waiting times with NA.
 */
function writeTable(path, rows) {
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
