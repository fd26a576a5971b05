// `npm run bench:public`: the benchmarks that the field quotes for outliers, sampled rows, missing values and wrong
// cells, with Orchard beside other libraries; and two of ours on tables that lie in packages.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders } from '../peers/data.mjs';
import { canPin } from '../peers/program.mjs';
import { temporaryFolder } from '../temporary-folder.mjs';
import { runner } from '../tables/command.mjs';
import { anomalies, OWN_CHOICE } from './anomalies.mjs';
import { cells } from './cells.mjs';
import { imputationOfNumbers, maskKinds, USUAL_SHARE } from './imputation-of-numbers.mjs';
import { missing } from './missing.mjs';
import { neverBehind } from './never-behind.mjs';
import { oneColumn } from './one-column.mjs';
import { report } from './report.mjs';
import { samples } from './samples.mjs';
import { TABULAR_ARGN } from './tabular-argn.mjs';

/**
 * A part names its sets (`setsIn`), measures one set with one seed (`measure`), and prints what was measured (in
 * `report.mjs`). `python` finds the interpreter that its scripts run in; `folder` is where its data lie in the data
 * folder, and `needsFolder` is false where there are sets without it. `variant` tells kept figures of other options
 * apart.
 */
const parts = {
  anomalies,
  samples,
  missing,
  cells,
  'never-behind': neverBehind,
  'imputation-of-numbers': imputationOfNumbers,
  'one-column': oneColumn,
};
const names = Object.keys(parts);
const usage = `npm run bench:public -- [options]

  --only A,B        some of ${names.join(',')}
  --sets A,B        some sets of these parts
  --seeds N         seeds 1 to N, each with a split, masks and models of its own (3)
  --rows N          rows of a set, drawn by the seed (5000); not of samples, missing and cells
  --models A,B      anomalies: our models; own is what a command chooses by itself (own)
  --beside A        samples: peers that are trained too, of tabular-argn (none; its packages take 5 GB)
  --train WORDS     more options of orchard train, as one text; not of anomalies and cells
  --mask KIND       imputation-of-numbers: why cells are missing, mcar, mar or mnar (mcar)
  --share PERCENT   imputation-of-numbers: how many of them are (15)
  --limit SECONDS   processor time of each program; one that reaches it is left out and said (1800)
  --core N          the core that every program is pinned to (default: none)
  --data DIR        folder with public/ and tables/ in it (or ORCHARD_DATA; ../shared/data)
  --keep DIR        keep the figures there; a set and seed that are there are not measured again
  --from DIR        measure nothing: print the figures that --keep left there
  --json            one JSON document on standard output instead of Markdown`;

const say = (text) => process.stderr.write(`${text}\n`);

function options() {
  const text = { type: 'string' };
  const given = readCommandLine('bench:public', usage, {
    ...{ only: text, sets: text, seeds: text, rows: text, models: text, train: text, limit: text, core: text },
    ...{
      mask: text,
      share: text,
      beside: text,
      data: text,
      keep: text,
      from: text,
      json: { type: 'boolean', default: false },
    },
  });
  return {
    only: given.someOf('only', names),
    sets: given.values.sets?.split(',') ?? null,
    seeds: given.whole('seeds', { from: 1, otherwise: 3 }),
    rows: given.whole('rows', { from: 20, otherwise: 5000 }),
    models: given.values.models?.split(',') ?? [OWN_CHOICE],
    beside: given.values.beside === undefined ? [] : given.someOf('beside', [TABULAR_ARGN]),
    train: given.values.train?.split(' ').filter((word) => word !== '') ?? [],
    mask: given.oneOf('mask', maskKinds, maskKinds[0]),
    share: given.whole('share', { from: 1, otherwise: USUAL_SHARE }),
    limit: given.whole('limit', { from: 1, otherwise: 1800 }),
    core: given.whole('core'),
    data: given.folder('data'),
    keep: given.values.keep,
    from: given.folder('from'),
    json: given.values.json,
  };
}

/** The folder of a part's sets, or null. */
function folderOf(name, data) {
  return (
    dataFolders(data)
      .map((folder) => join(folder, parts[name].folder))
      .find((folder) => existsSync(folder)) ?? null
  );
}

/** The sets of a part that are there. */
function setsOf(name, data) {
  const { setsIn, needsFolder = true } = parts[name];
  const folder = folderOf(name, data);
  return folder === null && needsFolder ? [] : setsIn(folder);
}

/** Measures every set with every seed; what was kept before is read, and what is measured is kept at once. */
function measure(given, root) {
  const measured = {};
  for (const name of given.only) {
    const part = parts[name];
    const figures = [];
    const all = given.from ? keptSets(given.from, name) : setsOf(name, given.data);
    const sets = all.filter((set) => given.sets === null || given.sets.includes(set));
    for (let seed = 1; seed <= given.seeds; seed++)
      for (const set of sets) {
        const kept = given.from ?? given.keep;
        const file = kept && join(resolve(kept), `${name}-${set}-${String(seed)}${part.variant?.(given) ?? ''}.json`);
        if (file && existsSync(file)) figures.push(JSON.parse(readFileSync(file, 'utf8')));
        else if (!given.from) {
          const found = { set, seed, ...measureOne({ part, name, set, seed }, root, given) };
          if (file) writeFileSync(file, JSON.stringify(found));
          figures.push(found);
        }
      }
    if (figures.length > 0) measured[name] = figures;
    else say(`left out: no set of ${name} (${part.folder} in --data DIR)`);
  }
  return measured;
}

function keptSets(from, name) {
  const file = join(from, `${name}.sets.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

function measureOne({ part, name, set, seed }, root, given) {
  const at = join(root, `${name}-${set}-${String(seed)}`);
  mkdirSync(at, { recursive: true });
  say(`${name}: ${set}, seed ${String(seed)}`);
  const python = part.python(say);
  const core = given.core !== undefined && canPin(given.core) ? given.core : null;
  const run = runner({ python, core, limit: given.limit, memory: 12288, folder: at });
  const before = loadavg()[0];
  try {
    const found = part.measure(folderOf(name, given.data), set, { ...given, seed, folder: at, run, python, say });
    return { ...found, load: [before, loadavg()[0]] };
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

function main() {
  const given = options();
  const root = temporaryFolder('bench-public');
  if (given.keep) {
    mkdirSync(given.keep, { recursive: true });
    for (const name of given.only)
      writeFileSync(join(given.keep, `${name}.sets.json`), JSON.stringify(setsOf(name, given.data)));
  }
  const measured = measure(given, root);
  console.log(given.json ? JSON.stringify(measured) : report(measured, given));
}

await runPlainly('bench:public', main);
