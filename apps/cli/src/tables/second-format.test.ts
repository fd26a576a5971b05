import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Rows with a day, a measurement, a number of few values, a truth value and a label. */
const rows = Array.from({ length: 200 }, (_, row) => ({
  day: new Date(Date.UTC(2024, 0, 1 + ((row * 37) % 300))).toISOString().slice(0, 10),
  size: Number((10 + ((row * 7919) % 997) / 100 + ((row * 37) % 300) / 20).toFixed(2)),
  rooms: ((row * 37) % 300) % 7,
  paid: (row * 31) % 5 > 1,
  kind: row % 3 === 0 ? 'fir' : 'oak',
}));
const lines = (dayOf: (day: string) => string | number): string =>
  `${rows.map((row) => JSON.stringify({ ...row, day: dayOf(row.day) })).join('\n')}\n`;
const csv = `day,size,rooms,paid,kind\n${rows
  .map(({ day, size, rooms, paid, kind }) => [day, size.toFixed(2), rooms, paid ? 'True' : 'False', kind].join(','))
  .join('\n')}\n`;
const files = ['table.csv', 'days.jsonl', 'midnights.jsonl', 'epochs.jsonl', 'typed.parquet', 'typed.feather'];

const likelihoodOf = async (model: string, file: string): Promise<unknown> => {
  const { code, stdout, stderr } = await orchard('evaluate', model, at(file), '--json');
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { logLikelihood: number }).logLikelihood;
};

describe('the same rows in another format', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    writeFileSync(at('table.csv'), csv);
    writeFileSync(
      at('days.jsonl'),
      lines((day) => day),
    );
    writeFileSync(
      at('midnights.jsonl'),
      lines((day) => `${day}T00:00:00.000`),
    );
    writeFileSync(
      at('epochs.jsonl'),
      lines((day) => Date.parse(day)),
    );
    await orchard(...argv`train ${at('table.csv')} --model chow-liu --out ${at('table.csv.run')} --quiet --no-report`);
    for (const file of ['typed.parquet', 'typed.feather'])
      await orchard('complete', at('table.csv.run'), at('table.csv'), '--out', at(file));
  }, 120_000);

  it.each(['table.csv', 'midnights.jsonl', 'typed.parquet'])(
    'are as likely to the last bit for a model of %s',
    async (own) => {
      const model = at(`${own}.run`);
      if (own !== 'table.csv')
        await orchard(...argv`train ${at(own)} --model chow-liu --out ${model} --quiet --no-report`);
      const expected = await likelihoodOf(model, own);
      for (const file of files) expect([file, await likelihoodOf(model, file)]).toEqual([file, expected]);
    },
  );
});
