// npm run oracles: trains the paper's networks and prints ours beside the paper's.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askOrchard } from '../../infra/ask-orchard.mjs';
import { argv, readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { markdownTable } from '../benchmarks/markdown.mjs';
import { temporaryFolder } from '../benchmarks/temporary-folder.mjs';
import { PAPER_ROUNDS, oracles, tolerances } from './figures.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const usage = `npm run oracles [-- options] [set …]

  --data DIR    folder of the data sets (or ORCHARD_DATA; else those that come with the project)
  --rounds T    rounds (${PAPER_ROUNDS}; ${oracles.binarized_mnist.rounds} of binarized_mnist)
  --threads N   threads (all cores)

Sets: ${Object.keys(oracles).join(', ')}; without any, those that are split here as in the paper.
The exit code is 1 where ours and the paper's are more than ${tolerances.selection} nats apart (refitted: ${tolerances.refit}), or a named set is not there.`;

const text = { type: 'string' };
const given = readCommandLine(
  'oracles',
  usage,
  { data: text, rounds: text, threads: text },
  { allowPositionals: true },
);
const { positionals } = given;
const unknown = positionals.filter((name) => !Object.hasOwn(oracles, name));
if (unknown.length > 0)
  given.refuse(`no such set: ${unknown.join(', ')}; there are ${Object.keys(oracles).join(', ')}.`);
const threads = given.whole('threads', { from: 1 });
const givenRounds = given.whole('rounds', { from: 1 });
const folders = [given.folder('data') ?? process.env.ORCHARD_DATA, join(root, 'test/data')].filter(
  (folder) => folder !== undefined,
);
const wanted = positionals.length > 0 ? positionals : Object.keys(oracles).filter((name) => oracles[name].judged);
const temporary = temporaryFolder('oracles');
const lines = [];
const complaints = [];
await runPlainly('oracles', async () => {
  for (const name of wanted) await compare(name);
});

printTable(lines);
for (const complaint of complaints) console.log(`\n${complaint}`);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function compare(name) {
  const { leaves, shrinkage, judged, note, paper, rounds: fewer = PAPER_ROUNDS } = oracles[name];
  const folder = folders.map((parent) => join(parent, name)).find((path) => existsSync(join(path, 'train.data.gz')));
  if (folder === undefined) {
    const said = `${name}: not found in ${folders.join(' or ')}; give its folder's parent with --data DIR or ORCHARD_DATA.`;
    if (positionals.length > 0) complaints.push(said);
    else console.error(said);
    return;
  }
  const rounds = givenRounds ?? fewer;
  console.error(
    `${name}: ${rounds} rounds of ${leaves} leaves, shrinkage ${shrinkage}${note === undefined ? '' : ` (${note})`}`,
  );
  const started = Date.now();
  const run = await train(folder, join(temporary, name), { leaves, shrinkage, rounds });
  console.error(`${name}: ${((Date.now() - started) / 1000).toFixed(0)} s`);
  for (const selection of ['individual', 'common', 'linearized', 'linearizedBackward']) {
    const figures = run.selections[selection];
    const label =
      selection === 'common'
        ? `common, t = ${figures.rounds}`
        : selection === 'linearizedBackward'
          ? 'linearized, backward'
          : selection;
    const refit = selection === 'individual' ? paper.refit : undefined;
    const row = [
      line(name, label, figures.testLogLikelihood, paper[selection]),
      line(name, `${label}, refitted`, figures.refit.testLogLikelihood, refit),
    ];
    lines.push(...row);
    if (!judged || rounds !== PAPER_ROUNDS) continue;
    for (const [at, tolerance] of [tolerances.selection, tolerances.refit].entries()) {
      const { ours, theirs } = row[at];
      if (theirs !== undefined && !(Math.abs(ours - theirs) <= tolerance)) {
        complaints.push(
          `${name}, ${row[at].label}: ${ours.toFixed(3)} is more than ${tolerance} nats from the paper's ${theirs.toFixed(2)}.`,
        );
      }
    }
  }
}

function line(name, label, ours, theirs) {
  return { name, label, ours, theirs };
}

function train(folder, out, { leaves, shrinkage, rounds }) {
  const file = (split) => join(folder, `${split}.data.gz`);
  const words = argv`train ${file('train')} --valid ${file('valid')} --test ${file('test')} --out ${out}
    --preset paper --refit --json`;
  words.push('--leaves', leaves, '--shrinkage', shrinkage, '--rounds', rounds, '--select', 'individual');
  if (threads !== undefined) words.push('--threads', threads);
  return askOrchard(...words);
}

/** A table that a README can take over as it is. */
function printTable(rows) {
  if (rows.length === 0) return;
  const cells = rows.map(({ name, label, ours, theirs }) => [
    name,
    label,
    ours.toFixed(3),
    theirs === undefined ? '–' : theirs.toFixed(2),
    theirs === undefined ? '–' : `${ours >= theirs ? '+' : '−'}${Math.abs(ours - theirs).toFixed(3)}`,
  ]);
  console.log(markdownTable(['data', 'selection', 'ours', 'paper', 'difference'], cells, 2));
}
