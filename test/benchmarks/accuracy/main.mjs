// npm run accuracy: what the presets give on standard sets, beside the best that was published.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataset } from '@orchard/dataset';
import { families } from '@orchard/registry';
import { readWholeFile } from '@orchard/storage';
import { askOrchard, orchard } from '../../../infra/ask-orchard.mjs';
import { argv, readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders, locate } from '../peers/data.mjs';
import { errorOfMean, mean } from '../statistics.mjs';
import { paperWords, published } from './published.mjs';

const known = Object.keys(published);
const presets = ['paper', 'default', 'accurate'];
const usage = `npm run accuracy [-- options] [set …]

  --data DIR       folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --presets LIST   some of ${presets.join(',')} (all)
  --with="OPTIONS" more options of orchard train, for each preset: what a variant is worth
  --threads N      threads (all cores)
  --json           one JSON document on standard output, the table on standard error

Trains each preset and prints its mean test log-likelihood with the standard error, how long it took, how many members it has and what it
chose for itself, beside the best exact model that was published. paper is refitted, individual selection, with the paper's leaves and shrinkage
where its table has the set. Test rows choose nothing.
Sets: ${known.join(', ')}; without any, all but binarized_mnist, which takes an hour or two.`;

const text = { type: 'string' };
const given = readCommandLine(
  'accuracy',
  usage,
  { data: text, presets: text, with: text, threads: text, json: { type: 'boolean' } },
  { allowPositionals: true },
);
const chosen = given.someOf('presets', presets);
const threads = given.whole('threads', { from: 1, otherwise: availableParallelism() });
const more = (given.values.with ?? '').split(' ').filter((word) => word !== '');
const folders = dataFolders(given.folder('data'));
const unknown = given.positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) given.refuse(`no such set: ${unknown.join(', ')}; there are ${known.join(', ')}.`);
const sets = given.positionals.length > 0 ? given.positionals : known.filter((name) => name !== 'binarized_mnist');
const print = given.values.json ? console.error : console.log;

function wordsOf(set, preset) {
  if (preset !== 'paper') return ['--preset', preset];
  const { leaves = 16, shrinkage = 0.02 } = paperWords[set] ?? {};
  return ['--preset', preset, '--leaves', leaves, '--shrinkage', shrinkage, '--select', 'individual'];
}

async function measure(set, preset, data, out) {
  const splits = [data.train, '--valid', data.valid, '--test', data.test, '--model', 'lbarn'];
  const document = await askOrchard(
    ...argv`train ${splits} --out ${out} --threads ${threads}
    ${wordsOf(set, preset)} ${more} --json --quiet`,
  );
  const nats = families
    .openModel(await readWholeFile(join(out, 'network.msgpack')))
    .logLikelihood(await readDataset(data.test));
  const { tuned } = document;
  return {
    set,
    preset,
    published: published[set],
    mean: mean(nats),
    standardError: errorOfMean(nats),
    seconds: document.seconds.total,
    members: document.network.members ?? 1,
    selection: document.network.selection,
    leaves: tuned?.leaves?.chosen ?? null,
    featureFraction: tuned?.featureFraction?.chosen ?? null,
    ordering: tuned?.ordering?.chosen ?? null,
  };
}

const heads = ['data', 'published', 'preset', 'test nats', 'seconds', 'members', 'selection', 'chose'];

function lineOf(one) {
  const { leaves, featureFraction, ordering } = one;
  const found = [
    ...(leaves === null ? [] : [`J = ${leaves}`]),
    ...(featureFraction === null ? [] : [`${featureFraction} of the predictors`]),
    ...(ordering === null ? [] : [ordering]),
  ];
  const figure = `${one.mean.toFixed(3)} ± ${one.standardError.toFixed(3)}`;
  const cells = [
    one.set,
    one.published.toFixed(2),
    one.preset,
    one.mean > one.published ? `**${figure}**` : figure,
    one.seconds.toFixed(1),
    one.members,
    one.selection,
    found.join(', ') || '-',
  ];
  return `| ${cells.join(' | ')} |`;
}

const results = [];
await runPlainly('accuracy', async () => {
  if (!existsSync(orchard)) throw new Error('the command line is not built. Run npm run build.');
  print(`| ${heads.join(' | ')} |`);
  print(
    `| ${heads.map((head) => (['test nats', 'published', 'seconds', 'members'].includes(head) ? '---:' : '---')).join(' | ')} |`,
  );
  for (const set of sets) {
    const data = locate(set, folders);
    if (data === null) {
      console.error(`${set}: left out, no data in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    for (const preset of chosen) {
      const folder = await mkdtemp(join(tmpdir(), 'orchard-accuracy-'));
      try {
        const result = await measure(set, preset, data, join(folder, 'run'));
        results.push(result);
        print(lineOf(result));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }
  print('\nBold: above the published figure. ± is the standard error of the mean over the test rows.');
});
if (given.values.json) console.log(JSON.stringify(results));
