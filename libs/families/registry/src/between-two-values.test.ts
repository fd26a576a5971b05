import { encodeTable, readTableSplits } from '@orchard/dataset';
import { openText } from '@orchard/dataset/conformance/tables';
import type { TabularModel } from '@orchard/model';
import { exp, RandomStream } from '@orchard/numerics';
import { trainedOn } from '@orchard/pipeline/conformance';
import { expect, test } from 'vitest';
import { families } from './index.js';

const ROWS = 400;
/** Enough to learn that it is cold in winter, and no more. */
const WORDS: Readonly<Record<string, object>> = {
  tables: { rounds: 10, leaves: 4 },
  sparn: { penalty: '4' },
  partition: { experts: 3, restarts: 2, steps: 4 },
};

/** Even degrees alone, which say whether it snows, and beside them a measurement with a gap in the middle. */
function weather(seed: number): string {
  const stream = new RandomStream(seed, 1037);
  const lines = Array.from({ length: ROWS }, () => {
    const degrees = 2 * stream.below(12) - 10;
    const snows = stream.uniform() < 1 / (1 + exp(degrees / 3));
    const wind = stream.uniform() < 0.5 ? 10 * stream.uniform() : 30 + 10 * stream.uniform();
    return [
      degrees,
      snows ? 'yes' : 'no',
      wind.toFixed(2),
      wind > 20 !== stream.uniform() < 0.1 ? 'sea' : 'land',
    ].join();
  });
  return `degrees,snow,wind,from\n${lines.join('\n')}\n`;
}

/** The probability of a label of rows that differ in one value. */
async function chances(
  model: TabularModel,
  values: readonly string[],
  rowOf: (value: string, label: number) => string,
) {
  const lines = values.flatMap((value) => [0, 1].map((label) => rowOf(value, label)));
  const raw = await openText(`degrees,snow,wind,from\n${lines.join('\n')}\n`);
  const [encoded] = await encodeTable(raw, model.table, [lines.length]);
  await raw.close();
  const nats = model.logLikelihood(encoded!.matrix);
  return values.map((_, at) => 1 / (1 + exp(nats[2 * at]! - nats[2 * at + 1]!)));
}

const learners = families.learning('table').map(({ name }) => name);

test.each(learners)('%s: the answer for a value between two is between theirs', async (name) => {
  for (const seed of [1, 2]) {
    const raw = await openText(weather(seed));
    const splits = await readTableSplits({ train: raw, valid: null, test: null }, { valid: 0.2, test: 0.1 }, 1, {});
    await raw.close();
    const { model } = await trainedOn(
      [splits.train, splits.valid!, splits.test!],
      families.named(name),
      WORDS[name] ?? {},
    );
    const tabular = model as TabularModel;
    const degrees = Array.from({ length: 23 }, (_, at) => String(at - 10));
    const snow = await chances(tabular, degrees, (value, label) => `${value},${['no', 'yes'][label]!},5.00,land`);
    const winds = ['0.05', '9.9', '12', '15', '19', '22', '27', '30.1', '39.9'];
    const sea = await chances(tabular, winds, (value, label) => `0,no,${value},${['land', 'sea'][label]!}`);
    expect(snow.length + sea.length).toBe(32);
    // of degrees every second one, of winds all that lie in the gap
    for (let at = 1; at < snow.length; at += 2) requireBetween(snow[at]!, [snow[at - 1]!, snow[at + 1]!]);
    for (let at = 2; at < 7; at++) requireBetween(sea[at]!, [sea[1]!, sea[7]!]);
    // they are no constants but where columns say nothing of each other
    if (name === 'marginals') expect(snow[0]).toBeCloseTo(snow.at(-1)!, 9);
    else expect(snow[0]! - snow.at(-1)!).toBeGreaterThan(0.2);
  }
});

function requireBetween(own: number, ends: readonly [number, number]): void {
  expect(own).toBeGreaterThanOrEqual(Math.min(...ends) - 1e-9);
  expect(own).toBeLessThanOrEqual(Math.max(...ends) + 1e-9);
}
