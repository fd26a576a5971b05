// Sections 4.4 and 4.6.2 of M. Goessling's thesis: Gaussian experts with areas of expertise, of rows that known ones made.
import { CodeMixture } from '@orchard/model';
import { productsOfSets, startOfTable, stepOfTable, TableClasses } from '@orchard/partition/learning';
import { Purpose, RandomStream } from '@orchard/numerics';

const ROWS = 400;
const STEPS = 15;
/** Cells of a column, and how many of them make 1. */
const CELLS = 41;
const UNIT = 6;
/** Standard deviation of a known expert's numbers; those of nobody's area have 1. */
const DEVIATION = 0.25;

/** How many of the experts that made rows are found, from random starts. */
export async function gaussianExperts({ quick }) {
  const starts = quick ? 4 : 10;
  const rows = [];
  for (const [name, known, draw] of [
    ['four areas of two columns, each there in .3 of the rows', areas(), drawOfAreas],
    ['five pairs of columns, each in one of two states', pairs(), drawOfPairs],
  ])
    for (const count of [known.length + 1, known.length + 4]) {
      rows.push([name, String(known.length), String(count), ...foundFrom({ known, draw, count, starts })]);
      console.error(`paper: Gaussian experts, ${name}, ${count} learned`);
      await new Promise(setImmediate);
    }
  return {
    title: 'Thesis, 4.4: Gaussian experts of rows that known ones made',
    notes: [
      `${ROWS} rows, ${starts} random starts of ${STEPS} steps each. A known expert is found where one that was learned has its means within .4 and deviations below .5 in its columns (known: ${DEVIATION}); alone where it has such deviations in no other column. Means over the starts, then those of the start that makes ${ROWS} other rows likeliest, with their nats: sums over all sets of experts, in cells of 1/${UNIT}.`,
      'The states of a pair exclude each other, of which experts that take part each by itself know nothing: one that is always there and others that override it do as well. The thesis has no such figures.',
    ],
    table: { head: ['rows', 'known', 'learned', 'found', 'alone', 'found, chosen', 'alone, chosen', 'nats'], rows },
  };
}

function foundFrom({ known, draw, count, starts }) {
  const columns = codesOf(draw(known, 1));
  const others = codesOf(draw(known, 2));
  const variables = columns.map((codes, index) => variableOf(`n${index}`, codes));
  const classes = new TableClasses({ variables });
  let [found, alone, chosen, highest] = [0, 0, null, -Infinity];
  for (let restart = 0; restart < starts; restart++) {
    let experts = startOfTable(classes, columns, count, new RandomStream(0, Purpose.restart, restart));
    for (let step = 0; step < STEPS; step++)
      ({ experts } = stepOfTable(columns, experts, { pseudoCount: 1, factor: 2 }));
    found += foundIn(experts, known, false) / starts;
    alone += foundIn(experts, known, true) / starts;
    const nats = meanNats(experts, others);
    if (nats > highest) [chosen, highest] = [experts, nats];
  }
  const cells = [found.toFixed(1), alone.toFixed(1), foundIn(chosen, known, false), foundIn(chosen, known, true)];
  return [...cells.map(String), highest.toFixed(2)];
}

function meanNats(experts, columns) {
  const { weights, chances } = productsOfSets(experts);
  const nats = new Float64Array(ROWS);
  new CodeMixture(weights, chances).addCells(columns, nats, 'sums');
  return nats.reduce((sum, own) => sum + own, 0) / ROWS;
}

/** Known experts whose columns one expert is sure of, with their means. @param alone and of no other column */
function foundIn(experts, known, alone) {
  const columns = experts.classes.variables.length;
  const isFound = ({ at, means }, expert) =>
    Array.from({ length: columns }, (_, column) => column).every((column) => {
      const cell = expert * columns + column;
      const isSure = Math.sqrt(experts.variances[cell]) / UNIT < 0.5;
      if (!at.includes(column)) return !alone || !isSure;
      return isSure && Math.abs(numberOf(experts.means[cell]) - means[at.indexOf(column)]) < 0.4;
    });
  const learned = Array.from({ length: experts.count }, (_, expert) => expert);
  return known.filter((one) => learned.some((expert) => isFound(one, expert))).length;
}

function areas() {
  const stream = new RandomStream(1, 1081);
  const mean = () => (stream.below(2) === 0 ? -2 : 2);
  return Array.from({ length: 4 }, (_, area) => ({ at: [2 * area, 2 * area + 1], means: [mean(), mean()] }));
}

function drawOfAreas(known, seed) {
  return rowsOf(8, seed, (stream) => known.filter(() => stream.uniform() < 0.3));
}

function pairs() {
  return Array.from({ length: 10 }, (_, state) => {
    const first = 2 * (state >> 1);
    return { at: [first, first + 1], means: state % 2 === 0 ? [-1, 1] : [1, -1] };
  });
}

function drawOfPairs(known, seed) {
  return rowsOf(10, seed, (stream) => [0, 1, 2, 3, 4].map((pair) => known[2 * pair + stream.below(2)]));
}

/** Rows whose numbers are those of the experts that take part, and elsewhere around 0. */
function rowsOf(columns, seed, takingPart) {
  const stream = new RandomStream(seed, 1082);
  const gaussian = () => Array.from({ length: 12 }, () => stream.uniform()).reduce((sum, own) => sum + own, -6);
  return Array.from({ length: ROWS }, () => {
    const row = Array.from({ length: columns }, gaussian);
    for (const { at, means } of takingPart(stream))
      at.forEach((column, place) => (row[column] = means[place] + DEVIATION * gaussian()));
    return row;
  });
}

function codesOf(rows) {
  const cellOf = (number) => Math.max(0, Math.min(CELLS - 1, Math.round((CELLS - 1) / 2 + UNIT * number)));
  return rows[0].map((_, column) => Uint16Array.from(rows, (row) => cellOf(row[column])));
}

function numberOf(cell) {
  return (cell - (CELLS - 1) / 2) / UNIT;
}

/** Cells that each stand for one whole number. */
function variableOf(name, codes) {
  const cells = Array.from({ length: CELLS }, (_, cell) => cell);
  return {
    ...{ kind: 'ordered', name, holes: 0, measure: 'mass', tails: null, range: [0, CELLS - 1] },
    format: { type: 'number', decimals: 0, places: 0, padded: true },
    edges: cells.slice(1).map((cell) => cell - 0.5),
    values: cells,
    counts: cells.map((cell) => codes.filter((code) => code === cell).length),
    cuts: cells.slice(1),
  };
}
