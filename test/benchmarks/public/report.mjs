// What was measured, as Markdown: means over seeds by set, means and mean ranks over sets.
import { markdownTable } from '../markdown.mjs';
import { choosing, protocols } from './anomalies.mjs';

const figure = (value, digits = 3) => (value === null || value === undefined ? '-' : value.toFixed(digits));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs of each set, in the order of the sets. */
function bySet(runs) {
  const sets = new Map();
  for (const run of runs) sets.set(run.set, [...(sets.get(run.set) ?? []), run]);
  return [...sets];
}

/** Rank of each value among all, 1 for the highest; equal ones share the mean of their ranks. */
export function ranksOf(values) {
  return values.map((value) => {
    const above = values.filter((other) => other > value).length;
    const equal = values.filter((other) => other === value).length;
    return above + (equal + 1) / 2;
  });
}

function ofProtocol(runs, protocol, what) {
  const isOurs = (detector) => detector.startsWith('orchard');
  const detectors = Object.keys(runs[0][protocol]).sort((a, b) => Number(isOurs(b)) - Number(isOurs(a)));
  const sets = bySet(runs).map(([set, of]) => ({
    set,
    figures: detectors.map((detector) => mean(of.map((run) => run[protocol][detector][what]))),
    seconds: detectors.map((detector) => mean(of.map((run) => run[protocol][detector].seconds))),
  }));
  const over = (rows) => detectors.map((_, at) => mean(rows.map((row) => row[at])));
  /** Mean and mean rank over those of the sets that chose, or of those that are quoted. */
  const meansOf = (name, of) => {
    if (of.length === 0) return [];
    const means = over(of.map(({ figures }) => figures)).map((value) => `**${figure(value)}**`);
    const ranks = over(of.map(({ figures }) => ranksOf(figures))).map((value) => figure(value, 2));
    return [
      [`**mean, ${name}**`, ...means],
      [`mean rank, ${name}`, ...ranks],
    ];
  };
  const isChoosing = ({ set }) => choosing.includes(set);
  return markdownTable(
    [`${protocol}, ${what}`, ...detectors],
    [
      ...sets.map(({ set, figures }) => [set, ...figures.map((value) => figure(value))]),
      ...meansOf('sets that choose', sets.filter(isChoosing)),
      ...meansOf(
        'sets that are quoted',
        sets.filter((one) => !isChoosing(one)),
      ),
      ['processor s per set', ...over(sets.map(({ seconds }) => seconds)).map((value) => figure(value, 2))],
    ],
  );
}

function anomaliesOf(runs) {
  return protocols.flatMap((protocol) => ['auroc', 'precision'].map((what) => ofProtocol(runs, protocol, what)));
}

function samplesOf(runs) {
  const head = [
    ...['sampled rows', 'by', 'C2ST', 'held-out AUC', 'of training rows', 'Shape', 'Trend', 'DCR share'],
    ...['copies', 'of held-out', 'training s'],
  ];
  const byModel = bySet(runs).flatMap(([set, of]) => [
    [set, 'orchard', of],
    ...Object.keys(of[0].beside ?? {}).map((peer) => [set, peer, of.map((run) => run.beside[peer])]),
  ]);
  const rows = byModel.map(([set, by, of]) => [
    ...[set, by],
    ...['c2st', 'heldOut', 'heldOutOfTraining', 'shape', 'trend', 'dcrShare'].map((what) =>
      figure(mean(of.map((run) => run[what]))),
    ),
    ...['copies', 'copiesOfHeldOut'].map((what) => figure(mean(of.map((run) => run[what])), 4)),
    figure(mean(of.map((run) => run.seconds.training)), 0),
  ]);
  return [markdownTable(head, rows)];
}

function missingOf(runs) {
  const methods = Object.keys(runs[0].figures);
  const sets = bySet(runs).map(([set, of]) => [
    set,
    ...methods.flatMap((method) =>
      ['MinMAE', 'AvgMAE'].map((what) => mean(of.map((run) => run.figures[method]?.[what] ?? NaN))),
    ),
  ]);
  const columns = methods.length * 2;
  const means = Array.from({ length: columns }, (_, at) => mean(sets.map((row) => row[at + 1])));
  const head = ['missing values', ...methods.flatMap((method) => [`${method}, Min`, 'Avg'])];
  return [
    markdownTable(head, [
      ...sets.map(([set, ...values]) => [set, ...values.map((value) => figure(value))]),
      ['**mean**', ...means.map((value) => `**${figure(value)}**`)],
    ]),
  ];
}

function cellsOf(runs) {
  const head = ['wrong cells', 'found', 'precision', 'recall', 'F1', 'first 100', 'reported if clean', 'processor s'];
  const rows = bySet(runs).map(([set, of]) => {
    const meanOf = (what, digits) => figure(mean(of.map((run) => run[what])), digits);
    const shares = ['precision', 'recall', 'f1', 'first100'].map((what) => meanOf(what));
    return [`${set}, ${meanOf('wrong', 0)}`, meanOf('found', 0), ...shares, meanOf('alarms', 0), meanOf('seconds', 1)];
  });
  return [markdownTable(head, rows)];
}

