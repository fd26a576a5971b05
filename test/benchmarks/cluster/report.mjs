// The figures as Markdown, to be read as they are or pasted.
import { markdownTable } from '../markdown.mjs';

const mebibytes = (bytes) =>
  bytes === null || bytes === undefined ? '–' : `${(bytes / 2 ** 20).toFixed(bytes < 10 * 2 ** 20 ? 1 : 0)} MiB`;
const seconds = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1));
const ratio = (value) => value.toFixed(2);
const whole = (value) => Math.round(value).toLocaleString('en');
const loads = (values) => `load ${values.map((value) => value.toFixed(1)).join(' to ')}`;

export function reportMachine({ processor, cores, memoryBytes, node }, load) {
  return `${processor}, ${cores} cores, ${mebibytes(memoryBytes)}, Node ${node}; load of the machine at the beginning: ${load.toFixed(1)}.`;
}

export function reportOverhead(measured) {
  const rows = measured.map((one) => [
    `${one.set}, J = ${one.leaves}, T = ${one.rounds}`,
    String(one.jobs),
    `${seconds(one.hereSeconds)} / ${seconds(one.thereSeconds)}`,
    ratio(one.wallRatio),
    `${seconds(one.hereProcessorSeconds)} / ${seconds(one.thereProcessorSeconds)}`,
    ratio(one.processorRatio),
    `${one.wallMillisecondsPerJob.toFixed(1)} / ${one.processorMillisecondsPerJob.toFixed(1)}`,
  ]);
  const titles = [
    'run',
    'jobs',
    'wall s, here / cluster',
    'ratio',
    'processor s, here / cluster',
    'ratio',
    'ms a job, wall / processor',
  ];
  const repeats = measured.map(({ set, wallRatios, processorRatios, pairs }) => {
    const all = wallRatios.map((wall, index) => `${ratio(wall)} (${ratio(processorRatios[index])})`).join(', ');
    const { processes, requests, jobs } = pairs.at(-1).there;
    const shares = Object.entries(processes).map(([name, used]) => `${name} ${used === null ? '–' : seconds(used)}`);
    const asked = Object.entries(requests).map(([name, count]) => `${(count / jobs).toFixed(1)} ${name}`);
    return `- ${set}: wall (processor) ratios ${all}; ${loads(pairs.flatMap(({ load }) => load))}. Processor seconds of the last: ${shares.join(', ')}; requests of the workers for each job: ${asked.join(', ')}.`;
  });
  return `\n## Overhead: \`orchard train --threads 2\` and a cluster of 2 one-thread workers on the same 2 cores\n
From the start of the command to the network: reading the files (and for the cluster sending them) counts. Medians of alternating
repetitions; processor time is that of all processes, Redis and the S3 server among them. Equal networks, compared by sha256.\n
${markdownTable(titles, rows)}\n\n${repeats.join('\n')}`;
}

export function reportFanOut({ runs, queue, puts }) {
  const rows = runs.map((run) => [
    whole(run.dimensions),
    seconds(run.trainSeconds),
    run.jobsPerSecond.toFixed(0),
    run.endToEndJobsPerSecond.toFixed(0),
    run.processorMillisecondsPerJob.toFixed(1),
    String(run.mostJobsHeld),
    mebibytes(run.redisBytes),
    (run.redisBytes / run.dimensions).toFixed(0),
    ...['coordinator', 'selector', 'worker 1', 's3'].map((name) => mebibytes(run.memory[name]?.peak)),
  ]);
  const titles = [
    'dimensions',
    's, trained',
    'jobs/s',
    'jobs/s to the network',
    'processor ms a job',
    'jobs in Redis',
    'Redis grew',
    'bytes a job',
    'coordinator',
    'selector',
    'worker',
    'S3 server',
  ];
  const last = runs.at(-1);
  const cores = Object.entries(last.coresOf).map(
    ([name, share]) => `${name} ${share === null ? '–' : share.toFixed(2)}`,
  );
  const requests = Object.entries(last.requestsPerJob).map(([name, count]) => `${count.toFixed(2)} ${name}`);
  const idle = Object.entries(last.memoryBefore).map(([name, memory]) => `${name} ${mebibytes(memory?.now)}`);
  return `\n## Fan-out: tiny training (24 rows of noise, J = 2, T = 1, no refit), 2 one-thread workers\n
Processor time is that of all processes while they train. Memory of processes is the most that each had; "Redis grew" from before the run to its most.\n
${markdownTable(titles, rows)}\n
- Plain BullMQ, ${whole(queue.jobs)} jobs that do nothing, 2 processes taking one at a time: ${whole(queue.jobsPerSecond)} jobs/s with the adding, ${whole(queue.processedPerSecond)} without, ${queue.processorMillisecondsPerJob.toFixed(1)} processor ms a job; ${whole(queue.bytesPerWaitingJob)} bytes of Redis for each job that waits (all ${whole(queue.jobs)} at once; Orchard holds at most ${last.mostJobsHeld}).
- The store alone (${puts.server}), 2 processes, objects of ${whole(last.conditionalBytes)} bytes: ${whole(puts.perSecond)} puts/s, ${puts.processorMillisecondsPerJob.toFixed(1)} processor ms each.
- So the cluster does ${(100 * (last.jobsPerSecond / puts.perSecond)).toFixed(0)} % of what the store alone takes in puts, ${(100 * (last.jobsPerSecond / queue.jobsPerSecond)).toFixed(0)} % of plain BullMQ.
- Requests to the store for each job, by workers: ${requests.join(', ')}.
- Cores in use while training ${whole(last.dimensions)}: ${cores.join(', ')}.
- Memory before that run: ${idle.join(', ')}.
- ${runs.map((run) => `${whole(run.dimensions)}: ${loads(run.load)}`).join('; ')}.`;
}

