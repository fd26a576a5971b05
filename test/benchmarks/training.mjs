// npm run bench:train: what `orchard train` takes with its defaults, by two builds in turns, and whether they write the
// same models.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argv, readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { markdownTable } from './markdown.mjs';
import { dataFolders } from './peers/data.mjs';
import { canPin } from './peers/program.mjs';
import { geometricMean } from './peers/measure.mjs';
import { tables } from './peers/decisions/cases.mjs';
import { median } from './statistics.mjs';
import { runner } from './tables/command.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

/** In the order of what they take, so that the first figures come soon. */
const names = ['males', 'adult', 'hi', 'shoppers', 'diamonds', 'default'];
const builtHere = fileURLToPath(new URL('../..', import.meta.url));

const usage = `npm run bench:train -- [options] [set …]

  --before DIR       another build, in turns: its folder, with what is built in it
  --repeats N        pairs, of which the medians count (1)
  --rows N           only a random part of the rows, drawn by orchard train --rows (all; needs a build that has it)
  --limit SECONDS    processor time of each training (7200)
  --core N           the core that every program is pinned to (the last)
  --data DIR         folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json             one JSON document on standard output

Processor time of the whole program, reading and starting counted, one thread, no report. Sets: ${names.join(', ')}.`;

/** The words that train a set; null where its files are not there. */
function wordsOf(name, folders) {
  const { path } = tables.find((table) => table.name === name);
  const folder = folders.find((one) => existsSync(join(one, path)));
  if (folder === undefined) return null;
  const valid = join(folder, path.replace('train.', 'valid.'));
  return [join(folder, path), ...(valid.endsWith('.data.gz') ? ['--valid', valid] : [])];
}

const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

function trained(run, build, words, folder) {
  const program = join(build, 'apps/cli/program/main.js');
  if (!existsSync(program)) throw new Error(`${build} is not built: there is no ${program}`);
  const out = join(folder, 'run');
  rmSync(out, { recursive: true, force: true });
  const command = argv`${process.execPath} ${program} train ${words} --out ${out} --threads 1 --no-report --json --no-config`;
  const { processor, peakMiB, limited, answer } = run(command, { hasMemoryLimit: false });
  if (answer === null) throw new Error(`training ${words[0]} was ended by its limit of ${limited}`);
  return { processor, peakMiB, model: sha256(join(out, 'network.msgpack')) };
}

await runPlainly('bench:train', () => {
  const text = { type: 'string' };
  const options = { before: text, repeats: text, rows: text, limit: text, core: text, data: text };
  const given = readCommandLine(
    'bench:train',
    usage,
    { ...options, json: { type: 'boolean' } },
    { allowPositionals: true },
  );
  const unknown = given.positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) given.refuse(`no such set: ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  const before = given.folder('before');
  const repeats = given.whole('repeats', { from: 1, otherwise: 1 });
  const core = given.whole('core', { otherwise: availableParallelism() - 1 });
  const rows = given.whole('rows', { from: 1 });
  const limit = given.whole('limit', { from: 1, otherwise: 7200 });
  const folders = dataFolders(given.folder('data'));
  const print = given.values.json ? console.error : console.log;
  const folder = temporaryFolder('train');
  const run = runner({ python: 'python3', core: canPin(core) ? core : null, limit, memory: 0, folder });
  const builds = { ...(before !== undefined && { before: resolve(before) }), ours: builtHere };
  const lines = [];
  for (const name of given.positionals.length > 0 ? given.positionals : names) {
    const words = wordsOf(name, folders);
    if (words === null) {
      print(`${name}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    if (rows !== undefined) words.push('--rows', String(rows));
    const taken = Object.fromEntries(Object.keys(builds).map((one) => [one, []]));
    for (let pair = 0; pair < repeats; pair++)
      for (const [one, build] of Object.entries(builds)) {
        taken[one].push(trained(run, build, words, folder));
        console.error(`${name}, ${one}: ${taken[one].at(-1).processor.toFixed(1)} s, load ${loadavg()[0].toFixed(1)}`);
      }
    const of = (one, what) => median(taken[one].map((each) => each[what]));
    const models = new Set(Object.values(taken).flatMap((all) => all.map(({ model }) => model)));
    lines.push({
      set: name,
      seconds: Object.fromEntries(Object.keys(builds).map((one) => [one, of(one, 'processor')])),
      peakMiB: Object.fromEntries(Object.keys(builds).map((one) => [one, of(one, 'peakMiB')])),
      ratio: before === undefined ? null : of('before', 'processor') / of('ours', 'processor'),
      sameModel: models.size === 1,
    });
  }
  const cellsOf = ({ set, seconds, peakMiB, ratio, sameModel }) => [
    set,
    ...Object.values(seconds).map((one) => one.toFixed(1)),
    ...Object.values(peakMiB).map((one) => one.toFixed(0)),
    ...(ratio === null ? [] : [ratio.toFixed(2), sameModel ? 'the same' : 'other']),
  ];
  const compared = before === undefined ? [] : ['before / ours', 'model'];
  const heads = ['processor s', 'peak MiB'].flatMap((what) => Object.keys(builds).map((one) => `${what}, ${one}`));
  print(`\n${markdownTable(['set', ...heads, ...compared], lines.map(cellsOf))}`);
  if (before !== undefined && lines.length > 0)
    print(`\n${geometricMean(lines.map(({ ratio }) => ratio)).toFixed(2)} times as fast in the geometric mean.`);
  print(`Load ${loadavg()[0].toFixed(1)}.`);
  if (given.values.json) console.log(JSON.stringify({ sets: lines }));
  if (lines.some(({ sameModel }) => !sameModel)) throw new Error('two trainings of one set wrote different models');
});
