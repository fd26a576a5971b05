import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleTableFacts } from './example-table-facts.suite.js';
import { renderTableReport } from './render-table-report.js';
import { complaintsOf, hasChromium, launchChromium } from '../chromium.suite.js';

describe.skipIf(!hasChromium('the report of tables is not checked in a browser'))(
  'the report of a table in Chromium',
  () => {
    let browser: Browser;
    let folder: string;
    let file: string;

    beforeAll(async () => {
      browser = await launchChromium();
      folder = await mkdtemp(join(tmpdir(), 'orchard-report-'));
      file = join(folder, 'table.html');
      await writeFile(file, renderTableReport(exampleTableFacts()));
    });

    afterAll(async () => {
      await browser.close();
      await rm(folder, { recursive: true });
    });

    const open = async (
      width: number,
      colorScheme: 'light' | 'dark',
    ): Promise<{ page: Page; complaints: string[] }> => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      const complaints = complaintsOf(page);
      page.on('request', (request) => {
        if (!/^(file|data):/.test(request.url())) complaints.push(request.url());
      });
      await page.goto(pathToFileURL(file).href);
      return { page, complaints };
    };

    it.each([
      [1280, 'light'],
      [1280, 'dark'],
      [375, 'light'],
      [375, 'dark'],
    ] as const)('has nothing beside the screen that does not scroll (%d px, %s)', async (width, scheme) => {
      const { page, complaints } = await open(width, scheme);
      const beyond = await page.evaluate(`(() => {
      const wide = document.documentElement.clientWidth;
      return [...document.querySelectorAll('main *:not(.across *):not(details *)')]
        .filter((each) => each.getBoundingClientRect().right > wide + 0.5)
        .map((each) => each.outerHTML.slice(0, 80));
    })()`);
      expect(beyond).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it.each([
      ['of small letters', 'average_monthly_premium_paid'],
      ['of capitals', 'CUSTOMER_LIFETIME_VALUE_TOTAL'],
      ['of wide letters', 'WWWWMMMMWWWWMMMMWWWWMMMMWWWW'],
      ['of other scripts', '顧客生涯価値合計顧客生涯価値合計顧客生涯価値合計顧客生涯'],
    ])('shows long names %s whole beside the matrix', async (_, name) => {
      const facts = exampleTableFacts();
      const names = facts.associations.names.map((__, at) => (at === 0 ? name : `${name.slice(0, -1)}${String(at)}`));
      const long = join(folder, 'long.html');
      await writeFile(long, renderTableReport({ ...facts, associations: { ...facts.associations, names } }));
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(pathToFileURL(long).href);
      const cut = await page.evaluate(`[...document.querySelectorAll('.matrix svg')].flatMap((svg) => {
      const room = svg.getBoundingClientRect();
      return [...svg.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.left < room.left - 0.5 || box.top < room.top - 0.5;
      }).map((text) => text.textContent);
    })`);
      expect(cut).toEqual([]);
      if (process.env.ORCHARD_SHOTS !== undefined)
        await page
          .locator('.matrices')
          .screenshot({ path: join(process.env.ORCHARD_SHOTS, `${name.slice(0, 6)}.png`) });
      await page.close();
    });

    it.each([1280, 900, 375])('has captions of one line under its figures (%d px)', async (width) => {
      const { page } = await open(width, 'light');
      const heights = (await page.evaluate(
        `[...document.querySelectorAll('.figures span')].map((each) => each.getClientRects().length)`,
      )) as number[];
      expect(heights).toEqual([1, 1, 1]);
      await page.close();
    });

    it('says of what scrolls on a phone that it goes on', async () => {
      const { page } = await open(375, 'light');
      const unsaid = await page.evaluate(`[...document.querySelectorAll('.across')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1 && !getComputedStyle(each, '::after').content.includes('sideways'))
      .map((each) => each.outerHTML.slice(0, 80))`);
      expect(unsaid).toEqual([]);
      await page.close();
    });

    it('has marks of both colours in every histogram, whose labels do not touch', async () => {
      const { page } = await open(1280, 'light');
      const found = (await page.evaluate(`[...document.querySelectorAll('svg.histogram')].map((chart) => {
      const boxes = [...chart.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
      const touching = boxes.some((one, at) => boxes.some((other, place) =>
        place > at && one.left < other.right && other.left < one.right && one.top < other.bottom - 3 && other.top < one.bottom - 3));
      const size = (mark) => chart.querySelector(mark).getBoundingClientRect();
      return { touching, data: size('.of-data').height, draws: size('.of-draws').height };
    })`)) as { touching: boolean; data: number; draws: number }[];
      expect(found.length).toBe(2);
      for (const { touching, data, draws } of found) {
        expect(touching).toBe(false);
        expect(data).toBeGreaterThan(50);
        expect(draws).toBeGreaterThan(40);
      }
      await page.close();
    });
  },
);
