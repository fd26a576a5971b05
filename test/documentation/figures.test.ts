import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { cellsOf, figuresOfPages, withTable } from '../../infra/figures/table-of-figures.mjs';
import { root } from '../cli/orchard.js';

it.each([...figuresOfPages()])('the figures of %s stand in its page as the data have them', async (_, table) => {
  const path = join(root, table.page);
  const page = readFileSync(path, 'utf8');
  const made = await format(withTable(page, table), { ...(await resolveConfig(path)), filepath: path });
  expect(made, 'npm run figures writes them').toBe(page);
});

it.each([...figuresOfPages()])('each figure of %s says how it was measured, or who published it', (_, { figures }) => {
  for (const [name, figure] of Object.entries(figures)) {
    expect(Number.isFinite(figure.value), name).toBe(true);
    if ('source' in figure) continue;
    expect(figure.command, name).toMatch(/^(npm run bench:|orchard |script: )/);
    expect(figure.commit, name).toMatch(/^[0-9a-f]{7,8}$/);
    expect(figure.date, name).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(figure.machine, name).toMatch(/core/);
  }
});

it('a figure that another build changes changes its page, and one that no cell names is noticed unless it is borrowed', () => {
  const table = figuresOfPages().get('ratios.json')!;
  const name = Object.keys(table.figures)[0]!;
  const changed = { ...table, figures: { ...table.figures, [name]: { ...table.figures[name]!, value: 123 } } };
  expect(cellsOf(changed).flat().join()).toContain('123');
  expect(() => cellsOf({ ...table, rows: table.rows.slice(1) })).toThrow('no cell names');
  expect(() => cellsOf({ ...table, rows: [['{nothing}']] })).toThrow('not among the figures');
  const { figures, ...borrower } = table;
  const rows = [[`{${name}} of {${name}:date}, {${name}:commit}`]];
  const [[shown]] = cellsOf({ ...borrower, figures: {}, borrowed: figures, rows }) as [[string]];
  expect(shown).toMatch(/^[\d.]+x? of 20\d\d-\d\d-\d\d, [0-9a-f]{7,8}$/);
  expect(() => withTable('# A page\n', table)).toThrow('has no table with the columns');
});
