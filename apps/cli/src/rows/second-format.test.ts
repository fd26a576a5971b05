import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

function clock(hours: number, minutes: number): string {
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Seconds as pandas writes them, and as Excel does. */
function pandas(seconds: number): string {
  const ofDay = seconds % 86_400;
  return `${String(Math.floor(seconds / 86_400))} days ${clock(Math.floor(ofDay / 3600), Math.floor((ofDay % 3600) / 60))}:${String(ofDay % 60).padStart(2, '0')}`;
}

function excel(seconds: number): string {
  return `${String(Math.floor(seconds / 3600))}:${clock(Math.floor((seconds % 3600) / 60), seconds % 60)}`;
}

/** Numbers as NumPy writes them, in rows of so many. */
function npy(numbers: readonly number[], columns: number): Uint8Array {
  const shape = `(${String(numbers.length / columns)}, ${String(columns)})`;
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117);
  const head = Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY\x01\x00v\x00'), Buffer.from(`${header}\n`)]);
  return Buffer.concat([head, Buffer.from(Float64Array.from(numbers).buffer)]);
}

/** Rows with a day, a measurement, a number of few values, a truth value, a label, a time of day and a duration. */
const rows = Array.from({ length: 200 }, (_, row) => ({
  day: new Date(Date.UTC(2024, 0, 1 + ((row * 37) % 300))).toISOString().slice(0, 10),
  size: Number((10 + ((row * 7919) % 997) / 100 + ((row * 37) % 300) / 20).toFixed(2)),
  rooms: ((row * 37) % 300) % 7,
  paid: (row * 31) % 5 > 1,
  kind: row % 3 === 0 ? 'fir' : 'oak',
  opens: clock(6 + ((row * 29) % 14), (row * 13) % 60),
  lasts: (row * 1733) % 150_000,
}));
const lines = (dayOf: (day: string) => string | number): string =>
  `${rows
    .map((row) => JSON.stringify({ ...row, day: dayOf(row.day), opens: `${row.opens}:00`, lasts: pandas(row.lasts) }))
    .join('\n')}\n`;
/** The rows as a spreadsheet writes them: durations are clocks that go on beyond 24 hours. */
const csvOf = (dayOf: (day: string) => string, lasts: (seconds: number) => string): string =>
  `day,size,rooms,paid,kind,opens,lasts\n${rows
    .map((row) =>
      [
        dayOf(row.day),
        row.size.toFixed(2),
        row.rooms,
        row.paid ? 'True' : 'False',
        row.kind,
        row.opens,
        lasts(row.lasts),
      ].join(','),
    )
    .join('\n')}\n`;
const files = [
  ...['table.csv', 'sheet.csv', 'days.jsonl', 'midnights.jsonl', 'epochs.jsonl'],
  ...['typed.parquet', 'typed.feather', 'stream.arrows'],
];

const likelihoodOf = async (model: string, file: string): Promise<unknown> => {
  const { code, stdout, stderr } = await orchard('evaluate', model, at(file), '--json');
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { logLikelihood: number }).logLikelihood;
};

