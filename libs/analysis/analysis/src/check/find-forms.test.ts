import type { RawTable } from '@orchard/dataset';
import { expect, it } from 'vitest';
import { findForms } from './find-forms.js';

it('scores every rare form, also where there are more of them than are counted', async () => {
  const rare = Array.from({ length: 5000 }, (_, at) =>
    at.toString(2).padStart(13, '0').replaceAll('0', 'a').replaceAll('1', '9'),
  );
  const codes = [...Array.from({ length: 100_000 }, () => 'AB-12'), ...rare];
  async function* batches() {
    yield await Promise.resolve({ rows: codes.length, columns: [codes] });
  }
  const raw = { columns: ['code'], batches } as unknown as RawTable;
  const cells = await findForms(raw, new Set([0]), 0.001);
  expect(cells).toHaveLength(rare.length);
  expect(cells.every(({ score, probability }) => Number.isFinite(score) && probability > 0)).toBe(true);
});
