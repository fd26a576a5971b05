// Sections 3.3.1, 3.3.2 and 3.4.2 of M. Goessling's thesis: strokes of letters that lie elsewhere in every image.
import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { Compositional, PlacedCompositional } from '@orchard/compositional/model';
import { oneByOne, placedStartOf, placedStepOf, PlacedPursuit, Places } from '@orchard/compositional/learning';
import { Purpose, RandomStream } from '@orchard/numerics';
import { sayOften } from './progress.mjs';
import { gaussian } from './smoothed-trees.mjs';

const SIDE = 20;
const PIXELS = SIDE * SIDE;
const SHAPE = [SIDE, SIDE];
/** Strokes of a letter: row and column of the middle, and the angle in degrees. */
const LETTERS = {
  T: [
    [5, 9.5, 0],
    [11.5, 9.5, 90],
  ],
  L: [
    [8.5, 5, 90],
    [15, 9.5, 0],
  ],
  H: [
    [9.5, 4.5, 90],
    [9.5, 15, 90],
    [9.5, 9.5, 0],
  ],
};
const LENGTH = 11;
const WIDTH = 2;
/** Deviations of a stroke: pixels down, pixels right, degrees; and how much of them the strokes of an image share. */
const DEVIATIONS = [1.5, 1.5, 8];
const SHARED = 0.3;
/** How often a stroke is written. */
const WRITTEN = 0.7;
const FLIPPED = 0.02;
const SIZES = { train: 40, test: 100 };
const RESTARTS = 5;
const STEPS = 4;
/** What of two sets of pixels is common, of all, where they are the same stroke. */
const ALIKE = 0.5;
const ANYWHERE = { shape: SHAPE, shifts: 4, turns: 20 };
const NOWHERE = { shape: SHAPE, shifts: 0, turns: 0 };
const HEAD = { dimensions: PIXELS, names: null, shape: SHAPE, specification: null, likelihoods: {} };

/** Which strokes are found with the geometric component and without it; and the online start, row by row. */
export async function strokes({ quick }) {
  const rows = [];
  const maps = [];
  for (const letter of quick ? ['T'] : Object.keys(LETTERS)) {
    const train = attachRows(shareRows(drawn(letter, SIZES.train, 1)));
    const test = drawn(letter, SIZES.test, 2);
    for (const where of [NOWHERE, ANYWHERE]) {
      const placed = await learned(train, letter, where);
      const isPlaced = where === ANYWHERE;
      const model = isPlaced ? new PlacedCompositional(HEAD, placed) : new Compositional(HEAD, placed.experts);
      const nats = model.logLikelihood(test).reduce((sum, own) => sum + own, 0) / SIZES.test;
      rows.push([
        letter,
        isPlaced ? 'anywhere' : 'at one place',
        `${foundIn(placed.experts, letter)} of ${LETTERS[letter].length}`,
        `${isPlaced ? 'at least ' : ''}${nats.toFixed(2)}`,
      ]);
      console.error(`paper: strokes, ${rows.at(-1).join(', ')}`);
      for (let expert = 0; expert < placed.experts.count; expert++)
        maps.push({
          title: `${letter}, ${isPlaced ? 'anywhere' : 'at one place'}, expert ${expert + 1}`,
          values: [...placed.experts.template(expert)],
          width: SIDE,
        });
      if (isPlaced) maps.push(...samplesOf(model, letter));
    }
  }
  return [
    {
      title: 'Thesis, figures 3.7 and 3.8: strokes of letters, with and without shifts and turns',
      notes: [
        `${SIZES.train} training images of ${SIDE} x ${SIDE} pixels: strokes of ${LENGTH} x ${WIDTH} pixels, each written with probability ${WRITTEN}, with Gaussian shifts and turns of deviations ${DEVIATIONS.join(', ')} (pixels, pixels, degrees), of whose variances the strokes share ${SHARED}; ${100 * FLIPPED} % of all pixels flipped. As many experts as strokes, composed by max, of ${RESTARTS} sequential starts with ${STEPS} steps of EM each the one that explains its rows best. Anywhere: shifts of up to ${ANYWHERE.shifts} pixels and turns of up to ${ANYWHERE.turns} degrees in steps of 10.`,
        `Found: experts that have, somewhere, at least ${100 * ALIKE} % of the pixels in common with a stroke, of those that either has. Nats are means of ${SIZES.test} other images: exact at one place, a lower bound anywhere. The letters of the thesis (TiCC) are not among our data; of them it has pictures alone.`,
      ],
      table: { head: ['letter', 'experts', 'strokes found', 'test nats'], rows },
      maps,
    },
    await online(quick ? 20 : 60),
  ];
}

async function learned(train, letter, where) {
  const places = new Places(PIXELS, where);
  const options = { composition: 'max', experts: LETTERS[letter].length, start: 'sequential' };
  let [best, highest, said] = [null, -Infinity, 0];
  for (let restart = 0; restart < RESTARTS; restart++) {
    let placed = placedStartOf(train, options, places, new RandomStream(0, Purpose.restart, restart));
    let explained;
    for (let step = 0; step < STEPS; step++) {
      const before = placed;
      ({ placed, explained } = placedStepOf(train, before));
      if (explained > highest) [best, highest] = [before, explained];
      said = sayOften(said, `strokes of ${letter}, run ${restart + 1} of ${RESTARTS}, step ${step + 1} of ${STEPS}`);
      // a signal is heard between two steps
      await new Promise(setImmediate);
    }
  }
  return best;
}