describe('the same rows in another format', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    writeFileSync(
      at('table.csv'),
      csvOf((day) => day, pandas),
    );
    writeFileSync(
      at('sheet.csv'),
      csvOf((day) => `${day} 0:00`, excel),
    );
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
    writeFileSync(at('stream.arrows'), tableToIPC(tableFromIPC(readFileSync(at('typed.feather'))), 'stream'));
  }, 120_000);

  // whole numbers that train are numbers, also where they could be milliseconds since 1970
  it.each(files.filter((file) => file !== 'epochs.jsonl'))(
    'are as likely to the last bit for a model of %s',
    async (own) => {
      const model = at(`${own}.run`);
      if (own !== 'table.csv')
        await orchard(...argv`train ${at(own)} --model chow-liu --out ${model} --quiet --no-report`);
      const expected = await likelihoodOf(model, own);
      for (const file of files) expect([file, await likelihoodOf(model, file)]).toEqual([file, expected]);
    },
  );

  it.each(['numbers.csv', 'numbers.npy', 'numbers.parquet'])(
    'are so where all are numbers, for a model of %s, and without names',
    async (own) => {
      const numbers = rows.map(({ size, rooms, lasts }) => [size, rooms, lasts]);
      writeFileSync(
        at('numbers.csv'),
        `column 1,column 2,column 3\n${numbers.map((row) => row.join(',')).join('\n')}\n`,
      );
      writeFileSync(at('numbers.npy'), npy(numbers.flat(), 3));
      const model = at(`${own}.run`);
      await orchard(
        ...argv`train ${at('numbers.csv')} --model chow-liu --out ${at('numbers.run')} --quiet --no-report --force`,
      );
      await orchard('complete', at('numbers.run'), at('numbers.csv'), '--out', at('numbers.parquet'));
      await orchard(...argv`train ${at(own)} --model chow-liu --out ${model} --quiet --no-report`);
      const expected = await likelihoodOf(model, own);
      for (const file of ['numbers.csv', 'numbers.npy', 'numbers.parquet'])
        expect([file, await likelihoodOf(model, file)]).toEqual([file, expected]);
    },
  );

  it.each(['gaps.csv', 'gaps.jsonl'])('are so with missing numbers and empty texts, for a model of %s', async (own) => {
    const gaps = rows.map((row, at) => ({
      size: row.size,
      rooms: at % 10 === 4 ? null : row.rooms,
      note: ['', 'late', 'early', 'late'][at % 4]!,
    }));
    writeFileSync(
      at('gaps.csv'),
      `size,rooms,note\n${gaps.map(({ size, rooms, note }) => `${String(size)},${String(rooms ?? '')},${note}`).join('\n')}\n`,
    );
    writeFileSync(at('gaps.jsonl'), gaps.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const model = at(`${own}.run`);
    await orchard(...argv`train ${at(own)} --model chow-liu --out ${model} --quiet --no-report`);
    const expected = await likelihoodOf(model, own);
    for (const file of ['gaps.csv', 'gaps.jsonl']) {
      expect([file, await likelihoodOf(model, file)]).toEqual([file, expected]);
      // a missing number is not a value that training never saw
      expect((await orchard('evaluate', model, at(file), '--json')).document['newCells']).toEqual([]);
    }
  });

  it('come back as they were from a typed file, whatever the words of the model are', async () => {
    const typed = rows.map((row, at) => ({
      paid: at % 9 === 4 ? null : row.paid,
      share: at % 7 === 3 ? null : [0, 0.05, 0.1][at % 3]!,
      size: at % 11 === 5 ? null : Math.round(row.size),
    }));
    const words = typed.map(({ paid, share, size }) =>
      [paid === null ? '' : paid ? 'WAHR' : 'FALSCH', share === null ? '' : `${String(100 * share)}%`, size ?? ''].join(
        ',',
      ),
    );
    writeFileSync(at('words.csv'), `paid,share,size\n${words.join('\n')}\n`);
    writeFileSync(at('values.jsonl'), typed.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const model = at('words.run');
    await orchard(...argv`train ${at('words.csv')} --model chow-liu --out ${model} --quiet --no-report`);
    await orchard('complete', model, at('values.jsonl'), '--out', at('values.feather'));
    const filled = tableFromIPC(readFileSync(at('values.feather')));
    typed.forEach((row, place) => {
      const own = filled.get(place)!.toJSON() as Record<string, unknown>;
      for (const [name, value] of Object.entries(row))
        if (value === null) expect(own[name]).not.toBeNull();
        else expect([place, name, Number(own[name])]).toEqual([place, name, Number(value)]);
    });
    expect(filled.schema.fields.map(({ type }) => String(type)).slice(0, 2)).toEqual(['Bool', 'Float64']);
  });
});
