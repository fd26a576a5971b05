import { temporaryFolder } from '@orchard/storage/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type Cluster, type Program } from '../../infra/cluster/index.mjs';
import { asking } from '../api/asking.js';
import { root } from '../cli/orchard.js';
import { lacks } from '../servers/needed.js';
import { hasChromium, launchChromium } from '../../libs/tasks/report/src/chromium.suite.js';

const isChromiumThere = hasChromium('the page is not tried');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rentals = readFileSync(join(root, 'apps/cli/examples/rentals.csv'), 'utf8').split('\n').slice(0, 301).join('\n');
const columns = 1556;

describe.skipIf(lacks('redis', 's3') || !isChromiumThere)('the page, in Chromium against a cluster', () => {
  const folder = temporaryFolder();
  let cluster: Cluster;
  let coordinator: Program;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let wide: string;
  const complaints: string[] = [];

  const { ask, post, json } = asking(() => cluster);
  const upload = async (rows: string): Promise<string> => {
    const init = { method: 'POST', body: rows, headers: { 'Content-Type': 'text/csv' } };
    return (await json<{ id: string }>(ask('/v1/datasets', init))).id;
  };
  const submit = async (words: object): Promise<string> => (await json<{ id: string }>(post('/v1/runs', words))).id;
  const bits = (rows: number, width: number): string =>
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: width }, (_, at) => ((row * 7919 + at * at * 31 + row * at) >> 3) & 1).join(),
    ).join('\n');
  const goTo = async (place: string): Promise<void> => {
    await page.evaluate((hash) => (location.hash = hash), `#/${place}`);
  };
  /** What axe calls serious, by rule and place; and whether the page is wider than the screen. */
  const faults = async (): Promise<unknown> => {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { axe: checker } = window as unknown as {
        axe: {
          run(
            context: object,
            options: object,
          ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await checker.run(document, { resultTypes: ['violations'] });
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      const isWide = document.documentElement.scrollWidth > window.innerWidth;
      return [
        ...serious.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
        ...(isWide ? ['wider than the screen'] : []),
      ];
    });
  };
  const faultsEverywhere = async (): Promise<void> => {
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [375, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await faults(), `${String(width)} px, ${colorScheme}: ${page.url()}`).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  beforeAll(async () => {
    cluster = await startCluster({ workers: 2, threads: 1, environment: { ORCHARD_LOCK_SECONDS: '3' } });
    coordinator = cluster.coordinator;
    browser = await launchChromium();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(120_000);
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    const data = await upload(bits(60, columns));
    wide = await submit({ train: data, valid: data, leaves: 16, rounds: 3000, patience: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await cluster?.stop();
  });

  afterEach(() => {
    expect(complaints.splice(0), 'the console').toEqual([]);
  });

  test('is under 80 KB gzipped, has nothing inline, and is sent with a policy that allows nothing else', async () => {
    const answer = await fetch(`${cluster.url}/`);
    const html = await answer.text();
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|\*|https?:/);
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/);
    const built = join(root, 'apps/dashboard/dist/page');
    const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const sizes = files.map(({ parentPath, name }) => gzipSync(readFileSync(join(parentPath, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000);
  });

  test('shows nothing without a token: neither it nor what it asks', async () => {
    const paths = ['/v1/caller', '/v1/cluster', '/v1/events', '/v1/runs', `/v1/runs/${wide}/tasks`];
    for (const path of [...paths, `/v1/runs/${wide}/links/report`, `/v1/runs/${wide}/report?ticket=1.a`])
      expect([path, (await fetch(cluster.url + path)).status]).toEqual([path, 401]);
    await page.goto(cluster.url);
    await page.getByLabel('Token').fill('a-token-that-nobody-knows');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This token is not accepted').waitFor();
    expect(await page.content()).not.toContain(wide.slice(0, 8));
    await faultsEverywhere();
    // what the browser itself says of an answer 401
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
    await page.getByLabel('Token').fill(cluster.token);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: wide.slice(0, 8) }).waitFor();
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
  });

  test(`${String(columns)} tasks are one canvas, chosen by keys, and a page that is few elements`, async () => {
    await page.getByRole('link', { name: wide.slice(0, 8) }).click();
    const grid = page.getByRole('application');
    await grid.waitFor();
    expect(await grid.getAttribute('aria-label')).toContain('1,556 tasks of train');
    expect(await page.locator('*').count()).toBeLessThan(600);
    await grid.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'dimension 0 (train)' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: /dimension \d{2,} \(train\)/ }).waitFor();
    await faultsEverywhere();
  });

  test('the lane of a worker that was killed turns, and what is stored is there after a reload', async () => {
    const [killed] = cluster.workers;
    process.kill(killed!.pid, 'SIGKILL');
    const lane = page.locator('.lane', { hasText: killed!.name.replace(' ', '-') });
    await page.locator('.lane.gone', { hasText: killed!.name.replace(' ', '-') }).waitFor();
    expect(await lane.textContent()).toContain('gone for');
    const stored = async (): Promise<number> => {
      const label = await page.getByRole('application').getAttribute('aria-label');
      return Number(/([\d,]+) stored/.exec(label ?? '')?.[1]?.replace(',', '') ?? 0);
    };
    await expect.poll(stored).toBeGreaterThan(0);
    const before = await stored();
    await page.reload();
    await page.getByRole('application').waitFor();
    expect(await stored()).toBeGreaterThanOrEqual(before);
    await page.locator('.lane.gone').waitFor();
    await page.getByLabel('Held-out likelihood', { exact: true }).locator('canvas').waitFor();
  });

  test('a run is cancelled and can be resumed', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.locator('.state.cancelled').waitFor();
    expect(((await (await ask(`/v1/runs/${wide}`)).json()) as { state: string }).state).toBe('cancelled');
  });

  test('a file of 10 GB is refused in one sentence, before a byte of it is sent', async () => {
    const path = join(folder, 'large.csv');
    const file = await open(path, 'w');
    await file.truncate(10 * 2 ** 30);
    await file.close();
    await goTo('new');
    await page.locator('input[type=file]').setInputFiles(path);
    expect(await page.getByRole('alert').textContent()).toMatch(
      /^large\.csv has 10\.7 GB, and this coordinator takes at most 4\.3 GB: orchard submit large\.csv/,
    );
    // a browser tells nothing of a file that is chosen twice, unless the first was forgotten
    expect(await page.locator('input[type=file]').inputValue()).toBe('');
  });

  test('a table is described, submitted, trained, reported, fetched and asked', async () => {
    await goTo('new');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'rentals.csv', mimeType: 'text/csv', buffer: Buffer.from(rentals) });
    await page.getByText('300 rows, 10 columns of csv').waitFor();
    await page.getByLabel('What season is').selectOption('excluded');
    await page.getByText('left out: it was excluded').waitFor();
    await faultsEverywhere();
    await page.getByLabel('What season is').selectOption('categorical');
    await page.getByRole('cell', { name: /^(summer|spring|autumn), / }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { level: 1, name: 'rentals.csv' }).waitFor();
    await page.locator('.state.done').waitFor();
    const id = /runs\/([0-9a-f]{64})/.exec(page.url())![1]!;
    const heldOut = page.getByLabel('Held-out likelihood', { exact: true });
    await heldOut.getByText(/With (\d+) of \1 variables\. The mean of 4 members, each on the fold/).waitFor();
    await heldOut.locator('canvas').waitFor();
    // the time and the newest value, without a cursor over the curve
    const legend = heldOut.locator('.u-legend .u-value');
    await expect
      .poll(() => legend.allTextContents())
      .toEqual([expect.stringMatching(/\d/), expect.stringMatching(/^-\d/)]);
    const [report] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Report' }).click(),
    ]);
    await report.getByRole('heading', { level: 1 }).waitFor();
    await report.close();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the model' }).click(),
    ]);
    const fetched = readFileSync(await download.path());
    const model = Buffer.from(await (await ask(`/v1/runs/${id}/network`)).arrayBuffer());
    expect(fetched.equals(model)).toBe(true);
    await page.getByRole('region', { name: 'Sampled rows' }).waitFor();
    await faultsEverywhere();

    await page.getByRole('link', { name: 'Ask the model' }).click();
    const [header, first] = rentals.split('\n');
    const surprise = page.getByLabel('Surprise', { exact: true });
    await surprise.getByRole('textbox').fill(`${header!}\n${first!}`);
    await surprise.getByRole('button', { name: 'Score' }).click();
    await surprise.getByText('Row 1:').waitFor();
    await surprise.getByRole('textbox').fill('one,cell');
    await surprise.getByRole('button', { name: 'Score' }).click();
    await surprise.getByText('A row of 2 cells was pasted, expected 10').waitFor();
    const file = page.getByLabel('Rows of a file');
    await file
      .locator('input')
      .setInputFiles({ name: 'rentals.csv', mimeType: 'text/csv', buffer: Buffer.from(rentals) });
    await file.getByText('300 rows of rentals.csv').waitFor();
    expect(await file.locator('.chosen').textContent()).toBe('rentals.csv');
    await file.getByText('Rows that trained the model score too low').waitFor();
    const completion = page.getByLabel('Completion', { exact: true });
    await completion.getByRole('textbox').fill(`${header!}\n?${first!.slice(first!.indexOf(','))}`);
    await completion.getByRole('button', { name: 'Fill' }).click();
    await completion.locator('td.marked').first().waitFor();
    await page.getByRole('button', { name: 'price' }).click();
    await page.getByRole('heading', { name: 'What price is predicted from' }).waitFor();
    await faultsEverywhere();
  });

  test('runs are compared: a curve each, and the options that differ', { tags: 'nightly' }, async () => {
    // long enough that likelihoods are told while they train
    const data = await upload(bits(400, 60));
    const ids = [
      await submit({ train: data, valid: data, rounds: 200, patience: 0, leaves: 4 }),
      await submit({ train: data, valid: data, rounds: 200, patience: 0, leaves: 8 }),
    ];
    await goTo('runs');
    for (const id of ids) {
      const row = page.getByRole('row', { name: id.slice(0, 8) });
      await row.locator('.state.done').waitFor();
      expect(await row.textContent()).toContain('400 × 60');
      expect(await row.textContent()).toContain('cluster');
      await row.getByRole('checkbox').check();
    }
    await faultsEverywhere();
    await page.getByRole('link', { name: 'Compare 2' }).click();
    await page.getByRole('row', { name: 'leaves' }).waitFor();
    expect(await page.getByRole('row', { name: 'leaves' }).textContent()).toMatch(/48|84/);
    await page.getByLabel('Held-out likelihood', { exact: true }).locator('canvas').waitFor();
    await faultsEverywhere();
    await goTo('workers');
    await page.locator('.lane').first().waitFor();
    await faultsEverywhere();
  });

  test(
    'where events are held back the page asks every four seconds; after a day asleep it is of now again',
    { tags: 'nightly' },
    async () => {
      const other = await context.newPage();
      other.on('pageerror', (error) => complaints.push(error.message));
      await other.clock.install();
      // a proxy that collects a stream before it passes it on
      await other.route('**/v1/events', () => new Promise(() => undefined));
      await other.goto(cluster.url);
      await other.getByLabel('Token').fill(cluster.token);
      await other.getByRole('button', { name: 'Open' }).click();
      await other.getByRole('link', { name: wide.slice(0, 8) }).waitFor();
      await other.clock.fastForward(9_000);
      await other.locator('.sign').getByText('every 4 s').waitFor();
      const data = await upload(bits(50, 5));
      const late = await submit({ train: data, valid: data, leaves: 2, rounds: 5 });
      await other.clock.fastForward(5_000);
      await other.getByRole('link', { name: late.slice(0, 8) }).waitFor();
      // the proxy has gone home
      await other.unroute('**/v1/events');
      await other.clock.fastForward('24:00:00');
      const last = await submit({ train: data, valid: data, leaves: 2, rounds: 6 });
      await other.getByRole('link', { name: last.slice(0, 8) }).waitFor();
      await other.close();
    },
  );

  test('a run is deleted by a second click, from a page of its submitter', async () => {
    const data = await upload(bits(50, 5));
    const id = await submit({ train: data, valid: data, leaves: 2, rounds: 7, name: 'for a while' });
    await goTo(`runs/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await faultsEverywhere();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await expect.poll(async () => (await ask(`/v1/runs/${id}`)).status).toBe(404);
  });

  test('what runs have cost is asked for when it is opened, by person and by run', async () => {
    const data = await upload(bits(50, 5));
    const costly = await submit({ train: data, valid: data, leaves: 2, rounds: 8, name: 'costly' });
    // it is asked for once, and a run costs nothing before its first task is done
    const stateOf = async () => (await json<{ state: string }>(ask(`/v1/runs/${costly}`))).state;
    await expect.poll(stateOf).toBe('done');
    await goTo('runs');
    await page.getByText('What runs have cost').click();
    const people = page.getByRole('table').filter({ has: page.getByRole('columnheader', { name: 'Thread time' }) });
    await people
      .first()
      .getByRole('cell', { name: /^\d+( \d+ of unknown cost)?$/ })
      .first()
      .waitFor();
    await faultsEverywhere();
  });

  test('left open, it says that it is of before while nobody answers, and goes on when somebody does', async () => {
    await goTo('runs');
    await coordinator.stop();
    await page.getByRole('alert').getByText('What stands here is of').waitFor();
    coordinator = await cluster.startCoordinator(cluster.coordinator.port);
    await page.locator('.sign.live').waitFor();
    // each view asks again by itself
    await page.getByRole('alert').waitFor({ state: 'detached' });
    // what the browser itself says of each request that met nobody: its words differ with the moment
    expect(complaints.splice(0).filter((text) => !/net::ERR_/.test(text))).toEqual([]);
  });

  test('a token that was withdrawn meanwhile is asked for again', async () => {
    await page.evaluate(() => sessionStorage.setItem('orchard-token', 'withdrawn'));
    await goTo(`runs/${wide}`);
    await page.getByText('This token is not accepted (any more)').waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
  });
});
