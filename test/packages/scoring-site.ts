import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { root } from '../cli/orchard.js';
import { scoringScripts } from '../../apps/docs/generate/scoring.mjs';

type Served = readonly [type: string, body: () => string | Buffer];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.csv': 'text/csv',
};

/** Which place of the page a file is given to. */
const places = { model: 0, rows: 1 } as const;

/** The page of the site that scores rows, alone and as it was built, and what tests do with it. */
export interface ScoringSite {
  /** What is served, beside what the test has. */
  readonly file: (path: string) => Served | undefined;
  /** Rows for the model of `table.csv`, zipped, its columns in another order, with cells that training never saw. */
  readonly newRows: string;
  readonly open: (browser: Browser, url: string) => Promise<Page>;
  /** The list that the page hands over. */
  readonly listOf: (page: Page, model: string, rows: string) => Promise<string>;
  /** Drops files together. @returns what the page shows of them */
  readonly drop: (page: Page, files: readonly string[]) => Promise<string>;
  readonly refusals: (table: string, bits: string) => readonly Refusal[];
  readonly refusalOf: (page: Page, place: keyof typeof places, file: string | Given) => Promise<string>;
}

/** A file that is nowhere. */
interface Given {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

interface Refusal {
  readonly place: keyof typeof places;
  readonly file: string | Given;
  readonly words: string;
}

export async function scoringSite(folder: string): Promise<ScoringSite> {
  const { page: script, worker } = await scoringScripts(join(folder, 'scoring'));
  const shell = `<!doctype html><title>score</title><link rel="icon" href="data:,"><body><script type="module" src="/scoring.js"></script>`;
  const start = `import { mount } from '/${script}';
mount(document.body, { worker: '/${worker}', model: '/none.msgpack', rows: '/none.csv' });`;
  const own: Readonly<Record<string, Served>> = {
    '/scoring': ['text/html', () => shell],
    '/scoring.js': ['text/javascript', () => start],
    ...Object.fromEntries(
      [script, worker].map((name) => [
        `/${name}`,
        ['text/javascript', () => readFileSync(join(folder, 'scoring', name))],
      ]),
    ),
  };
  const newRows = join(folder, 'new.csv.gz');
  const lines = ['size,odd,colour', '3,1,red', '"12",0,green', 'big,1,blue', ',0,blue', '5,1,"pur""ple"', '30,0,red'];
  await writeFile(newRows, gzipSync(`${lines.join('\n')}\n`));

  const choose = (page: Page, place: keyof typeof places, file: string | Given): Promise<void> =>
    page.setInputFiles(`input[type=file] >> nth=${String(places[place])}`, file);
  const given = (name: string, bytes: Buffer | string): Given => ({
    ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
  });
  return {
    newRows,
    file: (path) => own[path] ?? fileOfSite(path),
    async open(browser, url) {
      const page = await browser.newPage();
      await page.goto(`${url}scoring`, { waitUntil: 'networkidle' });
      return page;
    },
    async listOf(page, model, rows) {
      await choose(page, 'model', model);
      await page.waitForSelector('.scoring .place >> nth=1 >> text=Choose a file');
      await choose(page, 'rows', rows);
      const downloading = page.waitForEvent('download');
      await page.click('text=Download the score of each row');
      const download = await downloading;
      return readFileSync(await download.path(), 'utf8');
    },
    async drop(page, files) {
      const told = files.map((path) => [basename(path), [...readFileSync(path)]] as const);
      const transfer = await page.evaluateHandle((all) => {
        const transfer = new DataTransfer();
        for (const [name, bytes] of all) transfer.items.add(new File([Uint8Array.from(bytes)], name));
        return transfer;
      }, told);
      await page.dispatchEvent('.scoring .place >> nth=1', 'drop', { dataTransfer: transfer });
      return (await page.textContent('.result'))!;
    },
    refusals: (table, bits) => [
      { place: 'model', file: bits, words: 'bits.csv is text that begins with "a,b,c", and no model' },
      { place: 'model', file: given('half.msgpack', readFileSync(table).subarray(0, 900)), words: 'get it again' },
      { place: 'model', file: given('none.msgpack', ''), words: 'none.msgpack is empty, and no model' },
      { place: 'rows', file: bits, words: 'no column "colour"' },
      { place: 'rows', file: given('rows.parquet', 'PAR1'), words: 'Save it as CSV' },
      { place: 'rows', file: given('cut.csv.gz', readFileSync(newRows).subarray(0, 30)), words: 'Copy or compress' },
    ],
    async refusalOf(page, place, file) {
      if (place === 'rows' && (await page.locator('.place.off').count()) > 0) {
        await choose(page, 'model', join(folder, 'tables/network.msgpack'));
        await page.waitForSelector('.place:not(.off) >> nth=1');
      }
      await choose(page, place, file);
      const name = typeof file === 'string' ? basename(file) : file.name;
      return (await page.textContent(`.refused:has-text("${name}")`))!;
    },
  };
}

/** A file of the built site, where there is one. */
function fileOfSite(path: string): Served | undefined {
  const file = join(root, 'apps/docs/dist', decodeURIComponent(path.replace(/\?.*/, '')));
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  return [types[extname(file)] ?? 'application/octet-stream', () => readFileSync(file)];
}
