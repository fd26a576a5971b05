// Section 5.2.4 of M. Goessling's thesis: ellipses, by networks with more and more parents.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BitMatrix } from '@orchard/dataset';
import { RandomStream } from '@orchard/numerics';
import { openModel } from '@orchard/registry/models';
import { argv } from '../../infra/command-line.mjs';
import { askOrchard } from '../../infra/ask-orchard.mjs';

const SIDE = 20;
const shape = `${SIDE}x${SIDE}`;
const SAMPLES = 200;
const SIZES = { train: 2000, valid: 500, test: 1000 };
const MODELS = [
  ['columns alone', '--model marginals'],
  ['Chow-Liu tree', '--model chow-liu'],
  ['grid, 2 parents', '--model sparn --parents 2'],
  ['grid, 3 parents', '--model sparn --parents 3'],
  ['grid, 4 parents', '--model sparn --parents 4'],
  ['sparse logistic network', '--model sparn --penalty 4,2,1'],
];

/**
 * Figure 5.3: what each model makes of ellipses, and how many of its samples are in one piece, as ellipses are. Figure
 * 5.4: a table of the grid with four parents.
 */
export async function ellipses({ runs, quick }) {
  const folder = join(runs.keep, 'ellipses');
  await mkdir(folder, { recursive: true });
  const files = {};
  for (const [at, [split, count]] of Object.entries(SIZES).entries()) {
    files[split] = join(folder, `${split}.csv`);
    await writeFile(files[split], textOf(ellipsesOf(quick ? count / 4 : count, at + 1)));
  }
  const rows = [];
  let grid;
  for (const [name, words] of MODELS) {
    console.error(`paper: ellipses, ${name}`);
    const out = join(folder, `run-${rows.length}`);
    const threads = runs.threads === undefined ? [] : ['--threads', runs.threads];
    const { network } = await askOrchard(
      ...argv`train ${files.train} --valid ${files.valid} --test ${files.test} ${words.split(' ')} ${threads}
      --shape ${shape} --header no --no-report --out ${out} --force --json --quiet`,
    );
    const model = openModel(await readFile(join(out, 'network.msgpack')));
    if (words.endsWith('--parents 4')) grid = model;
    const whole = inOnePiece(model.sample(SAMPLES, 1));
    rows.push([name, network.testLogLikelihood.toFixed(2), `${((100 * whole) / SAMPLES).toFixed(0)} %`]);
  }
  const figure3 = {
    title: 'Thesis, figure 5.3: ellipses, by the parents that a pixel may have',
    notes: [
      `Test nats, and the share of ${SAMPLES} samples whose ones are in one piece, as an ellipse is. Filled ellipses along the axes, of ${SIDE} x ${SIDE} pixels; centres and half axes are uniform. The thesis has 50 x 50 pixels, and samples instead of figures.`,
    ],
    table: { head: ['model', 'nats', 'in one piece'], rows },
  };
  return [figure3, tableOfMiddle(grid)];
}

/** What four parents say of the middle pixel, whatever the other pixels are. */
function tableOfMiddle(grid) {
  const middle = (SIDE * SIDE + SIDE) / 2;
  const parents = [-SIDE - 1, -SIDE, -SIDE + 1, -1];
  const images = BitMatrix.create(16, SIDE * SIDE, { shape: [SIDE, SIDE] });
  for (let line = 0; line < 16; line++)
    parents.forEach((distance, at) => images.set(line, middle + distance, (line >> (3 - at)) & 1));
  const rates = grid.probabilities(images, middle);
  return {
    title: 'Thesis, figure 5.4: the middle pixel by its four parents',
    notes: ['P(1) given top-left, top, top-right and left. What no training image has is 1/2, as in the thesis.'],
    table: {
      head: ['parents', 'P(1)'],
      rows: Array.from(rates, (rate, line) => [line.toString(2).padStart(4, '0'), rate.toFixed(3)]),
    },
  };
}

function ellipsesOf(count, seed) {
  const stream = new RandomStream(seed, 1051);
  const matrix = BitMatrix.create(count, SIDE * SIDE, { shape: [SIDE, SIDE] });
  const between = (least, most) => least + (most - least) * stream.uniform();
  for (let row = 0; row < count; row++) {
    const [height, width] = [between(2, 6), between(2, 6)];
    const [y, x] = [between(height, SIDE - 1 - height), between(width, SIDE - 1 - width)];
    for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
      const [down, right] = [Math.floor(pixel / SIDE) - y, (pixel % SIDE) - x];
      matrix.set(row, pixel, (down / height) ** 2 + (right / width) ** 2 <= 1);
    }
  }
  return matrix;
}

function textOf(matrix) {
  const cells = Array.from({ length: matrix.dimensions }, (_, column) => column);
  const lines = Array.from({ length: matrix.rows }, (_, row) => cells.map((column) => matrix.get(row, column)).join());
  return `${lines.join('\n')}\n`;
}

/** Images whose ones all hang together, across edges. */
function inOnePiece(images) {
  let found = 0;
  for (let row = 0; row < images.rows; row++) {
    const left = new Set();
    for (let pixel = 0; pixel < SIDE * SIDE; pixel++) if (images.get(row, pixel) === 1) left.add(pixel);
    const [first] = left;
    if (first === undefined) continue;
    const open = [first];
    left.delete(first);
    while (open.length > 0) {
      const pixel = open.pop();
      const column = pixel % SIDE;
      const beside = [pixel - SIDE, pixel + SIDE];
      if (column > 0) beside.push(pixel - 1);
      if (column < SIDE - 1) beside.push(pixel + 1);
      for (const next of beside) if (left.delete(next)) open.push(next);
    }
    if (left.size === 0) found++;
  }
  return found;
}
