// npm run bench:cluster: what a cluster costs beside one machine, on this machine, with real servers and real
// processes.
import { readCommandLine, runPlainly } from '../../../infra/command-line.mjs';
import { dataFolders } from '../peers/data.mjs';
import { plainQueue, plainStore } from './baselines.mjs';
import { measureByReference } from './by-reference.mjs';
import { measureFairness } from './fairness.mjs';
import { fanOut } from './fan-out.mjs';
import { keepToTwoCores, load, machine } from './machine.mjs';
import { measureOverhead, overheadSets } from './overhead.mjs';
import { measureRecovery } from './recovery.mjs';
import * as report from './report.mjs';
import { simulateScaling } from './scaling.mjs';
import { measureSixty } from './sixty.mjs';
import { sizingTable } from './sizing.mjs';
import { measureWide } from './wide.mjs';

const sections = ['overhead', 'fan-out', 'fairness', 'sixty', 'recovery', 'scaling', 'sizing', 'wide', 'by-reference'];
const usage = `npm run bench:cluster [-- options]

  --quick         fewer rounds, fewer dimensions, fewer repetitions (some minutes instead of an hour)
  --only A,B      some of ${sections.join(', ')} (sizing shows what the others measured)
  --set NAME      overhead of these sets alone, of ${overheadSets.join(', ')} (may be given more than once)
  --repeats N     repetitions (3; 2 with --quick)
  --dimensions N  the widest fan-out (10000; 1000 with --quick)
  --columns N     of the run that both laptop and cluster bring to its end, their bytes compared (20000; 2000 with --quick)
  --gigabytes N   of Parquet parts in a bucket that are trained by reference (1; .1 with --quick)
  --workers N     that read and train them (2)
  --model NAME    that is trained on them, tables or chow-liu (tables)
  --data DIR      folder of the data sets (or ORCHARD_DATA; ../shared/data)
  --json          one JSON document on standard output`;

const say = (line) => process.stderr.write(`${line}\n`);

function options() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const given = readCommandLine('bench:cluster', usage, {
    set: { type: 'string', multiple: true, default: [] },
    quick: flag,
    json: flag,
    only: text,
    repeats: text,
    dimensions: text,
    columns: text,
    gigabytes: text,
    workers: text,
    model: text,
    data: text,
  });
  const { values } = given;
  const unknown = values.set.find((set) => !overheadSets.includes(set));
  if (unknown !== undefined) given.refuse(`got --set ${unknown}, expected one of ${overheadSets.join(', ')}.`);
  return {
    ...values,
    workers: given.whole('workers', { from: 1, otherwise: 2 }),
    model: given.oneOf('model', ['tables', 'chow-liu'], 'tables'),
    only: given.someOf('only', sections),
    sets: values.set,
    repeats: given.whole('repeats', { from: 1, otherwise: values.quick ? 2 : 3 }),
    dimensions: given.whole('dimensions', { from: 1, otherwise: values.quick ? 1000 : 10_000 }),
    columns: given.whole('columns', { from: 2, otherwise: values.quick ? 2000 : 20_000 }),
    gigabytes: given.amount('gigabytes', { otherwise: values.quick ? 0.1 : 1 }),
    folders: dataFolders(given.folder('data')),
    say,
  };
}

/** A tenth and a third of the widest, to see what grows. */
async function measureFanOut({ dimensions, quick }) {
  const runs = [];
  for (const share of [0.1, 0.3, 1]) {
    const run = await fanOut(Math.round(share * dimensions), say);
    say(`fan-out: ${run.dimensions} dimensions, ${run.jobsPerSecond.toFixed(0)} jobs/s`);
    runs.push(run);
  }
  const bytes = Math.round(runs.at(-1).conditionalBytes);
  const puts = quick ? 500 : 1000;
  return {
    runs,
    queue: await bestOfThree(() => plainQueue(dimensions, say), 'jobsPerSecond'),
    puts: await bestOfThree(() => plainStore({ puts, bytes, say }), 'perSecond'),
  };
}

/** What is compared with is shown at its best. */
async function bestOfThree(measure, figure) {
  const all = [];
  for (let repeat = 0; repeat < 3; repeat++) all.push(await measure());
  return all.reduce((best, one) => (one[figure] > best[figure] ? one : best));
}

async function main() {
  const wanted = options();
  keepToTwoCores();
  const results = { machine: machine(), load: load() };
  const print = (text) => {
    if (!wanted.json) console.log(text);
  };
  print(report.reportMachine(results.machine, results.load));
  const measure = async (section, run, show) => {
    if (!wanted.only.includes(section)) return;
    const result = await run();
    if (result === null) return;
    results[section] = result;
    print(show(result));
  };
  await measure('overhead', () => measureOverhead(wanted), report.reportOverhead);
  await measure('fan-out', () => measureFanOut(wanted), report.reportFanOut);
  await measure('fairness', () => measureFairness(wanted), report.reportFairness);
  await measure('sixty', () => measureSixty(wanted), report.reportSixty);
  await measure('recovery', () => measureRecovery(wanted), report.reportRecovery);
  await measure('scaling', () => simulateScaling(wanted), report.reportScaling);
  const measured = {
    overhead: results.overhead ?? [],
    wide: results['fan-out']?.runs.at(-1) ?? null,
    scaling: results.scaling ?? null,
  };
  await measure('sizing', () => sizingTable(measured), report.reportSizing);
  await measure('wide', () => measureWide(wanted), report.reportWide);
  await measure('by-reference', () => measureByReference(wanted), report.reportByReference);
  if (wanted.json) console.log(JSON.stringify(results, null, 2));
  if (results.wide?.isEqual === false) throw new Error('the networks of laptop and cluster differ');
}

await runPlainly('bench:cluster', main);
