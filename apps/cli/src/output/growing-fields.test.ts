import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../run.suite.js';
import { GrowingFields } from './growing-fields.js';
import { KeptText } from './kept-text.js';
import { Terminal } from './terminal.js';

// a folder of its own: others write to that of the system meanwhile
const folder = temporaryFolder();
vi.stubEnv('TMPDIR', folder);
afterAll(() => vi.unstubAllEnvs());

async function all(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('text that is kept', () => {
  it('is read as it was written, however much it is, and leaves nothing behind', async () => {
    const kept = new KeptText();
    const line = `${'käse ✓ 🧀 '.repeat(1000)}\n`;
    for (let at = 0; at < 600; at++) await kept.add(line);
    // what is much is not in memory
    expect(readdirSync(folder)).toHaveLength(1);
    for (let pass = 0; pass < 2; pass++) expect((await all(kept.pieces())) === line.repeat(600)).toBe(true);
    await kept.remove();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('fields that grow', () => {
  it('stand in their places in the document, which is the same as if it were written whole', async () => {
    const written = { text: '', write: (text: string) => (written.text += text) };
    const terminal = new Terminal({ json: true, quiet: true }, written, written, {});
    const fields = new GrowingFields();
    for (const piece of ['a "b"\n', '', 'ü\u202e\n']) await fields.addText('text', piece);
    for (const values of [[], [1, null], [], [{ a: 'x' }]]) await fields.addValues('cells', values);
    await fields.addValues('none', []);
    await terminal.documentInPieces({ rows: 2, cells: [], none: [], text: '', gone: undefined }, fields.inPieces());
    expect(written.text).toContain('\\u202e');
    expect(written.text).toBe(
      `${JSON.stringify({ rows: 2, cells: [1, null, { a: 'x' }], none: [], text: 'a "b"\nü\u202e\n' }).replace('\u202e', '\\u202e')}\n`,
    );
    await fields.remove();
  });
});
