import type { Variable } from '@orchard/contracts';
import { describe, expect, test } from 'vitest';
import type { RawCell } from '../table-files/raw-table.js';
import { Encoder } from '../variables/cell-values.js';
import { rawTable, tableOfAll, variableOf } from './columns.suite.js';
import { encodeTable } from './encode-table.js';

const times = (count: number, cell: (row: number) => RawCell): RawCell[] =>
  Array.from({ length: count }, (_, row) => cell(row));

describe('several texts of one number', () => {
  const versions = times(120, (row) => ['1.1', '1.10', '1.2', '1.20', '2.0'][row % 5]!);
  const typed = async (cells: readonly RawCell[], options = {}) => {
    const rows = cells.map((cell) => [cell]);
    const table = await tableOfAll({ ...rawTable(['x'], rows), format: 'parquet' }, options);
    return { variable: table.variables[0], how: table.mended?.[0]?.how };
  };

  test('are read as it in a text, which is said', async () => {
    const rows = versions.map((cell) => [cell]);
    const table = await tableOfAll(rawTable(['x'], rows));
    expect(table.variables[0]).toMatchObject({ kind: 'ordered', holes: 0 });
    expect(table.mended?.[0]?.how).toBe(
      '"1.1" and "1.10" are read as one number; if they are names, say that the column is categorical',
    );
    const zeros = times(60, (row) => (row % 3 === 0 ? '0' : row % 3 === 1 ? '0.0' : `0.${row}5`));
    expect(
      (
        await tableOfAll(
          rawTable(
            ['x'],
            zeros.map((cell) => [cell]),
          ),
        )
      ).mended,
    ).toBeUndefined();
  });

  test('are labels where the file says that they are text, unless the column is said to be ordered', async () => {
    const { variable, how } = await typed(versions);
    expect(variable).toMatchObject({ kind: 'categorical', labels: ['1.1', '1.10', '1.2', '1.20', '2.0'] });
    expect(how).toMatch(
      /^"1.1" and "1.10" are one number, and stay labels since the file keeps them apart; if they are numbers/,
    );
    expect((await typed(versions, { types: { x: 'ordered' } })).variable).toMatchObject({ kind: 'ordered' });
    expect((await typed(times(60, (row) => `${row % 7}.5`))).variable).toMatchObject({ kind: 'ordered' });
    expect((await typed(times(60, (row) => row % 7))).variable).toMatchObject({ kind: 'ordered' });
    // as labels they would be too many, and left out
    const measured = times(60, (row) => (row === 9 ? '8.50' : `${row}.5`));
    expect((await typed(measured)).variable).toMatchObject({ kind: 'ordered' });
  });

  test('are other labels of a second file, which are not read as the first that is the same number', async () => {
    const variable = (await typed(versions)).variable!;
    const encoder = new Encoder(variable);
    expect(encoder.code('1.20', NaN)).toBe(3);
    expect(encoder.code('2.00', NaN)).toBe(5);
    const whole = new Encoder((await variableOf(times(60, (row) => (row % 2 === 0 ? '1' : 'a')))) as Variable);
    expect(whole.code('1.0', NaN)).toBe(whole.code('1', NaN));
  });

  test('of digits, an E and digits in every cell they are labels: wells of a plate', async () => {
    const wells = times(90, (row) => `${1 + (row % 3)}E${[2, 5][row % 2]!}`);
    expect(await variableOf(wells)).toMatchObject({ kind: 'categorical' });
    expect(await variableOf(wells, { types: { x: 'ordered' } })).toMatchObject({ kind: 'ordered' });
    expect(await variableOf(times(90, (row) => `${2_310_000 + row}E${10 + row}`))).toMatch(
      /mostly distinct: names, as/,
    );
    for (const other of ['1.5E3', '1E-3', '100'])
      expect(await variableOf([...wells, other])).toMatchObject({ kind: 'ordered' });
  });
});

test('digits that no number holds keep labels of a typed file apart, and are counted elsewhere', async () => {
  const ids = times(60, (row) => String(2n ** 60n + BigInt(row % 5)));
  const rows = ids.map((cell) => [cell]);
  const typed = await tableOfAll({ ...rawTable(['x'], rows), format: 'parquet' });
  expect(typed.variables).toMatchObject([{ kind: 'categorical', labels: ids.slice(0, 5) }]);
  expect(typed.mended?.[0]?.how).toContain('are one number, and stay labels since the file keeps them apart');
  const doubts: string[] = [];
  await tableOfAll(rawTable(['x'], rows), { onDoubt: (_, doubt) => doubts.push(doubt) });
  expect(doubts).toEqual([
    `48 cells have more digits than numbers hold and are rounded, as ${ids[1]!} to 1152921504606846976; if they are names, say that the column is categorical`,
  ]);
});

describe('marks of missing values among numbers', () => {
  test.each(['\\N', 'N.A.', '#DIV/0!', 'inf', '-Infinity', '-', '.', '\u2013'])(
    '%s does not make labels of a column',
    async (mark) => {
      const few = times(60, (row) => (row % 4 === 0 ? mark : String(row % 9)));
      const table = await tableOfAll(
        rawTable(
          ['x'],
          few.map((cell) => [cell]),
        ),
      );
      expect(table.variables[0]).toMatchObject({ kind: 'ordered', holes: 15 });
      expect(table.mended?.[0]?.how).toBe(`15 cells count as missing, as ${JSON.stringify(mark)}`);
      for (const cell of [(row: number) => `$${row}.50`, (row: number) => `2024-01-${10 + (row % 9)}`])
        expect(await variableOf(times(60, (row) => (row % 4 === 0 ? mark : cell(row))))).toMatchObject({
          kind: 'ordered',
          holes: 15,
        });
      const days = times(60, (row) => (row % 4 === 0 ? mark : `2024${10 + (row % 3)}${10 + (row % 9)}`));
      expect(await variableOf(days)).toMatchObject({ holes: 15, format: { type: 'date' } });
    },
  );

  test('are labels among labels, and beside one number', async () => {
    expect(await variableOf(times(60, (row) => (row % 4 === 0 ? '-' : `w${row % 3}`)))).toMatchObject({ holes: 0 });
    expect(await variableOf(times(60, (row) => (row % 4 === 0 ? '-' : '1')))).toMatchObject({ kind: 'binary' });
    expect(await variableOf(times(60, (row) => (row % 2 === 0 ? '-' : '.')))).toMatchObject({ kind: 'binary' });
  });

  test('are missing in a second file too, and are not refused by strict', async () => {
    const numbers = times(60, (row) => String(row % 9));
    const table = await tableOfAll(
      rawTable(
        ['x'],
        [...numbers, null].map((cell) => [cell]),
      ),
    );
    const second = { ...rawTable(['x'], [['5'], ['-'], ['\\N']]), isStrict: true };
    const [encoded] = await encodeTable(second, table, [3], {
      missing: 'unknown',
      mayBeUnknown: true,
      withDensities: true,
    });
    expect([0, 1, 2].map((row) => encoded!.known?.get(row, 0))).toEqual([1, 0, 0]);
    expect(encoded!.misfits.size).toBe(0);
  });
});
