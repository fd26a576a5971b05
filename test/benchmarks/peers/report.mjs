// The table as text.
import { equalLoss, fastestPeer, geometricMean, libraries } from './measure.mjs';

const titles = {
  ours: 'Orchard',
  xgboost: 'XGBoost',
  lightgbm: 'LightGBM',
  catboost: 'CatBoost',
  ydf: 'YDF',
};

const time = (value) => (value === null ? '-' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const nats = (losses) => (losses === null ? '-' : `${losses.train.toFixed(5)}/${losses.valid.toFixed(5)}`);
const ratio = (value) => (value === null ? '-' : `${value.toFixed(1)}x`);

const row = (first, cells) => [first.padEnd(44), ...cells.map((cell) => cell.padStart(17))].join('');

export function heading(what, unit, programs) {
  return `\n${row(`${what} (${unit})`, [...programs.map((program) => titles[program]), 'ratio'])}`;
}

/** Times, and below them the losses, so that equality is seen. */
export function lines(entry, programs) {
  const times = [...programs.map((program) => time(entry[program])), ratio(entry.ratio)];
  const losses = programs.map((program) => nats(entry.losses[program]));
  return `${row(entry.name, times)}\n${row('', losses)}`;
}

/** What was compared, for people who did not read the source. */
export function preface({ core, clock, seed, repeats }) {
  const time = clock === 'wall' ? 'wall time' : 'processor time (whole runs: wall time)';
  const place = core === null ? 'not pinned (no taskset here)' : `pinned to core ${core}`;
  return [
    `One thread each, ${place}, alternating, ${time}, the least of up to ${repeats} repetitions; set-up counted; losses are mean nats per row,`,
    `training/validation. The ratio is to the fastest of ${libraries.map((library) => titles[library]).join(', ')} whose losses are within 1 % of ours or better.`,
    ...(seed === null ? [] : [`Three dimensions of each set are drawn by --seed ${seed}.`]),
  ].join('\n');
}

function summary(what, measured) {
  const ratios = measured.flatMap(({ entry }) => (entry.ratio === null ? [] : [entry.ratio]));
  if (ratios.length === 0) return [];
  const least = measured.reduce((a, b) => ((b.entry.ratio ?? Infinity) < (a.entry.ratio ?? Infinity) ? b : a));
  const geometric = geometricMean(ratios).toFixed(2);
  return [
    `${what}: ${geometric}x in the geometric mean of ${ratios.length}, least ${ratio(least.entry.ratio)} (${least.entry.name})`,
  ];
}

/** Means and least ratios, by kind; `measured` pairs each entry with its case and the programs' best answers. */
export function summaries(measured) {
  const isConstant = ({ best }) => best.ours.constant === true;
  const learnable = measured.filter((one) => !isConstant(one));
  const unequal = measured.filter(({ best }) => fastestPeer(best) && !equalLoss(best, fastestPeer(best)));
  const kinds = [...new Set(learnable.map(({ measure }) => measure.kind))];
  return [
    ...kinds.flatMap((kind) =>
      summary(
        kind,
        learnable.filter(({ measure }) => measure.kind === kind),
      ),
    ),
    ...summary('constant targets', measured.filter(isConstant)),
    ...unequal.map(({ entry }) => `our loss is over 1 % above the fastest peer's: ${entry.name}`),
  ];
}
