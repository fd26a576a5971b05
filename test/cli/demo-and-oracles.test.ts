import { temporaryFolder } from '@orchard/storage/testing';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { dataFile, documentOf, endOf, orchard, root, type Ended } from './orchard.js';
import { hasChromium, pageOfTest } from '../../libs/tasks/report/src/chromium.suite.js';

const folder = temporaryFolder();

describe('orchard demo', () => {
  it('trains on real digits, shows digits, and writes them with a report', async () => {
    const out = join(folder, 'demo');
    const { code, stdout, stderr } = await orchard('demo', '--rows', '300', '--out', out);
    expect(stderr).not.toContain('Error');
    expect(code).toBe(0);
    expect(stdout).toMatch(/[▀▄█]{3}/);
    expect(stdout).toMatch(/-\d+\.\d+ nats per digit, \d+\.\d\d bits \(0\.\d{4} per pixel\)/);
    expect(stdout).toContain('What to try next:');
    const { data } = decode(await readFile(join(out, 'samples.png')));
    expect(data.filter((grey) => grey < 50).length).toBeGreaterThan(20_000);
  });

  it('trains nothing that is stored, as the demo of a table each time', { tags: 'nightly' }, async () => {
    const again = () =>
      documentOf<{ seconds: { train: number } }>('demo', '--rows', '100', '--out', join(folder, 'again'));
    expect((await again()).seconds.train).toBeGreaterThan(0);
    expect((await again()).seconds.train).toBe(0);
  });

  it.skipIf(!hasChromium('the report of the demo is not looked at'))(
    'writes a report that a browser has nothing to complain of',
    async () => {
      const { page, complaints } = await pageOfTest();
      await page.goto(pathToFileURL(join(folder, 'demo', 'report.html')).href);
      expect(await page.locator('figure.pair').count()).toBe(30);
      expect(await page.locator('figure.map').count()).toBe(3);
      expect(await page.locator('figure.plot-figure').count()).toBe(2);
      expect(complaints).toEqual([]);
    },
  );
});

describe('orchard demo --table', () => {
  interface Demo {
    readonly rules: readonly { readonly rule: string; readonly kept: number; readonly of: number }[];
    readonly odd: { readonly planted: readonly { readonly row: number; readonly isFound: boolean }[] };
    readonly filled: Readonly<Record<string, string>>;
    readonly seconds: { readonly train: number };
  }

  it('trains on rentals with planted rules, and counts what its draws keep of them', async () => {
    const out = join(folder, 'table');
    const { code, stdout, stderr } = await orchard('demo', '--table', '--out', out);
    expect(stderr).not.toContain('Error');
    expect(code).toBe(0);
    expect(stdout).toContain('3 of 3 hidden rows found');
    expect(await readFile(join(out, 'report.html'), 'utf8')).toContain('battery');
    // again, from what is stored
    const { rules, odd, filled, seconds } = await documentOf<Demo>('demo', '--table', '--out', out);
    expect(seconds.train).toBe(0);
    expect(rules).toHaveLength(9);
    for (const { rule, kept, of } of rules) expect.soft(kept, rule).toBe(of);
    expect(odd.planted.map(({ isFound }) => isFound)).toEqual([true, true, true]);
    expect(filled).toMatchObject({ season: 'summer', tariff: 'standard', bike: 'e-bike' });
  });

  it('replaces no other run in a folder that was named, and writes nothing there', async () => {
    const out = join(folder, 'other');
    await documentOf('train', dataFile('mushrooms', 'train'), '--rounds', '2', '--no-report', '--out', out);
    const { code, stderr } = await orchard('demo', '--table', '--rows', '200', '--out', out, '--quiet');
    expect(code).toBe(2);
    expect(stderr).toContain('--force');
    expect(existsSync(join(out, 'rentals.csv'))).toBe(false);
  });
});

describe('npm run oracles', () => {
  const oracles = (...args: readonly string[]): Promise<Ended> =>
    endOf(process.execPath, [join(root, 'test/oracles/oracles.mjs'), ...args]);

  it('finds mushrooms where the paper has it, in every selection and refitted', { tags: 'nightly' }, async () => {
    const { code, stdout } = await oracles('mushrooms');
    const lines = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const compared = lines.filter(([, name, , , paper]) => name === 'mushrooms' && paper !== '–');
    expect(compared).toHaveLength(4);
    for (const [, , , ours, paper] of compared) expect(Math.abs(Number(ours) - Number(paper))).toBeLessThan(0.03);
    expect(code).toBe(0);
  });

  it('says which set is not there, and which is none', async () => {
    expect(await oracles('--data', folder, 'ocr_letters')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ocr_letters: not found in'),
    });
    expect(await oracles('iris')).toMatchObject({ code: 2, stderr: expect.stringContaining('no such set: iris') });
  });
});

it('takes a shape for rows that are images', async () => {
  const out = join(folder, 'shaped');
  const words = ['--shape', '8x14', '--rounds', '3', '--no-report'];
  await documentOf('train', dataFile('mushrooms', 'train'), ...words, '--out', out);
  const sheet = join(folder, 'sheet.png');
  await documentOf('sample', join(out, 'network.msgpack'), '--count', '6', '--out', sheet);
  expect(decode(await readFile(sheet)).width).toBeGreaterThan(14 * 4);
});
