import { readFileSync, writeFileSync } from 'node:fs';
import { openTable } from '@orchard/dataset';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchard, temporaryFolder } from '../../run.suite.js';
import type { ColumnDrift, SuspectCell } from '@orchard/analysis';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

const towns = [
  ['Birmingham', 'Jefferson', 'AL'],
  ['Huntsville', 'Madison', 'AL'],
  ['Anchorage', 'Anchorage', 'AK'],
  ['Fairbanks', 'North Star', 'AK'],
];

/** Rows in which town, county and state go together. */
function write(name: string, change: (rows: string[][]) => void = () => undefined): string {
  const rows = Array.from({ length: 1000 }, (_, row) => [...towns[(row * 7 + (row % 3)) % 4]!]);
  change(rows);
  writeFileSync(at(name), `town,county,state\n${rows.map((cells) => cells.join(',')).join('\n')}\n`);
  return at(name);
}

const clean = write('clean.csv');
const dirty = write('dirty.csv', (rows) => {
  rows[10]![0] = 'Birmxngham';
  rows[10]![1] = 'Jefferson';
  rows[10]![2] = 'AL';
  rows[20]![2] = rows[20]![2] === 'AL' ? 'AK' : 'AL';
});

describe('orchard check', () => {
  it('finds the misspelt label and the wrong one, and ends with exit code 3', async () => {
    const { code, document } = await orchard('check', dirty, '--json');
    expect(code).toBe(3);
    const cells = document['cells'] as SuspectCell[];
    expect(cells).toContainEqual(
      expect.objectContaining({ row: 11, column: 'town', value: 'Birmxngham', typoOf: 'Birmingham' }),
    );
    expect(cells.some(({ row, column }) => row === 21 && column === 'state')).toBe(true);
    expect(cells.filter(({ row }) => row !== 11 && row !== 21)).toEqual([]);
  });

  it('finds a label that is misspelt many times in the same way', async () => {
    const often = write('often.csv', (rows) => {
      rows.filter(([town]) => town === 'Huntsville').forEach((cells, at) => at % 20 === 0 && (cells[0] = 'Hxntsville'));
    });
    const { document } = await orchard('check', often, '--json');
    const cells = document['cells'] as SuspectCell[];
    expect(cells.length).toBeGreaterThan(10);
    expect(cells.every(({ value, typoOf }) => value === 'Hxntsville' && typoOf === 'Huntsville')).toBe(true);
  });

  it('finds words that are misspelt beside numbers', async () => {
    const texts = Array.from(
      { length: 400 },
      (_, row) => `${String((row * 37) % 900)} patients,${row % 3 ? 'a' : 'b'}`,
    );
    texts[30] = '31 patixnts,a';
    writeFileSync(at('numbered.csv'), `sample,kind\n${texts.join('\n')}\n`);
    const { document } = await orchard('check', at('numbered.csv'), '--json');
    expect(document['cells']).toEqual([
      expect.objectContaining({ row: 31, form: '9+ patixnts', expected: '9+ patients (99.8 %)' }),
    ]);
  });

  it('reports no rare label that comes in dozens of rows, but one that the rest of its row speaks against', async () => {
    const noise = (row: number, salt: number): number => ((row * (7919 + 1000 * salt) + 17) % 9973) / 9973;
    const orders = Array.from({ length: 1000 }, (_, row) => {
      const kind = Math.floor(4 * noise(row, 1));
      const status = noise(row, 2) < 0.05 ? 'cancelled' : noise(row, 2) < 0.2 ? 'open' : 'paid';
      // of one kind alone rows are returned
      return [
        `kind ${'ABCD'[kind]!}`,
        `hall ${'ABCD'[kind]!}`,
        kind === 3 && noise(row, 3) < 0.2 ? 'returned' : status,
      ];
    });
    orders[700] = ['kind A', 'hall A', 'returned'];
    writeFileSync(at('rare.csv'), `kind,hall,status\n${orders.map((cells) => cells.join(',')).join('\n')}\n`);
    const { document } = await orchard('check', at('rare.csv'), '--json', '--quiet');
    expect(document['cells']).toEqual([expect.objectContaining({ row: 701, column: 'status', value: 'returned' })]);
  });

  it('puts a number far beyond all others first, and reports no word that comes often among numbers', async () => {
    const temperatures = Array.from({ length: 2000 }, (_, row) => {
      const sum = [7919, 104_729, 1_299_709].reduce((all, by) => all + ((row * by) % 997) / 997, 0);
      return `${row % 29 === 0 ? '<35' : (35.5 + sum).toFixed(1)},${row % 3 ? 'a' : 'b'}`;
    });
    temperatures[200] = '98.6,a';
    writeFileSync(at('temperatures.csv'), `temperature,kind\n${temperatures.join('\n')}\n`);
    const { document } = await orchard('check', at('temperatures.csv'), '--json');
    const cells = document['cells'] as SuspectCell[];
    expect(cells[0]).toMatchObject({ row: 201, value: '98.6' });
    expect(cells.filter(({ value }) => value === '<35')).toEqual([]);
  });

  it('finds the number that widened the bin it lies in, as one beside the other rows of the bin', async () => {
    const sizes = Array.from({ length: 150 }, (_, row) => {
      const size = (((row * 7919) % 1009) + ((row * 104_729) % 997)) / 800;
      return [size.toFixed(2), (size + ((row * 31) % 17) / 60).toFixed(2)];
    });
    sizes[20]![0] = '40.00';
    sizes[90]![1] = '-40.00';
    writeFileSync(at('sizes.csv'), `size,length\n${sizes.map((cells) => cells.join(',')).join('\n')}\n`);
    const { document } = await orchard('check', at('sizes.csv'), '--json');
    const [first, second] = document['cells'] as SuspectCell[];
    expect([first, second].map((cell) => cell?.value).sort()).toEqual(['-40.00', '40.00']);
    expect(second!.probability).toBeLessThan(1e-6);
  });

  it('finds nothing in rows that are right, and ends with exit code 0', async () => {
    const { code, stdout } = await orchard('check', clean);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 unusual cells of 3,000 cells; about 15 would be/)]);
  });

  it('compares with a model of earlier rows, and reports the column that has drifted', async () => {
    const model = at('model');
    expect(await orchard('train', clean, '--model', 'chow-liu', '--out', model, '--quiet')).toMatchObject({ code: 0 });
    const later = write('later.csv', (rows) => {
      for (let row = 0; row < 300; row++) rows[row] = [...towns[3]!];
    });
    const { code, document } = await orchard('check', later, '--baseline', model, '--json');
    expect(code).toBe(3);
    expect((document['drift'] as ColumnDrift[]).map(({ column }) => column).sort()).toEqual([
      'county',
      'state',
      'town',
    ]);
    const same = await orchard('check', clean, '--baseline', model, '--json');
    expect([same.code, same.document['drift']]).toEqual([0, []]);
    // missing values where training had none are no value of the column
    const gaps = write('gaps.csv', (rows) => {
      rows.filter((_, row) => (row * 7919) % 10 < 4).forEach((cells) => (cells[0] = ''));
    });
    expect((await orchard('check', gaps, '--baseline', model, '--json')).document['drift']).toEqual([]);
  });

  it('finds the cells that are not written as their column', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => {
      const day = new Date(Date.UTC(2025, 0, 1 + row)).toISOString().slice(0, 10);
      return [
        day,
        `AB-${String(1000 + ((row * 7919) % 9000))}`,
        `free text${' word'.repeat(row % 7)}${'.,;!?'[row % 5]!.repeat(row % 11)}`,
        row % 3 === 0 ? 'red' : 'blue',
      ];
    });
    rows[40]![0] = '09/02/2025';
    rows[50]![1] = 'AB_1x00';
    writeFileSync(
      at('forms.csv'),
      `day,code,remark,colour\n${rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n')}\n`,
    );
    const { document } = await orchard('check', at('forms.csv'), '--json', '--quiet');
    const formed = (document['cells'] as SuspectCell[]).filter(({ form }) => form !== null);
    expect(formed.map(({ row, column, form }) => [row, column, form]).sort()).toEqual([
      [41, 'day', '99/99/9999'],
      [51, 'code', 'AA_9a99'],
    ]);
    expect(formed.find(({ column }) => column === 'code')!.expected).toBe('AA-9999 (99.8 %)');
    const without = await orchard('check', at('forms.csv'), '--json', '--quiet', '--exclude', 'code');
    expect((without.document['cells'] as SuspectCell[]).map(({ column }) => column)).not.toContain('code');
  });

  it('prints Markdown, and writes the cells and the rows to tables', async () => {
    const files = ['--out', at('cells.parquet'), '--per-row', at('rows.csv')];
    const { code, stdout } = await orchard('check', dirty, '--markdown', ...files);
    expect(code).toBe(3);
    expect(stdout).toContain(
      '| row | column | value | probability | why |\n| --- | --- | --- | --- | --- |\n| 11 | town | Birmxngham |',
    );
    const cells = await openTable(at('cells.parquet'), {});
    expect(cells.columns).toEqual(['row', 'column', 'value', 'probability', 'expected', 'typoOf', 'form', 'score']);
    await cells.close();
    const lines = readFileSync(at('rows.csv'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1001);
    expect(lines[1]).toBe('1,0,0,,,');
    expect(lines[11]).toMatch(/^11,\d,[\d.]+,town,Birmxngham,/);
    expect(await orchard('check', dirty, '--out', at('cells.pdf'))).toMatchObject({ code: 2 });
  });
});