/** A model that takes a tenth of the default's time, or four members of the default, should not be ahead of it. */
function neverBehindOf(runs) {
  const models = [...new Set(runs.flatMap(({ figures }) => Object.keys(figures)))];
  const figuresOf = (model, meanOf) => ({
    model,
    ...Object.fromEntries(['nats', 'more', 'error', 'seconds'].map((what) => [what, meanOf(model, what)])),
  });
  const sets = bySet(runs).map(([set, of]) => {
    const meanOf = (model, what) =>
      mean(of.map(({ figures }) => figures[model]?.[what]).filter((value) => value !== undefined));
    return { set, rows: of[0].rows, figures: models.map((model) => figuresOf(model, meanOf)) };
  });
  const behind = sets.flatMap(({ set, figures }) => {
    const own = figures.find(({ model }) => model === 'default');
    return figures
      .filter(({ model, seconds }) => model === 'four members' || seconds <= own.seconds / 10)
      .filter(({ more, error }) => more > error)
      .map(({ model, more, error, seconds }) => {
        const times = `${figure(seconds, 1)} s where the default takes ${figure(own.seconds, 1)}`;
        return `- behind on ${set}: ${model} has ${figure(more)} nats per row more (± ${figure(error)}), ${times}`;
      });
  });
  return [
    markdownTable(
      ['nats per held-out row; s', ...models],
      sets.map(({ set, rows, figures }) => [
        `${set}, ${String(rows)}`,
        ...figures.map(({ nats, seconds }) => (Number.isNaN(nats) ? '-' : `${figure(nats)}; ${figure(seconds, 1)}`)),
      ]),
    ),
    behind.length === 0 ? 'The default is behind on no table.' : behind.join('\n'),
  ];
}

function imputationOf(runs) {
  const methods = Object.keys(runs[0].figures);
  return ['NRMSE', 'NMAE'].map((what) => {
    const sets = bySet(runs).map(([set, of]) => [
      set,
      ...methods.map((method) => mean(of.map(({ figures }) => figures[method]?.[what] ?? NaN))),
    ]);
    const means = methods.map((_, at) => mean(sets.map((row) => row[at + 1])));
    const seconds = methods.map((method) => mean(runs.map(({ figures }) => figures[method]?.seconds ?? NaN)));
    return markdownTable(
      [what, ...methods],
      [
        ...sets.map(([set, ...values]) => [set, ...values.map((value) => figure(value))]),
        ['**mean**', ...means.map((value) => `**${figure(value)}**`)],
        ['processor s per set', ...seconds.map((value) => figure(value, 1))],
      ],
    );
  });
}

/** Of labels and of numbers a table each, of sets of that kind: lines of a set, figures of its methods. */
function oneColumnOf(runs) {
  const kinds = [
    { name: 'labels', what: ['logLoss', 'brier', 'accuracy'], said: 'log loss, Brier score, accuracy; s' },
    { name: 'numbers', what: ['crps', 'logScore'], said: 'CRPS, log score; s' },
  ];
  return kinds.flatMap(({ name, what, said }) => {
    const own = runs.filter(({ figures }) => what[0] in figures.orchard);
    if (own.length === 0) return [];
    const methods = Object.keys(own[0].figures);
    const rows = bySet(own).map(([set, of]) => [
      `${set}, ${String(of[0].train)}`,
      ...methods.map((method) => {
        const meanOf = (which, digits) => figure(meanOrNull(of.map(({ figures }) => figures[method]?.[which])), digits);
        return `${what.map((which) => meanOf(which)).join(', ')}; ${meanOf('seconds', 1)}`;
      }),
    ]);
    return [markdownTable([`${name}, training rows: ${said}`, ...methods], rows)];
  });
}

/** Null where a method has no such figure. */
function meanOrNull(values) {
  return values.some((value) => value === undefined) ? null : mean(values);
}

const tablesOf = {
  anomalies: anomaliesOf,
  samples: samplesOf,
  missing: missingOf,
  cells: cellsOf,
  'never-behind': neverBehindOf,
  'imputation-of-numbers': imputationOf,
  'one-column': oneColumnOf,
};

/** @param measured runs of each part */
export function report(measured) {
  const sections = Object.entries(measured).map(([part, runs]) => {
    const seeds = new Set(runs.map(({ seed }) => seed)).size;
    const loads = runs.map(({ load }) => load[1]);
    const terms = `Means over ${String(seeds)} seeds; the machine's load was ${figure(Math.min(...loads), 1)} to ${figure(Math.max(...loads), 1)}.`;
    return [`### ${part}`, terms, ...tablesOf[part](runs)].join('\n\n');
  });
  return sections.join('\n\n');
}