export function reportFairness(one) {
  return `\n## Fairness: a run of ${one.smallDimensions} dimensions beside one of ${whole(one.dimensions)}\n
Submission to network, medians of ${one.alone.length}: alone ${seconds(one.aloneSeconds)} s, beside the wide run ${seconds(one.besideSeconds)} s: ${ratio(one.ratio)} times as long (alone ${one.alone.map(seconds).join(', ')}; beside ${one.beside.map(seconds).join(', ')}).
Meanwhile ${whole(one.wideDoneMeanwhile)} dimensions of the wide run were trained; ${whole(one.wideLeft)} were still to be done. ${loads(one.load)}.`;
}

export function reportSixty({ runs, large, smallDimensions, alone, beside, largeDoneMeanwhile, load }) {
  const row = (name, one) => [name, seconds(one.median), seconds(one.most), seconds(one.end)];
  return `\n## ${runs} runs of ${smallDimensions} dimensions of one user beside one of ${whole(large.dimensions)} and ${whole(large.rows)} rows of another\n
${markdownTable(['', 'median wait, s', 'longest', 'median until done'], [row('alone', alone), row('beside', beside)])}

The wait is from the request of the submission to a worker's taking the first task. Meanwhile ${whole(largeDoneMeanwhile)} dimensions of the large run were trained. ${loads([load])}.`;
}

export function reportByReference({
  bytes,
  parts,
  rows,
  areLinks,
  workers,
  model,
  seconds,
  trainingSeconds,
  memory,
  memoryBefore,
  coordinator,
  processorSeconds,
  stored,
  load,
}) {
  const table = Object.entries(memory).map(([name, own]) => [
    name,
    mebibytes(memoryBefore[name]?.peak),
    mebibytes(own?.peak),
    processorSeconds[name]?.toFixed(0) ?? '-',
  ]);
  return `\n## ${whole(rows)} rows in ${parts} Parquet parts of ${(bytes / 1e9).toFixed(1)} GB, trained by reference\n
${markdownTable(['program', 'at most, before', 'at most, at the end', 'processor s'], table)}

${model} on ${workers} workers of one thread: ${seconds.toFixed(0)} s from the command to its end, ${trainingSeconds.toFixed(0)} of them behind the reading; the training rows are ${mebibytes(stored.bytes)} in the store. The coordinator was looked at ${whole(coordinator.taken)} times, each second: at most ${mebibytes(coordinator.most)}.${areLinks ? ' The parts are links to one file, under names of their own.' : ''} ${loads(load)}.`;
}

