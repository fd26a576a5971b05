import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

interface Sale {
  readonly day: number;
  readonly amount: number;
  readonly paid: boolean;
}
const sales = Array.from({ length: 240 }, (_, row): Sale => {
  const day = (row * 37) % 330;
  return { day, amount: 20 + day / 10 + ((row * 7919) % 997) / 100, paid: (row * 31) % 5 > 1 };
});
const dayOf = (day: number): { year: string; month: string; date: string } => {
  const [year = '', month = '', date = ''] = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10).split('-');
  return { year, month, date };
};
const iso = (day: number): string => Object.values(dayOf(day)).join('-');
const american = (day: number): string => `${dayOf(day).month}/${dayOf(day).date}/${dayOf(day).year}`;
const german = (day: number): string => `${dayOf(day).date}.${dayOf(day).month}.${dayOf(day).year}`;

const forms: Readonly<Record<string, (sale: Sale) => readonly string[]>> = {
  plain: ({ day, amount, paid }) => [iso(day), amount.toFixed(2), paid ? 'true' : 'false'],
  'American dates and dollars': ({ day, amount, paid }) => [
    american(day),
    `$${amount.toFixed(2)}`,
    paid ? 'TRUE' : 'FALSE',
  ],
  'German dates and decimal commas': ({ day, amount, paid }) => [
    german(day),
    `"${amount.toFixed(2).replace('.', ',')}"`,
    paid ? '1' : '0',
  ],
  'moments at midnight': ({ day, amount, paid }) => [
    `${iso(day)} 00:00:00`,
    amount.toFixed(2),
    paid ? 'True' : 'False',
  ],
};
const write = (name: string, form: string, gaps: readonly number[] = []): string => {
  const lines = sales.map((sale, row) => (gaps.includes(row) ? ',,' : forms[form]!(sale).join(',')));
  writeFileSync(at(name), `day,amount,paid\n${lines.join('\n')}\n`);
  return at(name);
};
const nats = async (model: string, file: string, ...words: readonly string[]): Promise<unknown> => {
  const { code, document, stderr } = await orchard('evaluate', model, file, '--json', ...words);
  expect(code, stderr).toBe(0);
  return document['logLikelihood'];
};

describe.each(Object.keys(forms))('a model of %s', { timeout: 120_000 }, (own) => {
  const model = at(own);
  let expected: unknown;
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${write('train.csv', own)} --model chow-liu --out ${model} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
    expected = await nats(model, at('train.csv'));
  }, 120_000);

  it.each(Object.keys(forms).filter((form) => form !== own))(
    'reads the same rows with %s, to the last bit',
    async (form) => {
      const file = write('other.csv', form);
      expect(await nats(model, file)).toBe(expected);
      const { stdout, stderr } = await orchard('complete', model, file);
      expect(stdout).toBe(readFileSync(file, 'utf8').replaceAll(/"(\d+,\d+)"/g, '"$1"'));
      expect(stderr).toContain('of 0 missing values of 240 rows');
      expect(stderr).toContain('are read as');
    },
  );

  it.each(Object.keys(forms))('fills gaps in %s as the file writes its values', async (form) => {
    const file = write('gaps.csv', form, [3, 7, 11]);
    const { stdout, code, stderr } = await orchard('complete', model, file);
    expect(code, stderr).toBe(0);
    const patterns = {
      plain: /^\d{4}-\d\d-\d\d,\d+\.\d+,(true|false)$/,
      'American dates and dollars': /^\d\d\/\d\d\/\d{4},\$\d+\.\d+,(TRUE|FALSE)$/,
      'German dates and decimal commas': /^\d\d\.\d\d\.\d{4},"\d+,\d+",[01]$/,
      // a model of moments fills in moments
      'moments at midnight': /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+\.\d+,(True|False)$/,
    };
    for (const line of stdout.trim().split('\n').slice(1))
      expect(line).toMatch(patterns[form as keyof typeof patterns]);
  });
});

