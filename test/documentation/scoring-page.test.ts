import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '@orchard/storage/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scoringScripts } from '../../apps/docs/generate/scoring.mjs';
import { argv } from '../../infra/command-line.mjs';
import { hasChromium, pageOfTest } from '../../libs/tasks/report/src/chromium.suite.js';
import { root } from '../cli/orchard.js';
import { outputIn } from '../packages/installed.js';

const folder = temporaryFolder();
const at = (name: string): string => join(folder, name);
const modelOf = (name: string): string => at(`${name}/network.msgpack`);

/** A model of each form that rows have: one, several mixed, and one of another family. */
const trained = [
  { name: 'tables', rows: 'new.csv.gz', words: argv`table.csv --rounds 5 --members 1` },
  { name: 'tables-mixed', rows: 'new.csv.gz', words: argv`table.csv --rounds 3 --members 2` },
  { name: 'tables-by-tree', rows: 'new.csv.gz', words: argv`table.csv --model chow-liu` },
  { name: 'bits', rows: 'bits.csv', words: argv`bits.csv --rounds 5` },
  { name: 'bits-by-tree', rows: 'bits.csv', words: argv`bits.csv --model chow-liu` },
];

/** Trains, and writes what `orchard evaluate --worst 20 --per-row` writes, all in one process. */
async function trainAndScore(): Promise<void> {
  const commands = trained.flatMap(({ name, rows, words }) => [
    ['train', ...words, '--threads', '1', '--no-report', '--out', name],
    ['evaluate', name, rows, '--worst', '20', '--per-row', `${name}.scores.csv`],
  ]);
  const script = `import { run } from ${JSON.stringify(pathToFileURL(join(root, 'apps/cli/dist/run.js')).href)};
for (const words of ${JSON.stringify(commands)}) if ((await run([...words, '--quiet'])) !== 0) process.exit(1);`;
  await outputIn(folder, process.execPath, '--input-type=module', '--eval', script);
}

/** A file that lies nowhere. */
const given = (name: string, bytes: Buffer | string) => ({
  ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
});

const choose = (page: Page, place: 'model' | 'rows', file: string | ReturnType<typeof given>): Promise<void> =>
  page.setInputFiles(`input[type=file] >> nth=${place === 'model' ? '0' : '1'}`, file);

describe.skipIf(!hasChromium('the page that scores rows is not tried'))("the site's page that scores rows", () => {
  let url: string;
  const files: Record<string, readonly [type: string, body: string | Buffer]> = {};
  const server = createServer(({ url: path }, response) => {
    const [type, body] = files[path ?? ''] ?? ['text/plain', null];
    response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body);
  });

  beforeAll(async () => {
    const table = Array.from(
      { length: 120 },
      (_, row) => `${['red', 'green', 'blue'][row % 3]!},${(row * 7) % 31},${row & 1}`,
    );
    writeFileSync(at('table.csv'), `colour,size,odd\n${table.join('\n')}\n`);
    const bits = Array.from({ length: 120 }, (_, row) => [row & 1, (row >> 1) & 1, (row & 3) === 3 ? 1 : 0].join());
    writeFileSync(at('bits.csv'), `a,b,c\n${bits.join('\n')}\n`);
    // zipped, columns in another order, cells that training never saw
    const lines = ['size,odd,colour', '3,1,red', '"12",0,green', 'big,1,blue', ',0,blue', '5,1,"pur""ple"', '30,0,red'];
    writeFileSync(at('new.csv.gz'), gzipSync(`${lines.join('\n')}\n`));
    await trainAndScore();
    const scripts = await scoringScripts(at('scripts'));
    for (const name of [scripts.page, scripts.worker])
      files[`/${name}`] = ['text/javascript', readFileSync(at(`scripts/${name}`))];
    files['/start.js'] = [
      'text/javascript',
      `import { mount } from '/${scripts.page}';
mount(document.body, { worker: '/${scripts.worker}', model: '/none.msgpack', rows: '/none.csv' });`,
    ];
    files['/'] = [
      'text/html',
      '<!doctype html><title>score</title><link rel="icon" href="data:,"><body><script type="module" src="/start.js"></script>',
    ];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('lists the scores that orchard evaluate writes, byte for byte, without a connection', async () => {
    const { page, complaints } = await pageOfTest();
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.context().setOffline(true);
    for (const { name, rows } of trained) {
      await choose(page, 'model', modelOf(name));
      await page.waitForSelector('.place:not(.off) >> nth=1');
      await choose(page, 'rows', at(rows));
      const downloading = page.waitForEvent('download');
      await page.click('text=Download the score of each row');
      const list = readFileSync(await (await downloading).path(), 'utf8');
      expect(list, name).toBe(readFileSync(at(`${name}.scores.csv`), 'utf8'));
    }
    expect(complaints).toEqual([]);
  });

  it('takes a model and rows that are dropped together, and says what it refuses and what to do', async () => {
    const { page } = await pageOfTest();
    await page.goto(url, { waitUntil: 'networkidle' });
    const dropped = [at('new.csv.gz'), modelOf('tables')].map((path) => [basename(path), [...readFileSync(path)]]);
    const dataTransfer = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      for (const [name, bytes] of ${JSON.stringify(dropped)})
        transfer.items.add(new File([Uint8Array.from(bytes)], name));
      return transfer;
    })()`);
    await page.dispatchEvent('.scoring .place >> nth=1', 'drop', { dataTransfer });
    const shown = await page.textContent('.result');
    expect(shown).toContain('1 value of colour that training never saw');
    expect(shown).toContain('1 cell that does not fit the column size, counted as missing');
    expect(await page.textContent('tbody tr')).toContain('colour is pur"ple');
    const refused = [
      ['rows', at('bits.csv'), 'no column "colour"'],
      ['rows', given('rows.parquet', 'PAR1'), 'Save it as CSV'],
      ['model', at('bits.csv'), 'bits.csv is text that begins with "a,b,c", and no model'],
      ['model', given('half.msgpack', readFileSync(modelOf('tables')).subarray(0, 900)), 'get it again'],
    ] as const;
    for (const [place, file, words] of refused) {
      await choose(page, place, file);
      const name = typeof file === 'string' ? basename(file) : file.name;
      expect(await page.textContent(`.refused:has-text("${name}")`)).toContain(words);
    }
  });
});
