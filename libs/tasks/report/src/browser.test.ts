import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode } from 'fast-png';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleFacts } from './example-facts.suite.js';
import { drawTrees } from './figures/dimension-figure.js';
import { renderPage } from './page.js';
import { renderReport } from './render-report.js';
import { complaintsOf, hasChromium, launchChromium } from './chromium.suite.js';

describe.skipIf(!hasChromium('the report is not checked in a browser'))('the report in Chromium', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await launchChromium();
    folder = await mkdtemp(join(tmpdir(), 'orchard-report-'));
  });

  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  const hasInk = async (kind: 'image' | 'named', colorScheme: 'light' | 'dark'): Promise<void> => {
    const file = join(folder, `${kind}.html`);
    await writeFile(file, renderReport(exampleFacts(kind)));
    const page = await browser.newPage({ colorScheme, viewport: { width: 1240, height: 900 } });
    const complaints = complaintsOf(page);
    page.on('request', (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);

    const figures = page.locator('figure > svg');
    const count = await figures.count();
    expect(count).toBeGreaterThanOrEqual(10);
    for (let at = 0; at < count; at++) {
      const figure = figures.nth(at);
      const { data, width, height, channels } = decode(await figure.screenshot());
      const colours = new Set<string>();
      for (let pixel = 0; pixel < width * height; pixel++) {
        colours.add(data.slice(pixel * channels, pixel * channels + 3).join());
      }
      expect(colours.size, (await figure.getAttribute('aria-label')) ?? '').toBeGreaterThan(2);
    }
    const overflow = await page.evaluate(() => {
      const root = (
        globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
      ).document.documentElement;
      return root.scrollWidth - root.clientWidth;
    });
    expect(overflow).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.close();
  };
  const title = 'has ink in every figure and nothing to complain of (%s, %s)';
  // each page and each scheme once every time
  it.each([
    ['image', 'light'],
    ['named', 'dark'],
  ] as const)(title, hasInk);
  it.each([
    ['image', 'dark'],
    ['named', 'light'],
  ] as const)(title, { tags: 'nightly' }, hasInk);

  it('has room for long names that begin alike, and shows where they differ', async () => {
    const facts = exampleFacts('named');
    const names = Array.from({ length: 40 }, (_, dim) => `SYMPTOM_REPORTED_IN_THE_LAST_${String(dim + 10)}_WEEKS`);
    const trees = Array.from(names, (_, dim) => facts.dimensions.trees[dim]!);
    const file = join(folder, 'long-names.html');
    await writeFile(file, drawTrees({ ...facts, dimensions: { ...facts.dimensions, names, trees } }).svg);
    const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
    await page.goto(pathToFileURL(file).href);
    const figure = page.locator('svg[aria-label="Trees chosen for every dimension"]');
    const frame = (await figure.boundingBox())!;
    const labels = await figure.locator('text').filter({ hasText: '_' }).all();
    expect(labels).toHaveLength(names.length);
    expect(new Set(await Promise.all(labels.map((label) => label.textContent()))).size).toBe(names.length);
    for (const label of labels) {
      const { x, y, height } = (await label.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(frame.x);
      expect(y + height).toBeLessThanOrEqual(frame.y + frame.height);
    }
    await page.close();
  });

  it.each(['image', 'named', 'plain'] as const)(
    'fits a phone: nothing beside the screen, nothing without end (%s)',
    async (kind) => {
      const file = join(folder, `phone-${kind}.html`);
      const facts = exampleFacts(kind);
      await writeFile(file, renderReport(facts));
      const page = await browser.newPage({ viewport: { width: 375, height: 800 } });
      await page.goto(pathToFileURL(file).href);
      const { beyond, height, wide } = (await page.evaluate(`(() => {
      const root = document.documentElement;
      const outside = [...document.querySelectorAll('main *:not(.wide *)')].filter((each) => each.getBoundingClientRect().right > root.clientWidth);
      const wide = [...document.querySelectorAll('.wide')].map((each) => getComputedStyle(each, '::after').content);
      return { beyond: outside.map((each) => each.outerHTML.slice(0, 80)), height: root.scrollHeight, wide };
    })()`)) as { beyond: string[]; height: number; wide: string[] };
      expect(beyond).toEqual([]);
      expect(height).toBeLessThan(7_500);
      // what does scroll says so
      expect(wide).toEqual(
        kind === 'image' ? [] : Array.from({ length: 2 }, () => expect.stringContaining('move it sideways')),
      );
      const across = await page.evaluate(
        `new Set([...document.querySelectorAll('.pair')].map((each) => Math.round(each.getBoundingClientRect().left))).size`,
      );
      expect(across).toBe(kind === 'image' ? 3 : 0);
      await page.close();
    },
  );

  it('keeps a table that is wider than a phone in its section', async () => {
    const file = join(folder, 'table.html');
    const cells = Array.from({ length: 12 }, (_, at) => `<td>a column of its own ${String(at)}</td>`).join('');
    const table = `<section><div class="scroll"><table><tbody><tr>${cells}</tr></tbody></table></div></section>`;
    await writeFile(file, renderPage({ title: 'A table', lead: '', sections: [table] }));
    const page = await browser.newPage({ viewport: { width: 375, height: 800 } });
    await page.goto(pathToFileURL(file).href);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.close();
  });
});
