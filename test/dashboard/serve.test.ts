import { temporaryFolder } from '@orchard/storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main, orchard } from '../cli/orchard.js';
import { hasChromium, pageOfTest } from '../../libs/tasks/report/src/chromium.suite.js';

const isChromiumThere = hasChromium('the page of orchard serve is not tried');

/** What is looked at of an answer: a score, a completion or a problem. */
interface Told {
  readonly rows: readonly {
    readonly logLikelihood: number;
    readonly completions: readonly unknown[];
    readonly completion: readonly number[];
    readonly exact: boolean;
  }[];
  readonly detail: string;
}

describe('orchard serve', () => {
  const folder = temporaryFolder();
  let child: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const bits = Array.from({ length: 80 }, (_, row) => [row & 1, (row >> 1) & 1, (row & 3) === 3 ? 1 : 0].join());
    await writeFile(join(folder, 'bits.csv'), `a,b,c\n${bits.join('\n')}\n`);
    const words = ['--rounds', '5', '--threads', '1', '--quiet'];
    await mkdir(join(folder, 'runs'));
    await orchard('train', join(folder, 'bits.csv'), '--out', join(folder, 'runs/one'), ...words);
    child = spawn(process.execPath, [main, 'serve', join(folder, 'runs'), '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await writeFile(
      join(folder, 'cats.csv'),
      `kind,legs,weight\n${Array.from({ length: 90 }, (_, row) => [row % 3 ? 'cat' : 'bird', row % 3 ? 4 : 2, (row % 3 ? 4 : 0.1) + (row % 7) / 10].join()).join('\n')}\n`,
    );
    await orchard('train', join(folder, 'cats.csv'), '--members', '1', '--out', join(folder, 'runs/two'), ...words);
    const kinds = [
      ['boosted', '--components', '4'],
      ['cutset', '--components', '2'],
    ] as const;
    for (const [kind, ...own] of kinds)
      await orchard(
        ...['train', join(folder, 'bits.csv'), '--model', kind, ...own],
        ...['--threads', '1', '--quiet', '--out', join(folder, 'runs', kind)],
      );
    url = await new Promise((resolve, reject) => {
      createInterface({ input: child.stdout! }).once('line', resolve);
      child.once('exit', reject);
    });
  });
  afterAll(() => {
    child?.kill('SIGINT');
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

  const ask = async (
    path: string,
    question: unknown,
    headers: Record<string, string> = {},
  ): Promise<[number, Told]> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof question === 'string' ? question : JSON.stringify(question),
    });
    return [response.status, (await response.json()) as Told];
  };
  const runOf = async (family: string): Promise<string> => {
    const { runs } = (await (await fetch(`${url}/v1/runs`)).json()) as { runs: { id: string; family: string }[] };
    return runs.find((run) => run.family === family)!.id;
  };

  test('scores and completes rows as the command line does', async () => {
    const scored = join(folder, 'scored.csv');
    await orchard('evaluate', join(folder, 'runs/one'), join(folder, 'bits.csv'), '--per-row', scored);
    const [, first = ''] = (await readFile(scored, 'utf8')).split('\n');
    const [status, score] = await ask(`/v1/networks/${await runOf('lbarn')}/score`, { rows: [[0, 0, 0]], top: 1 });
    expect(status).toBe(200);
    expect(Number(first.split(',')[2])).toBeCloseTo(score.rows[0]!.logLikelihood, 5);
    // c is 1 where both others are
    const holes = [
      [1, 1, null],
      [null, 1, 1],
    ];
    const [filled, { rows }] = await ask(`/v1/networks/${await runOf('lbarn')}/complete`, { rows: holes, seed: 3 });
    expect(filled).toBe(200);
    await writeFile(join(folder, 'holes.csv'), 'a,b,c\n1,1,\n,1,1\n');
    await orchard(
      ...['complete', join(folder, 'runs/one'), join(folder, 'holes.csv'), '--seed', '3'],
      ...['--out', join(folder, 'filled.csv')],
    );
    const told = (await readFile(join(folder, 'filled.csv'), 'utf8')).trim().split('\n').slice(1);
    expect(rows.map(({ completion }) => completion.join())).toEqual(told);
    expect(rows[0]!.exact).toBe(true);
    const cat = { kind: 'cat', legs: null, weight: 4.3 };
    const [completed, answer] = await ask(`/v1/networks/${await runOf('tables')}/complete`, { rows: [cat] });
    expect(completed).toBe(200);
    expect(answer.rows[0]!.completions[0]).toMatchObject({ kind: 'cat', legs: 4, weight: 4.3 });
  });

  test('goes on answering while it computes what takes long', async () => {
    const rows = Array.from({ length: 200 }, () => ({ kind: 'cat' }));
    const score = `/v1/networks/${await runOf('tables')}/score`;
    const first = async (): Promise<string> => {
      const long = ask(score, { rows }).then(([status]) => `score ${String(status)}`);
      // it has come, and is being computed
      await new Promise((resolve) => setTimeout(resolve, 50));
      const short = statusOf('/v1/caller', {}).then((status) => `caller ${String(status)}`);
      const answered = await Promise.race([long, short]);
      expect(await Promise.all([long, short])).toEqual(['score 200', 'caller 200']);
      return answered;
    };
    await expect.poll(first).toBe('caller 200');
  });

  test('refuses what is no question in a sentence, and what another page asks', async () => {
    const score = `/v1/networks/${await runOf('lbarn')}/score`;
    const table = `/v1/networks/${await runOf('tables')}/score`;
    for (const [status, path, question, detail] of [
      [400, score, '{', /no JSON \(.*expected one JSON document/],
      [400, score, '', /got nothing, expected an object of rows/],
      [400, score, { rows: [[0, 2, 0]] }, /got 2, expected 0 or 1/],
      [422, score, { rows: [[0, 1]] }, /2 values.*expected 3/],
      [400, score, { rows: Array.from({ length: 1001 }, () => [0, 1, 0]) }, /1000/],
      [422, table, { rows: [{ kind: 'cat', leg: 4 }] }, /the column "leg".*Did you mean/s],
      [400, `/v1/networks/${await runOf('lbarn')}/complete`, { rows: [[0, 2, null]] }, /got 2.*or null/],
      [422, `/v1/networks/${await runOf('lbarn')}/complete`, { rows: [[0, null]] }, /2 values.*expected 3/],
      [
        422,
        `/v1/networks/${await runOf('lbarn')}/complete`,
        { rows: Array.from({ length: 1000 }, () => [0, null, 0]), samples: 4096 },
        /4096 particles each.*orchard complete/s,
      ],
      [413, score, ' '.repeat(9 * 2 ** 20), /at most 8388608/],
    ] as const) {
      const [got, problem] = await ask(path, question);
      expect([got, problem.detail]).toEqual([status, expect.stringMatching(detail)]);
    }
    const rows = { rows: [[0, 1, 0]] };
    expect((await ask(score, rows, { 'Content-Type': 'text/plain' }))[0]).toBe(415);
    expect((await ask(score, rows, { Origin: 'http://somebody.example' }))[0]).toBe(403);
    expect((await ask(score, rows, { Origin: url }))[0]).toBe(200);
    // a body that announces no length is read no further than it may be
    // and ends, after eight times that: the client goes on filling its memory when the connection has been cut
    let left = 64;
    const unannounced = new ReadableStream({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(new Uint8Array(2 ** 20));
        else controller.close();
      },
    });
    const streamed = await fetch(url + score, {
      ...{ method: 'POST', body: unannounced, duplex: 'half', headers: { 'Content-Type': 'application/json' } },
    } as RequestInit).then(
      ({ status }) => status,
      // the connection may be cut while the rest is still being sent
      () => 413,
    );
    expect(streamed).toBe(413);
    expect((await ask(score, rows))[0]).toBe(200);
  });

  test.skipIf(!isChromiumThere)(
    'ranks the rows of a file that is dropped on the page, and says what it refuses',
    async () => {
      const { page, complaints } = await pageOfTest();
      await page.goto(`${url}/#/runs/${await runOf('tables')}/model`);
      const section = page.getByLabel('Rows of a file');
      const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      const rows = Array.from({ length: 1200 }, (_, row) => (row === 1100 ? 'bird,4,4.2' : 'cat,4,4.2'));
      await section.locator('input').setInputFiles(file('many.csv', `kind,legs,weight\n${rows.join('\n')}\n`));
      const first = section.getByRole('row').nth(1);
      await first.waitFor();
      expect((await first.getByRole('cell').allInnerTexts()).slice(0, 2)).toEqual(['1', '1,101']);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        section.getByRole('link', { name: 'Save all scores' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('many-scores.csv');
      const saved = (await readFile((await download.path())!, 'utf8')).trim().split('\n');
      const head = 'row,log_likelihood,rank,anomaly_score';
      expect([saved.length, saved[0], saved[1101]!.split(',')[2]]).toEqual([1201, head, '1']);
      // a comma of numbers is none between cells, and what does not fit is said
      const weights = ['cat;4;4,2', 'cat;4;4,5', 'bird;2;heavy'];
      await section.locator('input').setInputFiles(file('europe.csv', `kind;legs;weight\n${weights.join('\n')}\n`));
      const remarks = await section.getByRole('note').innerText();
      expect(remarks).toMatch(/does not fit the column "weight", counted as missing: "heavy" in row 3/);
      for (const [name, text, sentence] of [
        ['big.csv', 'cat,4,4.2\n'.repeat(500_000), 'at most 4.0 MB are scored on this page'],
        ['odd.csv', 'kind,legs,wait\ncat,4,4', 'The column "wait" is none'],
        ['none.csv', '', 'none.csv is empty'],
      ] as const) {
        await section.locator('input').setInputFiles(file(name, text));
        await section.getByRole('alert').filter({ hasText: sentence }).waitFor();
      }
      expect(complaints).toEqual([]);
    },
  );

  test.skipIf(!isChromiumThere)(
    'shows a run with its curve, tasks, draws and report, and nothing on the console',
    async () => {
      const { page, complaints } = await pageOfTest();
      await page.goto(url);
      await page.locator('.sign.live').waitFor();
      await page.locator(`td a.id[href*="${await runOf('lbarn')}"]`).click();
      await page.locator('.state.done').waitFor();
      // the leaves and then the share of predictors that were tried, and settled, and what was trained
      for (const grid of ['4 tasks of screen: 4 stored', '3 tasks of train: 3 stored'])
        await page.getByRole('application', { name: grid }).waitFor();
      await page.getByLabel('Held-out likelihood', { exact: true }).locator('canvas').waitFor();
      await page.getByRole('region', { name: 'Sampled rows' }).waitFor();
      const [report] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('button', { name: 'Report' }).click(),
      ]);
      await report.getByRole('heading', { level: 1 }).waitFor();

      // of trees that are boosted each round tells it, and of networks that are mixed none
      const heldOut = page.getByLabel('Held-out likelihood', { exact: true });
      await page.goto(`${url}/#/runs/${await runOf('boosted')}`);
      await heldOut.getByText(/With (\d+) of \1 rounds\. Of the 8 validation rows/).waitFor();
      await heldOut.locator('canvas').waitFor();
      await page.goto(`${url}/#/runs/${await runOf('cutset')}`);
      await heldOut.getByText('tell no likelihood while they train').waitFor();
      expect(await heldOut.locator('canvas').count()).toBe(0);

      // a variable's task has a curve, and a component's says that there is none
      const choose = async (family: string, task: string) => {
        await page.goto(`${url}/#/runs/${await runOf(family)}`);
        await page.getByRole('application').focus();
        await page.keyboard.press('ArrowRight');
        return page.getByRole('region', { name: `Task ${task}` });
      };
      await (await choose('cutset', 'component/c0')).getByText('No curve of it is stored.').waitFor();
      const variable = await choose('tables', 'train/0');
      await variable.getByText('kind: dimension 0 (train)').waitFor();
      await variable.locator('canvas').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    [['nowhere'], /nowhere, which is not a folder, expected folders that orchard train wrote/],
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