describe('a file in another form', { timeout: 120_000 }, () => {
  const model = at('model');
  beforeAll(async () => {
    const { code, stderr } = await orchard(
      ...argv`train ${write('train.csv', 'plain')} --model chow-liu --out ${model} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }, 120_000);

  it('that no form reads is refused, with what it is and what it should be', async () => {
    const lines = sales.map(({ amount }, row) => `week ${String(row)},${amount.toFixed(2)},true`);
    writeFileSync(at('weeks.csv'), `day,amount,paid\n${lines.join('\n')}\n`);
    for (const command of ['evaluate', 'complete']) {
      const { code, stderr } = await orchard(command, model, at('weeks.csv'));
      expect(code).toBe(2);
      expect(stderr).toContain('"week 0" (240 of 240 cells)');
      expect(stderr).toMatch(/as "2024-01-01" of the training rows/);
    }
  });

  it('in another currency is refused', async () => {
    const dollars = at('dollars');
    write('dollars.csv', 'American dates and dollars');
    await orchard(...argv`train ${at('dollars.csv')} --model chow-liu --out ${dollars} --quiet --no-report`);
    const text = readFileSync(at('dollars.csv'), 'utf8').replaceAll('$', '€');
    writeFileSync(at('euros.csv'), text);
    const { code, stderr } = await orchard('evaluate', dollars, at('euros.csv'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('"€')]);
  });

  it('whose days and months may be each other is read by --dates, and asks for it without', async () => {
    const few = sales.filter(({ day }) => Number(dayOf(day).date) <= 12);
    const lines = (order: (day: number) => string): string =>
      few.map(({ day, amount }) => `${order(day)},${amount.toFixed(2)},true`).join('\n');
    const dmy = (day: number): string => `${dayOf(day).date}/${dayOf(day).month}/${dayOf(day).year}`;
    writeFileSync(at('iso.csv'), `day,amount,paid\n${lines(iso)}\n`);
    writeFileSync(at('either.csv'), `day,amount,paid\n${lines(dmy)}\n`);
    const expected = await nats(model, at('iso.csv'));
    expect(await nats(model, at('either.csv'), '--dates', 'dmy')).toBe(expected);
    expect(await nats(model, at('either.csv'))).not.toBe(expected);
    const { stderr } = await orchard('evaluate', model, at('either.csv'));
    expect(stderr).toContain('if day and month are the other way round, say dmy (--dates)');
  });

  it('takes types as the model has them, and no others', async () => {
    const file = write('german.csv', 'German dates and decimal commas');
    const { stderr } = await orchard('evaluate', model, file, '--type', 'paid=categorical');
    expect(stderr).toContain('240 values of "paid" that training never saw');
    const other = await orchard('evaluate', model, file, '--type', 'day=categorical');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('ordered, as the model has it')]);
  });
});

it('has names in line 1 where that has those of the model, and says that columns without names are taken in order', async () => {
  const values = Array.from({ length: 60 }, (_, row) => ['yes', 'no', 'tri'][row % 3]!);
  const rows = values.map((value, row) => `${value},${String(row % 2)}\n`).join('');
  writeFileSync(at('named.csv'), `tri,01\n${rows}`);
  writeFileSync(at('bare.csv'), rows);
  const model = at('named');
  const words = argv`--model marginals --out ${model} --quiet --no-report`;
  expect((await orchard('train', at('named.csv'), '--header', 'yes', ...words)).code).toBe(0);
  const named = await orchard('evaluate', model, at('named.csv'), '--json');
  expect([named.document['rows'], named.document['newCells']]).toEqual([60, []]);
  expect(named.stderr).toMatch(/^orchard: the model learned from these rows[^\n]*\n$/);
  const bare = await orchard('evaluate', model, at('bare.csv'), '--json');
  expect([bare.document['rows'], bare.document['logLikelihood']]).toEqual([60, named.document['logLikelihood']]);
  expect(bare.stderr).toContain('its columns are taken for those of the training rows, in their order');
});
