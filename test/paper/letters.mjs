import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Purpose, RandomStream } from '@orchard/numerics';
import { copies, neighbours } from './published.mjs';
import { filesOf, missing, rowsOf, validationCurve } from './runs.mjs';
import { settingsOf } from './settings.mjs';
import { signed } from './table-one.mjs';

const SET = 'ocr_letters';
const WIDTH = 8;
const splits = ['train', 'valid', 'test'];
/** Row 8, column 4 of 16 x 8 pixels. */
const CENTRE = 7 * WIDTH + 3;

/** Figure 3: validation curves for three numbers of leaves, and what predicts the central pixel. */
export async function leavesAndImportance({ runs, data, quick }) {
  const files = filesOf(SET, data);
  if (files === null) return missing('Figure 3', SET);
  const { valid } = await rowsOf(files);
  const curves = [];
  let importance;
  for (const leaves of [32, 64, 128]) {
    const run = await runs.train(leaves === 64 ? SET : `${SET}-J${leaves}`, files, settingsOf(SET, quick, leaves));
    curves.push({ name: `J = ${leaves}`, values: await validationCurve(run, valid.rows) });
    if (leaves === 64) importance = run.network.importanceOf(CENTRE);
  }
  const near = [CENTRE - 1, CENTRE - WIDTH - 1, CENTRE - WIDTH, CENTRE - WIDTH + 1];
  const share = near.reduce((sum, pixel) => sum + importance[pixel], 0);
  const best = curves.map(({ name, values }) => {
    const most = Math.max(...values);
    return `${name}: ${most.toFixed(3)} after ${values.indexOf(most)} rounds`;
  });
  return {
    title: 'Figure 3: number of leaves, and importance for the central pixel, ocr_letters',
    notes: [
      `Best validation nats: ${best.join('; ')}. The paper: about 600 rounds for J = 64, overfitting after 400 for J = 128, nearly the same maximum for all three.`,
      `The four nearest neighbours (left, and the three above) have ${(100 * share).toFixed(0)} % of the gain; the paper says about ${(100 * neighbours).toFixed(0)} %.`,
    ],
    plot: { curves, from: quick ? 20 : 100, across: 'rounds', upward: 'validation nats per row' },
    maps: [{ title: 'Importance (the pixel itself is left white)', values: [...importance], width: WIDTH }],
  };
}

/** Section 5.2: three copies of the letters side by side, the rows of the second and third shuffled. */
export async function threeCopies({ runs, data, quick }) {
  const files = filesOf(SET, data);
  if (files === null) return missing('Section 5.2', SET);
  const folder = join(runs.keep, 'three-copies');
  await mkdir(folder, { recursive: true });
  const abreast = {};
  const letters = await rowsOf(files);
  for (const [split, matrix] of Object.entries(letters)) {
    abreast[split] = join(folder, `${split}.data`);
    await writeAbreast(matrix, split, abreast[split]);
  }
  const { network } = await runs.train('three-copies-run', abreast, settingsOf(SET, quick));
  const { test } = await rowsOf(abreast);
  const { surprise } = network.score(test, { top: 0 });
  const nats = copies.map((_, copy) => {
    let sum = 0;
    surprise.forEach((value, at) => {
      if (Math.floor((at % test.dimensions) / letters.test.dimensions) === copy) sum -= value;
    });
    return sum / test.rows;
  });
  return {
    title: 'Section 5.2: three copies of ocr_letters side by side, test nats of each',
    notes: [
      'Ours are of the refitted network, the paper does not say of which; refitting gains about 0.13. The second copy is predicted beside 128 columns that tell nothing of it, the third beside 256.',
    ],
    table: {
      head: ['copy', 'ours', 'paper', 'difference'],
      rows: nats.map((ours, copy) => [
        String(copy + 1),
        ours.toFixed(3),
        copies[copy].toFixed(2),
        signed(ours - copies[copy]),
      ]),
    },
  };
}

async function writeAbreast(matrix, split, path) {
  if ((await stat(path).catch(() => null)) !== null) return;
  const orders = copies.map((_, copy) => shuffled(matrix.rows, split, copy));
  const lines = [];
  for (let row = 0; row < matrix.rows; row++) {
    const cells = orders.flatMap((order) =>
      Array.from({ length: matrix.dimensions }, (_, column) => matrix.get(order[row], column)),
    );
    lines.push(cells.join(','));
  }
  // under its name only when it is whole, so that a run that is broken off begins anew
  await writeFile(`${path}.part`, `${lines.join('\n')}\n`);
  await rename(`${path}.part`, path);
}

/** The first copy keeps its order. */
function shuffled(rows, split, copy) {
  const order = Array.from({ length: rows }, (_, row) => row);
  if (copy === 0) return order;
  const random = new RandomStream(1, Purpose.ordering, 3 * copy + splits.indexOf(split));
  for (let last = rows - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
