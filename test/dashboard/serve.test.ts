import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main, orchard } from '../cli/orchard.js';

const executablePath = '/usr/bin/chromium';

describe('orchard serve', () => {
  let folder: string;
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orchard-serve-'));
    const bits = Array.from({ length: 80 }, (_, row) => [row & 1, (row >> 1) & 1, (row & 3) === 3 ? 1 : 0].join());
    await writeFile(join(folder, 'bits.csv'), `a,b,c\n${bits.join('\n')}\n`);
    const words = ['--rounds', '5', '--threads', '1', '--quiet'];
    await mkdir(join(folder, 'runs'));
    await orchard('train', join(folder, 'bits.csv'), '--out', join(folder, 'runs/one'), ...words);
    child = spawn(process.execPath, [main, 'serve', join(folder, 'runs'), '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout! }).once('line', resolve);
      child.once('exit', reject);
    });
  });
  afterAll(async () => {
    child?.kill('SIGINT');
    await rm(folder, { recursive: true, force: true });
  });

  const statusOf = (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
    new Promise((resolve, reject) => {
      request(url + path, { headers, method }, ({ statusCode }) => {
        resolve(statusCode ?? 0);
      })
        .once('error', reject)
        .end();
    });

  test('answers this machine alone, by its own name, and changes nothing', async () => {
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect(await statusOf('/v1/runs', {})).toBe(200);
    expect(await statusOf('/v1/runs', { Host: 'somebody.example' })).toBe(403);
    expect(await statusOf('/v1/runs', { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    const { runs } = (await (await fetch(`${url}/v1/runs`)).json()) as { runs: { id: string }[] };
    expect(await statusOf(`/v1/runs/${runs[0]!.id}/cancel`, {}, 'POST')).toBe(405);
    expect(await statusOf('/v1/runs/..%2f..%2fetc', {})).toBe(404);
    expect(await statusOf('/etc/passwd', {})).toBe(404);
  });

  test.skipIf(!existsSync(executablePath))(
    'shows a run with its curve, tasks, draws and report, and nothing on the console',
    async () => {
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      try {
        const context = await browser.newContext();
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.goto(url);
        await page.locator('.sign.live').waitFor();
        await page.locator('td a.id').click();
        await page.locator('.state.done').waitFor();
        // the leaves that were tried first, and settled, and what was trained
        for (const grid of ['4 tasks of screen: 4 stored', '3 tasks of train: 3 stored'])
          await page.getByRole('application', { name: grid }).waitFor();
        await page.getByLabel('Held-out likelihood', { exact: true }).locator('canvas').waitFor();
        await page.getByRole('region', { name: 'Drawn rows' }).waitFor();
        const [report] = await Promise.all([
          context.waitForEvent('page'),
          page.getByRole('button', { name: 'Report' }).click(),
        ]);
        await report.getByRole('heading', { level: 1 }).waitFor();
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  test.each([
    [['nowhere'], /nowhere, which is no folder, expected folders that orchard train wrote/],
    [['.'], /no run in \., expected folders that orchard train wrote/],
  ])('%j is refused in a sentence', async (folders, sentence) => {
    const told = await new Promise<string>((resolve) => {
      const refused = spawn(process.execPath, [main, 'serve', ...folders], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let text = '';
      refused.stderr.on('data', (chunk: Buffer) => (text += String(chunk)));
      refused.once('exit', (code) => {
        resolve(`${String(code)} ${text}`);
      });
    });
    expect(told).toMatch(/^2 /);
    expect(told).toMatch(sentence);
  });
});
