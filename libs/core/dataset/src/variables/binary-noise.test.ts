import { describe, expect, it } from 'vitest';
import { rawTable, tableOfAll } from '../table/columns.suite.js';
import { withoutNoise } from './binary-noise.js';
import { numberFromText } from './number-format.js';

describe('the noise of binary fractions', () => {
  it.each([
    [3 * 19.9, 59.7],
    [0.1 + 0.2, 0.3],
    [7 * 1249.99 * 0.93, 8137.4349],
    [-3 * 19.9, -59.7],
    [3 * 150_000.1, 450_000.3],
    [1.1 * 1.1 * 1.1, 1.331],
  ])('is taken from %d', (noisy, number) => {
    expect(noisy).not.toBe(number);
    expect(withoutNoise(noisy)).toBe(number);
    expect(numberFromText(String(noisy))).toBe(number);
  });

  it.each([0, -3, 2 ** 60, 1 / 3, Math.PI, 59.6999999999, 1e-9, 123_456_789.123, 5e-324, 1e300])(
    'is not seen in %d',
    (number) => {
      expect(withoutNoise(number)).toBe(number);
    },
  );

  it('changes no value and no digit of a column: computed totals are as those that a spreadsheet rounded', async () => {
    const amounts = Array.from({ length: 400 }, (_, row) => [1 + (row % 7), 1.99 + (row % 90) * 0.37] as const);
    const computed = amounts.map(([quantity, price]) => quantity * Number(price.toFixed(2)));
    const table = (cells: (string | number)[]) =>
      tableOfAll(
        rawTable(
          ['total'],
          cells.map((cell) => [cell]),
        ),
      );
    const [typed, text, rounded] = await Promise.all([
      table(computed),
      table(computed.map(String)),
      table(computed.map((total) => Number(total.toFixed(2)))),
    ]);
    expect(computed.some((total) => String(total).length > 15)).toBe(true);
    expect(typed).toEqual(rounded);
    expect({ ...text, columns: [] }).toEqual({ ...rounded, columns: [] });
  });
});
