// The figures as Markdown: one table a task, one line a program, time and memory beside each figure.
import { markdownTable } from '../markdown.mjs';

const titles = {
  orchard: 'Orchard',
  marginals: 'independent marginals (our cells)',
  mixture: 'Gaussian mixture (scikit-learn)',
  network: 'Bayesian network (pyAgrum)',
  unmasking: 'UnmaskingTrees (utrees)',
  resampled: 'as many training rows',
  train: 'all training rows',
  'orchard draws': 'Orchard, `complete --draws 100`',
  'orchard probabilities': 'Orchard, `complete --probabilities`',
  'most-frequent': 'mean, most frequent label',
  iterative: 'IterativeImputer',
  boosting: 'HistGradientBoosting a column',
  forest: 'IsolationForest',
  ecod: 'ECOD (pyod)',
};

const figure = (value, digits = 3) => (value === undefined || value === null ? '-' : value.toFixed(digits));
const seconds = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(2));
const clock = (of) => (of === undefined ? '-' : `${seconds(of.processor)} / ${seconds(of.wall)}`);
const memory = (took) => (took === undefined ? '-' : took.peakMiB.toFixed(0));

const limitOf = (took) => (took.limited === null ? '-' : 'not within the limit');

/** Mean log-density of held-out rows, and what training took. */
function densities({ densities: models }) {
  const rows = Object.entries(models).map(([name, { logDensity, standardError, setting, training, took }]) => [
    titles[name],
    logDensity === undefined ? limitOf(took) : `${figure(logDensity)} ± ${figure(standardError)}`,
    clock(training ?? took),
    memory(took),
    setting ?? '',
  ]);
  return markdownTable(['density', 'nats per row', 'training, s', 'peak MiB', 'chosen'], rows);
}

function quality({ quality: drawn, target, measure }) {
  const rows = Object.entries(drawn).map(([name, { shapes, trends, auroc, usefulness }]) => [
    titles[name] ?? name,
    figure(shapes),
    figure(trends),
    figure(auroc),
    figure(usefulness),
  ]);
  return markdownTable(
    ['sampled rows', 'column shapes', 'pair trends', 'distinguished, AUROC', `${target}, ${measure}`],
    rows,
  );
}

function fills({ fills: methods }) {
  const rows = Object.entries(methods).map(([name, { error, hits, took }]) => [
    titles[name],
    figure(error),
    figure(hits),
    clock(took),
    memory(took),
  ]);
  return markdownTable(['missing values', 'error of numbers', 'hits of labels', 's', 'peak MiB'], rows);
}

function oddRows({ odd }) {
  const rows = Object.entries(odd).map(([name, { swapped, beyond, took }]) => [
    titles[name],
    figure(swapped),
    figure(beyond),
    clock(took),
    memory(took),
  ]);
  return markdownTable(['outliers', 'two cells swapped in', 'beyond the range', 's', 'peak MiB'], rows);
}

