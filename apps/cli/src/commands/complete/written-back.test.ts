import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '@orchard/dataset';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const MARK = '\ufeff';

/** A city, a day, an amount and a note that is left out; some cells are missing. */
const rows = Array.from({ length: 120 }, (_, row) => ({
  city: row % 10 === 3 ? '' : ['Köln', 'Bonn', 'Ulm'][row % 3]!,
  day: row % 10 === 4 ? '' : `${String((row % 28) + 1).padStart(2, '0')}.0${String((row % 9) + 1)}.2024`,
  amount: row % 10 === 5 ? '' : `${row % 2 === 0 ? '1.' : ''}2${String(row % 7)}${String(row % 5)},5${String(row % 9)}`,
  note: ['NA', 'null', '', `a; "b" ${String(row)}`][row % 4]!,
}));
const NAMES = ['city', 'day', 'amount', 'note'] as const;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const whereNeeded = (text: string): string => (/[;"]/.test(text) ? quoted(text) : text);
const linesOf = (field: (text: string, name: string) => string): string[] =>
  rows.map((row) => NAMES.map((name) => field(row[name], name)).join(';'));
const excel = [NAMES.join(';'), ...linesOf(whereNeeded)].join('\r\n') + '\r\n';

beforeAll(async () => {
  writeFileSync(at('excel.csv'), MARK + excel);
  const { code, stderr } = await orchard(
    ...argv`train ${at('excel.csv')} --model chow-liu --out ${at('run')} --quiet --no-report`,
  );
  expect(code, stderr).toBe(0);
}, 60_000);

/** Lines of a file, and which of them differ from those that were given. */
async function completed(
  text: string,
  ...words: string[]
): Promise<{ lines: string[]; changed: number[]; stderr: string }> {
  writeFileSync(at('given.csv'), text);
  const out = await orchard('complete', at('run'), at('given.csv'), '--out', at('filled.csv'), ...words);
  expect(out.code, out.stderr).toBe(0);
  const given = text.split(/(?<=\n)/);
  const lines = readFileSync(at('filled.csv'), 'utf8').split(/(?<=\n)/);
  const changed = lines.flatMap((line, number) => (line === given[number] ? [] : [number]));
  return { lines, changed, stderr: out.stderr };
}
const withGaps = (above: number): number[] =>
  rows.flatMap((_, row) => (row % 10 >= 3 && row % 10 <= 5 ? [row + above] : []));

describe('complete writes a text as it was written', () => {
  it.each<[string, string, number, string[]?]>([
    ["Excel's, with its mark, semicolons and decimal commas", MARK + excel, 1],
    ['with every cell in quotes', [NAMES.map(quoted).join(';'), ...linesOf(quoted)].join('\n') + '\n', 1],
    [
      'with texts in quotes',
      [
        '"city";day;amount;"note"',
        ...linesOf((text, name) => (name === 'city' || name === 'note' ? quoted(text) : text)),
      ].join('\n') + '\n',
      1,
    ],
    [
      'with blanks around cells',
      [NAMES.join(' ; '), ...linesOf(whereNeeded).map((line) => line.replace(/;/, ' ; '))].join('\n') + '\n',
      1,
    ],
    ['that begins with what separates its cells', `sep=;\n${excel}`, 2],
    ['without names', excel.slice(excel.indexOf('\n') + 1), 0, ['--header', 'no']],
    ['below a title', `Sales of 2024\r\n${excel}`, 2, ['--skip', '1']],
  ])('%s', async (_, text, above, words = []) => {
    const { lines, changed } = await completed(text, ...words);
    expect(changed).toEqual(withGaps(above));
    const filled = lines[above + 5]!;
    expect(filled).toMatch(/^"?Ulm"? ?; ?"?06\.06\.2024"?;"?[\d.]+,\d\d"?;/);
    // a second time there is nothing to do
    expect((await completed(lines.join(''), ...words)).changed).toEqual([]);
  });

  it('and with several draws below a column that numbers them', async () => {
    const { lines } = await completed(MARK + excel, '--draws', '2');
    expect(lines.slice(0, 3)).toEqual([
      `${MARK}draw;city;day;amount;note\r\n`,
      ...['1', '2'].map((draw) => `${draw};${excel.split('\r\n')[1]!}\r\n`),
    ]);
  });

  it('in UTF-8 with its mark where it is in another encoding, which is reported', async () => {
    writeFileSync(at('latin.csv'), Buffer.from(excel, 'latin1'));
    const { stderr } = await orchard(
      ...argv`complete ${at('run')} ${at('latin.csv')} --encoding latin1 --out ${at('filled.csv')}`,
    );
    expect(stderr).toContain('the text is written in UTF-8, with its mark; the file is windows-1252');
    const [first, second] = readFileSync(at('filled.csv'), 'utf8').split('\r\n');
    expect([first, second]).toEqual([`${MARK}city;day;amount;note`, excel.split('\r\n')[1]]);
  });

  it('and tabs only where a file of tabs is asked for', async () => {
    writeFileSync(at('tabs.tsv'), excel.replaceAll(';', '\t').replaceAll('a\t', 'a;'));
    await orchard(...argv`complete ${at('run')} ${at('tabs.tsv')} --out ${at('of-tabs.tsv')}`);
    expect(readFileSync(at('of-tabs.tsv'), 'utf8')).toMatch(/^city\tday\tamount\tnote\r\n/);
    await orchard(...argv`complete ${at('run')} ${at('tabs.tsv')} --out ${at('of-tabs.csv')}`);
    expect(readFileSync(at('of-tabs.csv'), 'utf8')).toMatch(/^city,day,amount,note\n/);
  });
});

describe('complete writes JSON', () => {
  const given = rows.map(({ city, ...rest }) => ({ city: city || null, ...rest, id: '007', tags: [1] }));

  it('as a list or as lines, each value with its type, and reports what is left out', async () => {
    writeFileSync(at('given.json'), JSON.stringify(given));
    const { code, stderr } = await orchard(
      ...argv`complete ${at('run')} ${at('given.json')} --out ${at('filled.json')}`,
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('the column "tags" is not written: lists or objects');
    const back = JSON.parse(readFileSync(at('filled.json'), 'utf8')) as Record<string, unknown>[];
    back.forEach((row, number) => {
      expect(row).not.toHaveProperty('tags');
      for (const [name, value] of Object.entries(given[number]!))
        if (name === 'tags') continue;
        else if (value !== null && value !== '') expect(row[name]).toBe(value);
        else if (name !== 'note') expect(row[name]).toMatch(/./);
    });
    await orchard(...argv`complete ${at('run')} ${at('given.json')} --out ${at('filled.jsonl')}`);
    const lines = readFileSync(at('filled.jsonl'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(back);
  });
});

it('complete reports columns of JSON with cells of several types, which it writes as texts', async () => {
  const mixed = rows.map(({ city, day, amount }, row) => ({
    ...{ city: city || null, day, amount, note: row === 7 ? 'true' : row % 2 === 0 },
    more: row % 3,
  }));
  writeFileSync(at('mixed.jsonl'), mixed.map((row) => JSON.stringify(row)).join('\n'));
  const { stderr } = await orchard(...argv`complete ${at('run')} ${at('mixed.jsonl')} --out ${at('of-mixed.jsonl')}`);
  expect(stderr).toContain('cells of "note" are texts, numbers or truth values in one column');
  const [first] = readFileSync(at('of-mixed.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(first!)).toMatchObject({ note: 'True', more: 0 });
});

it('complete leaves out of a typed file what was excluded, bytes that are no texts too', async () => {
  const { tableFromArrays, tableToIPC } = await import('apache-arrow');
  const table = tableFromArrays({
    city: rows.map(({ city }) => city || null),
    day: rows.map(({ day }) => day || null),
    amount: rows.map(({ amount }) => amount || null),
    picture: rows.map(() => 'Lund'),
  });
  const bytes = Buffer.from(tableToIPC(table, 'stream'));
  bytes[bytes.indexOf('Lund') + 1] = 0xfc;
  writeFileSync(at('bytes.arrow'), bytes);
  const complete = (...words: string[]) =>
    orchard(...argv`complete ${at('run')} ${at('bytes.arrow')} --out ${at('of-bytes.arrow')}`, ...words);
  const refused = await complete();
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('say that it is excluded (--type)')]);
  const { code, stderr } = await complete('--type', 'picture=excluded');
  expect([code, stderr]).toEqual([0, expect.stringContaining('the column "picture" is not written: excluded')]);
  const filled = await openTable(at('of-bytes.arrow'));
  expect(filled.columns).toEqual(['city', 'day', 'amount']);
  await filled.close();
  const none = await complete('--type', 'pictures=excluded');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('expected a column of the model')]);
});

describe('complete keeps the types of a typed file', () => {
  it('texts of digits are no numbers, whole floats no integers, midnights no days', async () => {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const count = 80;
    const times = <Value>(value: (row: number) => Value): Value[] =>
      Array.from({ length: count }, (_, row) => value(row));
    const day = (row: number): Date => new Date(Date.UTC(2024, 0, 1 + (row % 50)));
    const file = (when: (row: number) => Date | null): Uint8Array =>
      new Uint8Array(
        parquetWriteBuffer({
          columnData: [
            { name: 'when', data: times(when), type: 'TIMESTAMP', nullable: true },
            { name: 'size', data: times((row) => row % 9), type: 'DOUBLE' },
            { name: 'code', data: times((row) => String(row * 7 + 1000)), type: 'STRING' },
          ],
        }),
      );
    // the model has days
    writeFileSync(
      at('days.csv'),
      `when,size,code\n${times((row) => `${day(row).toISOString().slice(0, 10)},${String(row % 9)},c${String(row)}`).join('\n')}\n`,
    );
    await orchard(...argv`train ${at('days.csv')} --model chow-liu --out ${at('days')} --quiet --no-report`);
    writeFileSync(
      at('typed.parquet'),
      file((row) => (row % 8 === 1 ? null : day(row))),
    );
    const { code, stderr } = await orchard(
      ...argv`complete ${at('days')} ${at('typed.parquet')} --out ${at('typed-filled.parquet')}`,
    );
    expect(code, stderr).toBe(0);
    const [given, filled] = await Promise.all([openTable(at('typed.parquet')), openTable(at('typed-filled.parquet'))]);
    expect(filled.kinds).toEqual(given.kinds);
    expect(filled.kinds).toEqual(['dates with times', 'numbers', 'texts']);
    expect([...filled.fractions!]).toEqual([...given.fractions!]);
    for await (const { columns } of filled.batches())
      for (let row = 0; row < count; row++) {
        const moment = columns[0]!.at(row);
        if (row % 8 === 1) expect(moment).toMatch(/^2024-\d\d-\d\dT00:00:00/);
        else expect(moment).toBe(day(row).toISOString().slice(0, 19));
        expect(columns[2]!.at(row)).toBe(String(row * 7 + 1000));
      }
    await given.close();
    await filled.close();
  });

  it('refuses a file whose column is one of lists where the model has values', async () => {
    writeFileSync(at('lists.jsonl'), '{"when":[1],"size":1,"code":"c1"}\n'.repeat(3));
    for (const command of ['complete', 'evaluate']) {
      const { code, stderr } = await orchard(command, at('days'), at('lists.jsonl'));
      expect([code, stderr]).toEqual([2, expect.stringContaining('column "when": got lists or objects')]);
    }
  });
});
