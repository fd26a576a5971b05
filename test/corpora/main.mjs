// npm run check:corpora -- DIR...: reads the test files of other projects, and compares what is read with what pandas,
// pyarrow and DuckDB read of them. Nothing of the files is kept.
import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { pythonWith } from '../benchmarks/peers/environment.mjs';
import { answersOf } from './answers-of.mjs';

const usage = `npm run check:corpora -- DIR... [options]

Each DIR is a folder of test files of another project, as of apache/parquet-testing: Parquet, Arrow, Feather, CSV, TSV,
JSON, plain, gzipped or as zstd. A table shows for each folder how many files are

  right     read as pandas, pyarrow or DuckDB reads them
  refused   refused here; in brackets, how many of these one of the others reads
  wrong     read otherwise than by all of the others
  alone     read by none of the others
  broken    those that took too long, or ended the process

  --list           the files that are wrong, broken, or refused here alone, with the reason
  --seconds N      what a file may take, and each of the others for it (60); each also has 2 GiB of memory
  --json           one JSON document on standard output; the text then goes to standard error

The exit code is 1 where a file is wrong or broken.
ORCHARD_BENCH_PYTHON names a Python with pandas, pyarrow and duckdb; without it one is made in the cache folder.`;

const pins = ['pandas==3.1.1', 'pyarrow==26.0.1', 'duckdb==2.0.1', 'numpy==2.4.6', 'python-dateutil==4.0.0'];
const FILES = /\.(parquet|arrow|arrows|feather|stream|arrow_file|csv|tsv|json|jsonl|ndjson)(\.(gz|zst))?$/i;
/** Larger files show nothing that smaller ones do not. */
const MOST_BYTES = 2 ** 26;
const VERDICTS = ['right', 'refused', 'wrong', 'alone', 'broken'];

const { values, positionals, refuse, ...given } = readCommandLine(
  'check:corpora',
  usage,
  { list: { type: 'boolean' }, seconds: { type: 'string' }, json: { type: 'boolean' } },
  { allowPositionals: true },
);
if (positionals.length === 0) refuse('got no folder, expected the folders of other projects.');
// npm runs the command in the project's folder
const folders = positionals.map((folder) => resolve(process.env.INIT_CWD ?? '.', folder));
for (const folder of folders)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) refuse(`got ${folder}, expected a folder.`);
const seconds = given.whole('seconds', { from: 1, otherwise: 60 });
const print = values.json ? console.error : console.log;

await runPlainly('check:corpora', async () => {
  const python = process.env.ORCHARD_BENCH_PYTHON || pythonWith(pins, console.error);
  const corpora = [];
  for (const folder of folders) corpora.push({ folder, files: await compared(folder, python) });
  print(table(corpora));
  if (values.list) for (const corpus of corpora) for (const line of listed(corpus)) print(line);
  if (values.json) console.log(JSON.stringify(corpora));
  const isBad = ({ verdict }) => verdict === 'wrong' || verdict === 'broken';
  process.exitCode = corpora.some(({ files }) => files.some(isBad)) ? 1 : 0;
});

/** What each file of a folder is. */
async function compared(folder, python) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && FILES.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path).size <= MOST_BYTES)
    .sort();
  const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
  const questions = paths.map((file) => ({ file }));
  const ours = await answersOf([process.execPath, beside('read-here.mjs')], questions, seconds);
  const both = paths.map((file, i) => ({ file, seconds, ours: ours[i] }));
  const readable = both.filter((each) => each.ours.broken === undefined);
  const verdicts = await answersOf([python, beside('peers.py')], readable, 4 * seconds);
  return both.map(({ file, ours: own }) => {
    const name = relative(folder, file);
    if (own.broken !== undefined) return { name, verdict: 'broken', why: own.broken };
    const { verdict, why, readers } = verdicts[readable.findIndex((each) => each.file === file)];
    return { name, verdict, why, readers };
  });
}

function table(corpora) {
  const head = ['corpus', 'files', ...VERDICTS];
  const rows = corpora.map(({ folder, files }) => {
    const counts = VERDICTS.map((verdict) => {
      const those = files.filter((file) => file.verdict === verdict);
      const others = those.filter(({ readers }) => (readers ?? []).length > 0).length;
      return verdict === 'refused' && others > 0 ? `${those.length} (${others})` : String(those.length);
    });
    return [basename(folder), String(files.length), ...counts];
  });
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column].length)));
  const line = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  return [head, ...rows].map(line).join('\n');
}

function listed({ folder, files }) {
  const shown = files.filter(
    ({ verdict, readers = [] }) =>
      ['wrong', 'broken'].includes(verdict) || (verdict === 'refused' && readers.length > 0),
  );
  return shown.map(({ name, verdict, why, readers = [] }) => {
    const others = verdict === 'refused' ? ` (${readers.join(', ')} read it)` : '';
    return `${basename(folder)}/${name}: ${verdict}${others}: ${why}`;
  });
}