/** Strokes that an expert is, each another one. */
function foundIn(experts, letter) {
  const anywhere = new Places(PIXELS, { shape: SHAPE, shifts: 8, turns: 30 });
  const open = new Set(experts.active.keys());
  let found = 0;
  for (const [, , degrees] of LETTERS[letter]) {
    const middle = [SIDE / 2 - 0.5, SIDE / 2 - 0.5, degrees];
    const stroke = Array.from({ length: PIXELS }, (_, dim) => isIn(middle, dim));
    const alike = (expert) => {
      const ink = Array.from(experts.template(expert), (rate) => rate > 1 / 2);
      let most = 0;
      for (let place = 0; place < anywhere.count; place++) {
        let [both, either] = [0, 0];
        const sources = anywhere.sources.subarray(place * PIXELS, (place + 1) * PIXELS);
        sources.forEach((source, dim) => {
          const isOwn = source >= 0 && ink[source];
          if (isOwn && stroke[dim]) both++;
          if (isOwn || stroke[dim]) either++;
        });
        most = Math.max(most, both / either);
      }
      return most;
    };
    const own = [...open].find((expert) => alike(expert) >= ALIKE);
    if (own === undefined) continue;
    open.delete(own);
    found++;
  }
  return found;
}

function samplesOf(model, letter) {
  const drawnRows = model.sample(4, 1);
  return Array.from({ length: 4 }, (_, row) => ({
    title: `${letter}, a sample`,
    values: Array.from({ length: PIXELS }, (_, dim) => drawnRows.get(row, dim)),
    width: SIDE,
  }));
}

/** The online start (3.3.1): each row judged by the experts of those before it. */
async function online(count) {
  const train = attachRows(shareRows(drawn('T', count, 1)));
  const options = { composition: 'max', experts: 2, start: 'sequential' };
  const sums = { anywhere: [], 'at one place': [] };
  for (const [name, where] of [
    ['anywhere', ANYWHERE],
    ['at one place', NOWHERE],
  ]) {
    let sum = 0;
    const values = new Uint8Array(PIXELS);
    for (const { at, before } of oneByOne(
      train,
      options,
      new Places(PIXELS, where),
      Array.from({ length: train.distinct.rows }, (_, row) => row),
    )) {
      train.distinct.readRow(at, values);
      sum += before === null ? PIXELS * Math.log(1 / 2) : new PlacedPursuit(before).bound(values);
      sums[name].push(sum / (at + 1));
      await new Promise(setImmediate);
    }
    console.error(`paper: strokes one by one, ${name}: ${sums[name].at(-1).toFixed(2)} nats`);
  }
  const shown = [1, 2, 5, 10, 20, 40, 60].filter((rows) => rows <= count);
  return {
    title: 'Thesis, 3.3.1: learned online, row by row',
    notes: [
      'Images of the letter T as above. Mean nats of the rows so far, each (a lower bound) by two experts made of those before it; of the first nothing is known, and each pixel costs log 2. Experts lie anywhere alike and are active in half of the rows: what EM learns of that is not learned online.',
    ],
    table: {
      head: ['rows', ...Object.keys(sums)],
      rows: shown.map((rows) => [String(rows), ...Object.values(sums).map((means) => means[rows - 1].toFixed(2))]),
    },
    plot: {
      curves: Object.entries(sums).map(([name, values]) => ({ name, values })),
      from: 2,
      across: 'rows',
      upward: 'mean nats so far',
    },
  };
}

/** Images of a letter. */
function drawn(letter, count, seed) {
  const stream = new RandomStream(seed, Purpose.sample, 350);
  const matrix = BitMatrix.create(count, PIXELS, { shape: SHAPE });
  for (let row = 0; row < count; row++) {
    const shared = DEVIATIONS.map(() => gaussian(stream));
    const written = LETTERS[letter].filter(() => stream.uniform() < WRITTEN);
    const strokes = written.map((stroke) =>
      stroke.map((mean, axis) => {
        const own = Math.sqrt(SHARED) * shared[axis] + Math.sqrt(1 - SHARED) * gaussian(stream);
        return mean + DEVIATIONS[axis] * own;
      }),
    );
    for (let dim = 0; dim < PIXELS; dim++) {
      const isInk = strokes.some((stroke) => isIn(stroke, dim));
      matrix.set(row, dim, stream.uniform() < FLIPPED ? !isInk : isInk);
    }
  }
  return matrix;
}

function isIn([row, column, degrees], dim) {
  const angle = (degrees * Math.PI) / 180;
  const [y, x] = [Math.floor(dim / SIDE) - row, (dim % SIDE) - column];
  const along = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  return Math.abs(along) <= LENGTH / 2 && Math.abs(across) <= WIDTH / 2;
}
