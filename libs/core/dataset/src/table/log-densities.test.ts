import { expect, test } from 'vitest';
import { otherCode } from '../variables/codes.js';
import { drawIn, logDensitiesOfDrawn, logDensityIn } from '../variables/density.js';
import type { BitMatrix } from '../rows/bit-matrix.js';
import { openText } from '../variables/small-tables.suite.js';
import type { TableOptions } from './infer-table.js';
import { meanLogDensities, rowLogDensities } from './log-densities.js';
import { readTableSplits } from './read-splits.js';

async function rowsOf(text: string, options: TableOptions = {}): Promise<BitMatrix> {
  const raw = await openText(text);
  const { test: rows } = await readTableSplits(
    { train: raw, valid: null, test: null },
    { valid: 0.1, test: 0.5 },
    1,
    options,
  );
  await raw.close();
  return rows!;
}

const lineOf = (row: number): string =>
  [
    ((row * 7919) % 997) / 31.7,
    (row * 31) % 17 === 0 ? '' : ((row * 104729) % 1009) / 7,
    row % 3 === 0 ? 'x' : 'y',
  ].join(',');
const text = ['size,weight,kind', ...Array.from({ length: 200 }, (_, row) => lineOf(row))].join('\n');

test('densities of rows are in the mean those of the columns together, tails and holes among them', async () => {
  const rows = await rowsOf(text, { bins: 6 });
  const { nats, hasMeans } = rowLogDensities(rows);
  const mean = meanLogDensities(rows).reduce((sum, value) => sum + value, 0);
  expect(hasMeans).toBe(true);
  expect(nats.reduce((sum, value) => sum + value, 0) / rows.rows).toBeCloseTo(mean, 9);
  expect(new Set(nats).size).toBeGreaterThan(1);
});

test('values that have masses have no densities', async () => {
  const rows = await rowsOf(
    ['kind,count', ...Array.from({ length: 60 }, (_, row) => `${row % 2 === 0 ? 'a' : 'b'},${String(row % 4)}`)].join(
      '\n',
    ),
  );
  expect(rowLogDensities(rows)).toEqual({ nats: new Float64Array(rows.rows), hasMeans: false });
});

test('labels that are pooled share the probability of "(other)" with one that training never saw', async () => {
  // of 40 labels the last 37 stand in two rows each
  const kinds = Array.from({ length: 200 }, (_, row) =>
    row < 126 ? `often${String(row % 3)}` : `rare${String(row % 37)}`,
  );
  const rows = await rowsOf(['kind,count', ...kinds.map((kind, row) => `${kind},${String(row % 4)}`)].join('\n'), {
    maxCategories: 3,
  });
  const [kind] = rows.columns.codes.table.variables;
  if (kind?.kind !== 'categorical') throw new Error('labels');
  const { labels, others, otherLabels } = kind;
  expect([labels.length, others > otherLabels!, otherLabels! > 20]).toEqual([3, true, true]);
  expect(logDensityIn(kind, otherCode(kind)!, 0)).toBeCloseTo(-Math.log(otherLabels! + 1), 12);
  expect(logDensityIn(kind, 0, 0)).toBe(0);
  const { nats, hasMeans } = rowLogDensities(rows);
  expect(hasMeans).toBe(false);
  expect([...new Set(nats)].sort()).toEqual([-Math.log(otherLabels! + 1), 0].sort());
  expect(meanLogDensities(rows)[0]).toBeCloseTo(nats.reduce((sum, each) => sum + each, 0) / rows.rows, 12);
});

test.each([
  { bins: 6, text, hasAlike: false },
  { bins: 200, text, hasAlike: true },
  {
    bins: 7,
    hasAlike: true,
    text: ['count,kind', ...Array.from({ length: 60 }, (_, row) => `${String(row % 4)},a`)].join('\n'),
  },
])(
  'what a drawn value adds is said by code where all values of the code add it: $bins bins',
  async ({ bins, text: of, hasAlike }) => {
    const [variable] = (await rowsOf(of, { bins })).columns.codes.table.variables;
    if (variable?.kind !== 'ordered') throw new Error('numbers');
    const byCode = logDensitiesOfDrawn(variable);
    for (const [code, nats] of byCode.entries()) {
      if (code >= variable.values.length) expect(nats).toBe(0);
      else {
        const drawn = [1e-9, 0.2, 0.5, 0.99].map((uniform) =>
          logDensityIn(variable, code, drawIn(variable, code, uniform)),
        );
        if (Number.isNaN(nats)) expect(new Set(drawn).size).toBeGreaterThan(1);
        else expect(new Set(drawn)).toEqual(new Set([nats]));
      }
    }
    expect(byCode.some((nats) => !Number.isNaN(nats))).toBe(hasAlike);
  },
);
