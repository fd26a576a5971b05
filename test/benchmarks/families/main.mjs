// npm run bench:families: how long other families' hot loops take beside what people would use instead, one thread
// each, taking turns in one run on the same rows: median processor times, their ratio, and how good what was learned is
// by both.
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { chowLiu } from './chow-liu.mjs';
import { familiesPython } from './environment.mjs';
import { dataFolders, locate } from '../peers/data.mjs';
import { median } from '../statistics.mjs';
import { answerLines, learner } from './learner.mjs';
import { logistic } from './logistic.mjs';
import { mixture } from './mixture.mjs';

const PARTS = [chowLiu, mixture, logistic];
const NAMES = ['dna', 'mushrooms', 'nltcs', 'plants', 'audio', 'adult'];
const FACTOR = 5;

const usage = `npm run bench:families [-- options]

${PARTS.map(({ name, what }) => `  ${name.padEnd(8)}  ${what}`).join('\n')}

  --parts A,B   some of ${PARTS.map(({ name }) => name).join(', ')} (all)
  --only A,B    data sets of ${NAMES.join(', ')} (those that are there)
  --repeats N   repetitions, of which the median counts (3)

Data sets are looked for in ORCHARD_DATA, else ../shared/data and test/data. ORCHARD_BENCH_PYTHON names a Python with the peers; without it one is made
in the cache folder. The exit code is 1 where ours is not ${FACTOR} times as fast, or what it learned is not as good.`;

const folders = dataFolders();
const SELF = fileURLToPath(import.meta.url);

if (process.argv[2] === '--ours') {
  const [name, ...files] = process.argv.slice(3);
  await answerLines(await PARTS.find((part) => part.name === name).serve(...files));
} else await runPlainly('bench:families', compare);

async function compare() {
  const options = { parts: { type: 'string' }, only: { type: 'string' }, repeats: { type: 'string' } };
  const line = readCommandLine('bench:families', usage, options);
  const repeats = line.whole('repeats', { from: 1, otherwise: 3 });
  const wanted = line.someOf(
    'parts',
    PARTS.map(({ name }) => name),
  );
  const only = line.someOf('only', NAMES);
  const python = familiesPython((text) => console.error(text));
  let isGood = true;
  for (const part of PARTS.filter(({ name }) => wanted.includes(name))) {
    console.log(`\n${part.what}\n`);
    console.log(`| data | columns x rows | ours, s | ${part.peer}, s | ratio | ours, ${part.unit} | ${part.peer} |`);
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (const name of only) {
      const data = locate(name, folders);
      if (data === null) console.error(`${name} is in none of ${folders.join(', ')} (ORCHARD_DATA): left out`);
      else isGood = (await compareOn(part, name, data, { python, repeats })) && isGood;
    }
  }
  process.exitCode = isGood ? 0 : 1;
}

/** @returns whether ours is as fast and as good as it has to be */
async function compareOn(part, name, { train, valid, test }, { python, repeats }) {
  const files = [train, valid, test];
  const both = [
    learner(process.execPath, ['--enable-source-maps', SELF, '--ours', part.name, ...files]),
    learner(python, [fileURLToPath(new URL(part.script, import.meta.url)), ...files]),
  ];
  try {
    for (const one of both) await one.next();
    const told = [[], []];
    for (let repeat = 0; repeat < repeats; repeat++)
      for (const [at, one] of both.entries()) told[at].push((await one.ask()).split(' ').map(Number));
    const [ours, theirs] = told.map((answers) => median(answers.map(([seconds]) => seconds)));
    const [our, their] = told.map((answers) => median(answers.map(([, value]) => value)));
    const [ratio, digits] = [theirs / ours, part.digits];
    const figures = [
      ours.toPrecision(3),
      theirs.toPrecision(3),
      ratio.toFixed(1),
      our.toFixed(digits),
      their.toFixed(digits),
    ];
    console.log(`| ${[name, await sizeOf(train), ...figures].join(' | ')} |`);
    return ratio >= FACTOR && our > their - part.slack;
  } finally {
    for (const one of both) one.close();
  }
}

async function sizeOf(file) {
  const { readDataset } = await import('../../../libs/core/dataset/dist/index.js');
  const { rows, dimensions } = await readDataset(file);
  return `${dimensions} x ${rows}`;
}