/** By how much a goal is missed, goal by goal; what holds says so too. */
export function goals({ densities: models, quality: drawn, fills: methods, odd }) {
  const others = (of, ours) => Object.entries(of).filter(([name]) => !ours.includes(name));
  const best = (pairs, better) =>
    pairs
      .filter(([, value]) => value !== undefined && value !== null)
      .reduce((a, b) => (a === null || better(b[1], a[1]) ? b : a), null);
  const more = (a, b) => a > b;
  const less = (a, b) => a < b;
  /** The distance to the best of the others, above 0 where ours is better. */
  const beside = (what, mine, pairs, better, unit = '') => {
    const peer = best(pairs, better);
    if (peer === null || mine === undefined || mine === null) return null;
    const gain = better === more ? mine - peer[1] : peer[1] - mine;
    const holds = gain >= 0;
    return {
      what,
      holds,
      gain,
      text: `${Math.abs(gain).toFixed(3)}${unit} ${holds ? 'better' : 'worse'} than ${titles[peer[0]]}`,
    };
  };
  const field = (of, name, ours, change = (value) => value) =>
    others(of, ours).map(([key, value]) => [
      key,
      value[name] === undefined || value[name] === null ? null : change(value[name]),
    ]);
  const apart = (auroc) => Math.abs(auroc - 0.5);
  const judged = Object.fromEntries(Object.entries(drawn).filter(([name]) => models[name] !== undefined));
  const ourFills = ['orchard draws', 'orchard probabilities'];
  const hits = Math.max(...ourFills.map((name) => methods[name].hits ?? -Infinity));
  const found = [
    beside(
      'held-out density',
      models.orchard.logDensity,
      field(models, 'logDensity', ['orchard']),
      more,
      ' nats per row',
    ),
    beside('sampled rows distinguished', apart(judged.orchard.auroc), field(judged, 'auroc', ['orchard'], apart), less),
    beside('missing values, numbers', methods['orchard draws'].error, field(methods, 'error', ourFills), less),
    beside('missing values, labels', Number.isFinite(hits) ? hits : null, field(methods, 'hits', ourFills), more),
    beside('outliers, swapped', odd.orchard.swapped, field(odd, 'swapped', ['orchard']), more),
    beside('outliers, beyond', odd.orchard.beyond, field(odd, 'beyond', ['orchard']), more),
  ].filter((one) => one !== null);
  const theirs = models.unmasking;
  if (theirs) {
    const ended = theirs.training !== undefined;
    const ratio = (theirs.training ?? theirs.took).processor / models.orchard.training.processor;
    const text = `${ratio.toFixed(1)} times as fast as utrees${ended ? '' : ', or more: it reached the limit'}`;
    found.push({ what: 'training', holds: ratio >= 10, gain: ratio, text });
  }
  return found;
}

function goalTable(measured) {
  const all = measured.map((table) => [table.name, new Map(goals(table).map((goal) => [goal.what, goal]))]);
  const whats = [...new Set(all.flatMap(([, of]) => [...of.keys()]))];
  const cell = (goal) => (goal === undefined ? '-' : goal.holds ? goal.text : `**missed**: ${goal.text}`);
  return markdownTable(
    ['goal', ...all.map(([name]) => name)],
    whats.map((what) => [what, ...all.map(([, of]) => cell(of.get(what)))]),
  );
}

function terms({ rows, leftOut, densities: models }) {
  const lines = models.orchard.variables.filter(({ measure }) => measure === 'density').map(({ name }) => name);
  return [
    `${rows.train} training and ${rows.test} held-out rows of ${rows.columns} columns` +
      (leftOut.length === 0 ? '' : ` (without ${leftOut.join(', ')})`) +
      `; densities are compared on ${rows.known} held-out rows` +
      (rows.unknown === 0 ? '' : `: ${rows.unknown} hold a label, a lattice value or a hole that training never had`) +
      `. Densities per unit: ${lines.join(', ') || 'none'}; all other columns: masses.`,
    ...(models.unmasking?.rescued
      ? [
          `utrees left ${models.unmasking.rescued} cells of these rows without any mass; they got a thousandth of the marginal.`,
        ]
      : []),
  ].join(' ');
}

function conditionsOf({ conditions: { core, limit, seed, load, unmaskingRows } }) {
  const place = core === null ? 'not pinned to a core' : `pinned to core ${core}`;
  return (
    `One thread each, ${place}, seed ${seed}, at most ${limit} s of processor time a program, UnmaskingTrees on at most ${unmaskingRows} ` +
    `cells times orders. The machine's load was ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after.`
  );
}

export function report(measured) {
  return [
    `### Goals\n\n${goalTable(measured)}`,
    ...measured.map((table) =>
      [
        `### ${table.name}`,
        `${terms(table)} ${conditionsOf(table)} Times are processor / wall seconds.`,
        densities(table),
        quality(table),
        fills(table),
        oddRows(table),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}
