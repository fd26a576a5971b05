import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { argv, orchard, temporaryFolder } from '../../run.suite.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);

/** Flats 1 to 40, and a few that are called 1a to 6a. */
const flats = Array.from({ length: 120 }, (_, row) => ({
  flat: row % 20 === 7 ? `${String((row % 6) + 1)}a` : String((row % 40) + 1),
  street: row % 3 === 0 ? 'Elm' : 'Oak',
}));
const csv = (rows: typeof flats): string =>
  `flat,street\n${rows.map(({ flat, street }) => `${flat},${street}`).join('\n')}\n`;

describe('cells that do not fit their column', () => {
  beforeAll(async () => {
    writeFileSync(at('flats.csv'), csv(flats));
    const { code, stderr } = await orchard(
      ...argv`train ${at('flats.csv')} --model chow-liu --out ${at('run')} --quiet --no-report`,
    );
    expect(code, stderr).toBe(0);
  }, 60_000);

  it.each([[[]], [['--point', 'mode']], [['--draws', '2']]])(
    'are not filled in (%j): they come back as they were written',
    async (words) => {
      const rows = flats.map((row, number) => (number === 5 ? { ...row, flat: '' } : row));
      writeFileSync(at('gap.csv'), csv(rows));
      const { stdout, stderr } = await orchard('complete', at('run'), at('gap.csv'), ...words);
      const back = stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').at(-2)!);
      const copies = words[0] === '--draws' ? 2 : 1;
      rows.forEach(({ flat }, row) => {
        for (let copy = 0; copy < copies; copy++) {
          const own = back[row * copies + copy]!;
          if (flat === '') expect(own).toMatch(/^\d+$/);
          else expect(own).toBe(flat);
        }
      });
      expect(stderr).toContain('6 cells that do not fit the column "flat", kept as written: "2a" in row 8');
      expect(stderr).toMatch(/of 1 missing value of 120 rows/);
    },
  );

  it('are in no list of missing values', async () => {
    const { stdout } = await orchard('complete', at('run'), at('flats.csv'), '--probabilities');
    expect(stdout.trim()).toBe('row,column,value,probability');
  });

  it('come back in a file with types, whose column is one of texts then', async () => {
    const { code, stderr } = await orchard('complete', at('run'), at('flats.csv'), '--out', at('filled.parquet'));
    expect(code, stderr).toBe(0);
    const back = await orchard('describe', at('filled.parquet'), '--json');
    expect(back.code).toBe(0);
    expect(readFileSync(at('filled.parquet')).includes('2a')).toBe(true);
  });

  it('count as missing where rows are scored, with an example', async () => {
    const { stderr, document } = await orchard('evaluate', at('run'), at('flats.csv'), '--json');
    expect(document['newCells']).toEqual([{ column: 'flat', unseen: 0, misfits: 6, example: { row: 8, text: '2a' } }]);
    expect(stderr).toContain('6 cells that do not fit the column "flat", counted as missing: "2a" in row 8');
  });
});
