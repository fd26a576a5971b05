import { expect, it } from 'vitest';
import { bounded } from './bounded.js';

it('a document that is small enough is left as it is', () => {
  const document = { rows: [1, 2, 3], note: 'x' };
  expect(bounded(document, 100)).toEqual({ shown: document, cut: [] });
});

it('the largest list loses its end, small parts are whole, and it says what is missing', () => {
  const document = { variables: ['a', 'b'], values: Array.from({ length: 1000 }, (_, row) => [row, 'text']) };
  const { shown, cut } = bounded(document, 2000);
  expect(JSON.stringify(shown).length).toBeLessThan(2000);
  const { variables, values } = shown as typeof document;
  expect(variables).toEqual(['a', 'b']);
  expect(values).toEqual(document.values.slice(0, values.length));
  expect(values.length).toBeGreaterThan(100);
  expect(cut).toEqual([{ where: 'values', shown: values.length, of: 1000 }]);
});

it('cuts within a list of one large item, and long texts', () => {
  const { shown, cut } = bounded([{ name: 'x', text: 'y'.repeat(5000) }], 300);
  expect(JSON.stringify(shown).length).toBeLessThan(330);
  expect(cut).toEqual([{ where: '[0].text', shown: expect.any(Number) as number, of: 5000 }]);
});