export function reportRecovery({ lockSeconds, checkpointSeconds, kills }) {
  const rows = kills.map((kill) => [
    `${kill.dimension}, killed at round ${whole(kill.roundAtKill)}`,
    whole(kill.resumedFrom),
    kill.sinceCheckpointSeconds.toFixed(1),
    kill.repeatedSeconds.toFixed(1),
    kill.noticedSeconds.toFixed(1),
    (kill.repeatedSeconds + kill.noticedSeconds).toFixed(1),
    (kill.sinceCheckpointSeconds + lockSeconds + lockSeconds / 3).toFixed(1),
    kill.load.toFixed(1),
  ]);
  const titles = [
    'dimension',
    'resumed from',
    's since its checkpoint',
    's of work repeated',
    's until noticed',
    'cost, s',
    'at most, s',
    'load',
  ];
  return `\n## Recovery: kill -9 of a worker in mid-dimension\n
Locks of ${lockSeconds} s (the default is 15), looked at every ${(lockSeconds / 3).toFixed(1)} s; checkpoints every ${checkpointSeconds} s (30). The most it may cost is the time since the checkpoint, the lock and one look.\n
${markdownTable(titles, rows)}`;
}

const hours = (value) =>
  value >= 3600
    ? `${(value / 3600).toFixed(2)} h`
    : value >= 60
      ? `${(value / 60).toFixed(1)} min`
      : `${value.toFixed(1)} s`;

export function reportScaling(one) {
  const rows = one.table.map((line) => [
    String(line.workers),
    hours(line.limit),
    hours(line.costliestFirst),
    ratio(line.costliestFirst / line.limit),
    hours(line.exactlyCostliestFirst),
    hours(line.arbitrary),
    ratio(line.arbitrary / line.limit),
    hours(line.arbitraryWorst),
    hours(line.cheapestFirst),
  ]);
  const titles = [
    'workers',
    'limit',
    'costliest first',
    '/ limit',
    'by true cost',
    'arbitrary, median',
    '/ limit',
    'worst of 21',
    'cheapest first',
  ];
  const samples = one.samples.map(
    ({ position, train, refit }) => `${position}: ${train.all.toFixed(1)} + ${refit.all.toFixed(1)}`,
  );
  return `\n## Scaling on paper: ${one.set}, J = ${one.leaves}, T = ${one.rounds}, ${whole(one.rows)} rows, one-thread workers\n
Processor time of ${one.samples.length} dimensions measured over ${one.lengths.join(' and ')} rounds and drawn out to ${whole(one.rounds)}, the others between them by straight lines; ${one.constantDimensions} of ${one.dimensions} pixels never or always on cost next to nothing. Refits follow when all are trained (as many rounds as were trained: the most it can be). In all ${hours(one.trainSeconds)} of training and ${hours(one.refitSeconds)} of refitting; the longest dimension ${hours(one.longestSeconds)}. "Costliest first" is the order that Orchard uses (most predictors first), "by true cost" one that knew them. ${loads(one.load)}.\n
${markdownTable(titles, rows)}\n\nSeconds by dimension, training + refit: ${samples.join('; ')}`;
}

const gibibytes = (bytes) => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : mebibytes(bytes));

export function reportSizing(rows) {
  const cells = rows.map((row) => [
    `${whole(row.dimensions)} x ${whole(row.rows)}`,
    row.run,
    row.coreHours < 0.1
      ? row.coreHours.toFixed(4)
      : row.coreHours < 10
        ? row.coreHours.toFixed(2)
        : whole(row.coreHours),
    gibibytes(row.storeBytes),
    mebibytes(row.redisBytes),
    row.how,
  ]);
  return `\n## Sizing\n\n${markdownTable(['dimensions x rows', 'run', 'core hours', 'store', 'Redis', ''], cells)}`;
}

export function reportWide({ columns, rows, isEqual, sha256, here, there, load, ...each }) {
  const shares = Object.entries(there.processes).map(
    ([name, used]) => `${name} ${used === null ? '–' : seconds(used)}`,
  );
  return `\n## A run of ${whole(columns)} columns and ${rows} rows to its end\n
The networks of laptop and cluster ${isEqual ? 'are equal' : 'DIFFER'} (sha256 ${sha256.slice(0, 16)}…). Wall seconds ${seconds(here.seconds)} / ${seconds(there.seconds)}, processor seconds ${seconds(here.processorSeconds)} / ${seconds(there.processorSeconds)};
${whole(there.jobs)} jobs, each ${each.wallMillisecondsPerJob.toFixed(1)} ms of wall and ${each.processorMillisecondsPerJob.toFixed(1)} ms of processor time more; ${loads(load)}. Processor seconds: ${shares.join(', ')}.`;
}
