// What the programs' answers to one case come to.

const titles = { before: 'before', ours: 'Orchard', xgboost: 'XGBoost', lightgbm: 'LightGBM', catboost: 'CatBoost' };
const TOLERANCE = 1.01;
/** Nats per row that are nothing where a loss is nearly nothing. */
const NOTHING = 0.0005;
/** Fewer validation rows tell nothing: of cuts that training rows find equal each library takes another. */
const LEAST_ROWS = 1000;

export const namesOf = (programs) => programs.map(({ name }) => titles[name]);

const isNotAbove = (loss, other) => loss <= other * TOLERANCE + NOTHING;

/** Whether a library came to our loss or a lower one: on training rows, and where there are enough on validation rows. */
export function isEqual(ours, theirs, rows) {
  return (
    (ours.train === undefined || isNotAbove(theirs.train, ours.train)) &&
    (rows < LEAST_ROWS || isNotAbove(theirs.valid, ours.valid))
  );
}

const time = (value) => (value === null ? '-' : value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/**
 * @param {object} what names the case
 * @param {Record<string, null | { milliseconds: number, losses: object, trees?: string }>} best by program
 * @param {{ libraries: readonly string[], equal?: readonly string[], rounds: number }} how `equal` names libraries that
 *   count here, by default those whose losses are ours or lower; times are divided by `rounds`
 */
export function entryOf(what, best, { libraries, equal, rounds }) {
  const { ours, before } = best;
  if (before === null) throw new Error(`The build of before failed on ${JSON.stringify(what)}.`);
  const counting = (
    equal ?? libraries.filter((name) => best[name] && isEqual(ours.losses, best[name].losses, what.rows))
  ).filter((name) => best[name]);
  const others = before === undefined ? counting.map((name) => best[name].milliseconds) : [before.milliseconds];
  const ratio = others.length === 0 ? null : Math.min(...others) / ours.milliseconds;
  const milliseconds = Object.fromEntries(
    Object.entries(best).map(([name, answer]) => [name, answer && answer.milliseconds / rounds]),
  );
  const shown = Object.entries(milliseconds).map(([name, own]) => {
    const counts = !libraries.includes(name) || counting.includes(name);
    return counts ? time(own) : `${time(own)}*`;
  });
  return {
    ...what,
    milliseconds,
    losses: Object.fromEntries(Object.entries(best).map(([name, answer]) => [name, answer?.losses ?? null])),
    ...(before !== undefined && { sameTrees: before.trees === ours.trees }),
    equal: counting,
    ratio,
    cells: [
      what.table,
      what.rows,
      what.rounds,
      what.featureFraction === 1 ? 'all' : 'half',
      ...shown,
      ratio === null ? '-' : ratio.toFixed(2),
    ],
  };
}

/** What a reader has to know of the cases: losses that differ, trees that two builds do not agree in. */
export function differences(measured) {
  const lines = [];
  if (measured.some(({ cells }) => cells.some((cell) => String(cell).endsWith('*'))))
    lines.push('*: its loss with all predictors is over 1 % above ours, so that it is not compared.');
  const judged = measured.filter(({ sameTrees }) => sameTrees !== undefined);
  const other = judged.filter(({ sameTrees }) => !sameTrees);
  if (judged.length > 0)
    lines.push(
      other.length === 0
        ? `All ${judged.length} have the same trees, bit for bit.`
        : `${other.length} of ${judged.length} have other trees: ${other.map(({ table, rows, rounds }) => `${table} (${rows} rows, ${rounds} rounds)`).join(', ')}.`,
    );
  return lines;
}
